import asyncio

import numpy as np
import pytest

from neomem.errors import ModelUnavailable
from neomem.models.question_cache import QuestionCache
from neomem.ports import Embedding


class Source:
    """Computes when it is let, and counts."""

    def __init__(self, *, open_: bool = True) -> None:
        self.computed: list[str] = []
        self.cancelled = 0
        self.failure: Exception | None = None
        self.gate = asyncio.Event()
        if open_:
            self.gate.set()

    async def __call__(self, text: str) -> Embedding:
        self.computed.append(text)
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.failure:
            raise self.failure
        return Embedding(np.ones(2, dtype=np.float32))


async def turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_question_is_computed_once():
    cache, source = QuestionCache(2), Source()

    first = await cache.get("a", source)
    second = await cache.get("a", source)

    assert first is second
    assert source.computed == ["a"]


async def test_the_question_not_asked_for_longest_is_forgotten():
    cache, source = QuestionCache(2), Source()

    for text in ("a", "b", "a", "c", "a", "b"):
        await cache.get(text, source)

    assert source.computed == ["a", "b", "c", "b"]


async def test_without_room_nothing_is_remembered_but_callers_are_joined():
    cache, source = QuestionCache(0), Source(open_=False)

    both = asyncio.gather(cache.get("a", source), cache.get("a", source))
    await turns()
    source.gate.set()
    first, second = await both
    await cache.get("a", source)

    assert first is second
    assert source.computed == ["a", "a"]


async def test_a_failure_reaches_all_who_wait_and_is_not_remembered():
    cache, source = QuestionCache(2), Source(open_=False)
    source.failure = ModelUnavailable()

    both = asyncio.gather(cache.get("a", source), cache.get("a", source), return_exceptions=True)
    await turns()
    source.gate.set()
    outcomes = await both
    source.failure = None
    await cache.get("a", source)

    assert [type(outcome) for outcome in outcomes] == [ModelUnavailable] * 2
    assert source.computed == ["a", "a"]


async def test_one_who_tries_again_at_once_does_not_get_the_old_failure():
    cache, source = QuestionCache(2), Source(open_=False)
    source.failure = ModelUnavailable()

    async def insist() -> Embedding:
        with pytest.raises(ModelUnavailable):
            await cache.get("a", source)
        source.failure = None
        return await cache.get("a", source)

    both = asyncio.gather(insist(), cache.get("a", source), return_exceptions=True)
    await turns()
    source.gate.set()
    insisting, other = await both

    assert isinstance(insisting, Embedding)
    assert isinstance(other, ModelUnavailable)


async def test_one_who_gives_up_takes_nobody_along():
    cache, source = QuestionCache(2), Source(open_=False)
    leaving = asyncio.create_task(cache.get("a", source))
    staying = asyncio.create_task(cache.get("a", source))
    await turns()

    leaving.cancel()
    await turns()
    source.gate.set()

    assert (await staying).vector.tolist() == [1, 1]
    assert leaving.cancelled()
    assert source.computed == ["a"]


async def test_what_nobody_waits_for_is_not_computed_to_the_end():
    cache, source = QuestionCache(2), Source(open_=False)
    leaving = asyncio.create_task(cache.get("a", source))
    await turns()

    leaving.cancel()
    await turns()
    source.gate.set()
    again = await cache.get("a", source)

    assert source.cancelled == 1
    assert again.vector.tolist() == [1, 1]
    assert source.computed == ["a", "a"]


async def test_nobody_can_spoil_a_vector_others_will_get():
    embedding = await QuestionCache(2).get("a", Source())

    with pytest.raises(ValueError, match="read-only"):
        embedding.vector[0] = 5
