"""What install makes of a settings file, seen from close by."""

import json

import pytest

from neomem.errors import InputError
from neomem.install import files, json_text, needs
from neomem.install.needs import Commands

COMMANDS = Commands(
    neomem="neomem", hook="neomem-hook", hook_file="neomem-hook", plugin="/x/integrations/openclaw"
)
HOOK = {"type": "command", "command": "neomem-hook", "timeout": 15}


def test_an_empty_file_gets_the_whole():
    text = needs.add("", "claude-code", COMMANDS)

    assert json.loads(text) == {
        "hooks": {
            event: [{"hooks": [HOOK]}]
            for event in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
        }
    }
    assert text.endswith("}\n")


def test_indentation_line_ends_and_comments_are_the_files_own():
    text = '{\r\n\t// the editor\r\n\t"mcpServers": {\r\n\t\t"git": {} // theirs\r\n\t}\r\n}\r\n'

    assert needs.add(text, "mcp", COMMANDS) == (
        '{\r\n\t// the editor\r\n\t"mcpServers": {\r\n\t\t"git": {}, // theirs\r\n'
        '\t\t"neomem": {\r\n\t\t\t"command": "neomem",\r\n\t\t\t"args": [\r\n\t\t\t\t"mcp"\r\n'
        "\t\t\t]\r\n\t\t}\r\n\t}\r\n}\r\n"
    )


def test_what_stands_in_one_line_stays_in_one_line():
    assert needs.add('{"mcpServers": {"git": {}}}', "mcp", COMMANDS) == (
        '{"mcpServers": {"git": {}, "neomem": {"command": "neomem", "args": ["mcp"]}}}'
    )


def test_openclaw_reads_json5_and_gets_what_its_gate_asks_for():
    text = "{plugins: {allow: ['tmp',], entries: {}, /* mine */}}"

    after = json_text.parse(needs.add(text, "openclaw", COMMANDS)).get("plugins")

    assert after
    assert [item.value.text for item in after.get("allow").items] == ["tmp", "neomem"]  # type: ignore[union-attr]
    assert after.get("load", "paths").items[0].value.text == COMMANDS.plugin  # type: ignore[union-attr]
    assert after.get("entries", "neomem", "hooks", "allowConversationAccess").text == "true"  # type: ignore[union-attr]


def test_no_list_of_the_allowed_is_made_since_it_would_forbid_all_others():
    assert '"allow"' not in needs.add("{}", "openclaw", COMMANDS)


def test_a_hook_that_has_no_name_others_would_find_is_given_by_its_path():
    own = Commands(neomem="/v/neomem", hook="'/v v/h'", hook_file="/v v/h", plugin="/p")

    assert "'/v v/h'" in needs.add("", "claude-code", own)
    assert '"command": "/v/neomem"' in needs.add("", "mcp", own)
    assert '"command": "/v v/h"' in needs.add("", "openclaw", own)


@pytest.mark.parametrize(
    "command",
    ["neomem-hook", "/a b/neomem-hook", "'/a b/neomem-hook'", r"C:\py\neomem-hook.exe"],
)
def test_our_hooks_are_known_by_their_name_wherever_they_stand(command):
    theirs = {"type": "command", "command": "my-neomem-hook --verbose"}
    ours = {"type": "command", "command": command}
    settings = {
        "hooks": {"Stop": [{"hooks": [theirs, ours]}, {"hooks": [ours]}, {"hooks": [theirs]}]}
    }

    left = json.loads(needs.remove(json.dumps(settings, indent=2), "claude-code"))

    assert left == {"hooks": {"Stop": [{"hooks": [theirs]}, {"hooks": [theirs]}]}}


def test_what_was_empty_before_stays_and_what_was_made_goes():
    before = '{"hooks": {"Stop": []}}'
    after = needs.add(before, "claude-code", COMMANDS)

    assert json.loads(needs.remove(after, "claude-code", before)) == json.loads(before)
    assert json.loads(needs.remove(after, "claude-code")) == {}


