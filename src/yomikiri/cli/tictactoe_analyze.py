"""`yomikiri tictactoe analyze`: where every move leads, the best line of play, and why."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from yomikiri.cli.base import INTERRUPTED, Command, echo_json, json_option, language_option
from yomikiri.cli.progress import live_line
from yomikiri.cli.tictactoe_input import position_options, read_position
from yomikiri.cli.tictactoe_views import picture
from yomikiri.tictactoe.advice import Advice, MoveAdvice, analyze
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.notation import CONTEST_NAMES
from yomikiri.tictactoe.search.values import SearchInterrupted
from yomikiri.wording import tictactoe as wording


@click.command(
    "analyze",
    cls=Command,
    help="Where every move leads with best play, the best line of play, and why.\n\n"
    "FILE, or standard input, holds one board: rows of integers, any shape up to 8x8. "
    "Large boards take long: interrupted, it says what is certain by then.",
)
@position_options
@json_option
@language_option
def analyze_command(file: str | None, board: str | None, line: int, moves: str, as_json: bool) -> int:
    """Show the advice on one position."""
    position, _played = read_position(file, board, line, moves)
    try:
        with live_line(wording.reading(), partial(wording.progress, position.to_move)) as report:
            advice = analyze(position, report)
    except SearchInterrupted as stopped:
        click.echo(wording.interrupted(position.to_move, stopped.bounds), err=True)
        return INTERRUPTED
    if as_json:
        echo_json(_document(advice))
        return 0
    click.echo(wording.to_move(position))
    notes = {move.move: wording.note(move, position.to_move) for move in advice.moves}
    for text in (*picture(position, notes), wording.legend(advice)):
        click.echo(text)
    click.echo(wording.verdict(advice))
    click.echo(wording.line_of_play(advice))
    return 0


def _document(advice: Advice) -> dict[str, Any]:
    board = advice.position.board
    return {
        "winner": _winner(advice.best),
        "moves": [_move(move, board) for move in advice.moves],
        "line_of_play": [board.name(move) for move in advice.line_of_play],
    }


def _move(move: MoveAdvice, board: Board) -> dict[str, Any]:
    return {
        "cell": list(divmod(move.move, board.columns)),
        "name": board.name(move.move),
        "winner": _winner(move),
        "reason": move.reason.value,
        "margin": move.margin,
    }


def _winner(move: MoveAdvice) -> str:
    return CONTEST_NAMES[move.winner or 0]
