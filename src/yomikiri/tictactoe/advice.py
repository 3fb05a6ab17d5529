"""Advice for a position: the result of every move, the best move, and best play to the end.

The *value* of a position is its result under best play, from the point of view of the side to move. Values are ordered
from best to worst:

1. A line of the side to move, the sooner the better.
2. A full board without a line, by the margin: the final sum of the side to move minus the opponent's.
3. A line of the opponent, the later the better.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.tictactoe.board import Board, BoardLike
from yomikiri.tictactoe.position import Bounds, Outcome, Player, Position, Reason, game_over, moves_made
from yomikiri.tictactoe.search.margins import MarginSearch, Value, final_value, opposed

# Limit on the number of empty cells for which advice visits every later position by recursion. An empty 3x3 board has
# nine empty cells and 5,477 later positions.
MAX_EMPTY = 9


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """The result of a move if both sides play best after it.

    `move` is the index of a cell. `winner` is None for a draw. `margin` is the final sum of the player who makes the
    move minus the other player's, or None if a line decides the game. `plies` is the number of moves until the end of
    the game, including this one.
    """

    move: int
    winner: Player | None
    reason: Reason
    margin: int | None
    plies: int

    def is_as_good_as(self, other: MoveAdvice) -> bool:
        """Return True if two moves of the same position have the same result."""
        return replace(self, move=other.move) == other


@dataclass(frozen=True, slots=True)
class Advice:
    """The results of all moves of a position, in the order of the cells, with the best move.

    `line_of_play` contains the moves of best play to the end of the game, and `outcome` is the result of these moves.
    `positions` is the number of positions visited. If an `Analyzer` is reused, its earlier searches are included.
    """

    position: Position
    moves: tuple[MoveAdvice, ...]
    best: MoveAdvice
    line_of_play: tuple[int, ...]
    outcome: Outcome
    positions: int

    def _repr_html_(self) -> str:
        """Return a picture for notebooks: the board with the result of each move, with the best moves highlighted.

        - `X +1`: the first player wins with a sum that is larger by one.
        - `O #3`: the second player completes a line with the third move from here, counting the moves of both players.
        - `=`: a draw.
        """
        return self.position.drawn({each.move: (_note(each), each.move in self.best_moves) for each in self.moves})

    @property
    def winner(self) -> Player | None:
        """The winner under best play; None for a draw."""
        return self.best.winner

    @property
    def best_moves(self) -> tuple[int, ...]:
        """All moves with the same result as the best move, in order of cells."""
        return tuple(each.move for each in self.moves if each.is_as_good_as(self.best))

    def of(self, move: int) -> MoveAdvice:
        """Return the result of a legal move, which is given by the index of its cell."""
        return _find_move(self.moves, move)

    @property
    def winning(self) -> tuple[int, ...]:
        """The moves that win for the side to move."""
        return tuple(each.move for each in self.moves if each.winner is self.position.to_move)


@dataclass(frozen=True, slots=True)
class PartialAdvice:
    """The results of an interrupted analysis.

    `bounds` are the proven bounds of the margin under best play: the final sum of the side to move minus the other
    side's. `moves` contains the results of the moves that were analysed before the interruption, in order of cells. The
    search finds the best move before it analyses the others. `best` is the result of the best move, or None if no move
    was proven best before the interruption.
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
    """Return the result of every move of a position, the best move, and best play to the end.

    `position` may also be a board, as text, as rows of integers, or as an array. A board means its empty position.
    Raises an `InputError` for invalid arguments, or if the game is over.

    Progress reports contain the number of moves analysed, and bounds of the margin: the final sum of the side to move
    minus the opponent's, or plus or minus infinity if a line decides the game. If the budget ends, raises
    `Stopped` with a `PartialAdvice`. For a position with at most nine empty cells, the budget has no effect, and there
    are no progress reports.

    >>> from yomikiri.tictactoe.board import Board
    >>> analyze(Position(Board.parse("-1,1,0/-4,-2,-5/-4,-1,-5"))).best
    MoveAdvice(move=0, winner=Player.SECOND, reason=Reason.SCORE, margin=-1, plies=9)
    """
    position = Position.read(position, "position")
    return Analyzer(position.board).analyze(position, Budget.read(budget, "budget"))


