"""The engine for code that is not async."""

import pytest

from neomem import sync
from neomem.errors import NotFound


def test_what_is_captured_is_recalled_without_async(config, agent):
    with sync.connect(config) as memory:
        captured = memory.capture("Ada keeps bees on the roof in Lisbon.", agent=agent)
        answer = memory.recall("Where does Ada keep bees?", agent=agent)

    assert [hit.id for hit in answer.hits] == [captured.id]


def test_errors_arrive_where_they_are_made(config, agent):
    with sync.connect(config) as memory, pytest.raises(NotFound):
        memory.get("00000000-0000", agent=agent)


def test_it_has_the_engines_methods_and_parts(config):
    with sync.connect(config) as memory:
        assert {"capture", "recall", "forget", "stats"} <= set(dir(memory))
        assert memory.config is config
