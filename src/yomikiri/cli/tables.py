"""Tables and charts of the commands: with frames and bars at a terminal, plain for programs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import click

from yomikiri.cli.text import erase_notice


def table(heads: Iterable[str], rows: Iterable[Iterable[str | tuple[str, str]]]) -> None:
    """Print a table. At a terminal it has a frame, otherwise tabs separate the columns.

    A cell is a text, or a text and a style.
    """
    erase_notice()
    cells = [[(cell, "") if isinstance(cell, str) else cell for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for line in (heads, *([text for text, _style in row] for row in cells)):
            click.echo("\t".join(line))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = Table(*heads)
    for row in cells:
        shown.add_row(*(Text(text, style=style) for text, style in row))
    Console().print(shown)


def histogram_chart(histogram: Sequence[int]) -> None:
    """Print a line for guess 1, 2, 3, ... with the number of secrets found at it, and at a terminal a bar."""
    widest = max(histogram, default=0)
    for guesses, count in enumerate(histogram, start=1):
        bar = "█" * -(-count * 40 // widest) if sys.stdout.isatty() else ""
        click.echo(f"{guesses:>3} {count:>6} {bar}".rstrip())
