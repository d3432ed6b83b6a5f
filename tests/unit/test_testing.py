import numpy as np
import pytest
from pydantic import BaseModel

from neomem.errors import ModelAnswerInvalid, ModelUnavailable
from neomem.ports import Embedder, LanguageModel, Passage, Usage
from neomem.testing import FakeEmbedder, FakeLanguageModel


class Colour(BaseModel):
    name: str


async def similarity(one: str, other: str) -> float:
    first, second = await FakeEmbedder().embed_passages([Passage(one), Passage(other)])
    return float(first.vector @ second.vector)


async def test_texts_that_share_words_are_similar():
    near = await similarity("Ada moved to Lisbon in May", "In May, Ada moved to Lisbon!")
    related = await similarity("Ada moved to Lisbon in May", "Where in Lisbon did Ada live?")
    far = await similarity("Ada moved to Lisbon in May", "Quarterly figures look rather good")

    assert near > 0.8
    assert near > related > far


async def test_the_vector_of_a_text_never_changes():
    vector = (await FakeEmbedder(dimensions=4).embed_question("Ada moved to Lisbon.")).vector

    assert vector.dtype == np.float32
    assert vector.tolist() == pytest.approx([0.381385, -0.190693, 0.286039, 0.858116], abs=1e-6)


async def test_context_moves_a_vector_a_little():
    alone, along = await FakeEmbedder().embed_passages(
        [Passage("Yes, in May."), Passage("Yes, in May.", context="Will Ada move to Lisbon?")]
    )

    assert 0.9 < float(alone.vector @ along.vector) < 0.999


async def test_a_question_is_where_its_passage_is():
    embedder: Embedder = FakeEmbedder(dimensions=8)

    question = await embedder.embed_question("Lisbon")
    (passage,) = await embedder.embed_passages([Passage("Lisbon")])
    await embedder.close()

    assert np.array_equal(question.vector, passage.vector)
    assert question.vector.shape == (embedder.dimensions,)


@pytest.mark.parametrize("answer", [Colour(name="red"), {"name": "red"}, '{"name": "red"}'])
async def test_a_queued_answer_is_given_in_the_shape_asked_for(answer):
    model: LanguageModel = FakeLanguageModel([answer])

    given = await model.ask("Which colour?", "A red car.", Colour)
    await model.close()

    assert given == Colour(name="red")
    assert model.usage.read
    assert model.usage.written


async def test_what_was_asked_is_remembered():
    model = FakeLanguageModel([{"name": "red"}])

    await model.ask("Which colour?", "A red car.", Colour)

    assert [(a.instructions, a.data, a.shape) for a in model.asked] == [
        ("Which colour?", "A red car.", Colour)
    ]


@pytest.mark.parametrize("answer", ["red", "{", {"shade": "red"}, {"name": 3}])
async def test_a_queued_answer_of_another_shape_is_invalid(answer):
    with pytest.raises(ModelAnswerInvalid, match="no Colour"):
        await FakeLanguageModel([answer]).ask("Which colour?", "", Colour)


async def test_a_queued_error_is_raised_and_costs_nothing():
    model = FakeLanguageModel([ModelUnavailable("gone"), {"name": "red"}])

    with pytest.raises(ModelUnavailable, match="gone"):
        await model.ask("Which colour?", "", Colour)

    assert model.usage == Usage()
    assert await model.ask("Which colour?", "", Colour) == Colour(name="red")


async def test_a_question_too_many_is_the_tests_mistake():
    with pytest.raises(AssertionError, match="question 1"):
        await FakeLanguageModel().ask("Which colour?", "", Colour)
