"""What users hold, from end to end, with the real models and the real server."""

import pytest

import neomem
from neomem.config import Config
from neomem.errors import ConfigError, EmbedderMismatch, InputError
from neomem.model import Draft
from neomem.sections import CaptureSettings


async def test_a_memory_from_capture_to_forgetting(config, graph, agent, tmp_path):
    async with neomem.connect(config) as memory:
        captured = await memory.capture("Caroline moved to Lisbon in May.", agent=agent)
        again = await memory.capture("Caroline moved to  Lisbon in May.", agent=agent)
        kept = await memory.get(captured.id or "", agent=agent)
        pinned = await memory.pin(kept.id, agent=agent)
        await memory.pin(kept.id, pinned=False, agent=agent)
        newer = await memory.capture(Draft(text="Caroline lives in Porto now."), agent=agent)
        old = await memory.supersede(kept.id, newer.id or "", reason="moved", agent=agent)
        counts = await memory.export(tmp_path / "all.jsonl", agent=agent)
        await memory.forget([kept.id], agent=agent)
        left = await memory.list(agent=agent)
        stats = await memory.stats(agent=agent)
        back = await memory.restore([kept.id], agent=agent)
        gone = await memory.purge([kept.id], agent=agent)

    assert (captured.outcome, again.outcome) == ("stored", "duplicate")
    assert set(captured.entities) == {"Caroline", "Lisbon"}
    assert kept.text == "Caroline moved to Lisbon in May."
    assert kept.event_at.month == 5
    assert pinned.pinned
    assert old.valid_until < kept.valid_until
    assert counts.memories == 2
    assert [each.id for each in left] == [newer.id]
    assert (stats.memories, stats.archived) == (1, 1)
    assert [each.id for each in back] == [kept.id]
    assert gone == (kept.id,)


async def test_patterns_of_ones_own_are_secrets_too(config, graph, agent):
    mine = config.model_copy(
        update={"capture": CaptureSettings(patterns={"badge": r"\bbadge-\d{6}\b"})}
    )

    async with neomem.connect(mine) as memory:
        with pytest.raises(InputError, match="badge"):
            await memory.capture("My number is badge-123456.", agent=agent)


async def test_a_pattern_that_is_none_is_refused_before_anything_is_opened():
    config = Config(capture=CaptureSettings(patterns={"broken": "(", "empty": "x*"}))

    with pytest.raises(ConfigError) as caught:
        async with neomem.connect(config):
            pass

    assert len(caught.value.problems) == 2


async def test_a_reason_with_a_secret_is_refused_without_repeating_it(config, graph, agent):
    secret = "ghp_" + "a1B2c3D4e5" * 4

    async with neomem.connect(config) as memory:
        old = await memory.capture("The token is kept in the safe.", agent=agent)
        new = await memory.capture("The token is kept in the vault now.", agent=agent)
        with pytest.raises(InputError, match="the reason holds a secret") as caught:
            await memory.supersede(
                old.id or "", new.id or "", reason=f"it is {secret}", agent=agent
            )
        kept = await memory.get(old.id or "", agent=agent)

    assert secret not in str(caught.value)
    assert kept.valid_until.year == 9999


async def test_the_engine_knows_whether_its_embedder_is_the_stores(config, graph):
    other = config.embedder.model_copy(update={"model": "all-MiniLM-L6-v2-q"})

    async with neomem.connect(config) as memory:
        fits = await memory.embedder_fits(), await memory.mismatch()
    async with neomem.connect(config.model_copy(update={"embedder": other})) as memory:
        not_fits, reason = await memory.embedder_fits(), await memory.mismatch()
        with pytest.raises(EmbedderMismatch, match="e5-small-v2"):
            await memory.capture("Refused.")

    assert fits == (True, None)
    assert not not_fits
    assert "all-MiniLM-L6-v2-q" in str(reason)
