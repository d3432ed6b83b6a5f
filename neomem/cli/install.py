"""`neomem install`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from neomem.cli.frame import json_option
from neomem.install.needs import Agent

if TYPE_CHECKING:
    from neomem.install.files import Plan


@click.command(epilog="Examples: neomem install claude-code; neomem install mcp --file ~/.mcp.json")
@click.argument("agent", type=click.Choice(get_args(Agent)))
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The agent's settings file, when it is not the usual one.",
)
@click.option("--uninstall", is_flag=True, help="Take away what was added.")
@click.option("--dry-run", is_flag=True, help="Show the change, and make none.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@json_option
def install(
    agent: Agent, file: Path | None, uninstall: bool, dry_run: bool, yes: bool, as_json: bool
) -> None:
    """Give an AGENT this memory, by a change to its settings file.

    claude-code: hooks that recall before a prompt and remember after a turn, in
    ~/.claude/settings.json. openclaw: the plugin that does the same, in ~/.openclaw/openclaw.json.
    mcp: a server for any MCP client, in the .mcp.json of this folder.

    The change is shown first, and a copy of the file is kept beside it. With --uninstall the file
    is again as it was, byte by byte; if it was changed since, only what was added is removed.
    """
    from neomem.cli import output
    from neomem.install import files

    change = files.plan(agent, file or files.DEFAULTS[agent], files.commands(), uninstall=uninstall)
    if change.changes and not as_json:
        output.print_diff(str(change.file), change.before, change.after, talk=not dry_run)
    made = change.changes and not dry_run
    if made:
        if not yes:
            click.confirm("Change it?", abort=True, err=True)
        files.carry_out(change)
    if as_json:
        output.print_json(_answer(change, made=made))
    elif not change.changes:
        output.print_text(f"{change.file}: nothing to do")
    elif made:
        output.print_pairs(
            {"changed": change.file, "as it was": change.keep, "older copy": change.left}
        )


def _answer(change: "Plan", *, made: bool) -> dict[str, Any]:
    from neomem.cli import output

    return {
        "file": change.file,
        "changed": made,
        "diff": output.diff(str(change.file), change.before, change.after),
        "copy": change.keep if made else change.left,
    }
