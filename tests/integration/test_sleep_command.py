"""`neomem sleep` and `neomem entities` as people and cron meet them, on the real server."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from neomem.engine import Engine, connect
from neomem.model import Draft
from sleep_cycle import NAMES, history
from sleep_cycle.lease import held
from tests.conftest import REMOVE
from tests.integration.sleeping import canonical, edges, remember, state
from tests.integration.test_keeping_commands import run  # noqa: F401 - a fixture
from tests.support import cypher

SAME = ("In May Ada visited Porto by train.", "Ada visited Porto by train in May.")
OLD, NEW = "The port is 8081.", "The port is 9090."
THEIRS = b"MAILTO=ada\n# neomem sleep\n# Zo\xeb\r\n0 5 * * * backup 50\\% # neomem sleep?\n"
CRONTAB = """#!/bin/sh
# Keeps a crontab in a file, as cron's own program does.
case "$1" in
  -l) [ -f "{file}" ] || {{ echo "no crontab for ada" >&2; exit 1; }}; cat "{file}" ;;
  -) [ ! -f "{file}.refuse" ] || {{ echo "bad minute" >&2; exit 1; }}; cat > "{file}" ;;
esac
"""

pytestmark = pytest.mark.usefixtures("memories")


@pytest.fixture(scope="module")
async def engine(config, graph) -> AsyncIterator[Engine]:
    """What the command itself connects to: its model's vectors, its measure of what is near."""
    async with connect(config) as engine:
        yield engine


@pytest.fixture
async def memories(engine, agent) -> None:
    """A pair for dedupe, and a pair for conflicts."""
    await _memories(engine, agent)


async def _memories(engine: Engine, agent: str) -> None:
    now = datetime.now(UTC)
    older = Draft(text=OLD, said_at=now - timedelta(days=9))
    await remember(engine, agent, SAME[0], older, now=now - timedelta(hours=1))
    await remember(engine, agent, SAME[1], Draft(text=NEW, said_at=now), now=now)


@pytest.fixture
async def other(engine) -> AsyncIterator[str]:
    """Somebody else with the same memories."""
    name = f"test-{uuid4()}"
    await _memories(engine, name)
    yield name
    await engine.graph.write(REMOVE, agent=name)


@pytest.fixture
def crontab(tmp_path, monkeypatch) -> Path:
    """The file of a person's crontab; ask for it before `run`, which keeps the PATH it finds."""
    file, program = tmp_path / "kept", tmp_path / "bin" / "crontab"
    program.parent.mkdir()
    program.write_text(CRONTAB.format(file=file))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return file


# ------------------------------------------------------------------------------------- a night


async def test_a_night_is_told_to_programs_shown_and_taken_back(run, graph, agent):  # noqa: F811
    before = await canonical(graph, agent)

    night = await run("sleep", "--agent", agent, "--json")
    after = await state(graph, agent)
    told = json.loads(night.stdout)
    runs = json.loads((await run("sleep", "--history", "--agent", agent, "--json")).stdout)
    listed = await run("sleep", "--history", "--agent", agent)
    shown = await run("sleep", "--show", "last", "--agent", agent)
    undone = await run("sleep", "--undo", "last", "--agent", agent)
    nothing = await run("sleep", "--undo", "last", "--agent", agent)

    assert (night.exit_code, told["agent"], told["stopped"]) == (0, agent, None)
    assert [phase["phase"] for phase in told["phases"]] == list(NAMES)
    assert sum(phase["changes"] for phase in told["phases"]) == told["changes"] > 1
    assert (after[SAME[0]]["live"], after[OLD]["open"]) == (False, False)
    assert [(each["id"], each["status"]) for each in runs["runs"]] == [(told["run"], "finished")]
    assert told["run"][:13] in listed.stdout
    lines = shown.stdout.splitlines()
    assert len(lines) == told["changes"]
    assert any("dedupe: merge" in line and "1 said the same" in line for line in lines)
    assert undone.stdout == f"undone: {told['run']}, changes {told['changes']}\n"
    assert await canonical(graph, agent) == before
    assert (nothing.exit_code, nothing.stdout) == (8, "")


async def test_a_dry_run_writes_nothing_and_tells_every_change(run, graph, agent):  # noqa: F811
    before = await canonical(graph, agent)

    plain = await run("sleep", "--dry-run", "--agent", agent)
    told = json.loads((await run("sleep", "--dry-run", "--agent", agent, "--json")).stdout)

    plans = [plan for phase in told["phases"] for plan in phase["planned"]]
    assert (told["run"], len(plans)) == (None, told["changes"])
    assert {plan["phase"] for plan in plans} >= {"dedupe", "conflicts"}
    for plan in plans:
        said = f"{plan['phase']}: {plan['action']} {plan['about']}: {plan['why']}"
        assert said in plain.stdout.splitlines()
    assert await canonical(graph, agent) == before
    assert await history(graph, agent) == []


