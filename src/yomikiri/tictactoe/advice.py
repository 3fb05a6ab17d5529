"""Advice: what every move of a position leads to, the best one, and how play then goes.

Values are seen by the side to move of the position asked about. Its order of results, best first: a line of its own,
the sooner the better; else the score, the larger margin the better, since a line counts as more than any margin; else
a line of the other's, the later the better.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Outcome, Player, Position, Reason, game_over
from yomikiri.tictactoe.search.questions import Bounds, Progress
from yomikiri.tictactoe.search.values import SearchInterrupted, Value, Values, final_value, opposed

# Up to so many empty cells plain recursion visits every position there is: 5,478 on 3x3.
MAX_EMPTY = 9


@dataclass(frozen=True, slots=True)
class Reading:
    """How far an analysis has come: `moves` read `of` all, and the search in hand.

    The bounds in `search` are those of the position asked about, also while its moves are being read.
    """

    moves: int
    of: int
    search: Progress


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """What a move leads to with best play on both sides.

    `margin` is the side to move's sum less the other's at the end, None where a line decides; `plies` is how many moves
    are still played, this one included.
    """

    move: int
    winner: Player | None
    reason: Reason
    margin: int | None
    plies: int


@dataclass(frozen=True, slots=True)
class Advice:
    """The moves of a position in the order of its cells, the best one, the line of best play and how it ends.

    `positions` is how many were looked at.
    """

    position: Position
    moves: tuple[MoveAdvice, ...]
    best: MoveAdvice
    line_of_play: tuple[int, ...]
    outcome: Outcome
    positions: int

    @property
    def winner(self) -> Player | None:
        """Who wins with best play; None for a draw."""
        return self.best.winner

    @property
    def winning(self) -> tuple[int, ...]:
        """The moves that win for the side to move."""
        return tuple(each.move for each in self.moves if each.winner is self.position.to_move)


@dataclass(frozen=True, slots=True)
class PartialAdvice:
    """What is certain of a position that was not read to its end.

    `bounds` hold its margin; `moves` are those read by then, in the order of its cells; `best` is one of them that is a
    best move, read before all others.
    """

    position: Position
    bounds: Bounds
    moves: tuple[MoveAdvice, ...] = ()
    best: MoveAdvice | None = None


class AnalysisInterrupted(SearchInterrupted):
    """Ctrl-C during an analysis; `partial` is what was read by then."""

    def __init__(self, partial: PartialAdvice) -> None:
        super().__init__(partial.bounds)
        self.partial = partial


def analyze(position: Position, progress: Callable[[Reading], None] | None = None) -> Advice:
    """What every move leads to, and best play; raises a `BoardError` where there is no move.

    A long search tells `progress` how far it has come, and at Ctrl-C raises `AnalysisInterrupted` with what it has read
    by then.
    """
    return Adviser(position.board).analyze(position, progress)


class Adviser:
    """Advice on the positions of one board; what a search has learnt, interrupted or not, serves the next ones."""

    def __init__(self, board: Board) -> None:
        self._values = Values(board, self._report)
        self._progress: Callable[[Reading], None] | None = None
        self._moves = self._of = 0
        self._certain = self._values.unknown

    def analyze(self, position: Position, progress: Callable[[Reading], None] | None = None) -> Advice:
        """As the function `analyze`."""
        if position.outcome:
            raise game_over()
        if position.empty.bit_count() <= MAX_EMPTY:
            return _read_plainly(position)
        return self._read_by_search(position, progress)

    def best_move(self, position: Position, progress: Callable[[Reading], None] | None = None) -> int:
        """The best move that `analyze` would name, without the others; raises as it does."""
        if position.outcome:
            raise game_over()
        if position.empty.bit_count() <= MAX_EMPTY:
            return _best_play(position, {})[0][0]
        try:
            return self._values.best_move(position, self._value(position, progress))
        except KeyboardInterrupt:
            raise AnalysisInterrupted(PartialAdvice(position, self._certain)) from None

    def _read_by_search(self, position: Position, progress: Callable[[Reading], None] | None) -> Advice:
        """The advice by exact search: the position first, then a best move, then the others."""
        values: dict[int, Value] = {}
        try:
            value = self._value(position, progress)
            best = self._values.best_move(position, value)
            values[best] = value
            for move in position.moves:
                self._moves = len(values)
                if move != best:
                    values[move] = opposed(self._values.value(position.play(move), at_least=opposed(value)))
            rest, end = self._values.best_play(position.play(best), opposed(value))
        except KeyboardInterrupt:
            raise AnalysisInterrupted(_partial_advice(position, self._certain, values)) from None
        return _advice(position, values, (best, *rest), end, self._values.nodes)

    def _value(self, position: Position, progress: Callable[[Reading], None] | None) -> Value:
        self._progress, self._moves, self._of = progress, 0, len(position.moves)
        self._certain = self._values.unknown
        return self._values.value(position)

    def _report(self, now: Progress) -> None:
        if not self._certain.exact:  # after that the moves are read
            self._certain = now.bounds
        if self._progress is not None:
            self._progress(Reading(self._moves, self._of, replace(now, bounds=self._certain)))


def _read_plainly(position: Position) -> Advice:
    """The advice by looking at every position there is."""
    memo: dict[Position, Value] = {}
    values = {move: opposed(_value(position.play(move), memo)) for move in position.moves}
    line_of_play, end = _best_play(position, memo)
    return _advice(position, values, line_of_play, end, len(memo))


def _advice(
    position: Position, values: dict[int, Value], line_of_play: tuple[int, ...], end: Position, positions: int
) -> Advice:
    moves = _moves_advice(position, values)
    outcome = end.outcome
    assert outcome is not None
    return Advice(position, moves, _named(moves, line_of_play[0]), line_of_play, outcome, positions)


def _partial_advice(position: Position, bounds: Bounds, values: dict[int, Value]) -> PartialAdvice:
    moves = _moves_advice(position, values)
    return PartialAdvice(position, bounds, moves, _named(moves, next(iter(values))) if values else None)


def _moves_advice(position: Position, values: dict[int, Value]) -> tuple[MoveAdvice, ...]:
    return tuple(_move_advice(position, move, value) for move, value in sorted(values.items()))


def _named(moves: tuple[MoveAdvice, ...], move: int) -> MoveAdvice:
    return next(each for each in moves if each.move == move)


def _move_advice(position: Position, move: int, value: Value) -> MoveAdvice:
    line, rest = value
    mover = position.to_move
    played = (position.first | position.second).bit_count()
    sign = line or (rest > 0) - (rest < 0)
    return MoveAdvice(
        move,
        winner=Player(sign * mover) if sign else None,
        reason=Reason.LINE if line else Reason.SCORE,
        margin=None if line else rest,
        plies=(-line * rest if line else position.board.size) - played,
    )


def _value(position: Position, memo: dict[Position, Value]) -> Value:
    """The value of `position` for its side to move, every position after it looked at."""
    if position not in memo:
        over = final_value(position)
        memo[position] = over or max(opposed(_value(position.play(move), memo)) for move in position.moves)
    return memo[position]


def _best_play(position: Position, memo: dict[Position, Value]) -> tuple[tuple[int, ...], Position]:
    """Best moves of both sides to the end, the first cell among equals, and the position they end in."""
    played = []
    while position.moves:
        move = max(position.moves, key=lambda move: opposed(_value(position.play(move), memo)))
        played.append(move)
        position = position.play(move)
    return tuple(played), position
