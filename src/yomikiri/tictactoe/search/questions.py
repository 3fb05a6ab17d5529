"""Who wins, and by how much: enough questions to the solver, and what is known when they are cut short."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Player, Position, Tie
from yomikiri.tictactoe.search.layout import score
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule
from yomikiri.tictactoe.search.solver import TABLE_CAPACITY, Solver

_SECONDS_BETWEEN_REPORTS = 0.2


@dataclass(frozen=True, slots=True)
class Bounds:
    """The side to move ends with a margin from `lower` to `upper` under best play, certainly.

    `line` stands for a line of its own, `-line` for one of the other side; it is larger than any margin.
    """

    lower: int
    upper: int
    line: int

    @property
    def exact(self) -> bool:
        """Whether nothing is left open."""
        return self.lower == self.upper

    @property
    def by_line(self) -> bool:
        """Whether a line decides, whoever completes it."""
        return self.exact and abs(self.lower) == self.line

    def winner(self, mover: Player, tie: Tie = Tie.DRAW) -> Player | None:
        """Who wins where `mover` is to move, None for a draw. The bounds must be `settled` for this rule of ties."""
        assert self.settled(mover, tie)
        if tie is not Tie.DRAW and self.lower <= 0 <= self.upper:
            own = (tie is Tie.FIRST) is (mover is Player.FIRST)
            return mover if (self.lower == 0 if own else self.upper > 0) else mover.other
        return mover if self.lower > 0 else mover.other if self.upper < 0 else None

    def settled(self, mover: Player, tie: Tie = Tie.DRAW) -> bool:
        """Whether they say who wins."""
        if self.lower > 0 or self.upper < 0:
            return True
        if tie is Tie.DRAW:
            return self.exact
        return self.lower >= 0 if (tie is Tie.FIRST) is (mover is Player.FIRST) else self.upper <= 0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come: what is certain by now about the position asked about."""

    bounds: Bounds
    nodes: int
    seconds: float


class _Stopped(Exception):
    """The time allowed is over."""


class MarginSearch:
    """Reads positions of one board to their end. What it learns about one serves the others.

    `seconds` is the time allowed for each question; when it is over, or at an interrupt (Ctrl-C), the answer is what is
    certain by then. `progress` is called a few times a second, and at every new bound.
    """

    def __init__(
        self,
        board: Board,
        *,
        seconds: float | None = None,
        progress: Callable[[Progress], None] | None = None,
        rules: Rule = EVERY_RULE,
        capacity: int = TABLE_CAPACITY,
    ) -> None:
        self.solver = Solver(board, rules, capacity, self._pause)
        self._seconds = seconds
        self._progress = progress
        self._started = self._reported = 0.0
        self._bounds = self.unknown

    @property
    def unknown(self) -> Bounds:
        """What is known of any position."""
        return Bounds(-self.solver.line, self.solver.line, self.solver.line)

    def winner(self, position: Position, tie: Tie = Tie.DRAW) -> Bounds:
        """Bounds that say who wins `position`, which is not over, with equal sums going to `tie`."""
        needs = {Tie.FIRST: (0, 1), Tie.SECOND: (1, 0)}
        mover = position.to_move
        if tie is Tie.DRAW:
            asked = [1, 0] if self.greedy(position) > 0 else [0, 1]
        else:
            asked = [needs[tie][mover is Player.SECOND]]
        self._begin(self.unknown)
        try:
            for need in asked:
                if not self._bounds.settled(mover, tie):
                    self._ask(position, need)
        except (_Stopped, KeyboardInterrupt):
            pass
        return self._bounds

    def margin(self, position: Position, known: Bounds | None = None) -> Bounds:
        """The margin of the side to move of `position`, which is not over; `known` is what is certain already.

        The first questions are easy, so that bounds soon stand: on an untouched board what STEALING answers at once,
        then what is far from the margin that greedy players would reach. Then steps that double lead away from it until
        the margin lies between two answers, and what is open is halved.
        """
        self._begin(known or self.unknown)
        layout = self.solver.layout
        spread, greedy = layout.weights[0] - layout.weights[-1], self.greedy(position)
        easy = [greedy + distance for distance in (2 * spread, -2 * spread, spread // 2, -(spread // 2))]
        if position == Position(position.board):
            easy.insert(0, layout.weights[-1] if position.board.size % 2 else 0)
        try:
            for need in easy:
                if self._bounds.lower < need <= self._bounds.upper:
                    self._ask(position, need)
            need, step = greedy, max(1, spread // 64)
            while not self._bounds.exact:
                lowest, highest = self._open()
                reached = self._ask(position, min(max(need, lowest), highest))
                lower, upper = self._bounds.lower, self._bounds.upper
                if (upper - lower) // 2 < step:
                    need = lower + (upper - lower + 1) // 2
                else:
                    need = lower + step if reached else upper + 1 - step
                    step *= 2
        except (_Stopped, KeyboardInterrupt):
            pass
        return self._bounds

    def reaches(self, position: Position, need: int) -> bool:
        """Whether the side to move ends with a margin of at least `need`, as `Bounds` counts it. Not cut short."""
        return self.solver.reach(self.solver.layout.state(position), need - score(position)) + score(position) >= need

    def greedy(self, position: Position) -> int:
        """The margin if nobody completes a line and both always take the heaviest cell."""
        return score(position) + self.solver.greedy(self.solver.layout.state(position))

    def _open(self) -> tuple[int, int]:
        """The least and the greatest margin that it makes sense to ask about."""
        most = self.solver.layout.most
        return max(self._bounds.lower + 1, -most), min(self._bounds.upper, most + 1)

    def _ask(self, position: Position, need: int) -> bool:
        """Whether the margin is at least `need`, and tighter bounds."""
        known, most, so_far = self._bounds, self.solver.layout.most, score(position)
        value = self.solver.reach(self.solver.layout.state(position), need - so_far) + so_far
        value = known.line if value > most else -known.line if value < -most else value
        if value >= need:
            self._bounds = replace(known, lower=max(known.lower, value))
        else:
            self._bounds = replace(known, upper=min(known.upper, value))
        self._report()
        return value >= need

    def _begin(self, known: Bounds) -> None:
        self._bounds = known
        self._started = self._reported = time.perf_counter()

    def _pause(self) -> None:
        now = time.perf_counter()
        if self._seconds is not None and now - self._started > self._seconds:
            raise _Stopped
        if now - self._reported > _SECONDS_BETWEEN_REPORTS:
            self._report()

    def _report(self) -> None:
        self._reported = time.perf_counter()
        if self._progress is not None:
            self._progress(Progress(self._bounds, self.solver.nodes, self._reported - self._started))
