"""Any settings file, installed into and uninstalled from, is again what it was."""

import json
import tempfile
from pathlib import Path
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from neomem.errors import InputError
from neomem.install import files, json_text, needs
from neomem.install.needs import Agent, Commands

COMMANDS = Commands(
    neomem="neomem",
    hook="neomem-hook",
    hook_file="/opt/bin/neomem-hook",
    plugin="/opt/integrations/openclaw",
)
TELLING = [
    "hooks",
    "Stop",
    "SessionEnd",
    "plugins",
    "load",
    "paths",
    "entries",
    "allow",
    "mcpServers",
]
HOOK = st.fixed_dictionaries(
    {
        "type": st.just("command"),
        "command": st.sampled_from(["lint", "neomem-hooks", "x neomem-hook y"]),
    }
)
GROUPS = st.lists(st.fixed_dictionaries({"hooks": st.lists(HOOK, max_size=2)}), max_size=2)


def settings(*own: str):
    """Settings of an agent, right or strange; `own` may stand in them anywhere."""
    keys = st.sampled_from([*TELLING, *own]) | st.text(max_size=5)
    leaves = st.none() | st.booleans() | st.integers() | st.sampled_from(["", "a // b", *own])
    values = st.recursive(
        leaves | st.text(max_size=8),
        lambda below: st.lists(below, max_size=3) | st.dictionaries(keys, below, max_size=3),
    )
    names = st.lists(st.sampled_from(["tmp", "/opt/other", *own]), max_size=2)
    likely = st.fixed_dictionaries(
        {},
        optional={
            "hooks": st.dictionaries(st.sampled_from(["Stop", "PreToolUse"]), GROUPS),
            "mcpServers": st.dictionaries(st.sampled_from(["git", *own]), values, max_size=2),
            "plugins": st.fixed_dictionaries(
                {},
                optional={
                    "allow": names,
                    "load": st.fixed_dictionaries({}, optional={"paths": names}),
                    "entries": st.dictionaries(st.sampled_from(["tmp", *own]), values, max_size=2),
                },
            ),
            "model": values,
        },
    )
    return likely | st.dictionaries(keys, values, max_size=4)


SETTINGS = settings()
WITH_OWN = settings("neomem", "neomem-hook", "/elsewhere/integrations/openclaw")
AGENTS = st.sampled_from(get_args(Agent))
SPACES = st.sampled_from(["", " ", "\n", "\r\n", "\t", "\n  "])
COMMENTS = st.sampled_from(["", "/* one */", "// two\n", "// three\r\n", "/* , */", "// ],}\n"])


@st.composite
def written(draw, value):
    """Some text that says this value, as a person may have written it."""

    def gap() -> str:
        return draw(SPACES) + draw(COMMENTS) + draw(SPACES)

    def text(value) -> str:
        if not isinstance(value, dict | list):
            return json.dumps(value, ensure_ascii=draw(st.booleans()))
        if isinstance(value, dict):
            parts = [
                f"{gap()}{json.dumps(key)}{gap()}:{gap()}{text(each)}{gap()}"
                for key, each in value.items()
            ]
        else:
            parts = [f"{gap()}{text(each)}{gap()}" for each in value]
        last = draw(st.sampled_from(["", ","])) if parts else ""
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        return opening + ",".join(parts) + last + gap() + closing

    return gap() + text(value) + gap()


TEXTS = SETTINGS.flatmap(written)
TEXTS_WITH_OWN = WITH_OWN.flatmap(written)


def said(value: json_text.Value) -> object:
    """What a text says, by the reader under test."""
    if value.kind == "object":
        return {item.key: said(item.value) for item in value.items}
    if value.kind == "array":
        return [said(item.value) for item in value.items]
    return value.text if value.kind == "string" else json.loads(value.text)


@given(SETTINGS.flatmap(lambda value: st.tuples(st.just(value), written(value))))
def test_what_is_read_is_what_was_meant(pair):
    value, text = pair

    assert said(json_text.parse(text)) == value


@given(AGENTS, TEXTS_WITH_OWN, st.sampled_from(["", "\ufeff"]))
def test_install_and_uninstall_leave_every_byte(agent, text, mark):
    content = (mark + text).encode(errors="surrogatepass")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "settings.json"
        file.write_bytes(content)
        try:
            files.carry_out(files.plan(agent, file, COMMANDS))
        except InputError:  # settings of another shape than the agent's: left alone
            assert file.read_bytes() == content
            return

        installed = file.read_bytes()
        if installed == content:  # it was as neomem would have it
            return
        again = files.plan(agent, file, COMMANDS)
        files.carry_out(files.plan(agent, file, COMMANDS, uninstall=True))

        assert not again.changes
        assert file.read_bytes() == content
        assert list(Path(folder).iterdir()) == [file]


@given(AGENTS, SETTINGS, st.sampled_from([None, 2, "\t"]))
def test_what_is_added_is_all_that_is_added_and_all_that_is_removed(agent, value, indent):
    text = json.dumps(value, indent=indent)
    try:
        installed = needs.add(text, agent, COMMANDS)
    except InputError:
        return

    after = json.loads(installed)
    assert after != value
    assert without(after, value) == value
    assert json.loads(needs.remove(installed, agent, text)) == value


def without(after, before):
    """What is left when all that is new is dropped: members not there, elements at the end."""
    if isinstance(after, dict) and isinstance(before, dict):
        return {key: without(after[key], each) for key, each in before.items() if key in after}
    return after[: len(before)] if isinstance(after, list) and isinstance(before, list) else after


@given(AGENTS, TEXTS)
def test_comments_survive_whatever_is_changed_beside_them(agent, text):
    try:
        installed = needs.add(text, agent, COMMANDS)
    except InputError:
        return
    removed = needs.remove(installed, agent, text)

    assert said(json_text.parse(removed)) == said(json_text.parse(text))
    for comment in ("/* one */", "// two", "// three", "/* , */", "// ],}"):
        assert text.count(comment) == installed.count(comment) == removed.count(comment)
