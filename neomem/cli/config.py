"""`neomem config`."""

import click

from neomem.cli.frame import json_option, settings


@click.command(epilog="Example: NEOMEM_NEO4J__URI=bolt://localhost:7687 neomem config")
@json_option
def config(as_json: bool) -> None:
    """Show the settings in force, from the file and the environment; secrets stay hidden."""
    from neomem import config as library
    from neomem.cli import output

    values = settings().model_dump(mode="json")
    if as_json:
        output.print_json(values)
        return
    file = library.config_file(click.get_current_context().find_root().obj)
    output.print_text(f"# {file or 'no settings file; defaults and environment'}")
    output.print_text(library.as_yaml(values))
