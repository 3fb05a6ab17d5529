"""The documents of weighted tic-tac-toe. Winners have the contest's names in every language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from yomikiri.tictactoe.advice import Advice, MoveAdvice
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.grounds import Answers, Finished, FullBoards, Ground, Heaviest, Threats
from yomikiri.tictactoe.notation import CONTEST_NAMES
from yomikiri.tictactoe.pairs import Pairs
from yomikiri.tictactoe.why import Guarantee, explain


def analysis(advice: Advice) -> dict[str, Any]:
    """Where every move of a position leads, best play, and why."""
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
        case Answers(answers):
            named = [
                {"move": board.name(each.move), "answer": board.name(each.answer), **_ground(each.ground, board)}
                for each in answers
            ]
            return {"kind": "answers", "answers": named}


def _names(cells: Iterable[int], board: Board) -> list[str]:
    return [board.name(cell) for cell in cells]


def _winner(move: MoveAdvice) -> str:
    return CONTEST_NAMES[move.winner or 0]
