"""How answers look in a terminal."""

import click

from neomem.cli import output
from neomem.cli.memories import shortened
from neomem.model import Answer, Hit

_SHOWN_ID = 23


def print_answer(answer: Answer) -> None:
    """Print what is remembered, a block per memory: pinned first, then by score."""
    for file in answer.pinned_files:
        output.print_text(f"pinned  {file.path}\n{file.text}\n")
    for memory in answer.pinned:
        output.print_text(f"pinned  {memory.id[:_SHOWN_ID]}\n{memory.text}\n")
    for hit in answer.hits:
        output.print_text(f"{hit.score:.2f}  {_head(hit)}\n{hit.text}\n")
    _print_nothing(answer)
    _print_rest(answer)


def print_explained(answer: Answer) -> None:
    """Print how the question was read, then a table of hits, then the reasons for each."""
    weights = ", ".join(f"{name} {weight:g}" for name, weight in answer.weights.items())
    output.print_pairs(
        {
            "question": answer.question,
            "class": answer.question_class and f"{answer.question_class} ({weights})",
            "entities": ", ".join(answer.entities) or None,
            "ranking": answer.ranking,
            "pinned": len(answer.pinned) + len(answer.pinned_files) or None,
            "tokens": answer.tokens,
        }
    )
    click.echo()
    rows = [
        (
            str(place),
            f"{hit.score:.3f}",
            f"{hit.relevance:.3f}",
            _factors(hit),
            _voices(hit),
            shortened(hit.text),
        )
        for place, hit in enumerate(answer.hits, start=1)
    ]
    if rows:
        output.print_table(["", "score", "relevance", "factors", "said by (rank)", "memory"], rows)
    _print_nothing(answer)
    for place, hit in enumerate(answer.hits, start=1):
        click.echo()
        output.print_text(f"{place}  {_head(hit)}")
        output.print_pairs(
            {
                "   terms": ", ".join(hit.terms) or None,
                "   path": hit.path,
                "   beside": hit.beside,
                "   sources": ", ".join(hit.sources) or None,
                "   voices": _said(hit),
                "   evidence": ", ".join(f"{k} {v:+.2f}" for k, v in hit.evidence.items()) or None,
            }
        )
    click.echo()
    output.print_text(
        "took    " + ", ".join(f"{step} {took:.1f}" for step, took in answer.steps.items()) + " ms"
    )
    _print_rest(answer)


def _head(hit: Hit) -> str:
    memory = hit.memory
    place = f"{memory.path}:{memory.line_from}-{memory.line_to}" if memory.path else None
    parts = [memory.id[:_SHOWN_ID], f"{memory.event_at:%Y-%m-%d}", memory.kind, place]
    return "  ".join(filter(None, parts))


def _factors(hit: Hit) -> str:
    spoken = {name: value for name, value in hit.factors.items() if value != 1}
    return " ".join(f"{name} {value:.2f}" for name, value in spoken.items()) or "-"


def _voices(hit: Hit) -> str:
    if hit.beside:
        return "beside another hit"
    return ", ".join(f"{said.voice} {said.rank:g}" for said in hit.said) or "its neighbours"


def _said(hit: Hit) -> str | None:
    voices = [
        f"{said.signal}/{said.voice} rank {said.rank:g}, {said.score:.2f} (raw {said.raw:.3f})"
        for said in hit.said
    ]
    return "; ".join(voices) or None


def _print_nothing(answer: Answer) -> None:
    if not (answer.hits or answer.left_out or answer.hidden):
        click.echo("nothing is remembered that answers this", err=True)


def _print_rest(answer: Answer) -> None:
    if answer.left_out:
        click.echo(f"{answer.left_out} more did not fit the budget", err=True)
    if answer.hidden:
        click.echo(f"{answer.hidden} belong to finished tasks and are hidden", err=True)
