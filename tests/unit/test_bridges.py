"""From the best hits, over what they name, to what is about it."""

import math

import pytest

from neomem.recall.evidence import Candidate, Named
from neomem.recall.scoring import Judged, bridged
from neomem.recall.second_pass import Logistic, SecondPass
from neomem.recall.walk import Reached, bridges

SURE = Reached(1.0, 1.0, "b → names X")


def model(bridge):
    texts = Logistic(0.0, {}, bridge)
    turns = Logistic(0.0, {})
    return SecondPass(turns, turns, texts)


def test_an_entity_counts_by_the_best_hit_that_names_it():
    named = {"a": [Named("1:x", "X", 1)], "b": [Named("1:x", "X", 1)]}

    found = bridges({"a": 0.2, "b": 0.8}, named, hub=10)

    assert found == {"1:x": Reached(0.8, 0.8, "b → names X")}


def test_what_many_name_counts_less_and_a_hub_nothing():
    degrees = {"1:few": 1, "1:many": 10, "1:hub": 11}
    named = {"a": [Named(key, key, degree) for key, degree in degrees.items()]}

    found = {key: way.weight for key, way in bridges({"a": 1.0}, named, hub=10).items()}

    assert found == {"1:few": 1.0, "1:many": pytest.approx(1 / (1 + math.log(10)))}


def test_a_hit_of_which_nothing_is_told_leads_nowhere():
    assert bridges({"a": 1.0}, {}, hub=10) == {}


def test_a_bridge_adds_to_the_odds_and_says_so():
    known = {"a": Candidate(id="a", text="", kind="fact", about=("1:x",))}
    judged = {"a": Judged(0.5, lambda: {"fused": 1.0})}

    raised = bridged(model(2.0), judged, known, {"1:x": Reached(0.5, 0.5, "b → names X")})["a"]

    assert raised.relevance == pytest.approx(1 / (1 + math.exp(-1)))
    assert raised.spoken() == {"fused": 1.0, "bridge": 1.0}
    assert raised.path == "b → names X → about"


@pytest.mark.parametrize("relevance", [0.0, 1.0])
def test_a_bridge_keeps_a_probability_one(relevance):
    known = {"a": Candidate(id="a", text="", kind="fact", about=("1:x",))}

    raised = bridged(model(5.0), {"a": Judged(relevance)}, known, {"1:x": SURE})["a"]

    assert 0 <= raised.relevance <= 1


def test_a_turn_and_what_nobody_named_stay_as_they_were():
    known = {
        "turn": Candidate(id="turn", text="", kind="turn", about=("1:x",)),
        "other": Candidate(id="other", text="", kind="fact", about=("1:y",)),
    }
    judged = {name: Judged(0.4) for name in known}

    assert bridged(model(5.0), judged, known, {"1:x": SURE}) == judged
