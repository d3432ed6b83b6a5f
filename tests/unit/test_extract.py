import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from neomem.capture.extract import (
    ExtractedEntity,
    ExtractedRelation,
    Extraction,
    ExtractionAnswer,
    extract,
    moment,
    relation_type,
)
from neomem.errors import ModelAnswerInvalid
from neomem.models.answers import strict_schema
from neomem.testing import FakeLanguageModel

SAID_AT = datetime(2024, 5, 17, 12, tzinfo=UTC)
TEXT = "Ada Lovelace, or Countess Ada, has worked at Babbage Ltd since May 2023."
ADA = {"name": "Ada Lovelace", "type": "person", "confidence": 0.9}
BABBAGE = {"name": "Babbage Ltd", "type": "organisation", "confidence": 0.8}
WORKS = {
    "source": "Ada Lovelace",
    "target": "Babbage Ltd",
    "type": "works at",
    "confidence": 0.7,
}


def an_answer(**changes: object) -> dict[str, object]:
    return {
        "entities": [ADA, BABBAGE],
        "relations": [],
        "importance": 0.6,
        "kind": "fact",
        **changes,
    }


async def extracted(text: str = TEXT, **changes: object) -> Extraction:
    return await extract(FakeLanguageModel([an_answer(**changes)]), text, said_at=SAID_AT)


async def test_a_good_answer_is_taken_as_it_is():
    ada = {**ADA, "aliases": ["Countess Ada"], "subject": True}
    works = {**WORKS, "valid_from": "2023-05", "valid_until": None, "qualifier": "part-time"}

    found = await extracted(entities=[ada, BABBAGE], relations=[works], event_at="2023-05-02")

    assert found == Extraction(
        entities=(
            ExtractedEntity(
                name="Ada Lovelace",
                type="person",
                aliases=("Countess Ada",),
                subject=True,
                confidence=0.9,
            ),
            ExtractedEntity(name="Babbage Ltd", type="organisation", confidence=0.8),
        ),
        relations=(
            ExtractedRelation(
                source="Ada Lovelace",
                target="Babbage Ltd",
                type="WORKS_AT",
                confidence=0.7,
                valid_from=datetime(2023, 5, 1, tzinfo=UTC),
                qualifier="part-time",
            ),
        ),
        event_at=datetime(2023, 5, 2, tzinfo=UTC),
        importance=0.6,
        kind="fact",
    )


async def test_the_text_is_data_and_the_day_is_told():
    model = FakeLanguageModel([an_answer()])

    await extract(model, TEXT, said_at=SAID_AT)

    (asked,) = model.asked
    assert asked.data == TEXT
    assert TEXT not in asked.instructions
    assert "Friday, 2024-05-17" in asked.instructions


@pytest.mark.parametrize("blank", ["", " \n"])
async def test_a_blank_text_is_not_asked_about(blank):
    model = FakeLanguageModel()

    assert await extract(model, blank, said_at=SAID_AT) == Extraction()
    assert model.asked == []


async def test_a_day_without_a_time_zone_is_a_mistake():
    with pytest.raises(ValueError, match="time zone"):
        await extract(FakeLanguageModel(), TEXT, said_at=datetime(2024, 5, 17))  # noqa: DTZ001


@pytest.mark.parametrize(
    "answer",
    [
        an_answer(pinned=True),
        an_answer(entities=[{**ADA, "pinned": True}]),
        an_answer(entities=[{**ADA, "confidence": 1.2}]),
        an_answer(entities=[{**ADA, "confidence": "high"}]),
        an_answer(entities=[{**ADA, "type": "planet"}]),
        an_answer(entities=[{**ADA, "name": ""}]),
        an_answer(entities=[{**ADA, "name": "A" * 201}]),
        an_answer(entities=[{**ADA, "aliases": ["Ada"] * 11}]),
        an_answer(entities=[ADA] * 51),
        an_answer(importance=-0.1),
        an_answer(kind="summary"),
        json.dumps(an_answer(importance=float("nan"))),
        "{}",
    ],
)
async def test_an_answer_of_another_shape_is_discarded_whole(answer):
    with pytest.raises(ModelAnswerInvalid):
        await extract(FakeLanguageModel([answer]), TEXT, said_at=SAID_AT)


def test_a_model_is_not_even_asked_about_pinning():
    assert "pinned" not in json.dumps(strict_schema(ExtractionAnswer))


@pytest.mark.parametrize(
    ("entity", "reason"),
    [
        ({**ADA, "name": "Grace Hopper"}, "entities.1: its name is not in the text"),
        ({**ADA, "name": "  "}, "entities.1: its name is not in the text"),
        ({**ADA, "name": "ada  LOVELACE"}, "entities.1: given before"),
    ],
)
async def test_a_bad_entity_is_left_out_with_a_reason(entity, reason):
    found = await extracted(entities=[ADA, entity, BABBAGE])

    assert [kept.name for kept in found.entities] == ["Ada Lovelace", "Babbage Ltd"]
    assert found.discarded == (reason,)


