"""Values of guesses in a match: in the exact race, by the best strategy against the opponent's pace, or by a policy.

A value is the player's chance of winning on their turn, where a draw counts half.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import hypot
from threading import Lock
from typing import TYPE_CHECKING

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.lazy import lazy_property
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.opponents import Consistent, Player
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.policies.base import Policy
from yomikiri.hitblow.policies.onestep import OneStep
from yomikiri.hitblow.race.finish import Pace, certain, weights
from yomikiri.hitblow.search.symmetry.equivalent import distinct_guesses
from yomikiri.hitblow.strategy.strategy import cost

if TYPE_CHECKING:
    from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
    from yomikiri.hitblow.race.public.race import PublicRace

# Largest number of candidates for which a policy is simulated. For more, or without time, random consistent play is
# used.
_PLAYED_OUT = 1000
# Number of guesses to compare if the valuation does not rank the guesses itself.
_TRIED = 8
# Above this number of candidates, every guess gets the value of the position, because valuing each cell takes too long.
_CELL_BY_CELL = 1 << 15


@dataclass(frozen=True, slots=True)
class Lead:
    """The number of guesses within which one way of playing finds the secret more often, with both probabilities."""

    guesses: int
    ours: Fraction
    theirs: Fraction


class Valuation(ABC):
    """Values of the player's guesses in one position.

    All methods share one budget, and raise `Stopped` without a result when it is spent.
    """

    error: float = 0.0
    """The standard error of a chance, if the pace of a side was sampled."""
    _known: Knowledge

    @abstractmethod
    def best(self) -> str:
        """Return a guess that wins most often."""

    @abstractmethod
    def win(self, guess: str) -> Fraction:
        """Return the chance of winning with a guess, followed by the best play of this method."""

    @abstractmethod
    def standing(self) -> Fraction:
        """Return the chance of winning with the best guess, or after the opponent's guess if it is their turn."""

    def ranked(self, most: int, *, candidates: bool = False) -> list[str]:
        """Return promising guesses, about `most`; only candidates if `candidates` is true.

        This default returns the best guesses of a one-step policy, and the caller ranks them by their chances. A
        valuation that can rank guesses returns those that win most often.
        """
        choice = OneStep("entropy", alternatives=_TRIED).choose(self._known)
        tried = [choice.guess, *choice.alternatives, *self._known.likeliest(most)]
        return distinct_guesses(
            self._known, [guess for guess in tried if not candidates or self._known.is_candidate(guess)]
        )

    def lead(self, guess: str, rival: str) -> Lead | None:
        """Return where a guess is ahead of another one, or None if that depends on the opponent's board."""
        return None


class Public(Valuation):
    """The exact race: each player sees both boards, and both play perfectly."""

    def __init__(self, match: Match, race: SharedRace, budget: Budget = UNLIMITED) -> None:
        self._race, self._budget, self._known = race, budget, match.known(Side.ME)
        self._mine, self._theirs = self._known.candidates, match.known(Side.OPPONENT).candidates
        self._closing = match.to_move is not match.first
        self._my_turn = match.to_move is Side.ME

    def best(self) -> str:
        with self._race.alone() as race:
            return race.moves(self._mine, self._theirs, closing=self._closing, budget=self._budget)[0]

    def win(self, guess: str) -> Fraction:
        with self._race.alone() as race:
            return race.chance(guess, self._mine, self._theirs, closing=self._closing, budget=self._budget)

    def standing(self) -> Fraction:
        with self._race.alone() as race:
            if self._my_turn:
                return race.win(self._mine, self._theirs, closing=self._closing, budget=self._budget)
            return 1 - race.win(self._theirs, self._mine, closing=self._closing, budget=self._budget)


class SharedRace:
    """The public race of some rules, kept for all positions and used by one thread at a time."""

    def __init__(self, rules: Rules, second_rules: Rules, equal_turns: bool) -> None:
        from yomikiri.hitblow.race.public.race import PublicRace

        self._lock = Lock()
        self._race = PublicRace(rules, second_rules, equal_turns=equal_turns)

    @contextmanager
    def alone(self) -> Iterator[PublicRace]:
        """Return the race for exclusive use. Raises `Stopped` without a result while another thread uses it."""
        if not self._lock.acquire(blocking=False):
            raise Stopped
        try:
            yield self._race
        finally:
            self._lock.release()


@lru_cache(maxsize=2)
def shared_race(rules: Rules, second_rules: Rules, equal_turns: bool) -> SharedRace:
    """Return the public race, given the rules of the secret that each player looks for."""
    return SharedRace(rules, second_rules, equal_turns)