class Analyzer:
    """Advice on the positions of one board.

    The transposition table is kept, so that a search of a later position uses the results of all searches before it,
    even interrupted ones.
    """

    def __init__(self, board: Board) -> None:
        self._search = MarginSearch(board)

    def analyze(self, position: Position, budget: Budget = UNLIMITED) -> Advice:
        """Return the result of every move of `position`, as the function `analyze` does, with the same errors."""
        if position.outcome:
            raise game_over()
        if position.empty.bit_count() <= MAX_EMPTY:
            return _analyze_plainly(position)
        return self._analyze_by_search(position, budget)

    def best_move(self, position: Position, budget: Budget = UNLIMITED) -> int:
        """Return the best move of `position` without the results of the other moves. Raises the errors of `analyze`."""
        if position.outcome:
            raise game_over()
        if position.empty.bit_count() <= MAX_EMPTY:
            return _best_play(position, {})[0][0]
        state = _AnalysisState(position, budget)
        try:
            return self._search.best_move(position, self._value(state), state.budget)
        except Stopped:
            raise Stopped(state.partial_advice()) from None

    def _analyze_by_search(self, position: Position, budget: Budget) -> Advice:
        """Return the results of all moves by exact search.

        The search computes the value of the position first, then a best move, and then the values of the other moves.
        """
        state = _AnalysisState(position, budget)
        values, budget = state.values, state.budget
        try:
            value = self._value(state)
            best = self._search.best_move(position, value, budget)
            values[best] = value
            for move in position.moves:
                if move != best:
                    after = position.play(move)
                    values[move] = opposed(self._search.value(after, budget, at_least=opposed(value)))
            rest, end = self._search.best_play(position.play(best), opposed(value), budget)
        except Stopped:
            raise Stopped(state.partial_advice()) from None
        return _advice(position, values, (best, *rest), end, self._search.states)

    def _value(self, state: _AnalysisState) -> Value:
        try:
            value = self._search.value(state.position, state.budget)
        except Stopped as stopped:
            state.bounds = stopped.best
            raise
        state.bounds = _bounds_of(value)
        return value


class _AnalysisState:
    """State of a running analysis: the results that are known so far, and the budget.

    The results are the values of the moves that have been analysed, and bounds of the margin of the position.
    """

    def __init__(self, position: Position, budget: Budget) -> None:
        self.position = position
        self.bounds = Bounds()
        self.values: dict[int, Value] = {}
        self._move_count = len(position.moves)
        self._report_to_caller = budget.progress
        self.budget = replace(budget, progress=self._report)

    def partial_advice(self) -> PartialAdvice:
        moves = _moves_advice(self.position, self.values)
        best = _find_move(moves, next(iter(self.values))) if moves else None
        return PartialAdvice(self.position, self.bounds, moves, best)

    def _report(self, now: Progress) -> None:
        """Report the progress of the search to the caller, with bounds of the margin of the analysed position.

        Once this margin is known, the search goes on to the positions after each move. The reports then still contain
        the margin of the analysed position, not the bounds of these other positions.
        """
        if self.bounds.exact:
            now = replace(now, lower=self.bounds.lower, upper=self.bounds.upper)
        self._report_to_caller(replace(now, done=len(self.values), of=self._move_count))


def _analyze_plainly(position: Position) -> Advice:
    """Return the results of all moves of a position, by a simple recursion through every later position."""
    table: dict[Position, Value] = {}
    values = {move: opposed(_value(position.play(move), table)) for move in position.moves}
    line_of_play, end = _best_play(position, table)
    return _advice(position, values, line_of_play, end, len(table))


def _advice(
    position: Position, values: dict[int, Value], line_of_play: tuple[int, ...], end: Position, positions: int
) -> Advice:
    moves = _moves_advice(position, values)
    outcome = end.outcome
    assert outcome is not None
    return Advice(position, moves, _find_move(moves, line_of_play[0]), line_of_play, outcome, positions)


def _moves_advice(position: Position, values: dict[int, Value]) -> tuple[MoveAdvice, ...]:
    return tuple(_move_advice(position, move, value) for move, value in sorted(values.items()))


def _find_move(moves: tuple[MoveAdvice, ...], move: int) -> MoveAdvice:
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
        plies=(-line * rest if line else position.board.size) - moves_made(position),
    )


def _bounds_of(value: Value) -> Bounds:
    """Convert the exact value of a position to bounds of its margin: the lower and the upper bound are equal.

    The bounds are infinite if a line decides the game.
    """
    line, margin = value
    return Bounds(line * inf, line * inf) if line else Bounds(margin, margin)


def _value(position: Position, table: dict[Position, Value]) -> Value:
    """Return the value of `position` for the side to move, by a recursion through every later position.

    `table` contains the values of the positions visited before. The function adds those of the positions that it
    visits.
    """
    if position not in table:
        over = final_value(position)
        table[position] = over or max(opposed(_value(position.play(move), table)) for move in position.moves)
    return table[position]


def _best_play(position: Position, table: dict[Position, Value]) -> tuple[tuple[int, ...], Position]:
    """Return the moves of best play from `position` to the end of the game, and the final position.

    Among equally good moves, the one with the lowest index of its cell is played. `table` may already contain values of
    positions. Values that it lacks are computed and added.
    """
    played = []
    while position.moves:
        move = max(position.moves, key=lambda move: opposed(_value(position.play(move), table)))
        played.append(move)
        position = position.play(move)
    return tuple(played), position
