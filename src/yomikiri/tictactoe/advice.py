"""Advice: what every move of a position leads to, the best one, and how play then goes.

Values are seen by the side to move of the position asked about. Its order of results, best first: a line of its own,
the sooner the better; else the score, the larger margin the better, since a line counts as more than any margin; else
a line of the other's, the later the better.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.tictactoe.board import Board, BoardLike
from yomikiri.tictactoe.position import Outcome, Player, Position, Reason, game_over, made
from yomikiri.tictactoe.search.margins import Bounds, MarginSearch, Value, final_value, opposed

# Up to so many empty cells plain recursion visits every position there is: 5,478 on 3x3.
MAX_EMPTY = 9


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

    def is_as_good_as(self, other: MoveAdvice) -> bool:
        """Whether it leads to the same as another move of the same position."""
        return replace(self, move=other.move) == other


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

    def _repr_html_(self) -> str:
        """What a notebook shows: the board, and what each move leads to; the moves as good as the best stand out.

        `X +1` is a win of the first player's by one, `O #3` a line of the second's after three more moves, `=` a draw.
        """
        return self.position.drawn({each.move: (_note(each), each.move in self.best_moves) for each in self.moves})

    @property
    def winner(self) -> Player | None:
        """Who wins with best play; None for a draw."""
        return self.best.winner

    @property
    def best_moves(self) -> tuple[int, ...]:
        """The moves that lead to the same as the best one, which is among them."""
        return tuple(each.move for each in self.moves if each.is_as_good_as(self.best))

    def of(self, move: int) -> MoveAdvice:
        """What a move leads to."""
        return _named(self.moves, move)

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


def _note(move: MoveAdvice) -> str:
    if move.winner is None:
        return "="
    how = f"#{move.plies}" if move.margin is None else f"+{abs(move.margin)}"
    return f"{'X' if move.winner is Player.FIRST else 'O'} {how}"


def analyze(position: Position | BoardLike, budget: Budget = UNLIMITED) -> Advice:
    """Return the result of every move of a position, or of a board at its start, and best play.

    The board may be given as text, as rows of integers, or as an array. Raises an `InputError`, also if there is no
    move.

    `budget` hears how far it is: the bounds are those of the margin of `position`, infinite for a line, also while its
    moves are read, `done` moves of all. When it is spent, `Stopped` carries a `PartialAdvice`.

    >>> from yomikiri.tictactoe.board import Board
    >>> analyze(Position(Board.parse("-1,1,0/-4,-2,-5/-4,-1,-5"))).best
    MoveAdvice(move=0, winner=Player.SECOND, reason=Reason.SCORE, margin=-1, plies=9)
    """
    position = Position.read(position, "position")
    return Analyzer(position.board).analyze(position, Budget.read(budget, "budget"))


class Analyzer:
    """Advice on the positions of one board; what a search has learnt, stopped or not, serves the next ones."""

    def __init__(self, board: Board) -> None:
        self._search = MarginSearch(board)

    def analyze(self, position: Position, budget: Budget = UNLIMITED) -> Advice:
        """As the function `analyze`."""
        if position.outcome:
            raise game_over()
        if position.empty.bit_count() <= MAX_EMPTY:
            return _read_plainly(position)
        return self._read_by_search(position, budget)

    def best_move(self, position: Position, budget: Budget = UNLIMITED) -> int:
        """The best move that `analyze` would name, without the others; raises as it does."""
        if position.outcome:
            raise game_over()
        if position.empty.bit_count() <= MAX_EMPTY:
            return _best_play(position, {})[0][0]
        reading = _Reading(position, budget)
        try:
            return self._search.best_move(position, self._value(reading), reading.budget)
        except Stopped:
            raise Stopped(reading.partial_advice()) from None

    def _read_by_search(self, position: Position, budget: Budget) -> Advice:
        """The advice by exact search: the position first, then a best move, then the others."""
        reading = _Reading(position, budget)
        values, budget = reading.values, reading.budget
        try:
            value = self._value(reading)
            best = self._search.best_move(position, value, budget)
            values[best] = value
            for move in position.moves:
                if move != best:
                    after = position.play(move)
                    values[move] = opposed(self._search.value(after, budget, at_least=opposed(value)))
            rest, end = self._search.best_play(position.play(best), opposed(value), budget)
        except Stopped:
            raise Stopped(reading.partial_advice()) from None
        return _advice(position, values, (best, *rest), end, self._search.states)

    def _value(self, reading: _Reading) -> Value:
        try:
            value = self._search.value(reading.position, reading.budget)
        except Stopped as stopped:
            reading.certain = stopped.best
            raise
        reading.certain = _bounds_of(value)
        return value


class _Reading:
    """What is known of a position while it is read, and the budget that is told of it."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self.position = position
        self.certain = Bounds()
        self.values: dict[int, Value] = {}
        self._of = len(position.moves)
        self._heard = budget.progress
        self.budget = replace(budget, progress=self._report)

    def partial_advice(self) -> PartialAdvice:
        moves = _moves_advice(self.position, self.values)
        best = _named(moves, next(iter(self.values))) if moves else None
        return PartialAdvice(self.position, self.certain, moves, best)

    def _report(self, now: Progress) -> None:
        """Pass on how far the search has come, with what is certain of the position also while its moves are read."""
        if self.certain.exact:
            now = replace(now, lower=self.certain.lower, upper=self.certain.upper)
        self._heard(replace(now, done=len(self.values), of=self._of))


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


def _moves_advice(position: Position, values: dict[int, Value]) -> tuple[MoveAdvice, ...]:
    return tuple(_move_advice(position, move, value) for move, value in sorted(values.items()))


def _named(moves: tuple[MoveAdvice, ...], move: int) -> MoveAdvice:
    return next(each for each in moves if each.move == move)


def _move_advice(position: Position, move: int, value: Value) -> MoveAdvice:
    line, rest = value
    mover = position.to_move
    sign = line or (rest > 0) - (rest < 0)
    return MoveAdvice(
        move,
        winner=Player(sign * mover) if sign else None,
        reason=Reason.LINE if line else Reason.SCORE,
        margin=None if line else rest,
        plies=(-line * rest if line else position.board.size) - made(position),
    )


def _bounds_of(value: Value) -> Bounds:
    """The bounds of a position whose value is known."""
    line, margin = value
    return Bounds(line * inf, line * inf) if line else Bounds(margin, margin)


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