async def test_phases_are_chosen_and_left_out_and_a_line_says_which_is_next(run, agent):  # noqa: F811
    plain = await run("sleep", "--only", "links", "--only", "dedupe", "--agent", agent)
    skips = [word for name in NAMES[:8] for word in ("--skip", name)]
    told = json.loads((await run("sleep", *skips, "--agent", agent, "--json")).stdout)
    wrong = await run("sleep", "--only", "snore", "--agent", agent)
    none = await run("sleep", "--only", "links", "--skip", "links", "--agent", agent)

    assert plain.stderr.splitlines() == ["1/2 dedupe …", "dedupe …", "2/2 links …", "links …"]
    assert "\x1b" not in plain.stdout + plain.stderr
    assert "takes it back" in plain.stdout
    assert [phase["phase"] for phase in told["phases"]] == ["decay", "orphans"]
    assert (wrong.exit_code, none.exit_code) == (8, 8)
    assert all(name in wrong.stderr for name in (*NAMES, "snore"))


async def test_quiet_is_quiet(run, agent):  # noqa: F811
    night = await run("sleep", "--only", "dedupe", "-q", "--agent", agent)
    told = json.loads((await run("sleep", "--history", "--agent", agent, "--json")).stdout)

    assert (night.exit_code, night.stdout, night.stderr) == (0, "", "")
    assert told["runs"][0]["changes"] == 1


async def test_everybody_sleeps(run, graph, agent, other):  # noqa: F811
    night = await run("sleep", "--all-agents", "--only", "dedupe", "--json")

    told = {each["agent"]: each["changes"] for each in json.loads(night.stdout)["runs"]}
    assert night.exit_code == 0
    assert (told[agent], told[other]) == (1, 1)


async def test_a_night_whose_changes_are_used_up_goes_on_the_next_time(run, agent):  # noqa: F811
    phases = ("--only", "dedupe", "--only", "conflicts", "--agent", agent)

    first = json.loads((await run("sleep", *phases, "--changes", "1", "--json")).stdout)
    plain = await run("sleep", *phases, "--changes", "0")
    rest = json.loads((await run("sleep", *phases, "--json")).stdout)
    again = json.loads((await run("sleep", *phases, "--json")).stdout)

    assert (first["changes"], "used up (1)" in first["stopped"]) == (1, True)
    assert "stopped: the changes were used up (0)" in plain.stdout
    assert (rest["run"], rest["changes"], rest["stopped"]) == (first["run"], 2, None)
    assert again["run"] != first["run"]
    assert again["changes"] == 0


async def test_a_second_sleeper_leaves_quietly(run, graph, agent):  # noqa: F811
    async with held(graph, agent, 600):
        second = await run("sleep", "--agent", agent, "--json")
        others = await run("sleep", "--all-agents", "--only", "dedupe", "--json")

    assert (second.exit_code, second.stdout, second.stderr) == (6, "", "")
    assert others.exit_code == 0
    assert agent not in {each["agent"] for each in json.loads(others.stdout)["runs"]}
    assert await history(graph, agent) == []


async def test_undo_says_what_was_changed_since_and_force_overwrites(run, graph, agent):  # noqa: F811
    await run("sleep", "--only", "conflicts", "--agent", agent)
    old = (await state(graph, agent))[OLD]["id"]
    touch = "MATCH (m:Memory {id: $id}) SET m.valid_until = datetime('2030-01-01')"
    await graph.write(cypher(touch), id=old)
    undo = ("sleep", "--undo", "last", "--agent", agent)

    refused = await run(*undo)
    kept = (await state(graph, agent))[OLD]["open"]
    forced = json.loads((await run(*undo, "--force", "--json")).stdout)

    assert (refused.exit_code, refused.stdout, kept) == (6, "", False)
    assert f"error: memory {old} has another valid_until now" in refused.stderr
    assert "--force" in refused.stderr
    assert (forced["changes"], len(forced["forced"])) == (1, 1)
    assert (await state(graph, agent))[OLD]["open"]


# ----------------------------------------------------------------------------------- every night


