"""`neomem browse`."""

from typing import TYPE_CHECKING

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async, settings
from neomem.errors import NotFound

if TYPE_CHECKING:
    from neomem.engine import Engine

_OF_SOMETHING = ("memory", "entity", "recall")
_ALONE = ("recent", "duplicates", "conflicts", "sleep")


@click.command(epilog="Examples: neomem browse recent; neomem browse entity Ada --print")
@click.argument("view", type=click.Choice([*_OF_SOMETHING, *_ALONE]), required=False)
@click.argument("what", required=False)
@click.option("--print", "only_print", is_flag=True, help="Print the link, and open nothing.")
@agent_option
@json_option
@run_async
async def browse(
    view: str | None, what: str | None, only_print: bool, agent: str, as_json: bool
) -> None:
    """Open Neo4j Browser of the local server at a VIEW; without one, list the links.

    `memory ID` shows a memory with all it is tied to, `entity NAME` an entity's neighbourhood,
    `recall QUESTION` why each memory of the answer is in it: WHAT is the id, the name, the
    question. `recent`, `duplicates`, `conflicts` and `sleep` (what the last one did) are lists.
    The query stands in the editor: run it there.
    """
    from neomem import browser, local
    from neomem.cli import output
    from neomem.config import has_display, require_local

    if bool(what) != (view in _OF_SOMETHING):
        raise click.UsageError("memory ID, entity NAME, recall QUESTION; the others stand alone")
    require_local(config := settings())
    async with connected() as engine:
        commands = {
            each: await _command(engine, agent, each, what or "")
            for each in ([view] if view else _ALONE)
        }
    server = local.server(config)
    running = server.find() or await local.up(config)
    links = {name: browser.link(running, command) for name, command in commands.items()}
    click.echo(f"user neo4j, password in {server.home.password_file}", err=True)
    if as_json:
        output.print_json({"agent": agent, "links": links})
    elif not view:
        for name, link in links.items():
            output.print_text(f"{name}\n{link}\n")
    elif only_print or not has_display() or click.launch(links[view]):
        output.print_text(links[view])


async def _command(engine: "Engine", agent: str, view: str, what: str) -> str:
    """Return what Browser's editor is to hold; what is asked for must be there."""
    from neomem import browser

    if view == "memory":
        memory = await engine.get(what, agent=agent)
        return browser.command(browser.MEMORY, agent=agent, id=memory.id)
    if view == "entity":
        if not await engine.graph.read(browser.ENTITY, agent=agent, name=what):
            raise NotFound(
                f"{agent} has no entity {what[:60]}", hint="names are whole, in any case"
            )
        return browser.command(browser.ENTITY, agent=agent, name=what)
    if view == "recall":
        answer = await engine.recall(what, agent=agent)
        if not answer.hits:
            raise NotFound(f"{agent} remembers nothing that answers this")
        ids = [hit.id for hit in answer.hits]
        return browser.command(browser.RECALL, agent=agent, ids=ids, names=answer.entities)
    return browser.command(browser.VIEWS[view], agent=agent)
