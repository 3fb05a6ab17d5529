"""What a position is worth: who wins, by how much, how soon a line comes, and best play.

Each is enough questions to the solver, and what is certain by then. A *value* is what a position is worth to its side
to move, larger being better: (1, minus the ply at which its line is complete), (0, margin), or (-1, the ply at which
the other side's line is complete). Plies count from the empty board. The other side's value is the same with both signs
changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from math import inf, isinf
from time import perf_counter

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.tictactoe.board import Board, BoardLike
from yomikiri.tictactoe.position import Player, Position, Reason, Tie, lead, made
from yomikiri.tictactoe.search.layout import Layout, State
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule
from yomikiri.tictactoe.search.solver import MOST_ENTRIES, Code, Solver

Value = tuple[int, int]

# A board of more empty cells than this may take long.
_LARGE = 25


@dataclass(frozen=True, slots=True)
class Bounds:
    """The side to move ends with a margin from `lower` to `upper` under best play, certainly.

    Infinity stands for a line of its own, minus infinity for one of the other side.
    """

    lower: int | float = -inf
    upper: int | float = inf

    @classmethod
    def from_progress(cls, progress: Progress) -> Bounds:
        """The bounds that a search has told."""
        assert isinstance(progress.lower, int | float)
        assert isinstance(progress.upper, int | float)
        return cls(progress.lower, progress.upper)

    @property
    def exact(self) -> bool:
        """Whether nothing is left open."""
        return self.lower == self.upper

    @property
    def by_line(self) -> bool:
        """Whether a line decides, whoever completes it."""
        return self.exact and isinf(self.lower)

    def winner(self, mover: Player, tie: Tie = Tie.DRAW) -> Player | None:
        """Who wins where `mover` is to move, None for a draw. The bounds must be `settled` for this rule of ties."""
        assert self.decided(mover, tie)
        if tie is not Tie.DRAW and self.lower <= 0 <= self.upper:
            return mover if (self.lower == 0 if tie.player is mover else self.upper > 0) else mover.other
        return mover if self.lower > 0 else mover.other if self.upper < 0 else None

    def decided(self, mover: Player, tie: Tie = Tie.DRAW) -> bool:
        """Whether they say who wins."""
        if self.lower > 0 or self.upper < 0:
            return True
        if tie is Tie.DRAW:
            return self.exact
        return self.lower >= 0 if tie.player is mover else self.upper <= 0


class MarginSearch:
    """Reads positions of one board to their end. What it learns about one serves the others.

    Every question takes a budget, which hears a few times a second what is certain so far; when it is spent, `Stopped`
    carries that as `Bounds`. `code` is for tests: see `Solver`.
    """

    # Of the question that is being answered: see `_begin`.
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
        """How many states have been looked at."""
        return self._solver.states + (self._lines.states if self._lines else 0)

    def winner(self, position: Position, tie: Tie = Tie.DRAW, budget: Budget = UNLIMITED) -> Bounds:
        """Bounds that say who wins `position`, which is not over, with equal sums going to `tie`."""
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
        """The margin of the side to move of `position`, which is not over; `known` is what is certain already.

        The first questions are easy, so that bounds soon stand: on an untouched board what STEALING answers at once,
        then what is far from the margin that greedy players would reach, on large boards very far. Then steps four
        times as long each lead away from it until the margin lies between two answers, and what is open is halved.
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
        """The number to compute with for a bound: just beyond all sums of weights for a line."""
        most = self._layout.most
        return int(min(max(bound, -most - 1), most + 1))

    def reaches(self, position: Position, need: int, budget: Budget = UNLIMITED) -> bool:
        """Whether the side to move ends with a margin of at least `need`, which a line of its own is."""
        self._begin(position, budget)
        return self._reach(need) >= need

    def line_within(self, position: Position, plies: int, budget: Budget = UNLIMITED) -> bool:
        """Whether a line can be forced within `plies`, by the side that makes the last of them."""
        self._begin(position, budget)
        return self._line_within(plies)

    def plies_to_line(self, position: Position, bounds: Bounds, budget: Budget = UNLIMITED) -> int:
        """How many plies it takes until a line decides `position`, of which `bounds` say whose, with best play.

        `Stopped` carries these bounds.
        """
        self._begin(position, budget, bounds)
        first = 1 if bounds.lower > 0 else 2
        return next(plies for plies in count(first, 2) if self._line_within(plies))

    def value(self, position: Position, budget: Budget = UNLIMITED, at_least: Value | None = None) -> Value:
        """The value of `position`, which is known to be `at_least` that much."""
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
        """A best move in `position`, which is worth `value`: among equally good ones the first cell."""
        return next(move for move in position.moves if self._at_most(position.play(move), opposed(value), budget))

    def best_play(
        self, position: Position, value: Value, budget: Budget = UNLIMITED
    ) -> tuple[tuple[int, ...], Position]:
        """Best moves of both sides to the end from `position`, which is worth `value`, and the position they end in."""
        moves = []
        while position.moves:
            move = self.best_move(position, value, budget)
            moves.append(move)
            position, value = position.play(move), opposed(value)
        return tuple(moves), position

    @property
    def _greedy(self) -> int:
        """The margin if nobody completes a line and both always take the heaviest cell."""
        return self._so_far + self._layout.greedy(self._state.empty)

    def _ask(self, need: int) -> bool:
        """Whether the margin is at least `need`, and tighter bounds."""
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
        """Whether `position`, which is worth `value` at least, is worth no more."""
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
        """What a solver says; `Stopped` carries the bounds."""
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
            return  # nobody hears it
        self._budget.report(self._progress())


def opposed(value: Value) -> Value:
    """The same value, seen by the other side."""
    return (-value[0], -value[1])


def final_value(position: Position) -> Value | None:
    """The value of a position in which the game is over."""
    outcome = position.outcome
    if outcome is None:
        return None
    if outcome.reason is Reason.LINE:
        return (-1, made(position))
    return (0, lead(position, position.to_move))


def winner(position: Position | BoardLike, tie: Tie | str = Tie.DRAW, budget: Budget = UNLIMITED) -> Player | None:
    """Return who wins a position, or a board, under best play; None for a draw, which only `Tie.DRAW` can give.

    The board may be given as text, as rows of integers, or as an array. The position may be over; `tie` may be given as
    a word. Raises an `InputError`. `budget` is told a few times a second between which margins
    the side to move certainly ends, infinite for a line; when it is spent, `Stopped` carries them as `Bounds`.

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
