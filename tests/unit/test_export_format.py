"""The lines of an export, without a store."""

import json
import math
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neomem.errors import InputError, NeomemError
from neomem.ports import halves
from neomem.store.export_format import EDGES, Counts, Header, Keys, Lines, Reader, Record
from neomem.store.export_values import neutral_key, own_key, pack, unpack
from neomem.text import fingerprint, lane, session_key

HEADER = Header(schema=5, model="m", dimensions=3, language="english", embeddings=True)
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
NUMBER = st.integers(-(2**63), 2**63 - 1)
TIME = st.datetimes(timezones=st.just(UTC))
VALUE = st.one_of(
    TEXT,
    st.booleans(),
    NUMBER,
    st.floats(allow_nan=False),
    TIME,
    st.lists(TEXT, max_size=4),
    st.lists(NUMBER, max_size=4),
    st.lists(TIME, max_size=4),
)
NAMES = st.from_regex(r"p_[a-z]{0,6}[a-x]", fullmatch=True)
PROPERTIES = st.dictionaries(NAMES, VALUE, max_size=6)


def a_memory(**more: object) -> dict[str, object]:
    times = dict.fromkeys(("created_at", "event_at", "valid_from", "valid_until"), NOW)
    words = {"text": "t", "kind": "fact", "scope": "user"}
    return {**times, **words, "importance": 0.5, "authority": 1, "live": True, **more}


def a_file(*nodes: tuple[str, str, dict[str, object]], agent: str = "a") -> list[bytes]:
    lines = Lines()
    written = [lines.header(HEADER)]
    for kind, key, properties in nodes:
        written.append(lines.node(kind, key, pack(agent, properties, embeddings=True)))
    return [*written, lines.trailer()]


def read(lines: list[bytes], agent: str = "a") -> tuple[list[Record], Counts]:
    reader = Reader(agent)
    records = [record for line in lines if (record := reader.read(line))]
    return records, reader.finish()


@given(properties=PROPERTIES)
def test_properties_survive_a_round_trip(properties):
    assert unpack("b", pack("a", properties, embeddings=False), 0) == properties


@given(properties=PROPERTIES, key=TEXT)
def test_a_file_gives_back_what_was_written(properties, key):
    whole = a_memory(**properties)

    records, counts = read(a_file(("memory", key, whole)))

    assert records == [Record("memory", (key,), whole)]
    assert counts == Counts(memories=1)


@given(keys=st.sets(TEXT, max_size=8), data=st.data())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_changed_byte_is_noticed(keys, data):
    lines = a_file(*(("memory", key, a_memory()) for key in sorted(keys)))
    content = b"".join(lines)
    place = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != content[place]))
    damaged = content[:place] + bytes([byte]) + content[place + 1 :]

    with pytest.raises(InputError):
        read([part for part in damaged.splitlines(keepends=True) if part])


@given(keys=st.sets(TEXT, max_size=6), data=st.data())
def test_any_cut_is_noticed(keys, data):
    content = b"".join(a_file(*(("memory", key, a_memory()) for key in sorted(keys))))
    cut = content[: data.draw(st.integers(0, len(content) - 1))]

    with pytest.raises(InputError):
        read([line for line in cut.splitlines(keepends=True) if line])


@given(agent=TEXT, other=TEXT, name=TEXT)
def test_keys_move_to_another_agent(agent, other, name):
    key = session_key(agent, name)

    assert own_key(other, neutral_key(agent, key)) == session_key(other, name)


@given(agent=TEXT.filter(lambda name: len(name) > 3), other=TEXT)
def test_nothing_in_a_line_tells_whose_it_is(agent, other):
    identity = "text:1"
    kept = {
        "agent": agent,
        "lane": lane(agent, live=False),
        "session_key": session_key(agent, "s"),
        "identity": identity,
        "dedupe_key": fingerprint(agent, identity),
        "sleep_seen": NOW,
    }

    packed = pack(agent, kept, embeddings=True)

    assert packed == pack(other, unpack(other, packed, 0), embeddings=True)
    assert unpack(other, packed, 0) == {
        "lane": lane(other, live=False),
        "session_key": session_key(other, "s"),
        "identity": identity,
        "dedupe_key": fingerprint(other, identity),
    }


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), max_size=20))
def test_vectors_are_exact(numbers):
    packed = pack("a", {"embedding": numbers, "x": 1}, embeddings=True)

    assert unpack("a", packed, len(numbers))["embedding"].tolist() == numbers
    assert pack("a", {"embedding": numbers}, embeddings=False) == {}


@given(st.lists(st.tuples(st.sampled_from(["entity", "task"]), TEXT), max_size=30), TEXT)
def test_keys_know_what_was_added(added, other):
    keys = Keys()
    for kind, key in added:
        keys.add(kind, key)

    assert all(record in keys for record in added)
    assert (("memory", other) in keys) is False
    assert keys.repeat() == (len(set(added)) < len(added))


