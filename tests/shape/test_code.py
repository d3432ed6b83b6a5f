"""Review remarks that would otherwise be repeated for ever."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import neomem
from neomem import config, sections
from neomem.cli import main

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    file
    for folder in ("neomem", "neomem_hook", "sleep_cycle", "benchmarks", "tools")
    for file in (ROOT / folder).rglob("*.py")
)
HEAVY = (
    *("neo4j", "openai", "spacy", "onnxruntime", "pydantic", "rich", "jgo"),
    *("mcp", "mcp_types", "starlette", "uvicorn"),
)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_or_function_grows_past_its_cap(module):
    text = module.read_text(encoding="utf-8")
    functions = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]

    assert text.count("\n") <= 400
    assert [f.name for f in functions if (f.end_lineno or 0) - f.lineno > 60] == []


def test_the_public_names_are_the_ones_promised():
    assert neomem.__all__ == sorted(neomem.__all__)
    assert all(hasattr(neomem, name) for name in neomem.__all__)
    with pytest.raises(AttributeError):
        neomem.nothing  # noqa: B018


def test_help_starts_light():
    script = (
        "import sys, click\n"
        "from neomem.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        f"print('heavy:', [m for m in {HEAVY} if m in sys.modules])\n"
    )

    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert result.stdout.splitlines()[-1] == "heavy: []"


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_has_help_an_example_and_a_place_in_the_docs(name):
    command = main.commands[name]
    documented = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")

    assert command.help
    assert f"neomem {name}" in (command.epilog or "")
    assert f"## neomem {name}\n" in documented
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help
        else:
            assert parameter.human_readable_name in command.help


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_answers_in_json_where_it_answers_in_facts(name):
    speaks_json = any(parameter.name == "as_json" for parameter in main.commands[name].params)

    # A log is lines, and so is a script; what serves answers others; a hook always speaks JSON.
    assert speaks_json != (name in {"logs", "completion", "serve", "mcp", "hook"})


def test_every_setting_is_read_by_some_module():
    code = "\n".join(module.read_text(encoding="utf-8") for module in MODULES)

    unread = [
        name
        for name in config.setting_names()
        if not re.search(rf"\.{name.rpartition('.')[2]}\b", code)
    ]

    assert unread == []


def test_every_setting_says_what_it_is_for():
    for section in (config.Config, *sections.Section.__subclasses__()):
        for name, field in section.model_fields.items():
            described = field.description or isinstance(field.default, sections.Section)
            assert described, name


def test_locks_hold_no_addresses():
    for lock in (ROOT / "requirements").glob("*.lock"):
        assert "://" not in lock.read_text(encoding="utf-8")
