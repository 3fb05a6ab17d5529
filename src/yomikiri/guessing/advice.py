"""Advice for a player: the next guess, the solution of a game, and the review of a finished one.

>>> from yomikiri.guessing.game import Game
>>> game = Game(["crane", "crate", "grate"], ["night"])
>>> suggest(game.start).guess
'crane'
>>> solve(game.start).total
5
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.game import Observation, Position
from yomikiri.guessing.position_search import Best, PositionSearch
from yomikiri.guessing.strategy import Node, replay

SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class GuessAdvice:
    """A suggested guess.

    - `candidates`: how many secrets fit; `parts`: the number of different answers; `largest`: the largest part.
    - `chance`: the probability that the guess is the secret.
    - `expected`: guesses still needed on average, this one included; None if the search was stopped before that.
    - `is_proven`: True if no other guess needs fewer on average.
    """

    guess: str
    candidates: int
    chance: Fraction
    parts: int
    largest: Fraction
    expected: Fraction | None
    is_proven: bool


@dataclass(frozen=True, slots=True)
class Solution:
    """A strategy for a position.

    - `histogram`: the weight of the secrets found at guess 1, 2, 3, ..., counted by playing every secret.
    - `bound`: a lower bound of `total` for any strategy (with `first` given: for any that begins with it).
    """

    first: str
    strategy: Node
    histogram: tuple[int, ...]
    bound: int

    @property
    def total(self) -> int:
        """The total of guesses over all secrets, by weight."""
        return sum(guesses * weight for guesses, weight in enumerate(self.histogram, start=1))

    @property
    def average(self) -> Fraction:
        """The expected number of guesses."""
        return Fraction(self.total, sum(self.histogram))

    @property
    def is_proven(self) -> bool:
        """True if no strategy has a smaller total."""
        return self.total == self.bound


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """A turn of a finished or running game, judged.

    - `before`, `after`: the number of candidates before and after it.
    - `best`: the best guess that the search found; `cost`: guesses lost on average against it, None if not known.
    - `is_proven`: True if `best` is proven to be optimal.
    - `chance`: the probability of the answer.
    """

    turn: Observation
    before: int
    after: int
    best: str
    cost: Fraction | None
    is_proven: bool
    chance: Fraction


def suggest(
    position: Position, budget: Budget = UNLIMITED, *, seconds: float | None = SECONDS, consistent: bool = False
) -> GuessAdvice:
    """Return the best guess that is found within `seconds` (None for no limit).

    With `consistent`, only candidates are guessed. Raises a `ContradictionError` if no secret fits.
    """
    search = PositionSearch(position, budget.at_most(seconds), consistent=consistent)
    return _advice(search, search.best(), position)


def _advice(search: PositionSearch, best: Best, position: Position) -> GuessAdvice:
    parts, total = search.parts(best.guess), search.total_weight
    return GuessAdvice(
        best.guess,
        len(position.candidates),
        Fraction(parts.get(position.game.answers.win(position.game.places), 0), total),
        len(parts),
        Fraction(max(parts.values()), total),
        None if best.cost is None else Fraction(best.cost, total),
        best.is_proven,
    )


def solve(
    position: Position, budget: Budget = UNLIMITED, *, first: str | None = None, consistent: bool = False
) -> Solution:
    """Return an optimal strategy, or an optimal one that begins with the guess `first`.

    If the budget is spent, the result is the best strategy found by then, with the bound that is proven. Raises
    `Stopped` if there is none yet, and an `InputError` for a first guess that is not allowed.
    """
    search = PositionSearch(position, budget, consistent=consistent)
    if first is None:
        best = search.best()
        if best.cost is None:
            raise Stopped
    else:
        guess = position.game.code(first)
        cost = search.cost_after(guess, budget)
        best = Best(guess, cost, cost)
    strategy = search.strategy(best.guess)
    return Solution(best.guess, strategy, replay(strategy, position), best.bound)


def review(position: Position, budget: Budget = UNLIMITED, *, seconds: float | None = SECONDS) -> list[JudgedTurn]:
    """Judge every turn of a position, with at most `seconds` for each."""
    judged, before = [], position.game.start
    for turn in position.turns:
        after = before.after(turn)
        half = None if seconds is None else seconds / 2
        search = PositionSearch(before, budget.at_most(half))
        best = search.best()
        try:
            played = search.cost_after(turn.guess, budget.at_most(half))
        except Stopped:
            played = None
        judged.append(_judged(best, played, before, after, turn))
        before = after
    return judged


def _judged(best: Best, played: int | None, before: Position, after: Position, turn: Observation) -> JudgedTurn:
    cost, total = None, sum(before.weights)
    if played == IMPOSSIBLE:  # the guess tells nothing, so it costs one guess
        cost = Fraction(1)
    elif best.cost is not None and played is not None:
        cost = Fraction(max(0, played - best.cost), total)
        if played < best.cost:
            best = Best(turn.guess, played, best.bound)
    chance = Fraction(sum(after.weights), total)
    return JudgedTurn(turn, len(before.candidates), len(after.candidates), best.guess, cost, best.is_proven, chance)