async def test_cron_gets_a_line_when_told_and_loses_it_again(crontab, run):  # noqa: F811
    crontab.write_bytes(THEIRS)

    printed = await run("sleep", "--install-cron")
    untouched = crontab.read_bytes()
    written = await run("sleep", "--install-cron", "--at", "04:05", "--yes")
    once = crontab.read_bytes()
    await run("--config", "mine.toml", "sleep", "--install-cron", "--yes")
    moved = crontab.read_bytes()
    asked = await run("sleep", "--uninstall")
    still = crontab.read_bytes()
    removed = json.loads((await run("sleep", "--uninstall", "--yes", "--json")).stdout)

    assert printed.stdout.startswith("30 3 * * * ")
    assert " sleep --all-agents -q  # neomem sleep" in printed.stdout
    assert "add --yes" in printed.stderr
    assert untouched == THEIRS
    assert once == THEIRS + written.stdout.encode()
    assert once.splitlines()[-1].startswith(b"5 4 * * * ")
    assert moved.startswith(THEIRS + b"30 3 * * * ")
    assert f"--config {Path.cwd() / 'mine.toml'} ".encode() in moved
    assert "add --yes" in asked.stdout
    assert still == moved
    assert (removed["removed"], removed["written"]) == (True, False)
    assert crontab.read_bytes() == THEIRS


async def test_who_has_no_crontab_gets_one(crontab, run):  # noqa: F811
    await run("sleep", "--uninstall", "--yes")
    nothing = crontab.exists()
    written = json.loads((await run("sleep", "--install-cron", "--yes", "--json")).stdout)

    assert not nothing
    assert (written["written"], written["removed"]) == (True, False)
    assert crontab.read_text() == written["line"] + "\n"


async def test_a_crontab_that_refuses_or_is_not_there_is_said_plainly(crontab, run):  # noqa: F811
    crontab.with_name("kept.refuse").touch()
    refused = await run("sleep", "--install-cron", "--yes")
    wrong = await run("sleep", "--install-cron", "--at", "noon")
    (crontab.parent / "bin" / "crontab").unlink()
    (crontab.parent / "bin" / "crontab").touch()  # found before the machine's own, and no program
    missing = await run("sleep", "--install-cron", "--yes")

    assert (refused.exit_code, "bad minute" in refused.stderr) == (6, True)
    assert wrong.exit_code == 8
    assert not crontab.exists()
    assert (missing.exit_code, "systemd" in missing.stderr) == (6, True)


# -------------------------------------------------------------------------------------- entities


async def test_entities_are_listed_merged_and_split(run, graph, engine, agent):  # noqa: F811
    ada, byron = Draft(text="She sails.", about=("Ada",)), Draft(text="Math.", about=("Byron",))
    await remember(engine, agent, ada, byron)
    entities = ("entities", "--agent", agent)

    before = await run(*entities, "--json")
    table = await run(*entities, "BY")
    merged = json.loads((await run(*entities, "--merge", "Byron", "Ada", "--json")).stdout)
    one = json.loads((await run(*entities, "--json")).stdout)["entities"]
    joined = await edges(graph, agent, "ABOUT")
    split = await run(*entities, "--split", "Byron")
    twice = await run(*entities, "--split", "Byron")
    unknown = await run(*entities, "--merge", "Nobody", "Ada")
    itself = await run(*entities, "--merge", "Ada", "Ada")
    again = json.loads(
        (await run("sleep", "--only", "entities", "--agent", agent, "--json")).stdout
    )

    names = {each["name"] for each in json.loads(before.stdout)["entities"]}
    assert names >= {"Ada", "Byron"}
    assert "Byron" in table.stdout
    assert "Ada" not in table.stdout
    assert (merged["merged"], merged["into"]) == ("Byron", "Ada")
    assert "Byron" not in {each["name"] for each in one}
    assert next(each for each in one if each["name"] == "Ada")["merged"] == ["Byron"]
    assert ("Math.", "Ada") in joined
    assert split.stdout == "Byron is not Ada any more\n"
    assert (twice.exit_code, unknown.exit_code, itself.exit_code) == (8, 8, 8)
    assert again["changes"] == 0
    assert ("Math.", "Ada") not in await edges(graph, agent, "ABOUT")


async def test_a_merge_by_hand_is_undone_like_a_run(run, graph, engine, agent):  # noqa: F811
    ada, byron = Draft(text="She sails.", about=("Ada",)), Draft(text="Math.", about=("Byron",))
    await remember(engine, agent, ada, byron)
    before = await canonical(graph, agent)

    said = await run("entities", "--merge", "Byron", "Ada", "--agent", agent)
    between = await canonical(graph, agent)
    undone = await run("sleep", "--undo", "last", "--agent", agent)

    assert "Byron is Ada now; `neomem sleep --undo " in said.stdout
    assert undone.exit_code == 0
    assert between != before
    assert await canonical(graph, agent) == before
