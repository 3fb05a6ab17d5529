"""JSON documents of weighted tic-tac-toe.

In every language, they call the first player Takahashi and the second Aoki. These are the names in the programming
contest AtCoder ABC349, problem E.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeAlias

from msgspec import Meta

from yomikiri.api.results import UNSET, Count, Document, UnsetType
from yomikiri.tictactoe.explanations import explain
from yomikiri.tictactoe.guarantees import Finished, FullBoards, Heaviest, Pairs, Replies, Threats
from yomikiri.tictactoe.notation import CONTEST_NAMES
from yomikiri.tictactoe.position import Reason

if TYPE_CHECKING:
    from yomikiri.tictactoe.advice import Advice, MoveAdvice
    from yomikiri.tictactoe.board import Board
    from yomikiri.tictactoe.guarantees import Guarantee, Justification, Reply
    from yomikiri.tictactoe.position import Player, Tie

Winner: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(CONTEST_NAMES)})]
Cells: TypeAlias = list[str]


class MoveJson(Document):
    """The result of a move under best play."""

    cell: Annotated[list[Count], Meta(description="Row and column from 0")]
    name: str
    winner: Winner
    reason: Reason
    margin: Annotated[int | None, Meta(description="Lead of the side to move; null for a line")]


class ReplyJson(Document):
    """A player's reply to a move of the other side, and the reason why the player then achieves the guaranteed result.

    `move` is the move of the other side, `answer` is the reply, and `kind` is the kind of the reason.
    """

    move: str
    answer: str
    kind: Literal["finished", "threats", "heaviest", "pairs", "full_boards"]
    line: Cells | UnsetType = UNSET
    lines: list[Cells] | UnsetType = UNSET
    cells: Cells | UnsetType = UNSET
    pairs: list[Cells] | UnsetType = UNSET
    odd: str | UnsetType | None = UNSET
    holdings: list[Cells] | UnsetType = UNSET


class GuaranteeJson(Document):
    """A result that a player can force after some moves, and the reason. Each `kind` of reason has its own keys.

    `after` contains these moves. If `forced` is true, each move of the other side in `after` was its only way to stop a
    line of the player. `sums` contains the least final sum of the player and the greatest one of the other side. It is
    null if the guaranteed result is a completed line.
    """

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
    answers: list[ReplyJson] | UnsetType = UNSET


class WhyJson(Document):
    """The reason for the outcome of a position under best play: what each player can force.

    `block` contains the cells of a line that the side to move must stop at once. It is empty if there is no such line.
    """

    block: Cells
    guarantees: list[GuaranteeJson]


class Won(Document):
    """The winner of a position under best play."""

    winner: Winner

    @classmethod
    def of(cls, source: Player | None) -> Self:
        return cls(CONTEST_NAMES[source or 0])


class BoardResult(Document):
    """The result of one board under best play: the winner, and every best opening move.

    `margin` is the first player's sum of weights minus the second player's, or null if a line decides.
    """

    winner: Winner
    margin: int | None
    best: Cells

    @classmethod
    def of(cls, source: tuple[Advice, Tie]) -> Self:
        """Build the result of a board before its first move. The tie rule decides who wins if the sums are equal."""
        advice, tie = source
        winner = CONTEST_NAMES[advice.winner or tie.player or 0]
        return cls(winner, advice.best.margin, _names(advice.best_moves, advice.position.board))


class Analysis(Document):
    """The result of every move of a position, the line of best play, and the reason for the outcome."""

    winner: Winner
    moves: list[MoveJson]
    line_of_play: Cells
    positions: Count
    why: WhyJson

    @classmethod
    def of(cls, source: Advice) -> Self:
        board, reason = source.position.board, explain(source)
        guarantees = [_guarantee(guarantee, board) for guarantee in reason.guarantees]
        return cls.filled(
            source,
            winner=CONTEST_NAMES[source.winner or 0],
            moves=[_move(move, board) for move in source.moves],
            line_of_play=_names(source.line_of_play, board),
            why=WhyJson(_names(reason.block, board), guarantees),
        )


def _move(move: MoveAdvice, board: Board) -> MoveJson:
    cell = list(divmod(move.move, board.columns))
    return MoveJson.filled(move, cell=cell, name=board.name(move.move), winner=CONTEST_NAMES[move.winner or 0])


def _guarantee(guarantee: Guarantee, board: Board) -> GuaranteeJson:
    after, justification = _names(guarantee.moves, board), _justification(guarantee.justification, board)
    return GuaranteeJson.filled(guarantee, player=CONTEST_NAMES[guarantee.player], after=after, **justification)


def _justification(justification: Justification, board: Board) -> dict[str, Any]:
    """Return the kind of the reason why a player can force a result, with the JSON keys that only this kind has."""
    match justification:
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
            return {"kind": "answers", "answers": [_reply(answer, board) for answer in answers]}


def _reply(reply: Reply, board: Board) -> ReplyJson:
    return ReplyJson(board.name(reply.move), board.name(reply.reply), **_justification(reply.justification, board))


def _names(cells: Iterable[int], board: Board) -> Cells:
    return [board.name(cell) for cell in cells]