def test_settings_without_us_are_left_as_they_are():
    text = '{ "hooks": {}, "mcpServers": { } }'

    assert needs.remove(text, "claude-code") == needs.remove(text, "mcp") == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": 1', "line 1, column 8: `,` or `}` is expected"),
        ('{\n  "a" 1}', "line 2, column 7: `:` is expected"),
        ("{,}", "a name is expected"),
        ('{"a": 1} x', "something follows the end"),
        ('{"a": yes}', "a value is expected"),
        ('{"a": 01x}', "a value is expected"),
        ("// nothing but this", "a value is expected"),
        ("[" * 300, "nested too deeply"),
        ("[]", "the whole should be an object"),
        ('{"hooks": []}', "`hooks` should be an object"),
        ('{"hooks": {"Stop": {}}}', "`hooks.Stop` should be an array"),
    ],
)
def test_what_cannot_be_used_is_refused_by_its_place(text, problem):
    with pytest.raises(InputError) as refused:
        needs.add(text, "claude-code", COMMANDS)

    assert problem in str(refused.value)


def test_of_a_key_given_twice_the_last_counts_as_everywhere():
    text = needs.add('{"mcpServers": {"a": 1}, "mcpServers": {"b": 2}}', "mcp", COMMANDS)

    assert json.loads(text)["mcpServers"].keys() == {"b", "neomem"}


def test_a_file_that_changed_between_the_look_and_the_write_is_left_alone(tmp_path):
    file = tmp_path / "settings.json"
    file.write_text("{}")
    change = files.plan("mcp", file, COMMANDS)
    file.write_text('{"a": 1}')

    with pytest.raises(InputError, match="changed by another program"):
        files.carry_out(change)

    assert file.read_text() == '{"a": 1}'
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_was_not_there_is_gone_afterwards_even_if_it_was_changed(tmp_path):
    file = tmp_path / "sub" / ".mcp.json"
    files.carry_out(files.plan("mcp", file, COMMANDS))
    first = file.stat().st_mode & 0o777
    file.write_text(file.read_text().replace("  ", "    "))
    files.carry_out(files.plan("mcp", file, COMMANDS, uninstall=True))

    assert first == 0o600
    assert list(file.parent.iterdir()) == []


def test_a_new_install_over_a_changed_file_still_knows_what_was_there_without_us(tmp_path):
    file = tmp_path / "settings.json"
    file.write_text('{"a": 1}')
    files.carry_out(files.plan("mcp", file, COMMANDS))
    file.write_text(file.read_text().replace('"a": 1', '"a": 2'))
    moved = Commands(neomem="/new/neomem", hook="h", hook_file="h", plugin="p")

    files.carry_out(files.plan("mcp", file, moved))
    installed = json.loads(file.read_text())
    files.carry_out(files.plan("mcp", file, moved, uninstall=True))

    assert installed["mcpServers"]["neomem"]["command"] == "/new/neomem"
    assert file.read_text() == '{"a": 2}'


def test_what_others_changed_stays_and_so_does_the_copy_of_what_was_there_before(tmp_path):
    file = tmp_path / "settings.json"
    file.write_text('{"a": 1}')
    files.carry_out(files.plan("mcp", file, COMMANDS))
    file.write_text(file.read_text().replace('"a": 1', '"a": 2'))

    change = files.plan("mcp", file, COMMANDS, uninstall=True)
    files.carry_out(change)

    assert file.read_text() == '{"a": 2}'
    assert change.left
    assert change.left.read_text() == '{"a": 1}'


def test_two_agents_in_one_file_do_not_undo_each_other(tmp_path):
    file = tmp_path / "settings.json"
    file.write_text('{\n  "a": 1\n}\n')
    for agent in ("claude-code", "mcp"):
        files.carry_out(files.plan(agent, file, COMMANDS))

    files.carry_out(files.plan("claude-code", file, COMMANDS, uninstall=True))
    between = json.loads(file.read_text())
    files.carry_out(files.plan("mcp", file, COMMANDS, uninstall=True))

    assert between.keys() == {"a", "mcpServers"}
    assert file.read_text() == '{\n  "a": 1\n}\n'


def test_the_plugin_that_is_named_is_there():
    assert (files.Path(files.commands().plugin) / "openclaw.plugin.json").is_file()
