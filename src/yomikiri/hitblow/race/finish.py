"""Finish distributions, and the race between two players whose distributions are independent.

A *finish distribution* counts equally likely cases: element i is the number of cases in which the player finds the
secret with guess i + 1. If each player follows a strategy and ignores the other's board, the two distributions
determine the race:

    first   1 3        guess 1 in one case of four, guess 2 in three cases of four
    second  0 1 1      guess 2 or guess 3, equally likely

Here the first player never needs more guesses than the second. If the first hit wins, the first player always wins,
because they also guess first in each round. If the second player may complete the round (*equal turns*), both hit in
round 2 in 3/8 of the cases (3/4 · 1/2), and these are draws.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from math import lcm

from yomikiri.hitblow.strategy.strategy import Cost


@dataclass(frozen=True, slots=True)
class Finish:
    """A finish distribution: how many guesses a player needs to find the secret, in a number of equally likely cases.

    In `counts[i]` of `total` cases, guess number i + 1 finds the secret. Raises ValueError unless the counts are whole
    numbers, at least 0, and not all zero.
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", tuple(self.counts))
        if not all(isinstance(count, int) and count >= 0 for count in self.counts) or not any(self.counts):
            raise ValueError(f"not a finish: {self.counts}")

    @classmethod
    def of(cls, cost: Cost) -> Finish:
        """Return the finish distribution of a strategy: how many secrets it finds with guess 1, 2, 3, and so on.

        `cost` is an object that contains these numbers for the strategy, as its `histogram`.
        """
        return cls(cost.histogram)

    @property
    def total(self) -> int:
        """The number of equally likely cases, for example possible secrets: the sum of `counts`."""
        return sum(self.counts)

    @property
    def mean(self) -> Fraction:
        """The average number of guesses until the player finds the secret."""
        return Fraction(sum(turn * count for turn, count in enumerate(self.counts, start=1)), self.total)

    def at(self, guess: int) -> int:
        """Return the number of equally likely cases in which the player finds the secret with guess number `guess`."""
        return self.counts[guess - 1] if 1 <= guess <= len(self.counts) else 0

    def after(self, guess: int) -> int:
        """Return the number of equally likely cases in which the player needs more than `guess` guesses."""
        return sum(self.counts[max(0, guess) :])

    def within(self, guess: int) -> Fraction:
        """Return the probability that the player needs at most `guess` guesses."""
        return 1 - Fraction(self.after(guess), self.total)


@dataclass(frozen=True, slots=True)
class Pace:
    """The distribution of the number of guesses that a player needs from now on, and its error if it is sampled.

    `error` is 0 if the distribution is exact. For a sampled distribution, each probability `within(k)` has a standard
    error, and `error` is the greatest of these. The probability of finding the secret with the next guess is exact in
    either case.
    """

    finish: Finish
    error: float = 0.0

    def within(self, guesses: int) -> float:
        """Return the probability that the player needs at most `guesses` more guesses."""
        return (self.finish.total - self.finish.after(guesses)) / self.finish.total

    def soon(self, most: int) -> list[float]:
        """Return the probabilities that the player needs at most 1, 2, ... more guesses.

        The list has at most `most` elements, and ends with the first probability of at least 99.95 %.
        """
        chances = [self.within(1)]
        while len(chances) < most and chances[-1] < _SURE:
            chances.append(self.within(len(chances) + 1))
        return chances


_SURE = 0.9995  # `Pace.soon` ends its list with the first probability that is at least this


def mixture(parts: Iterable[tuple[Fraction, Finish]]) -> Finish:
    """Return the finish distribution of a player who picks one of several strategies at random.

    `parts` contains, for each strategy, the probability of picking it and its finish distribution. The probabilities
    add up to 1.
    """
    weighed = [(chance / finish.total, finish.counts) for chance, finish in parts]
    scale = lcm(*(chance.denominator for chance, _counts in weighed))
    rows = [[int(chance * scale) * count for count in counts] for chance, counts in weighed]
    return Finish(tuple(map(sum, zip_longest(*rows, fillvalue=0))))


@dataclass(frozen=True, slots=True)
class Odds:
    """The probabilities of a win, a draw and a loss of one player. They add up to 1."""

    win: Fraction
    draw: Fraction
    loss: Fraction

    @property
    def value(self) -> Fraction:
        """The probability of a win plus half the probability of a draw."""
        return self.win + self.draw / 2


def race_odds(first: Finish, second: Finish, *, equal_turns: bool = False) -> Odds:
    """Return the first player's odds if neither player looks at the other's board.

    By default, the first hit wins, and the first player guesses first in each round. With `equal_turns`, the second
    player may complete the round, and two hits in one round are a draw.
    """
    cases = first.total * second.total
    same = sum(count * second.at(turn) for turn, count in enumerate(first.counts, start=1))
    ahead = sum(count * second.after(turn) for turn, count in enumerate(first.counts, start=1))
    won, drawn = (ahead, same) if equal_turns else (ahead + same, 0)
    return Odds(Fraction(won, cases), Fraction(drawn, cases), Fraction(cases - won - drawn, cases))


def win_payoffs(opponent: Finish, *, first: bool, to_move: bool, equal_turns: bool = False) -> tuple[int, ...]:
    """Return the payoff of finding the secret with my k-th guess from now, for k = 1, 2, ...

    `opponent` is the distribution of the opponent's number of guesses from now, over a number of equally likely cases.
    `first` is True if I guess first in each round of the match, and `to_move` is True if the next guess is mine. The
    result has at least one element. Zeros at its end are left out. The payoff counts cases of `opponent`:

    - By default, it is the number of cases in which the opponent does not find my secret before my k-th guess.
    - With `equal_turns`, the second player may complete the round. The payoff is 2 for each case in which the
      opponent hits in a later round than my k-th guess, and 1 for each case in which they hit in the same
      round, which is a draw.

    These payoffs give my chance of winning with a strategy. Add up the payoffs over my candidates, each for the guess
    that finds it. Then divide by the number of candidates and by the payoff of a certain win (`certain_payoff`).
    """
    before = 0 if to_move else 1  # number of guesses that the opponent makes from now until my next guess
    payoffs = []
    for k in range(1, len(opponent.counts) + 2):
        seen = k - 1 + before  # number of guesses that the opponent makes from now until my k-th guess
        if equal_turns:
            # number of guesses that the opponent makes from now until the end of the round of my k-th guess
            same = seen + 1 if first else seen
            payoffs.append(2 * opponent.after(same) + opponent.at(same))
        else:
            payoffs.append(opponent.after(seen))
    while len(payoffs) > 1 and payoffs[-1] == 0:
        payoffs.pop()
    return tuple(payoffs)


def certain_payoff(opponent: Finish, *, equal_turns: bool = False) -> int:
    """Return the payoff of a guess that wins in all cases, in the unit of the payoffs of `win_payoffs`.

    `opponent` is the distribution of the opponent's number of guesses. The payoff is the number of its equally likely
    cases. With `equal_turns`, it is twice this number, so that a draw can count 1 and a win 2.
    """
    return opponent.total * (2 if equal_turns else 1)
