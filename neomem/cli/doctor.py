"""`neomem doctor`."""

import click

from neomem.cli.frame import json_option, run_async, settings

MARKS = {"ok": "ok", "warning": "warn", "failed": "FAIL"}


@click.command(epilog="Example: neomem doctor --json")
@json_option
@run_async
async def doctor(as_json: bool) -> None:
    """Check everything neomem rests on, and say what to do about each failure.

    The exit code is 1 when a check has failed.
    """
    from neomem import doctor as library
    from neomem.cli import output

    checks = await library.examine(settings())
    healthy = all(check.state != "failed" for check in checks)
    if as_json:
        output.print_json({"healthy": healthy, "checks": checks})
    else:
        rows = [(MARKS[check.state], check.name, check.detail) for check in checks]
        output.print_table(["", "check", "found"], rows)
        for check in checks:
            if check.hint:
                output.print_text(f"{check.name}: {check.hint}")
    if not healthy:
        click.get_current_context().exit(1)
