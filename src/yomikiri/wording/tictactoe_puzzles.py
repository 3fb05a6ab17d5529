"""Sentences about puzzles of weighted tic-tac-toe, in the current language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yomikiri.common.enums import Grade
from yomikiri.tictactoe.guarantees import Method
from yomikiri.tictactoe.position import Reason
from yomikiri.wording import _
from yomikiri.wording.tictactoe import player_name

if TYPE_CHECKING:
    from yomikiri.tictactoe.puzzles import CheckedMove, MoveClues, MovePuzzle


def question(puzzle: MovePuzzle) -> str:
    """Return the question of a puzzle."""
    player = puzzle.position.to_move
    return _("{player} ({mark}) to move. One move is right.").format(player=player_name(player), mark=player.mark)


def clues(given: MoveClues) -> tuple[str, str, str]:
    """Return the three clues: the result, the method, and the row."""
    return _reach(given), _method(given), _("The right move is in row {row}.").format(row=given.row)


def _reach(given: MoveClues) -> str:
    if given.winner is None:
        return _("A draw is still possible.")
    player = player_name(given.winner)
    if given.reason is Reason.LINE:
        return _("{player} can win by a line.").format(player=player)
    return _("{player} can win by score.").format(player=player)


def _method(given: MoveClues) -> str:
    return {
        Method.COMPLETE: _("A line can be completed now."),
        Method.STOP: _("The opponent threatens a line: stop it."),
        Method.FORK: _("The right move leads to two threats at once."),
        Method.SUMS: _("The weights decide: add up the cells that each side can still take."),
    }[given.method]


def move_result(given: CheckedMove, name: str) -> str:
    """Return the sentence that says if a move solves a puzzle, without naming the best move.

    `name` is the name of the move that the user tried, and `given` is its evaluation.
    """
    if given.grade is Grade.BEST:
        return _("{move} is right.").format(move=name)
    if given.grade is Grade.GOOD:
        return _("{move} keeps the result too, but another move is better.").format(move=name)
    return _("{move} spoils the result. Try again.").format(move=name)


def lapse(given: MovePuzzle, best: str) -> str:
    """Return the sentence on a move that changed the result, and a move that keeps it."""
    move = "" if given.played is None else given.position.board.name(given.played)
    message = _("Move {number}: {move} spoiled the result, {best} keeps it.")
    return message.format(number=given.number, move=move, best=best)
