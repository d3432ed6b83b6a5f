"""The `neomem` command: a file per command, each a thin door to the library."""

import click

from neomem.cli import (
    browse,
    capture,
    completion,
    config,
    demo,
    doctor,
    down,
    entities,
    export,
    forget,
    get,
    hook,
    import_,
    ingest,
    install,
    list_,
    logs,
    mcp,
    migrate,
    pin,
    recall,
    reembed,
    restore,
    serve,
    sleep,
    stats,
    status,
    supersede,
    tasks,
    up,
)
from neomem.cli.frame import Group


@click.group(cls=Group)
@click.option(
    "--config",
    "config_path",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Settings file (default: NEOMEM_CONFIG, then the user's own).",
)
@click.option("-v", "--verbose", count=True, help="Say more on stderr; twice for everything.")
@click.option(
    "--log-format",
    type=click.Choice(["plain", "json"]),
    default="plain",
    show_default=True,
    help="How log lines look.",
)
@click.version_option(package_name="neomem")
def main(config_path: str | None, verbose: int, log_format: str) -> None:
    """A memory engine for AI agents on Neo4j."""
    from neomem.cli import output

    output.configure_logging(verbose, log_format)
    click.get_current_context().obj = config_path


for _command in (
    up.up,
    down.down,
    status.status,
    logs.logs,
    doctor.doctor,
    migrate.migrate,
    reembed.reembed,
    capture.capture,
    ingest.ingest,
    recall.recall,
    get.get,
    list_.list_,
    forget.forget,
    restore.restore,
    pin.pin,
    supersede.supersede,
    tasks.tasks,
    entities.entities,
    sleep.sleep,
    stats.stats,
    export.export,
    import_.import_,
    serve.serve,
    mcp.mcp,
    hook.hook,
    browse.browse,
    install.install,
    config.config,
    completion.completion,
    demo.demo,
):
    main.add_command(_command)
