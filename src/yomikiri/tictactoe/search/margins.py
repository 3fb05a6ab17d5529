"""Value of a position: the winner, the margin, how soon a line is completed, and best play.

Each result takes a few requests to the solver, which tighten the bounds. The *value* of a position is a pair of
numbers; of two values, the larger one is better for the side to move:

- (1, minus the ply at which it completes a line),
- (0, margin) if nobody completes a line,
- (-1, the ply at which the other side completes a line).

Plies count from the empty board. For the other side, both signs change.
"""

from __future__ import annotations

from itertools import count
from math import inf
from time import perf_counter

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.tictactoe.board import Board, BoardLike
from yomikiri.tictactoe.position import Bounds, Player, Position, Reason, Tie, lead, made
from yomikiri.tictactoe.search.kernels.sets import State
from yomikiri.tictactoe.search.layout import Layout
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule
from yomikiri.tictactoe.search.solver import MOST_ENTRIES, Code, Solver

Value = tuple[int, int]

# Limit on empty cells up to which the search is quick. For more, `margin` begins with easier requests.
_LARGE = 25


class MarginSearch:
    """Exact search of the positions of one board. The results of a search are reused for later positions.

    Every request takes a budget, and reports the bounds so far as its progress. If the budget ends, the request raises
    `Stopped` with the `Bounds`. `code` is for tests (see `Solver`).
    """

    # The values of the current request, which `_begin` sets.
    _position: Position
    _state: State
    _so_far: int
    _bounds: Bounds
    _budget: Budget
    _started: float

    def __init__(
        self,
        board: Board,
        *,
        rules: Rule = EVERY_RULE,
        most_entries: int = MOST_ENTRIES,
        code: Code | None = None,
    ) -> None:
        self._board, self._rules, self._most_entries, self._code = board, rules, most_entries, code
        self._layout = Layout(board)
        self._solver = Solver(self._layout, rules, most_entries, code=code)
        self._lines: Solver | None = None

    @property
    def states(self) -> int:
        """The number of states visited by all requests so far."""
        return self._solver.states + (self._lines.states if self._lines else 0)

    def winner(self, position: Position, tie: Tie = Tie.DRAW, budget: Budget = UNLIMITED) -> Bounds:
        """Return bounds of the margin that determine the winner of `position`, with equal sums decided by `tie`.

        The game must not be over.
        """
        mover = position.to_move
        self._begin(position, budget)
        asked = [0] if tie.player is mover else [1]
        if tie is Tie.DRAW:
            asked = [1, 0] if self._greedy > 0 else [0, 1]
        for need in asked:
            if not self._bounds.decided(mover, tie):
                self._ask(need)
        return self._bounds

    def margin(self, position: Position, budget: Budget = UNLIMITED, known: Bounds | None = None) -> Bounds:
        """Return the margin of the side to move in `position`, as equal bounds. The game must not be over.

        `known` are bounds that the caller knows. The first requests are easy, so that there are bounds early. On an
        empty board, the first is the bound of STEALING. Then come margins far from that of greedy play, very far on
        large boards. After these, the steps away from the margin of greedy play grow by a factor of four until the
        margin is between two results, and the remaining interval is halved.
        """
        self._begin(position, budget, known)
        layout, greedy = self._layout, self._greedy
        spread = layout.weights[0] - layout.weights[-1]
        easy = [greedy + spread // 2, greedy - spread // 2]
        if self._state.empty.bit_count() > _LARGE:
            easy = [greedy + 2 * spread, greedy - 2 * spread, *easy]
        if position == Position(position.board):
            easy.insert(0, layout.weights[-1] if position.board.size % 2 else 0)
        for need in easy:
            if self._bounds.lower < need <= self._bounds.upper:
                self._ask(need)
        need, step = greedy, max(1, spread // 64)
        while not self._bounds.exact:
            lower, upper = self._within_sums(self._bounds.lower), self._within_sums(self._bounds.upper)
            if (upper - lower) // 2 < step:
                need = lower + (upper - lower + 1) // 2
            need = min(max(need, lower + 1), upper)
            if self._ask(need):
                need += step
            else:
                need -= step
            step *= 4
        return self._bounds

    def _within_sums(self, bound: int | float) -> int:
        """Return a bound as a finite number: an infinite bound becomes a number just beyond all sums of weights."""
        most = self._layout.most
        return int(min(max(bound, -most - 1), most + 1))

    def reaches(self, position: Position, need: int, budget: Budget = UNLIMITED) -> bool:
        """Return True if the side to move can get a margin of at least `need`, or a line."""
        self._begin(position, budget)
        return self._reach(need) >= need

    def line_within(self, position: Position, plies: int, budget: Budget = UNLIMITED) -> bool:
        """Return True if a side can force a line within `plies` moves.

        It is the side that makes the last of these moves.
        """
        self._begin(position, budget)
        return self._line_within(plies)

    def plies_to_line(self, position: Position, bounds: Bounds, budget: Budget = UNLIMITED) -> int:
        """Return the number of plies until a line decides `position` under best play.

        `bounds` are those of the margin, and say which side completes the line. If the budget ends, `Stopped` contains
        them.
        """
        self._begin(position, budget, bounds)
        first = 1 if bounds.lower > 0 else 2
        return next(plies for plies in count(first, 2) if self._line_within(plies))

    def value(self, position: Position, budget: Budget = UNLIMITED, at_least: Value | None = None) -> Value:
        """Return the value of `position`. The caller knows that it is at least `at_least`."""
        over = final_value(position)
        if over is not None:
            return over
        known = Bounds(lower=at_least[1]) if at_least and at_least[0] == 0 else None
        bounds = self.margin(position, budget, known)
        if not bounds.by_line:
            return (0, int(bounds.lower))
        ply = made(position) + self.plies_to_line(position, bounds, budget)
        return (1, -ply) if bounds.lower > 0 else (-1, ply)

    def best_move(self, position: Position, value: Value, budget: Budget = UNLIMITED) -> int:
        """Return the first best move in `position`, which has this value."""
        return next(move for move in position.moves if self._at_most(position.play(move), opposed(value), budget))

    def best_play(
        self, position: Position, value: Value, budget: Budget = UNLIMITED
    ) -> tuple[tuple[int, ...], Position]:
        """Return the moves of best play from `position`, which has this value, to the end, and the final position."""
        moves = []
        while position.moves:
            move = self.best_move(position, value, budget)
            moves.append(move)
            position, value = position.play(move), opposed(value)
        return tuple(moves), position

    @property
    def _greedy(self) -> int:
        """The margin if neither side completes a line and both always take the heaviest cell."""
        return self._so_far + self._layout.greedy(self._state.empty)

    def _ask(self, need: int) -> bool:
        """Find out whether the margin is at least `need`, tighten the bounds accordingly, and return True if it is."""
        known, most = self._bounds, self._layout.most
        value: int | float = self._reach(need)
        reached = value >= need
        value = inf if value > most else -inf if value < -most else value
        if reached:
            self._bounds = Bounds(max(known.lower, value), known.upper)
        else:
            self._bounds = Bounds(known.lower, min(known.upper, value))
        self._report()
        return reached

    def _reach(self, need: int) -> int:
        return self._solve(self._solver, self._state, need - self._so_far) + self._so_far

    def _line_within(self, plies: int) -> bool:
        if plies < 1:
            return False
        if self._lines is None:
            layout = Layout(self._board, weightless=True)
            self._lines = Solver(layout, self._rules, self._most_entries, soon=True, code=self._code)
        solver = self._lines
        worth = solver.layout.won + self._position.empty.bit_count() - plies
        state = solver.layout.state(self._position)
        if plies % 2:
            return self._solve(solver, state, worth) >= worth
        return self._solve(solver, state, 1 - worth) < 1 - worth

    def _at_most(self, position: Position, value: Value, budget: Budget) -> bool:
        """Return True if `position` has this value. The caller knows that its value is at least this one."""
        over = final_value(position)
        if over is not None:
            return over == value
        kind, number = value
        if kind == 0:
            return not self.reaches(position, number + 1, budget)
        if kind < 0:
            return self.line_within(position, number - made(position), budget)
        return not self.line_within(position, -number - made(position) - 2, budget)

    def _solve(self, solver: Solver, state: State, need: int) -> int:
        """Return the bound that a solver finds.

        If the budget ends, raises `Stopped` with the bounds of the current request.
        """
        try:
            return solver.reach(state, need, self._budget.part(self._progress))
        except Stopped:
            raise Stopped(self._bounds) from None

    def _begin(self, position: Position, budget: Budget, known: Bounds | None = None) -> None:
        self._position, self._state = position, self._layout.state(position)
        self._so_far = lead(position, position.to_move)
        self._bounds, self._budget = known or Bounds(), budget
        self._started = perf_counter()

    def _progress(self) -> Progress:
        return Progress(self._bounds.lower, self._bounds.upper, self.states, perf_counter() - self._started)

    def _report(self) -> None:
        if self._budget is UNLIMITED:
            return  # an unlimited budget requests no reports
        self._budget.report(self._progress())


def opposed(value: Value) -> Value:
    """Return a value from the point of view of the other side."""
    return (-value[0], -value[1])


def final_value(position: Position) -> Value | None:
    """Return the value of a position in which the game is over, or None if it is not over."""
    outcome = position.outcome
    if outcome is None:
        return None
    if outcome.reason is Reason.LINE:
        return (-1, made(position))
    return (0, lead(position, position.to_move))


def winner(position: Position | BoardLike, tie: Tie | str = Tie.DRAW, budget: Budget = UNLIMITED) -> Player | None:
    """Return the winner of a position, or of a board at its start, under best play; None for a draw.

    The board may be given as text, as rows of integers, or as an array. The position may be over. `tie` may be a word;
    a draw is only possible with `Tie.DRAW`. Progress reports contain bounds of the margin of the side to move, infinite
    for a line. If the budget ends, raises `Stopped` with these `Bounds`. Raises an `InputError`.

    >>> from yomikiri.tictactoe.board import Board
    >>> winner(Position(Board.parse("-1,1,0/-4,-2,-5/-4,-1,-5")))
    Player.SECOND
    >>> winner([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    Player.FIRST
    """
    tie, position = Tie.read(tie, "tie"), Position.read(position, "position")
    budget = Budget.read(budget, "budget")
    if outcome := position.outcome:
        return outcome.winner or tie.player
    return MarginSearch(position.board).winner(position, tie, budget).winner(position.to_move, tie)
