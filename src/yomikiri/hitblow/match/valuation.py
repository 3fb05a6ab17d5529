"""Values of guesses in a match, by one of three methods.

The value of a guess is the player's chance of winning after it, where a draw counts half. `Public` solves the match
exactly, as a game of two perfect players who both see all answers. The other methods use the *pace* of the opponent:
the distribution of the number of guesses, from now on, until they find the player's secret, with its standard error.
`BestResponse` finds the strategy that wins most often against this distribution. `Plain` evaluates a policy against it.
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
from yomikiri.hitblow.match.opponents import Consistent, PolicyPlayer
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.policies.base import Policy
from yomikiri.hitblow.policies.onestep import OneStep
from yomikiri.hitblow.race.finish import Pace, certain_payoff, win_payoffs
from yomikiri.hitblow.search.symmetry.equivalent import distinct_guesses
from yomikiri.hitblow.strategy.strategy import cost

if TYPE_CHECKING:
    from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
    from yomikiri.hitblow.race.public.race import PublicRace

_PLAYED_OUT = 1000
"""Limit on the number of candidates up to which the play of a policy is simulated.

Above it, a player who draws each guess at random from the candidates replaces the policy.
"""

_TRIED = 8
"""Number of guesses to compare if a method cannot rank all guesses by their chances of winning."""

_CELL_BY_CELL = 1 << 15
"""Limit on the number of candidates up to which the value of a guess is an average over its answers.

