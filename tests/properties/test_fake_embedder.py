"""What must hold of the fake embedder for any text, half characters included."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neomem.ports import Passage
from neomem.testing import FakeEmbedder

TEXTS = st.text(st.characters(exclude_categories=[]))
DIMENSIONS = st.integers(1, 128)


@given(text=TEXTS, context=TEXTS, dimensions=DIMENSIONS)
async def test_every_vector_has_unit_length(text, context, dimensions):
    (embedding,) = await FakeEmbedder(dimensions).embed_passages([Passage(text, context)])

    assert embedding.vector.shape == (dimensions,)
    assert float(np.linalg.norm(embedding.vector)) == pytest.approx(1, abs=1e-5)


@given(texts=st.lists(TEXTS, max_size=5), at=st.integers(0, 5))
async def test_equal_texts_have_equal_vectors_whatever_else_is_asked(texts, at):
    text = texts[at % len(texts)] if texts else ""

    alone = await FakeEmbedder().embed_question(text)
    among = await FakeEmbedder().embed_passages([Passage(each) for each in [*texts, text]])

    assert np.array_equal(alone.vector, among[-1].vector)
