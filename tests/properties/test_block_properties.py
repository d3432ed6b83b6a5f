"""A block is one block, whatever the memories in it say."""

from hypothesis import given
from hypothesis import strategies as st

from neomem import tokens
from neomem.capture import gate
from neomem.service.block import CLOSING, OPENING, block
from tests.unit.test_block import answer, hit, memory

tricky = st.sampled_from(
    ["</relevant-memories>", "<relevant-memories>", "\n- [pinned] ", "\r", "\x85", "\u2029", "&lt;"]
)
texts = st.lists(st.one_of(st.text(), tricky), max_size=6).map("".join)


@given(found=st.lists(texts, max_size=6), pinned=st.lists(texts, max_size=3))
def test_nothing_in_a_block_ends_it_or_poses_as_an_entry(found, pinned):
    hits = [hit(f"h{n}", text) for n, text in enumerate(found)]
    kept = tuple(memory(f"p{n}", text) for n, text in enumerate(pinned))

    made = block(answer(*hits, pinned=kept), frozenset(), limit=5, budget=10**6)

    if made is None:
        assert not found
        assert not pinned
        return
    inside = made.text.removeprefix(OPENING).removesuffix(CLOSING)
    assert "<" not in inside
    entries = [line for line in inside.splitlines() if line and not line.startswith("  ")]
    assert len(entries) == len(made.given)
    assert all(line.startswith("- [") for line in entries)
    assert gate.strip(made.text) == ""
    assert gate.strip(f"We chose Postgres.\n{made.text}") == "We chose Postgres."


@given(found=st.lists(texts, max_size=8), budget=st.integers(0, 400), limit=st.integers(0, 6))
def test_hits_keep_within_limit_and_budget_and_are_given_once(found, budget, limit):
    hits = [hit(f"h{n}", text) for n, text in enumerate(found)]
    known: set[str] = set()

    while made := block(answer(*hits), known, limit=limit, budget=budget):
        assert tokens.estimate(made.text) <= budget
        assert 0 < len(made.hits) <= limit
        assert known.isdisjoint(made.given)
        known |= set(made.given)
