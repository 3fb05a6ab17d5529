"""The documents of weighted tic-tac-toe. Winners have the contest's names in every language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from yomikiri.api.results import UNSET, Count, Part, UnsetType
from yomikiri.tictactoe.explanations import Finished, FullBoards, Heaviest, Pairs, Replies, Threats, explain
from yomikiri.tictactoe.notation import CONTEST_NAMES
from yomikiri.tictactoe.position import Reason

if TYPE_CHECKING:
    from yomikiri.tictactoe import advice
    from yomikiri.tictactoe import explanations as why
    from yomikiri.tictactoe.board import Board
    from yomikiri.tictactoe.position import Tie

Winner: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(CONTEST_NAMES)})]
Cells: TypeAlias = list[str]


class Move(Part):
    """Where a move leads."""

    cell: Annotated[list[Count], Meta(description="Row and column from 0")]
    name: str
    winner: Winner
    reason: Reason
    margin: Annotated[int | None, Meta(description="Lead of the side to move; null for a line")]


class Reply(Part):
    """What a player answers to a move of the other, and what makes sure of it then, as in a guarantee."""

    move: str
    answer: str
    kind: Literal["finished", "threats", "heaviest", "pairs", "full_boards"]
    line: Cells | UnsetType = UNSET
    lines: list[Cells] | UnsetType = UNSET
    cells: Cells | UnsetType = UNSET
    pairs: list[Cells] | UnsetType = UNSET
    odd: str | UnsetType | None = UNSET
    holdings: list[Cells] | UnsetType = UNSET


class Guarantee(Part):
    """What a player is sure of, after which moves, and what that rests on; every kind of it has keys of its own."""

    player: Winner
    after: Cells
    forced: bool
    sums: list[int] | None
    kind: Literal["finished", "threats", "heaviest", "pairs", "full_boards", "answers"]
    line: Cells | UnsetType = UNSET
    lines: list[Cells] | UnsetType = UNSET
    cells: Cells | UnsetType = UNSET
    pairs: list[Cells] | UnsetType = UNSET
    odd: str | UnsetType | None = UNSET
    holdings: list[Cells] | UnsetType = UNSET
    answers: list[Reply] | UnsetType = UNSET


class Why(Part):
    """Why the game ends as it does."""

    block: Cells
    guarantees: list[Guarantee]


class Won(Part):
    """Who wins a position under best play."""

    winner: Winner


class BoardResult(Part):
    """Result of one board under best play: who wins, and every best opening move.

    `margin` is the first player's sum less the second's, null if a line decides.
    """

    winner: Winner
    margin: int | None
    best: Cells


def board_result(read: advice.Advice, tie: Tie) -> BoardResult:
    """Return the result of a board at its start; `tie` decides who wins equal sums."""
    winner = read.winner or tie.player
    return BoardResult(CONTEST_NAMES[winner or 0], read.best.margin, _names(read.best_moves, read.position.board))


class Analysis(Part):
    """Where every move of a position leads, best play, and why."""

    winner: Winner
    moves: list[Move]
    line_of_play: Cells
    positions: Count
    why: Why


def analysis(read: advice.Advice) -> Analysis:
    """Where every move of a position leads, best play, and why."""
    board, reason = read.position.board, explain(read)
    return Analysis(
        _winner(read.best),
        [_move(move, board) for move in read.moves],
        _names(read.line_of_play, board),
        read.positions,
        Why(_names(reason.block, board), [_guarantee(each, board) for each in reason.guarantees]),
    )


def _move(move: advice.MoveAdvice, board: Board) -> Move:
    cell = list(divmod(move.move, board.columns))
    return Move(cell, board.name(move.move), _winner(move), move.reason, move.margin)


def _guarantee(guarantee: why.Guarantee, board: Board) -> Guarantee:
    return Guarantee(
        CONTEST_NAMES[guarantee.player],
        _names(guarantee.moves, board),
        guarantee.forced,
        guarantee.sums and list(guarantee.sums),
        **_ground(guarantee.ground, board),
    )


def _ground(ground: why.Ground, board: Board) -> dict[str, Any]:
    """The kind of a ground, and its own keys."""
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
        case Replies(answers):
            named = [
                Reply(board.name(each.move), board.name(each.reply), **_ground(each.ground, board)) for each in answers
            ]
            return {"kind": "answers", "answers": named}


def _names(cells: Iterable[int], board: Board) -> Cells:
    return [board.name(cell) for cell in cells]


def _winner(move: advice.MoveAdvice) -> str:
    return CONTEST_NAMES[move.winner or 0]