def test_times_are_written_in_utc_and_odd_numbers_as_words():
    east = datetime(1, 1, 2, 0, 0, 0, 1, tzinfo=timezone(timedelta(hours=2)))

    packed = pack("a", {"at": east, "n": math.nan, "i": -math.inf}, embeddings=False)

    assert packed == {
        "at": {"$time": "0001-01-01T22:00:00.000001Z"},
        "n": {"$float": "nan"},
        "i": {"$float": "-inf"},
    }
    assert unpack("a", packed, 0)["at"] == east
    assert math.isnan(unpack("a", packed, 0)["n"])


def test_a_key_that_is_not_its_identitys_is_left_out():
    assert pack("a", {"identity": "x", "dedupe_key": "y"}, embeddings=False) == {"identity": "x"}


@pytest.mark.parametrize("value", [b"bytes", {"a": 1}, NOW.replace(tzinfo=None), [{}]])
def test_what_has_no_place_in_an_export_is_refused(value):
    with pytest.raises(NeomemError, match="has no place here"):
        pack("a", {"odd": value}, embeddings=False)


@pytest.mark.parametrize(
    "packed",
    [
        None,
        [],
        {"a b": 1},
        {"agent": "x"},
        {"x": None},
        {"x": {}},
        {"x": {"$time": "2026-05-01"}},
        {"x": {"$time": "2026-05-01T00:00:00.000000"}},
        {"x": {"$time": 5}},
        {"x": {"$float": "1"}},
        {"x": {"$f32": "?"}},
        {"x": {"$f32": "AAAA"}},
        {"x": {"$f32": "AAAAAA=="}},
        {"x": {"$own": "a", "$time": "b"}},
        {"x": {"$what": "a"}},
        {"x": {"a": 1}},
        {"x": 2**63},
        {"x": [1, "a"]},
        {"x": [1, 1.0]},
        {"x": [[1]]},
        {"x": [None]},
        {"lane": "l1"},
        {"session_key": "1:s"},
        {"dedupe_key": "0123"},
    ],
)
def test_properties_of_an_unknown_form_are_refused(packed):
    with pytest.raises(ValueError, match=r"^has "):
        unpack("a", packed, 3)


def test_a_vector_needs_the_length_and_the_numbers_of_the_header():
    for numbers, why in (([1.0, 2.0], "not of 3 numbers"), ([1.0, 2.0, math.nan], "no number")):
        for name, kept in (
            ("embedding", np.array(numbers)),
            ("halves", halves(np.array(numbers), None)),
        ):
            packed = pack("a", {name: kept}, embeddings=True)

            with pytest.raises(ValueError, match=why):
                unpack("a", packed, 3)


def test_edges_of_one_pair_stand_in_the_order_of_their_properties():
    lines = Lines()

    made = lines.edges(("NEXT", "a", "b"), [{"n": 2}, {"n": 1}, {}])

    assert [json.loads(line)["properties"] for line in made] == [{"n": 1}, {"n": 2}, {}]
    assert lines.counts == Counts(edges=3)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([("memory", "b", a_memory()), ("memory", "a", a_memory())], "out of order"),
        ([("memory", "a", a_memory()), ("memory", "a", a_memory())], "out of order"),
        ([("memory", "a", a_memory()), ("entity", "b", {"name": "b"})], "out of order"),
        ([("entity", "a", {})], "lacks the name of a entity"),
        ([("memory", "a", a_memory(text=5))], "lacks the text"),
        ([("memory", "a", a_memory(created_at="today"))], "lacks the created_at"),
        ([("person", "a", {})], "does not know"),
    ],
)
def test_a_file_that_was_not_written_by_an_export_is_refused(nodes, message):
    with pytest.raises(InputError, match=message):
        read(a_file(*nodes))


def test_one_identity_cannot_be_there_twice():
    same = a_memory(identity="text:1", dedupe_key=fingerprint("a", "text:1"))

    with pytest.raises(InputError, match="says one thing twice"):
        read(a_file(("memory", "a", same), ("memory", "b", same)))


@pytest.mark.parametrize("change", [{"schema": "5"}, {"more": 1}, {"embeddings": 1}])
def test_a_header_has_its_form(change):
    header = json.loads(Lines().header(HEADER))
    line = json.dumps({**header, **change}, sort_keys=True, separators=(",", ":")).encode()

    with pytest.raises(InputError, match="no header"):
        Reader("a").read(line + b"\n")


def test_vectors_need_a_header_that_announces_them():
    lines = a_file(("memory", "a", a_memory(embedding=[1.0, 2.0, 3.0])))
    plain = Lines().header(Header(**{**_fields(HEADER), "embeddings": False}))

    with pytest.raises(InputError, match="not of 0 numbers"):
        read([plain, *lines[1:]])


def _fields(header: Header) -> dict[str, object]:
    return {name: getattr(header, name) for name in Header.__dataclass_fields__}


def test_edges_are_in_the_order_of_the_file():
    assert list(EDGES) == sorted(EDGES)


def test_a_key_of_another_agent_is_no_key():
    with pytest.raises(NeomemError, match="another form"):
        neutral_key("a", session_key("b", "s"))