Above it, the value of the present position serves as the value of every guess.
"""


@dataclass(frozen=True, slots=True)
class Advantage:
    """Evidence that one guess is better than another: it finds the secret more often within some number of guesses.

    This number is `guesses`. Suppose that the player makes the better guess now. Then `ours` is the probability of
    finding the secret within `guesses` guesses. `theirs` is the same probability if the player makes the other guess.
    Both probabilities are the player's; the opponent has no part in them.
    """

    guesses: int
    ours: Fraction
    theirs: Fraction


class Valuation(ABC):
    """A way of valuing guesses: it computes the player's chance of winning after each guess in one position.

    All calls on one object share one budget. When it is spent, they raise `Stopped` without a result. Only the subclass
    `Plain` always has a result.
    """

    error: float = 0.0
    """The standard error of a value if games were sampled, otherwise 0."""
    _known: Knowledge

    @abstractmethod
    def best(self) -> str:
        """Return the guess to suggest.

        This is the guess that wins most often, or the choice of a policy if the method only evaluates that policy.
        """

    @abstractmethod
    def win(self, guess: str) -> Fraction:
        """Return the player's chance of winning after a guess.

        After the guess, the player continues as the method assumes: with best play, or by a policy.
        """

    @abstractmethod
    def standing(self) -> Fraction:
        """Return the player's chance of winning in this position.

        If it is the opponent's turn, the chance is an average over the opponent's next guess.
        """

    def ranked(self, most: int, *, candidates: bool = False) -> list[str]:
        """Return promising guesses, without equivalent ones; only candidates if `candidates` is True.

        If this method of valuing guesses can compare all guesses, the result contains the `most` guesses that win most
        often. Otherwise it contains the best guesses by entropy, a fixed number of them, and the `most` likeliest
        candidates. The caller then sorts them by their chances of winning.
        """
        choice = OneStep("entropy", alternatives=_TRIED).choose(self._known)
        tried = [choice.guess, *choice.alternatives, *self._known.likeliest(most)]
        return distinct_guesses(
            self._known, [guess for guess in tried if not candidates or self._known.is_candidate(guess)]
        )

    def advantage(self, guess: str, rival: str) -> Advantage | None:
        """Return evidence that `guess` finds the secret sooner than another guess, `rival`; None without evidence.

        A method that looks at both boards has no such evidence, because the best guess then depends on the opponent's
        answers, too.
        """
        return None


class Public(Valuation):
    """The exact solution of a match as a game in which each player sees both boards and plays perfectly."""

    def __init__(self, match: Match, race: SharedRace, budget: Budget = UNLIMITED) -> None:
        self._race, self._budget, self._known = race, budget, match.known(Side.ME)
        self._mine, self._theirs = self._known.candidates, match.known(Side.OPPONENT).candidates
        self._closing = match.to_move is not match.first
        self._my_turn = match.to_move is Side.ME

    def best(self) -> str:
        with self._race.locked() as race:
            return race.moves(self._mine, self._theirs, closing=self._closing, budget=self._budget)[0]

    def win(self, guess: str) -> Fraction:
        with self._race.locked() as race:
            return race.chance(guess, self._mine, self._theirs, closing=self._closing, budget=self._budget)

    def standing(self) -> Fraction:
        with self._race.locked() as race:
            if self._my_turn:
                return race.win(self._mine, self._theirs, closing=self._closing, budget=self._budget)
            return 1 - race.win(self._theirs, self._mine, closing=self._closing, budget=self._budget)


class SharedRace:
    """Exact solver of matches in which both players see all answers, shared by several threads.

    One thread at a time may use the solver. It keeps the results for all positions for later requests.
    """

    def __init__(self, rules: Rules, second_rules: Rules, equal_turns: bool) -> None:
        from yomikiri.hitblow.race.public.race import PublicRace

        self._lock = Lock()
        self._race = PublicRace(rules, second_rules, equal_turns=equal_turns)

    @contextmanager
    def locked(self) -> Iterator[PublicRace]:
        """Lock the solver of the match for the calling thread.

        Raises `Stopped` without waiting if another thread is using the solver.
        """
        if not self._lock.acquire(blocking=False):
            raise Stopped
        try:
            yield self._race
        finally:
            self._lock.release()


@lru_cache(maxsize=2)
def shared_race(rules: Rules, second_rules: Rules, equal_turns: bool) -> SharedRace:
    """Return the exact solver of matches with these rules in which both players see all answers.

    `rules` are the rules of the secret that the first player looks for, and `second_rules` those of the other secret.
    """
    return SharedRace(rules, second_rules, equal_turns)


class BestResponse(Valuation):
    """Values of guesses by the strategy that wins most often against a given distribution of the opponent's guesses.

    Only the distribution of the number of guesses that the opponent needs is known.
    """

    def __init__(self, match: Match, theirs: Pace, budget: Budget = UNLIMITED) -> None:
        from yomikiri.hitblow.race.depth_weighted import MOST_BITS

        self.error = theirs.error
        self._known = match.known(Side.ME)
        self._budget = budget
        self._weights = payoffs_by_depth(match, theirs)
        # Divide the payoffs by a power of two if their sums over the candidates would not fit into a machine word.
        excess = max(0, (self._known.total * max(self._weights, default=0)).bit_length() - MOST_BITS)
        self._weights = tuple(weight >> excess for weight in self._weights)
        self._whole = Fraction(
            self._known.total * certain_payoff(theirs.finish, equal_turns=match.equal_turns), 1 << excess
        )

    @lazy_property
    def _search(self) -> DepthWeightedSearch:
        """The search for the strategy that wins most often.

        The search is created on first use, which may raise `Stopped`.
        """
        from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch

        return DepthWeightedSearch(self._known, self._weights, self._budget)

    def best(self) -> str:
        return self._search.best().guess

    def win(self, guess: str) -> Fraction:
        return self._search.of(guess).payoff / self._whole

    def standing(self) -> Fraction:
        return self._search.best().payoff / self._whole

    def ranked(self, most: int, *, candidates: bool = False) -> list[str]:
        return [each.guess for each in self._search.ranked(most, candidates=candidates)]

    def advantage(self, guess: str, rival: str) -> Advantage | None:
        """Return the number of guesses k that best explains why `guess` wins more often than `rival`.

        Let the *advantage* at k be the probability of finding the secret within k guesses if `guess` is next, minus the
        same probability if `rival` is next. Finding the secret with the k-th guess from now has the payoff w(k). So the
        expected payoff of `guess` minus that of `rival` is the sum over k of (w(k) - w(k + 1)) times the advantage at
        k. The result is for the k with the largest term of this sum. It contains k and both probabilities.
        """
        ours, theirs = self._within(guess), self._within(rival)
        falls = [a - b for a, b in zip(self._weights, [*self._weights[1:], 0], strict=True)]
        parts = [fall * (a - b) for fall, a, b in zip(falls, ours, theirs, strict=True)]
        best = parts.index(max(parts))
        return Advantage(best + 1, ours[best], theirs[best])

    def _within(self, guess: str) -> list[Fraction]:
        """Return the probabilities that the player finds the secret within 1, 2, ... guesses, `guess` being the first.

        Among the strategies that begin with this guess, the player follows the one that wins most often.
        """
        found = cost(self._search.tree(guess), self._known.codes(), self._known.weighted).histogram
        sums = list(accumulate(found))
        return [Fraction(sums[min(at, len(sums) - 1)], self._known.total) for at in range(len(self._weights))]


class Plain(Valuation):
    """Chances of winning of a player who follows a policy and ignores the opponent's board.

    The opponent is represented by the distribution of the number of guesses until they find the player's secret. If
    `played` is True and there are not too many candidates, the play of the policy is simulated. Otherwise, or if the
    budget ends, random guesses among the candidates replace the play of the policy. So there is always a result.

    To value a guess, the position after each possible answer is evaluated. If there are very many candidates, or if the
    budget ends too early for that, the guess gets the chance of winning of the present position.
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
        """The standard error of the last computed chance of winning, or 0 if no games were sampled.

        It is the sum of two errors: those of the sampled games of the opponent and of the player.
        """
        return self._theirs.error + self._error

    def best(self) -> str:
        return self._policy.choose(self._known, self._budget).guess

    def win(self, guess: str) -> Fraction:
        if self._known.count > _CELL_BY_CELL:
            return self.standing()
        payoffs = payoffs_by_depth(self._match, self._theirs)
        won, errors = Fraction(0), []
        for hint, size in self._known.cells(guess).items():
            if hint == self._known.rules.win:
                won += size * sum(payoffs[:1])
            # out of time: value the present position once, instead of the position after each answer
            elif self._budget.spent():
                return self.standing()
            else:
                each, error = self._expected_payoff(self._known.after(Turn(guess, hint)), payoffs[1:])
                won += size * each
                errors.append(error * size / self._known.total)
        self._error = hypot(*errors)
        return won / (self._known.total * self._whole)

    def standing(self) -> Fraction:
        payoff, self._error = self._expected_payoff(self._known, payoffs_by_depth(self._match, self._theirs))
        return payoff / self._whole

    @property
    def _whole(self) -> int:
        return certain_payoff(self._theirs.finish, equal_turns=self._match.equal_turns)

    def _expected_payoff(self, known: Knowledge, payoffs: tuple[int, ...]) -> tuple[Fraction, float]:
        """Return the player's expected payoff in a position, and the standard error if games were sampled.

        `payoffs[i]` is the payoff of finding the secret with guess i + 1 from now. `known` is the player's knowledge.
        """
        pace = self._pace(known)
        mine = pace.finish
        found = sum(count * each for count, each in zip(mine.counts, payoffs, strict=False))
        return Fraction(found, mine.total), pace.error

    def _pace(self, known: Knowledge) -> Pace:
        if self._played and known.count <= _PLAYED_OUT:
            with suppress(Stopped):
                return PolicyPlayer("plain", self._policy).pace(known, budget=self._budget)
        return Consistent(by_weight=True).pace(known, budget=self._budget)


def payoffs_by_depth(match: Match, theirs: Pace) -> tuple[int, ...]:
    """Return the payoffs of finding the secret: element i is for the player's guess i + 1 from now.

    A payoff is proportional to the probability that the opponent has not found the player's secret before this guess
    (`finish.win_payoffs`). In the game Numer0n, the action DOUBLE gives two guesses in one turn. If the player has two
    guesses in the present turn, both have the same payoff. If the opponent has two, the opponent gains one guess: each
    guess of the player gets the payoff that normally belongs to the guess after it.
    """
    mine = match.to_move is Side.ME
    payoffs: tuple[int, ...] = (theirs.finish.total,)
    # By default, only the next guess has a payoff. This is right if the opponent has found the player's secret, because
    # a later hit is then too late.
    if not match.last_chance:
        first = match.first is Side.ME
        payoffs = win_payoffs(theirs.finish, first=first, to_move=mine, equal_turns=match.equal_turns)
    more = match.calls - 1
    return payoffs[:1] * more + payoffs if mine else payoffs[more:] or (0,)