async def test_an_alias_in_the_text_vouches_for_a_name_and_others_are_left_out():
    ada = {
        **ADA,
        "name": "Augusta Ada King",
        "aliases": ["Countess Ada", "A. A. L.", "countess ada"],
    }

    found = await extracted(entities=[ada])

    assert found.entities[0].name == "Augusta Ada King"
    assert found.entities[0].aliases == ("countess ada",)
    assert found.discarded == ("entities.0: an alias is not in the text",)


@pytest.mark.parametrize("name", ["東京", "Zürich", "STRASSE", "دمشق"])
async def test_names_are_found_in_any_script_and_form(name):
    text = "私は東京に住んでいる. Zu\u0308rich, Hauptstraße, دمشق"

    found = await extracted(text, entities=[{**ADA, "name": name, "type": "place"}])

    assert [entity.name for entity in found.entities] == [name]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"target": "Grace Hopper"}, "an end is not among the entities"),
        ({"source": "Babbage Ltd"}, "both ends are the same"),
        ({"type": "—"}, "its type has no letters"),
        ({"valid_from": "the other day"}, "a time cannot be read"),
        ({"valid_until": "2023-13"}, "a time cannot be read"),
        ({"valid_from": "2024", "valid_until": "2023"}, "it ends before it begins"),
        ({"type": "worksAt", "confidence": 0.1}, "given before"),
    ],
)
async def test_a_bad_relation_is_left_out_with_a_reason(changes, reason):
    found = await extracted(relations=[WORKS, {**WORKS, **changes}])

    assert [relation.confidence for relation in found.relations] == [0.7]
    assert found.discarded == (f"relations.1: {reason}",)


async def test_a_relation_may_call_its_ends_by_an_alias():
    ada = {**ADA, "aliases": ["Countess Ada"]}

    found = await extracted(
        entities=[ada, BABBAGE], relations=[{**WORKS, "source": "countess ada"}]
    )

    assert found.relations[0].source == "Ada Lovelace"


async def test_reasons_repeat_nothing_of_the_answer():
    found = await extracted(
        entities=[{**ADA, "name": "Grace"}],
        relations=[{**WORKS, "type": "hunter2"}],
        event_at="hunter2",
    )

    assert len(found.discarded) == 3
    assert not any(word in str(found.discarded) for word in ("Grace", "hunter2", "Ada"))


@pytest.mark.parametrize(
    ("at", "until", "expected"),
    [
        ("2024-05-10", None, ("2024-05-10", None)),
        ("2024-05-10", "2024-05-12", ("2024-05-10", "2024-05-12")),
        ("2024-05", None, ("2024-05-01", "2024-06-01")),
        ("2023-12", None, ("2023-12-01", "2024-01-01")),
        ("2023", None, ("2023-01-01", "2024-01-01")),
        ("2023", "2023-02-01", ("2023-01-01", "2023-02-01")),
        (None, None, (None, None)),
        ("", "", (None, None)),
    ],
)
async def test_a_vague_event_has_an_end(at, until, expected):
    found = await extracted(event_at=at, event_until=until)

    days = [time and f"{time:%Y-%m-%d}" for time in (found.event_at, found.event_until)]
    assert tuple(days) == expected
    assert found.discarded == ()


@pytest.mark.parametrize(
    ("at", "until", "kept", "reason"),
    [
        ("some day", None, None, "event_at: a time cannot be read"),
        ("9999", None, None, "event_at: a time cannot be read"),
        (None, "2024-05-10", None, "event_until: there is no event_at"),
        ("2024-05-10", "2024-05-01", "2024-05-10", "event_until: it ends before it begins"),
    ],
)
async def test_a_bad_event_time_is_left_out_with_a_reason(at, until, kept, reason):
    found = await extracted(event_at=at, event_until=until)

    assert (found.event_at and f"{found.event_at:%Y-%m-%d}") == kept
    assert found.event_until is None
    assert found.discarded == (reason,)


def test_a_time_without_a_zone_is_the_speakers():
    lisbon = timezone(timedelta(hours=1))

    assert moment("2024-05-17T14:30", lisbon) == datetime(2024, 5, 17, 13, 30, tzinfo=UTC)
    assert moment("2024-05-17T14:30Z", lisbon) == datetime(2024, 5, 17, 14, 30, tzinfo=UTC)


def test_a_time_before_all_times_cannot_be_read():
    with pytest.raises(ValueError, match="cannot be read"):
        moment("0001-01-01", timezone(timedelta(hours=1)))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("works at", "WORKS_AT"),
        ("WORKS_AT", "WORKS_AT"),
        ("worksAt", "WORKS_AT"),
        ("is-married/to ", "IS_MARRIED_TO"),
        ("arbeitet für", "ARBEITET_FÜR"),
        ("__", ""),
    ],
)
def test_types_of_relations_are_written_one_way(written, expected):
    assert relation_type(written) == expected
