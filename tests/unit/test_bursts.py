"""Conversations as bursts of short messages, for the fitting of the second pass."""

import json

from neomem.model import Draft
from tools.bursts import Bursts, burst


def test_a_turn_becomes_its_sentences_and_a_picture_stays_with_the_last():
    turn = Draft(text="Hi! I moved. Look: [image: a flat. By the sea]", external_id="c/1")

    parts = burst(turn)

    assert [part.text for part in parts] == ["Hi!", "I moved.", "Look: [image: a flat. By the sea]"]
    assert [part.external_id for part in parts] == ["c/1/0", "c/1/1", "c/1/2"]


def test_the_sentence_that_shares_most_with_the_answer_answers(tmp_path):
    folder = tmp_path / "talk"
    folder.mkdir()
    said = {"_id": "c/1", "conv": "c", "session": "1", "speaker": "Ann"}
    asked = {"_id": "q", "conv": "c", "text": "Where did Ann move?", "answer": "to Porto"}
    text = "Hello there! I went to Porto at last. The train was late and I was tired."
    (folder / "corpus.jsonl").write_text(json.dumps(said | {"text": text}) + "\n")
    (folder / "queries.jsonl").write_text(json.dumps(asked) + "\n")
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\tc/1\t1\n")

    talk = Bursts(folder)

    assert talk.name == "talk in bursts"
    assert [draft.position for draft in talk.texts["c"]] == [0, 1, 2]
    assert talk.questions[0].gold == {"c/1/1": 1.0}
