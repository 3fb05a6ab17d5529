"""What guesses are worth in a match: in the race as a whole, by the strategy that is worth most at the opponent's pace,
or by plain play, which needs the fewest guesses.

Whatever it is, my chance of winning is meant, a draw counted half, and it must be my turn.
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

# Of more candidates than these a policy is not played out to tell how soon it finds them; chance play stands in for it,
# as it does where the time is over.
_PLAYED_OUT = 1000
# So many guesses are compared where a valuation has no order of its own.
_TRIED = 8
# Of more candidates every guess is taken to be worth what the position is: to look into each cell takes too long.
_CELL_BY_CELL = 1 << 15


@dataclass(frozen=True, slots=True)
class Lead:
    """Within how many guesses one way of playing finds the secret more often than another, and how often each does."""

    guesses: int
    ours: Fraction
    theirs: Fraction


class Valuation(ABC):
    """What my guesses are worth in one position.

    All questions share one budget, and raise `Stopped` with nothing when it is spent.
    """

    error: float = 0.0
    """The standard error of a chance, where the pace of a side was sampled."""
    _known: Knowledge

    @abstractmethod
    def best(self) -> str:
        """A guess that wins most often."""

    @abstractmethod
    def win(self, guess: str) -> Fraction:
        """The chance of winning with that guess, followed by the best there is in this way."""

    @abstractmethod
    def standing(self) -> Fraction:
        """The chance of winning with the best guess, or, if it is the opponent's turn, after their guess."""

    def ranked(self, most: int, *, candidates: bool = False) -> list[str]:
        """Return the guesses that win most often, at most `most`; only candidates if `candidates` is true.

        By default these are the best of a one-step policy: the caller ranks them by their chances.
        """
        choice = OneStep("entropy", alternatives=_TRIED).choose(self._known)
        tried = [choice.guess, *choice.alternatives, *self._known.likeliest(most)]
        return distinct_guesses(
            self._known, [guess for guess in tried if not candidates or self._known.is_candidate(guess)]
        )

    def lead(self, guess: str, rival: str) -> Lead | None:
        """Where a guess is ahead of another that wins less often, if that does not depend on the opponent's board."""
        return None


class Public(Valuation):
    """The race as a whole: the opponent sees my board and I theirs, and both play it perfectly."""

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
        """The race, for questions; raises `Stopped` with nothing while another thread asks."""
        if not self._lock.acquire(blocking=False):
            raise Stopped
        try:
            yield self._race
        finally:
            self._lock.release()


@lru_cache(maxsize=2)
def shared_race(rules: Rules, second_rules: Rules, equal_turns: bool) -> SharedRace:
    """The public race of those rules: of the secrets that the first player and the second seek."""
    return SharedRace(rules, second_rules, equal_turns)


class Weighed(Valuation):
    """The strategy that is worth most, given the chance that the opponent is still at it before each of my guesses."""

    def __init__(self, match: Match, theirs: Pace, budget: Budget = UNLIMITED) -> None:
        from yomikiri.hitblow.race.depth_weighted import MOST_BITS

        self.error = theirs.error
        self._known = match.known(Side.ME)
        self._budget = budget
        self._weights = stakes(match, theirs)
        # Cases of both sides together are whole numbers of limited size: where there are more, parts of them count.
        excess = max(0, (self._known.total * max(self._weights, default=0)).bit_length() - MOST_BITS)
        self._weights = tuple(weight >> excess for weight in self._weights)
        self._whole = Fraction(self._known.total * certain(theirs.finish, equal_turns=match.equal_turns), 1 << excess)

    @lazy_property
    def _weighing(self) -> DepthWeightedSearch | None:
        """The search, made by the first question, which raises `Stopped` where the time is over before it is."""
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
        """Where it matters most.

        The difference of their worths is the sum over k of (weights[k - 1] - weights[k]) times how far one is ahead
        within k guesses; the k of the greatest part is meant.
        """
        ours, theirs = self._within(guess), self._within(rival)
        falls = [a - b for a, b in zip(self._weights, [*self._weights[1:], 0], strict=True)]
        parts = [fall * (a - b) for fall, a, b in zip(falls, ours, theirs, strict=True)]
        best = parts.index(max(parts))
        return Lead(best + 1, ours[best], theirs[best])

    def _within(self, guess: str) -> list[Fraction]:
        """How often a strategy of greatest worth that begins with that guess needs at most 1, 2, ... guesses."""
        assert self._weighing
        found = cost(self._weighing.tree(guess), self._known.codes(), self._known.weighted).histogram
        sums = list(accumulate(found))
        return [Fraction(sums[min(at, len(sums) - 1)], self._known.total) for at in range(len(self._weights))]


class Plain(Valuation):
    """Plain play: a policy that looks at my board alone, against an opponent of that pace.

    It answers even where the budget is spent, or the policy is not to be `played` out: chance play then stands in for
    it.
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
        """That of both sides' paces, as the last question met them."""
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
        """The worth of finding the secret from here, with the standard error of my pace."""
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
    """What it is worth to find the secret with my first guess from now, my second and so on: `finish.weights`.

    Where I have two guesses in this turn both are worth the same; where the opponent has two, my next one comes later.
    """
    mine = match.to_move is Side.ME
    worth: tuple[int, ...] = (theirs.finish.total,)
    if not match.last_chance:  # else they have found it: a hit now draws
        first = match.first is Side.ME
        worth = weights(theirs.finish, first=first, to_move=mine, equal_turns=match.equal_turns)
    more = match.calls - 1
    return worth[:1] * more + worth if mine else worth[more:] or (0,)
