"""`yomikiri tictactoe`: the group; each command stands in its own file."""

from __future__ import annotations

import click

from yomikiri.cli.base import Group, language_option


@click.group(cls=Group, lazy={}, help="Weighted tic-tac-toe: who wins, by which move, and why.")
@language_option
def tictactoe() -> None:
    """Weighted tic-tac-toe."""
