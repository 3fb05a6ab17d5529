"""Puzzles: positions in which to find a move that keeps a win or a draw.

They come from games of the player, or are generated. A generated puzzle is a function of its seed and its difficulty,
and only one move keeps the win or the draw. Its board is 3x3 with this number of empty cells:

    easy 3 or 4    medium 5 or 6    hard 7 to 9

For each puzzle there are three clues, and a check of the player's move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.enums import Difficulty, Grade
from yomikiri.common.errors import N_, BoardError
from yomikiri.common.lazy import np
from yomikiri.tictactoe.advice import Advice, MoveAdvice, analyze
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.explanations import explain
from yomikiri.tictactoe.generator import Wanted, generate
from yomikiri.tictactoe.guarantees import Method
from yomikiri.tictactoe.position import Player, Position, Reason

EMPTY = {Difficulty.EASY: (3, 4), Difficulty.MEDIUM: (5, 6), Difficulty.HARD: (7, 9)}
"""The least and greatest number of empty cells of a generated puzzle, by difficulty."""

_TRIED = 2_000  # limit on the number of random positions that are tried for one puzzle; at least one in ten is suitable
_WEIGHTS = Wanted(-9, 9)  # the required properties of the random boards of puzzles: weights from -9 to 9


@dataclass(frozen=True, slots=True)
class MovePuzzle:
    """A puzzle: a position in which to find a move that keeps the win or the draw.

    If the puzzle comes from a game, `played` is the wrong move of the player in this game. `number` is the number of
    this move in the game, where the moves of both players are counted from 1. In a generated puzzle, `played` is None
    and `number` is 0.
    """

    position: Position
    played: int | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class MoveClues:
    """Three clues to a puzzle, each with more information than the one before.

    1. The result that the side to move can reach: `winner` (None for a draw), by a line or by the score (`reason`).
    2. The `method` of the right move.
    3. The `row` of the right cell, from 1 at the top.
    """

    winner: Player | None
    reason: Reason
    method: Method
    row: int


@dataclass(frozen=True, slots=True)
class CheckedMove:
    """The evaluation of a player's move in a puzzle: its result, the best move, and the grade."""

    played: MoveAdvice
    best: MoveAdvice
    grade: Grade

    @property
    def solved(self) -> bool:
        """True if the player's move in a puzzle is as good as the best move."""
        return self.grade is Grade.BEST


def generated(seed: str, difficulty: Difficulty) -> MovePuzzle:
    """Return the puzzle for a seed and a difficulty, the same on every machine.

    Raises a `BoardError` if the seed gives no puzzle.

    >>> generated("tea", Difficulty.EASY).position.empty.bit_count() in (3, 4)
    True
    """
    random = np.random.default_rng(int.from_bytes(sha256(f"yomikiri puzzle\n{seed}".encode()).digest()[:8]))
    fewest, most = EMPTY[difficulty]
    boards = generate(_WEIGHTS, int(random.integers(1 << 32)))
    for _attempt in range(_TRIED):
        position = Position(next(boards))
        left = int(random.integers(fewest, most, endpoint=True))
        while position.moves and position.empty.bit_count() > left:
            position = position.play(int(random.choice(position.moves)))
        if position.moves and _has_one_move(analyze(position)):
            return MovePuzzle(position)
    raise BoardError(N_("seed {seed!r} gives no {difficulty} puzzle: try another seed"),
                     difficulty=str(difficulty), seed=seed)  # fmt: skip


def from_game(board: Board, moves: Sequence[int], player: Player, budget: Budget = UNLIMITED) -> tuple[MovePuzzle, ...]:
    """Return a puzzle for each move of `player` that lost a win or a draw, in order of the game.

    Raises a `BoardError` for an illegal move, and `Stopped` if the budget ends.
    """
    position, found = Position(board), list[MovePuzzle]()
    for number, move in enumerate(moves, start=1):
        if position.to_move is player:
            advice = analyze(position, budget)
            if grade_of(advice, move) is Grade.MISTAKE:
                found.append(MovePuzzle(position, move, number))
        position = position.play(move)
    return tuple(found)


def grade_of(advice: Advice, move: int) -> Grade:
    """Return the grade of a move: best if no move is better, good if it keeps the winner, otherwise a mistake."""
    if move in advice.best_moves:
        return Grade.BEST
    return Grade.GOOD if advice.of(move).winner is advice.winner else Grade.MISTAKE


def check(puzzle: MovePuzzle, move: int, budget: Budget = UNLIMITED) -> CheckedMove:
    """Return the evaluation of a player's move in a puzzle.

    Raises a `BoardError` for a taken cell, and `Stopped` if the budget ends.
    """
    puzzle.position.play(move)
    advice = analyze(puzzle.position, budget)
    return CheckedMove(advice.of(move), advice.best, grade_of(advice, move))


def clues(puzzle: MovePuzzle, budget: Budget = UNLIMITED) -> MoveClues:
    """Return the three clues to the best move of a puzzle. Raises `Stopped` if the budget ends."""
    advice = analyze(puzzle.position, budget)
    row = advice.best.move // puzzle.position.board.columns + 1
    return MoveClues(advice.winner, advice.best.reason, _method(advice), row)


def _method(advice: Advice) -> Method:
    if advice.best.reason is Reason.LINE and advice.best.plies == 1:
        return Method.COMPLETE
    if explain(advice).block:
        return Method.STOP
    mover = advice.position.to_move
    by_line = advice.best.reason is Reason.LINE and advice.winner is mover
    return Method.FORK if by_line else Method.SUMS


def _has_one_move(advice: Advice) -> bool:
    """Return True if a position can be a puzzle: exactly one of several moves keeps the win or the draw.

    A lost position is no puzzle. A position in which the right move completes a line at once is no puzzle either,
    because it would be too easy.
    """
    mover = advice.position.to_move
    keeping = [move for move in advice.moves if move.winner is advice.winner]
    seen = advice.best.reason is Reason.LINE and advice.best.plies == 1
    return advice.winner is not mover.other and len(keeping) == 1 < len(advice.moves) and not seen
