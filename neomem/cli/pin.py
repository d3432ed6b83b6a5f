"""`neomem pin`."""

from pathlib import Path

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async


@click.command(epilog="Examples: neomem pin 0198c5d2-7b1e-7c3a-9f04; neomem pin ./AGENTS.md")
@click.argument("what", metavar="ID|FILE")
@click.option("--off", is_flag=True, help="Let it go again.")
@agent_option
@json_option
@run_async
async def pin(what: str, off: bool, agent: str, as_json: bool) -> None:
    """Pin a memory or a file: every answer has it, and sleep leaves it alone.

    ID|FILE is a memory's id, or a file, told apart as by `neomem get`. A file is read anew for
    every answer, with secrets masked; one that gives orders to a model is refused. All that is
    pinned has one budget of tokens.
    """
    from neomem.capture.reading import names_a_file

    if names_a_file(what):
        await _file(what, off, agent, as_json=as_json)
    else:
        await _memory(what, off, agent, as_json=as_json)


async def _memory(memory_id: str, off: bool, agent: str, *, as_json: bool) -> None:
    from neomem.cli import memories, output

    async with connected() as engine:
        memory = await engine.pin(memory_id, pinned=not off, agent=agent)
    if as_json:
        output.print_json({"id": memory.id, "pinned": memory.pinned})
    else:
        memories.print_memories([memory])


async def _file(given: str, off: bool, agent: str, *, as_json: bool) -> None:
    from neomem.cli import output

    async with connected() as engine:
        if off:
            path, tokens = await engine.unpin_file(Path(given), agent=agent), 0
        else:
            file = await engine.pin_file(Path(given), agent=agent)
            path, tokens = file.path, file.tokens
    if as_json:
        output.print_json({"path": path, "pinned": not off, "tokens": tokens})
    else:
        output.print_text(f"{path}: {'no longer pinned' if off else f'pinned, {tokens} tokens'}")
