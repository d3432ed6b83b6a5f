"""The rules of the night on examples labelled by somebody who had not read them."""

import json
from pathlib import Path
from typing import Any

from neomem.capture.duplicates import say_the_same
from neomem.lasting import lasting
from neomem.sleep_settings import SleepSettings
from neomem.text import normalise
from sleep_cycle.same_entity import Named, candidates, score

DATA = Path(__file__).parents[1] / "data" / "sleep"


def rows(name: str) -> list[dict[str, Any]]:
    text = (DATA / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_texts_that_differ_are_never_taken_for_the_same():
    pairs = rows("duplicates")
    said = [say_the_same(pair["one"], pair["other"]) for pair in pairs]
    same = [pair["same"] for pair in pairs]

    wrong = [p for p, s in zip(pairs, said, strict=True) if s and not p["same"]]
    found = sum(s and p for s, p in zip(said, same, strict=True))

    assert len(pairs) - sum(same) == 250
    assert wrong == []
    assert found / sum(same) > 0.5


def test_it_does_not_matter_which_text_is_first():
    for pair in rows("duplicates"):
        assert say_the_same(pair["one"], pair["other"]) == say_the_same(pair["other"], pair["one"])


def test_names_of_two_things_are_never_merged():
    least = SleepSettings().same_entity
    merged: list[dict[str, Any]] = []
    for pair in rows("entities"):
        one, other = (Named(n, pair[n]["name"], pair[n]["type"]) for n in ("one", "other"))
        # Names that are written the same are one entity from the start, by their key.
        if normalise(one.name) != normalise(other.name):
            sure = [score(c, pair["shared"], pair["together"]) for c in candidates([one, other])]
            merged += [pair] if any(each >= least for each in sure) else []

    assert [pair for pair in merged if not pair["same"]] == []
    assert len(merged) / sum(pair["same"] for pair in rows("entities")) > 0.7


def test_what_is_worth_knowing_is_never_called_noise():
    memories = rows("tasks")
    judged = [(each["lasting"], lasting(each["text"], each["kind"])) for each in memories]

    noise = [stays for stays, said in judged if said is False]
    kept = [stays for stays, said in judged if said is True]

    assert not any(noise)
    assert len(noise) / sum(not stays for stays, _ in judged) > 0.55
    assert sum(kept) / len(kept) > 0.9