class Weighed(Valuation):
    """The strategy with the greatest chance of winning against the opponent's finish distribution."""

    def __init__(self, match: Match, theirs: Pace, budget: Budget = UNLIMITED) -> None:
        from yomikiri.hitblow.race.depth_weighted import MOST_BITS

        self.error = theirs.error
        self._known = match.known(Side.ME)
        self._budget = budget
        self._weights = stakes(match, theirs)
        # The number of cases of both sides must fit into MOST_BITS; scale the weights down if it does not.
        excess = max(0, (self._known.total * max(self._weights, default=0)).bit_length() - MOST_BITS)
        self._weights = tuple(weight >> excess for weight in self._weights)
        self._whole = Fraction(self._known.total * certain(theirs.finish, equal_turns=match.equal_turns), 1 << excess)

    @lazy_property
    def _weighing(self) -> DepthWeightedSearch | None:
        """The search, created on first use, which raises `Stopped` if the time runs out."""
        from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch

        return DepthWeightedSearch(self._known, self._weights, self._budget) if self._weights else None

    def best(self) -> str:
        return self._weighing.best().guess if self._weighing else self._known.codes(1)[0]

    def win(self, guess: str) -> Fraction:
        return (self._weighing.of(guess).worth if self._weighing else 0) / self._whole

    def standing(self) -> Fraction:
        return (self._weighing.best().worth if self._weighing else 0) / self._whole

    def ranked(self, most: int, *, candidates: bool = False) -> list[str]:
        if not self._weighing:
            return self._known.likeliest(most)
        return [each.guess for each in self._weighing.ranked(most, candidates=candidates)]

    def lead(self, guess: str, rival: str) -> Lead | None:
        """Return the number of guesses k that best explains why `guess` has better chances than `rival`.

        The lead within k guesses is how much more often `guess` finds the secret by then. The difference of the chances
        is the sum over k of (weights[k - 1] - weights[k]) times that lead; k is the index of the largest term.
        """
        ours, theirs = self._within(guess), self._within(rival)
        falls = [a - b for a, b in zip(self._weights, [*self._weights[1:], 0], strict=True)]
        parts = [fall * (a - b) for fall, a, b in zip(falls, ours, theirs, strict=True)]
        best = parts.index(max(parts))
        return Lead(best + 1, ours[best], theirs[best])

    def _within(self, guess: str) -> list[Fraction]:
        """Return the probabilities that the best strategy beginning with a guess needs at most 1, 2, ... guesses."""
        assert self._weighing
        found = cost(self._weighing.tree(guess), self._known.codes(), self._known.weighted).histogram
        sums = list(accumulate(found))
        return [Fraction(sums[min(at, len(sums) - 1)], self._known.total) for at in range(len(self._weights))]


class Plain(Valuation):
    """A policy that looks at the player's board alone, against the opponent's finish distribution.

    There is a result even if the budget is spent or `played` is False: random consistent play then replaces the policy.
    """

    def __init__(
        self, match: Match, theirs: Pace, policy: Policy, budget: Budget = UNLIMITED, *, played: bool = True
    ) -> None:
        self._match, self._theirs, self._policy, self._budget = match, theirs, policy, budget
        self._played = played
        self._known = match.known(Side.ME)
        self._error = 0.0

    @property
    def error(self) -> float:  # type: ignore[override]
        """The standard errors of both paces, as of the last call."""
        return self._theirs.error + self._error

    def best(self) -> str:
        return self._policy.choose(self._known, self._budget).guess

    def win(self, guess: str) -> Fraction:
        if self._known.count > _CELL_BY_CELL:
            return self.standing()
        worth = stakes(self._match, self._theirs)
        won, errors = Fraction(0), []
        for hint, size in self._known.cells(guess).items():
            if hint == self._known.rules.win:
                won += size * sum(worth[:1])
            else:
                each, error = self._worth(self._known.after(Turn(guess, hint)), worth[1:])
                won += size * each
                errors.append(error * size / self._known.total)
        self._error = hypot(*errors)
        return won / (self._known.total * self._whole)

    def standing(self) -> Fraction:
        worth, self._error = self._worth(self._known, stakes(self._match, self._theirs))
        return worth / self._whole

    @property
    def _whole(self) -> int:
        return certain(self._theirs.finish, equal_turns=self._match.equal_turns)

    def _worth(self, known: Knowledge, worth: tuple[int, ...]) -> tuple[Fraction, float]:
        """Return the expected payoff from a position, and its standard error from sampled finish times."""
        pace = self._pace(known)
        mine = pace.finish
        found = sum(count * each for count, each in zip(mine.counts, worth, strict=False))
        return Fraction(found, mine.total), pace.error

    def _pace(self, known: Knowledge) -> Pace:
        if self._played and known.count <= _PLAYED_OUT:
            with suppress(Stopped):
                return Player("plain", self._policy).pace(known, budget=self._budget)
        return Consistent(by_weight=True).pace(known, budget=self._budget)


def stakes(match: Match, theirs: Pace) -> tuple[int, ...]:
    """Return the payoff of finding the secret with the player's first guess from now, the second and so on.

    See `finish.weights`. If the player has two guesses in this turn, both have the same payoff. If the opponent has
    two, the player's next guess comes later.
    """
    mine = match.to_move is Side.ME
    worth: tuple[int, ...] = (theirs.finish.total,)
    if not match.last_chance:  # otherwise the opponent has found the secret, and a hit now draws
        first = match.first is Side.ME
        worth = weights(theirs.finish, first=first, to_move=mine, equal_turns=match.equal_turns)
    more = match.calls - 1
    return worth[:1] * more + worth if mine else worth[more:] or (0,)
