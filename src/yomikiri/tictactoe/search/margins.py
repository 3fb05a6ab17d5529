"""Value of a position: the winner, the margin, how soon a line is completed, and best play.

For each result, the solver answers a few questions: can the side to move gain at least some number? Each answer
tightens a lower or an upper bound of the result. The *value* of a position is a pair of numbers. Of two values, the
larger one is better for the side to move:

- (1, -p) if the side to move completes a line at ply p
- (0, margin) if neither side completes a line
- (-1, p) if the opponent completes a line at ply p

Plies count from the empty board. From the opponent's point of view, both numbers have the opposite sign.
"""

from __future__ import annotations

from itertools import count
from math import inf
from time import perf_counter

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.tictactoe.board import Board, BoardLike
from yomikiri.tictactoe.position import Bounds, Player, Position, Reason, Tie, margin_so_far, moves_made
from yomikiri.tictactoe.search.kernels.sets import State
from yomikiri.tictactoe.search.layout import Layout
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule
from yomikiri.tictactoe.search.solver import MOST_ENTRIES, Code, Solver

Value = tuple[int, int]

# Number of empty cells above which a search for the exact margin first excludes margins that are easy to exclude.
_LARGE = 25


class MarginSearch:
    """Exact search of the positions of one board: the winner, the margin, the shortest line, and best play.

    The results of a search are reused for later positions. Every request takes a budget, and reports the bounds of the
    margin so far as its progress. If the budget ends, the request raises `Stopped` with these `Bounds`. `code` is the
    implementation of the search, as Python or compiled. Tests select it.
    """

    # Data of the position that is being searched: its state, the margin of the cells taken so far, the proven bounds of
    # its final margin, and the budget.
    _position: Position
    _state: State
    _margin_so_far: int
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
        """The number of states visited by all searches of this object so far."""
        return self._solver.states + (self._lines.states if self._lines else 0)

    def winner(self, position: Position, tie: Tie = Tie.DRAW, budget: Budget = UNLIMITED) -> Bounds:
        """Return bounds of the margin that determine the winner of `position`, with equal sums decided by `tie`.

        The margin is the final sum of the side to move minus the other's. Requires that the game is not over.
        """
        mover = position.to_move
        self._begin(position, budget)
        needs = [0] if tie.player is mover else [1]
        if tie is Tie.DRAW:
            needs = [1, 0] if self._greedy > 0 else [0, 1]
        for need in needs:
            if not self._bounds.decided(mover, tie):
                self._test(need)
        return self._bounds

    def margin(self, position: Position, budget: Budget = UNLIMITED, known: Bounds | None = None) -> Bounds:
        """Return the margin of the side to move in `position`, as equal lower and upper bounds.

        Requires that the game is not over. `known` are bounds that the caller has already proven.

        The search asks whether the margin is at least some number, for one number after another. The *estimate* is the
        margin in greedy play, where both sides always take the heaviest cell and lines do not count. The *spread* is
        the greatest weight of the board minus the least. The numbers are, in this order:

        1. On an empty board, the lower bound of the margin by the rule STEALING: 0 for an even number of cells, the
           least weight for an odd number.
        2. In a position with more than 25 empty cells, the estimate plus and minus twice the spread.
        3. The estimate plus and minus half the spread.
        4. The estimate, and then numbers above or below it. Each step from one number to the next is four times as
           large as the step before.
        5. As soon as the step is larger than half the interval between the bounds: the middle of this interval, again
           and again until the bounds are equal.

        Numbers that the bounds already decide are left out. Items 1 to 3 are easy to decide, so that there are bounds
        early.
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
                self._test(need)
        need, step = greedy, max(1, spread // 64)
        while not self._bounds.exact:
            lower, upper = self._within_sums(self._bounds.lower), self._within_sums(self._bounds.upper)
            if (upper - lower) // 2 < step:
                need = lower + (upper - lower + 1) // 2
            need = min(max(need, lower + 1), upper)
            if self._test(need):
                need += step
            else:
                need -= step
            step *= 4
        return self._bounds

    def _within_sums(self, bound: int | float) -> int:
        """Return a bound of a margin as a finite number: infinity becomes a number just above all sums of weights."""
        most = self._layout.most
        return int(min(max(bound, -most - 1), most + 1))

    def reaches(self, position: Position, need: int, budget: Budget = UNLIMITED) -> bool:
        """Return True if the side to move can force a margin of at least `need`, or a line."""
        self._begin(position, budget)
        return self._reach(need) >= need

    def line_within(self, position: Position, plies: int, budget: Budget = UNLIMITED) -> bool:
        """Return True if one side can force a line within the next `plies` moves of both sides.

        This side is the one that makes the last of these moves: the side to move if `plies` is odd, otherwise the other
        side.
        """
        self._begin(position, budget)
        return self._line_within(plies)

    def plies_to_line(self, position: Position, bounds: Bounds, budget: Budget = UNLIMITED) -> int:
        """Return the number of moves, of both sides, until a line decides `position` under best play.

        `bounds` are the proven bounds of the margin: both infinity if the side to move completes the line, both minus
        infinity if the other side does. If the budget ends, raises `Stopped` with these bounds.
        """
        self._begin(position, budget, bounds)
        first = 1 if bounds.lower > 0 else 2
        return next(plies for plies in count(first, 2) if self._line_within(plies))

    def value(self, position: Position, budget: Budget = UNLIMITED, at_least: Value | None = None) -> Value:
        """Return the value of `position`: a margin, or the ply at which a line is completed, as the module describes.

        `at_least` is a lower bound of the value that the caller has already proven.
        """
        over = final_value(position)
        if over is not None:
            return over
        known = Bounds(lower=at_least[1]) if at_least and at_least[0] == 0 else None
        bounds = self.margin(position, budget, known)
        if not bounds.by_line:
            return (0, int(bounds.lower))
        ply = moves_made(position) + self.plies_to_line(position, bounds, budget)
        return (1, -ply) if bounds.lower > 0 else (-1, ply)

    def best_move(self, position: Position, value: Value, budget: Budget = UNLIMITED) -> int:
        """Return the first best move in order of cells. `value` is the value of `position`, already computed."""
        return next(move for move in position.moves if self._at_most(position.play(move), opposed(value), budget))

    def best_play(
        self, position: Position, value: Value, budget: Budget = UNLIMITED
    ) -> tuple[tuple[int, ...], Position]:
        """Return the moves of best play from `position` to the end of the game, and the final position.

        `value` is the value of `position`, which the caller has already computed.
        """
        moves = []
        while position.moves:
            move = self.best_move(position, value, budget)
            moves.append(move)
            position, value = position.play(move), opposed(value)
        return tuple(moves), position

    @property
    def _greedy(self) -> int:
        """The final margin of the side to move if both sides always take the heaviest cell and lines do not count."""
        return self._margin_so_far + self._layout.greedy(self._state.empty)

    def _test(self, need: int) -> bool:
        """Return True if a search shows that the margin is at least `need`. Tightens the bounds of the margin."""
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
        return self._solve(self._solver, self._state, need - self._margin_so_far) + self._margin_so_far

    def _line_within(self, plies: int) -> bool:
        if plies < 1:
            return False
        if self._lines is None:
            layout = Layout(self._board, weightless=True)
            self._lines = Solver(layout, self._rules, self._most_entries, soon=True, code=self._code)
        solver = self._lines
        value = solver.layout.won + self._position.empty.bit_count() - plies
        state = solver.layout.state(self._position)
        if plies % 2:
            return self._solve(solver, state, value) >= value
        return self._solve(solver, state, 1 - value) < 1 - value

    def _at_most(self, position: Position, value: Value, budget: Budget) -> bool:
        """Return True if a position's value is at most `value`. Requires that it is known to be at least `value`."""
        over = final_value(position)
        if over is not None:
            return over == value
        kind, number = value
        if kind == 0:
            return not self.reaches(position, number + 1, budget)
        if kind < 0:
            return self.line_within(position, number - moves_made(position), budget)
        return not self.line_within(position, -number - moves_made(position) - 2, budget)

    def _solve(self, solver: Solver, state: State, need: int) -> int:
        """Return a bound from `solver` that shows whether the side to move can gain at least `need` in `state`.

        If the budget ends, raises `Stopped` with the bounds of the margin that are proven so far.
        """
        try:
            return solver.reach(state, need, self._budget.part(self._progress))
        except Stopped:
            raise Stopped(self._bounds) from None

    def _begin(self, position: Position, budget: Budget, known: Bounds | None = None) -> None:
        self._position, self._state = position, self._layout.state(position)
        self._margin_so_far = margin_so_far(position, position.to_move)
        self._bounds, self._budget = known or Bounds(), budget
        self._started = perf_counter()

    def _progress(self) -> Progress:
        return Progress(self._bounds.lower, self._bounds.upper, self.states, perf_counter() - self._started)

    def _report(self) -> None:
        if self._budget is UNLIMITED:
            return  # Create no report, because the default budget ignores it.
        self._budget.report(self._progress())


def opposed(value: Value) -> Value:
    """Convert the value of a position, a pair of numbers, from one side's point of view to that of the opponent."""
    return (-value[0], -value[1])


def final_value(position: Position) -> Value | None:
    """Return the value of a position in which the game is over, or None if it is not over."""
    outcome = position.outcome
    if outcome is None:
        return None
    if outcome.reason is Reason.LINE:
        return (-1, moves_made(position))
    return (0, margin_so_far(position, position.to_move))


def winner(position: Position | BoardLike, tie: Tie | str = Tie.DRAW, budget: Budget = UNLIMITED) -> Player | None:
    """Return the winner of a position under best play, or None for a draw.

    `position` may also be a board, as text, as rows of integers, or as an array. A board means its empty position. If
    the game is already over, returns its winner. `tie` is the rule for equal sums, also as a word: "draw", "first" or
    "second". A draw is only possible with `Tie.DRAW`. Raises an `InputError` for invalid arguments.

    Progress reports contain bounds of the margin: the final sum of the side to move minus the opponent's, or plus or
    minus infinity if a line decides the game. If the budget ends, raises `Stopped` with these `Bounds`.

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
