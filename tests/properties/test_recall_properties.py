"""What must hold of ranking and packing for any voices and any memories."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from neomem.errors import InputError
from neomem.recall.adjust import DAY, TwoPass, authority, factors, recency, two_pass
from neomem.recall.diversity import Item, likeness, mmr, tokens
from neomem.recall.evidence import SIGNALS, Candidate, Voice, voice
from neomem.recall.expansion import expand
from neomem.recall.fusion import confidence_rrf, linear, ranking, rrf, weighted
from neomem.recall.packing import pack
from neomem.recall.presets import PRESETS
from neomem.tokens import estimate

NOW = 2_000_000_000.0
NAMES = st.sampled_from("abcdefghij")
UNIT = st.floats(0, 1)
SCORES = st.dictionaries(NAMES, UNIT, max_size=8)
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=[])),
    st.lists(st.sampled_from(["red", "green", "blue", "記憶は図", "字"])).map(" ".join),
)
WEIGHTS = st.fixed_dictionaries({}, optional=dict.fromkeys(SIGNALS, st.floats(0, 2)))
VOICES = st.lists(
    st.builds(
        lambda signal, scores, share: voice(signal, "any", scores, share=share),
        st.sampled_from(SIGNALS),
        SCORES,
        UNIT,
    ),
    max_size=6,
)
ONE_EACH = st.tuples(SCORES, SCORES, SCORES).map(
    lambda scores: [
        voice(signal, "any", said) for signal, said in zip(SIGNALS, scores, strict=True)
    ]
)
DAYS = st.floats(0, 3_650)


@dataclass(frozen=True)
class Note:
    id: str
    text: str


NOTES = st.lists(st.builds(Note, NAMES, TEXTS), max_size=8, unique_by=lambda note: note.id)


@st.composite
def candidates(draw: st.DrawFn) -> dict[str, Candidate]:
    return {
        name: Candidate(
            id=name,
            text=draw(TEXTS),
            scope=draw(st.sampled_from(["session", "user", "global"])),
            event_at=NOW - draw(st.floats(-10, 3_650)) * DAY,
            evergreen=draw(st.booleans()),
            pinned=draw(st.booleans()),
            trust=draw(UNIT),
            authority=draw(UNIT),
            retrievals=draw(st.integers(0, 1_000)),
            decay_rate=draw(st.none() | UNIT),
            path=draw(st.none() | st.just("a.md")),
            cosine=draw(st.none() | st.floats(-1, 1)),
        )
        for name in "abcdefghij"
    }


def shares(parts: list[float]) -> TwoPass:
    total = sum(parts)
    return TwoPass(recency=parts[0] / total, frequency=parts[1] / total, authored=parts[2] / total)


ALPHAS = st.lists(UNIT, min_size=3, max_size=3).filter(lambda parts: sum(parts) > 0.01).map(shares)


@given(pinned=NOTES, found=NOTES, budget=st.none() | st.integers(0, 300))
def test_every_pinned_memory_is_in_every_pack_and_is_not_found_again(pinned, found, budget):
    needed = sum(estimate(note.text) for note in pinned)
    if budget is not None and needed > budget:
        with pytest.raises(InputError):
            pack(pinned, found, budget)
        return

    packed = pack(pinned, found, budget)

    assert packed.pinned == tuple(pinned)
    assert not {note.id for note in packed.pinned} & {note.id for note in packed.found}


@given(pinned=NOTES, found=NOTES, spare=st.integers(0, 100))
def test_packed_tokens_are_within_the_budget_and_the_next_would_not_be(pinned, found, spare):
    budget = sum(estimate(note.text) for note in pinned) + spare

    packed = pack(pinned, found, budget)

    told = [*packed.pinned, *packed.found]
    rest = [note for note in found if note not in told and note.id not in {n.id for n in pinned}]
    assert packed.tokens == sum(estimate(note.text) for note in told) <= budget
    assert packed.left_out == len(rest)
    if rest:
        assert packed.tokens + estimate(rest[0].text) > budget


@given(voices=VOICES, weights=WEIGHTS, data=st.data())
def test_fusion_does_not_depend_on_the_order_of_voices(voices, weights, data):
    shuffled = data.draw(st.permutations(voices))

    assert confidence_rrf(voices, weights) == confidence_rrf(shuffled, weights)
    assert rrf(voices) == rrf(shuffled)
    assert linear(voices, weights, {"bm25"}) == linear(shuffled, weights, {"bm25"})
    assert weighted(voices, weights) == weighted(shuffled, weights)


@given(voices=VOICES)
def test_rrf_is_the_sum_it_says_it_is(voices):
    exact: dict[str, Fraction] = {}
    for each in voices:
        for heard in each.hits:
            one = 1 / (60 + Fraction(heard.rank))
            exact[heard.id] = exact.get(heard.id, Fraction(0)) + one

    scores = rrf(voices)

    assert scores.keys() == exact.keys()
    for name, score in scores.items():
        assert abs(Fraction(score) - exact[name]) < Fraction(1, 10**15)


@given(voices=VOICES, weights=WEIGHTS)
def test_confidence_rrf_is_the_sum_it_says_it_is(voices, weights):
    exact: dict[str, Fraction] = {}
    for each in voices:
        for heard in each.hits:
            weight = Fraction(weights.get(each.signal, 0)) * Fraction(each.share)
            one = weight * Fraction(heard.score) / (15 + Fraction(heard.rank))
            exact[heard.id] = exact.get(heard.id, Fraction(0)) + one

    scores = confidence_rrf(voices, weights)

    assert scores.keys() == exact.keys()
    for name, score in scores.items():
        assert abs(Fraction(score) - exact[name]) < Fraction(1, 10**14)


@given(voices=VOICES, weights=WEIGHTS)
def test_mixed_scores_stay_within_0_and_1(voices, weights):
    mixes = [linear(voices, weights), linear(voices, weights, {"vector"}, {"bm25"})]
    mixes.append(weighted(voices, weights, bonus=0.5))

    assert all(0 <= score <= 1 for mix in mixes for score in mix.values())


@given(scores=st.dictionaries(st.text(), st.sampled_from([0.0, 0.25, 0.5])))
def test_a_ranking_falls_by_score_and_ties_fall_to_the_id(scores):
    order = ranking(scores)

    assert sorted(order) == sorted(scores)
    for before, after in pairwise(order):
        assert (-scores[before], before) < (-scores[after], after)


@given(younger=DAYS, older=DAYS, half_life=st.floats(0.5, 1_000))
def test_recency_never_rises_with_age_over_ten_years(younger, older, half_life):
    assume(younger <= older)

    fresh, stale = recency(younger * DAY, half_life), recency(older * DAY, half_life)

    assert 0 <= stale <= fresh <= 1


@given(start=st.integers(0, 3_649))
def test_a_day_more_always_counts_within_ten_years(start):
    assert recency(start * DAY) > recency((start + 1) * DAY) > 0


@given(memories=candidates(), strength=UNIT, half_life=st.floats(0.5, 1_000))
def test_every_factor_is_within_0_and_1(memories, strength, half_life):
    for memory in memories.values():
        named = factors(memory, NOW, half_life_days=half_life, strength=strength)

        assert all(0 <= factor <= 1 for factor in named.values())


@given(
    memories=candidates(),
    similarities=st.dictionaries(NAMES, st.floats(-1, 1)),
    terms=st.sets(TEXTS, max_size=3),
    settings=ALPHAS,
)
def test_two_passes_give_no_more_than_the_authority_of_a_memory(
    memories, similarities, terms, settings
):
    known = list(memories.values())
    most = max(memory.retrievals for memory in known)

    scores = two_pass(known, similarities, terms, NOW, settings)

    for name, score in scores.items():
        assert 0 <= score <= authority(memories[name], most, NOW, settings) <= 1


@given(
    items=st.lists(st.builds(Item, NAMES, TEXTS, UNIT), max_size=8, unique_by=lambda item: item.id),
    limit=st.integers(0, 10),
    weight=UNIT,
    data=st.data(),
)
def test_diversity_chooses_what_a_plain_search_would_whatever_the_order(items, limit, weight, data):
    chosen = mmr(items, limit, weight)

    assert mmr(data.draw(st.permutations(items)), limit, weight) == chosen
    assert chosen == plain_mmr(items, limit, weight)


def plain_mmr(items: list[Item], limit: int, weight: float) -> list[Item]:
    chosen: list[Item] = []
    while len(chosen) < limit:
        ranked = []
        for item in items:
            if item in chosen or item.relevance == 0:
                continue
            said = tokens(item.text)
            alike = max((likeness(said, tokens(other.text)) for other in chosen), default=0.0)
            worth = weight * item.relevance - (1 - weight) * alike
            if worth > 0 or not chosen:
                ranked.append((-worth, -item.relevance, item.id, item))
        if not ranked:
            break
        chosen.append(min(ranked)[3])
    return chosen


@given(one=TEXTS, other=TEXTS)
def test_likeness_is_even_handed_and_within_0_and_1(one, other):
    first, second = tokens(one), tokens(other)

    assert 0 <= likeness(first, second) == likeness(second, first) <= 1


@given(scores=SCORES, edges=st.lists(st.tuples(NAMES, NAMES)), data=st.data())
def test_expansion_goes_one_hop_and_ends(scores, edges, data):
    found = expand(scores, edges)

    assert expand(scores, data.draw(st.permutations(edges))) == found
    for name, (score, parent) in found.items():
        assert name not in scores
        assert (parent, name) in edges or (name, parent) in edges
        assert 0.2 <= score == scores[parent] * 0.6
        beside = [b if a == name else a for a, b in edges if name in (a, b)]
        assert scores[parent] == max(scores[other] for other in beside if other in scores)


@given(voices=ONE_EACH, memories=candidates(), weights=WEIGHTS)
def test_every_preset_scores_within_0_and_1(voices: list[Voice], memories, weights):
    for preset in PRESETS.values():
        scores = preset.score(voices, memories, weights, NOW)

        assert all(0 <= score <= 1 for score in scores.values()), preset.name
