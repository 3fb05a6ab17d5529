"""`yomikiri tictactoe`: the group; each command stands in its own file."""

from __future__ import annotations

import click

from yomikiri.cli.base import Group, language_option


@click.group(
    cls=Group,
    lazy={
        "winner": "yomikiri.cli.tictactoe_winner:winner",
        "analyze": "yomikiri.cli.tictactoe_analyze:analyze_command",
        "play": "yomikiri.cli.tictactoe_play:play",
        "generate": "yomikiri.cli.tictactoe_generate:generate",
        "check": "yomikiri.cli.tictactoe_check:check",
    },
    help="Weighted tic-tac-toe: who wins, by which move, and why.",
)
@language_option
def tictactoe() -> None:
    """Weighted tic-tac-toe."""
