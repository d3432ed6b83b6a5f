"""What each agent's settings need for a memory: settings in, settings out, nothing written here."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from neomem.errors import InputError
from neomem.install.json_text import Value, cut, insert, parse

Agent = Literal["claude-code", "openclaw", "mcp"]

NAME = "neomem"
_HOOK = re.compile(r"(?:^|[\s\"'/\\])neomem-hook(?:\.exe)?[\"']?\s*$")
_PLUGIN = re.compile(r"(?:^|[/\\])integrations[/\\]openclaw[/\\]?$")
_EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
_SECONDS = 15

# What may have been made only to hold what was added, innermost first.
_HOLDERS: dict[Agent, tuple[tuple[str, ...], ...]] = {
    "claude-code": (*(("hooks", event) for event in _EVENTS), ("hooks",)),
    "mcp": (("mcpServers",),),
    "openclaw": (
        ("plugins", "load", "paths"),
        ("plugins", "load"),
        ("plugins", "entries"),
        ("plugins",),
    ),
}


@dataclass(frozen=True, slots=True)
class Commands:
    """How an agent starts neomem: a name it finds by itself, or a whole path."""

    neomem: str
    hook: str
    """As a shell reads it."""
    hook_file: str
    plugin: str
    """The folder of the OpenClaw plugin."""


@dataclass(frozen=True, slots=True)
class Need:
    """A member, or without a key an element, that should stand under a path."""

    path: tuple[str, ...]
    key: str | None
    value: object
    beside_others: bool = False
    """Only when the path is there already: a list of what is allowed forbids what it has not."""


def add(text: str, agent: Agent, commands: Commands) -> str:
    """Return the settings with all that the agent needs; text without anything is an empty object.

    What neomem had added before should have been removed.
    """
    text = text if text.strip("\ufeff \t\r\n") else "{}\n"
    for need in _needs(agent, commands):
        text = _with(text, need)
    return text


def remove(text: str, agent: Agent, original: str | None = None) -> str:
    """Return the settings without what `add` had added, whatever else has changed since.

    Objects and lists that are left empty go too, unless the original settings had them.
    """
    if not text.strip("\ufeff \t\r\n") or not any(_ours(agent, parse(text))):
        return text
    while found := list(_ours(agent, parse(text))):
        container, index = found[0]
        text = cut(text, container, index)
    kept = parse(original) if original and original.strip("\ufeff \t\r\n") else None
    for path in _HOLDERS[agent]:
        if kept is None or kept.get(*path) is None:
            text = _without_empty(text, path)
    return text


def _needs(agent: Agent, commands: Commands) -> Iterator[Need]:
    if agent == "claude-code":
        hook = {"type": "command", "command": commands.hook, "timeout": _SECONDS}
        for event in _EVENTS:
            yield Need(("hooks", event), None, {"hooks": [hook]})
    elif agent == "mcp":
        yield Need(("mcpServers",), NAME, {"command": commands.neomem, "args": ["mcp"]})
    else:
        # Without this leave a plugin is not shown what was said.
        entry: dict[str, object] = {"enabled": True, "hooks": {"allowConversationAccess": True}}
        if commands.hook_file != "neomem-hook":
            entry["config"] = {"command": commands.hook_file}
        yield Need(("plugins", "load", "paths"), None, commands.plugin)
        yield Need(("plugins", "entries"), NAME, entry)
        yield Need(("plugins", "allow"), None, NAME, beside_others=True)


def _with(text: str, need: Need) -> str:
    place, depth = parse(text), 0
    while True:
        kind = "array" if need.key is None and depth == len(need.path) else "object"
        if place.kind != kind:
            name = f"`{'.'.join(need.path[:depth])}`" if depth else "the whole"
            raise InputError(f"{name} should be an {kind}")
        below = place.get(need.path[depth]) if depth < len(need.path) else None
        if below is None:
            break
        place, depth = below, depth + 1
    missing = need.path[depth:]
    if not missing:
        return insert(text, place, need.key, need.value)
    if need.beside_others:
        return text
    value: object = [need.value] if need.key is None else {need.key: need.value}
    for key in reversed(missing[1:]):
        value = {key: value}
    return insert(text, place, missing[0], value)


def _ours(agent: Agent, root: Value) -> Iterator[tuple[Value, int]]:
    """Find what is neomem's: the container of each, and its place there."""
    if agent == "claude-code":
        for event in _EVENTS:
            yield from _hooks_of(root.get("hooks", event))
    elif agent == "mcp":
        yield from _members(root.get("mcpServers"))
    else:
        yield from _members(root.get("plugins", "entries"))
        yield from _strings(root.get("plugins", "load", "paths"), _PLUGIN)
        yield from _strings(root.get("plugins", "allow"), re.compile(f"^{NAME}$"))


def _hooks_of(groups: Value | None) -> Iterator[tuple[Value, int]]:
    for place, group in enumerate(groups.items if groups else ()):
        hooks = group.value.get("hooks")
        ours = [
            number
            for number, hook in enumerate(hooks.items if hooks else ())
            if (command := hook.value.get("command")) and _HOOK.search(command.text)
        ]
        if groups and hooks and ours:
            # Of a group that a person has added to, only our part.
            alone = len(ours) == len(hooks.items)
            yield (groups, place) if alone else (hooks, ours[0])


def _members(container: Value | None) -> Iterator[tuple[Value, int]]:
    for place, item in enumerate(container.items if container else ()):
        if container and item.key == NAME:
            yield container, place


def _strings(container: Value | None, pattern: re.Pattern[str]) -> Iterator[tuple[Value, int]]:
    for place, item in enumerate(container.items if container else ()):
        if container and item.value.kind == "string" and pattern.search(item.value.text):
            yield container, place


def _without_empty(text: str, path: tuple[str, ...]) -> str:
    holder, value = (root := parse(text)).get(*path[:-1]), root.get(*path)
    if not holder or not value or value.kind not in {"object", "array"}:
        return text
    if text[value.start + 1 : value.end - 1].strip():
        return text
    place = max(n for n, item in enumerate(holder.items) if item.key == path[-1])
    return cut(text, holder, place)
