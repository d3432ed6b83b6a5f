"""`neomem completion`."""

import click
from click.shell_completion import get_completion_class

_SHELLS = ("bash", "zsh", "fish")


@click.command(epilog="Example: echo 'eval \"$(neomem completion bash)\"' >> ~/.bashrc")
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> None:
    """Print what makes SHELL complete neomem's commands and options.

    bash and zsh: eval "$(neomem completion bash)" in ~/.bashrc, or with zsh in ~/.zshrc. fish:
    neomem completion fish > ~/.config/fish/completions/neomem.fish.
    """
    main = click.get_current_context().find_root().command
    kind = get_completion_class(shell)
    if kind is None:  # click knows all three; its types do not say so
        raise click.UsageError(f"{shell} cannot be completed")
    click.echo(kind(main, {}, "neomem", "_NEOMEM_COMPLETE").source())
