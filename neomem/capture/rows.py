"""What is captured, as the rows of one write."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from neomem.capture.prepare import Prepared
from neomem.model import FOREVER
from neomem.ports import Embedding, Found, halves
from neomem.store.graph import packed
from neomem.text import entity_key, fingerprint, lane

_CERTAIN = 1.0
ROLES = frozenset({"user", "assistant", "human", "ai", "system", "agent"})
"""Who speaks, but nobody's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A prepared text with all that models had to say of it."""

    id: str
    prepared: Prepared
    context: str
    embedding: Embedding
    in_context: Embedding | None
    found: tuple[Found, ...]
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further properties, of what sleep makes."""

    @property
    def names(self) -> dict[str, tuple[str, str, float, bool]]:
        """What it names, by normalised key: name, type, confidence, whether it is about it."""
        draft = self.prepared.draft
        given = [*draft.about, *([draft.speaker] if draft.speaker else [])]
        kind = "person" if draft.speaker else "other"
        named = [
            (name, kind if name == draft.speaker else "other", _CERTAIN, True) for name in given
        ]
        if draft.title and not draft.path:
            named.append((draft.title, "other", _CERTAIN, True))
        named += [(f.name, f.type, f.confidence, f.subject) for f in self.found]
        result: dict[str, tuple[str, str, float, bool]] = {}
        for name, type_, confidence, about in named:
            key = entity_key("", name)
            if key not in result:
                result[key] = name, type_, confidence, about
            else:
                first, known, best, subject = result[key]
                better = type_ if known == "other" else known
                result[key] = first, better, max(best, confidence), subject or about
        return result


def new_id(now: datetime) -> str:
    """Return a UUIDv7: unique anywhere, and in the order of time."""
    milliseconds = max(int(now.timestamp() * 1000), 0) & ((1 << 48) - 1)
    number = milliseconds << 80 | 0x7 << 76 | secrets.randbits(12) << 64 | 0b10 << 62
    return str(UUID(int=number | secrets.randbits(62)))


def parameters(
    ready: Sequence[Ready], agent: str, now: datetime, task: dict[str, str] | None
) -> dict[str, Any]:
    """Return the parameters of `capture/store`, in the orders that avoid deadlocks."""
    ordered = sorted(ready, key=lambda each: each.prepared.identity)
    links = [
        {"memory": each.id, "key": entity_key(agent, name), "confidence": sure, "about": about}
        for each in ordered
        for name, _, sure, about in each.names.values()
    ]
    entities = {
        entity_key(agent, name): {"name": name, "type": type_, "lane": lane(agent)}
        for each in ordered
        for name, type_, _, _ in each.names.values()
    }
    return {
        "agent": agent,
        "now": now,
        "sessions": _sessions(ordered),
        "rows": [_row(each, agent, task) for each in ordered],
        "entities": [{"key": key, **entities[key]} for key in sorted(entities)],
        "links": sorted(links, key=lambda link: str(link["key"])),
    }


def _sessions(ready: Sequence[Ready]) -> list[dict[str, Any]]:
    times: dict[str, list[datetime]] = {}
    names: dict[str, str] = {}
    for each in ready:
        key, session = each.prepared.session_key, each.prepared.draft.session
        if key and session:
            times.setdefault(key, []).append(each.prepared.said_at)
            names[key] = session
    return [
        {"key": key, "id": names[key], "from": min(moments), "until": max(moments)}
        for key, moments in sorted(times.items())
    ]


def _row(ready: Ready, agent: str, task: dict[str, str] | None) -> dict[str, Any]:
    prepared = ready.prepared
    return {
        "id": ready.id,
        "dedupe_key": fingerprint(agent, prepared.identity),
        "turn": prepared.turn_order is not None,
        "session_key": prepared.session_key,
        "properties": _properties(ready, agent, task),
        "embedding": packed(ready.embedding.vector),
        "task": task,
    }


def _properties(ready: Ready, agent: str, task: dict[str, str] | None) -> dict[str, Any]:
    prepared, draft = ready.prepared, ready.prepared.draft
    live = not prepared.quarantined
    inside = ready.in_context
    properties: dict[str, Any] = {
        "text": prepared.text,
        "context": ready.context,
        "title": draft.title,
        "kind": prepared.kind,
        "scope": prepared.scope,
        "importance": prepared.importance,
        "authority": prepared.importance if draft.authority is None else draft.authority,
        "pinned": False,
        "lasting": False,
        "evergreen": draft.evergreen,
        "source": draft.source,
        "trust": draft.trust if live else 0.0,
        "quarantined": prepared.quarantined,
        "quarantine_reason": prepared.reason,
        "live": live,
        "lane": lane(agent, live=live),
        "version": 1,
        "event_at": prepared.event.at,
        "event_until": prepared.event.until,
        "valid_from": prepared.valid_from.astimezone(UTC),
        "valid_until": FOREVER,
        "said": draft.said,
        "expires_at": draft.expires_at,
        "retrievals": 0,
        "seen": 1,
        "task_id": task["id"] if task else None,
        "speaker": draft.speaker,
        "external_id": draft.external_id,
        "identity": prepared.identity,
        "session_key": prepared.session_key,
        "turn_order": prepared.turn_order,
        "path": draft.path,
        "line_from": draft.line_from,
        "line_to": draft.line_to,
        "halves": halves(ready.embedding.vector, inside.vector if inside else None),
    }
    properties.update(ready.more)
    return {name: value for name, value in properties.items() if value is not None}
