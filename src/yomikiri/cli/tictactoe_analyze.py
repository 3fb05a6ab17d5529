"""`yomikiri tictactoe analyze`: where every move leads, the best line of play, and why."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import click

from yomikiri.cli.base import INTERRUPTED, Command, echo_json, json_option, language_option
from yomikiri.cli.progress import live_line
from yomikiri.cli.tictactoe_input import position_options, read_position
from yomikiri.cli.tictactoe_views import picture, reasons
from yomikiri.tictactoe.advice import Advice, MoveAdvice, analyze
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.grounds import Finished, FullBoards, Ground, Heaviest, Threats
from yomikiri.tictactoe.notation import CONTEST_NAMES
from yomikiri.tictactoe.pairs import Pairs
from yomikiri.tictactoe.search.values import SearchInterrupted
from yomikiri.tictactoe.why import Guarantee, explain
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
    for text in reasons(advice):
        click.echo(text)
    click.echo(wording.line_of_play(advice))
    return 0


def _document(advice: Advice) -> dict[str, Any]:
    board, why = advice.position.board, explain(advice)
    return {
        "winner": _winner(advice.best),
        "moves": [_move(move, board) for move in advice.moves],
        "line_of_play": _names(advice.line_of_play, board),
        "positions": advice.positions,
        "why": {
            "block": _names(why.block, board),
            "guarantees": [_guarantee(each, board) for each in why.guarantees],
        },
    }


def _move(move: MoveAdvice, board: Board) -> dict[str, Any]:
    return {
        "cell": list(divmod(move.move, board.columns)),
        "name": board.name(move.move),
        "winner": _winner(move),
        "reason": move.reason.value,
        "margin": move.margin,
    }


def _guarantee(guarantee: Guarantee, board: Board) -> dict[str, Any]:
    return {
        "player": CONTEST_NAMES[guarantee.player],
        "after": _names(guarantee.moves, board),
        "forced": guarantee.forced,
        "sums": guarantee.sums and list(guarantee.sums),
        **_ground(guarantee.ground, board),
    }


def _ground(ground: Ground, board: Board) -> dict[str, Any]:
    match ground:
        case Finished(outcome):
            return {"kind": "finished", "line": _names(outcome.line, board)}
        case Threats(lines, cells):
            return {"kind": "threats", "lines": [_names(line, board) for line in lines], "cells": _names(cells, board)}
        case Heaviest(cells):
            return {"kind": "heaviest", "cells": _names(cells, board)}
        case Pairs(pairs, odd):
            left_over = None if odd is None else board.name(odd)
            return {"kind": "pairs", "pairs": [_names(pair, board) for pair in pairs], "odd": left_over}
        case FullBoards(holdings):
            return {"kind": "full_boards", "holdings": [_names(cells, board) for cells in holdings]}


def _names(cells: Iterable[int], board: Board) -> list[str]:
    return [board.name(cell) for cell in cells]


def _winner(move: MoveAdvice) -> str:
    return CONTEST_NAMES[move.winner or 0]
