"""When a player finds the secret, and who is first: the race between two whose finishing times do not depend on each
other.

A finish counts, of equally likely cases, those in which the secret is found at guess 1, 2, 3, ... Two players who each
follow a strategy and do not look at the other's board race by these counts alone:

    first   1 3        guess 1 in one case of four, guess 2 in three
    second  0 1 1      guess 2 or 3, as likely
    first wins 1/4 + 3/4 = 1, since a tie goes to whoever moves first; if turns are completed, 3/4 · 1/2 draws.
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
    """`counts[i]` of `total` equally likely cases find the secret at guess i + 1.

    Raises ValueError unless the counts are whole numbers, none negative and not all zero.
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", tuple(self.counts))
        if not all(isinstance(count, int) and count >= 0 for count in self.counts) or not any(self.counts):
            raise ValueError(f"not a finish: {self.counts}")

    @classmethod
    def of(cls, cost: Cost) -> Finish:
        """The finish of a strategy."""
        return cls(cost.histogram)

    @property
    def total(self) -> int:
        """How many cases there are."""
        return sum(self.counts)

    @property
    def mean(self) -> Fraction:
        """Guesses taken, on average."""
        return Fraction(sum(turn * count for turn, count in enumerate(self.counts, start=1)), self.total)

    def at(self, guess: int) -> int:
        """The cases that finish at that guess."""
        return self.counts[guess - 1] if 1 <= guess <= len(self.counts) else 0

    def after(self, guess: int) -> int:
        """The cases that are not finished by that guess."""
        return sum(self.counts[max(0, guess) :])

    def within(self, guess: int) -> Fraction:
        """How likely the secret is found by that guess."""
        return 1 - Fraction(self.after(guess), self.total)


@dataclass(frozen=True, slots=True)
class Pace:
    """When a side finds the secret, in its guesses from now.

    `error` is 0 if the finish is exact. If it comes from samples, it is the standard error of the chance of finding the
    secret within some number of guesses; the chance of the next guess is exact in any case.
    """

    finish: Finish
    error: float = 0.0

    def within(self, guesses: int) -> float:
        """Return the chance that `guesses` guesses are enough."""
        return (self.finish.total - self.finish.after(guesses)) / self.finish.total

    def soon(self, most: int) -> list[float]:
        """Return the chances that 1, 2, ... guesses are enough, up to `most` or until one is at least 99.95 %."""
        chances = [self.within(1)]
        while len(chances) < most and chances[-1] < _SURE:
            chances.append(self.within(len(chances) + 1))
        return chances


_SURE = 0.9995


def mixture(parts: Iterable[tuple[Fraction, Finish]]) -> Finish:
    """The finish of a player who follows each of several strategies with some probability; these add up to 1."""
    weighed = [(chance / finish.total, finish.counts) for chance, finish in parts]
    scale = lcm(*(chance.denominator for chance, _counts in weighed))
    rows = [[int(chance * scale) * count for count in counts] for chance, counts in weighed]
    return Finish(tuple(map(sum, zip_longest(*rows, fillvalue=0))))


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely a player wins, draws and loses; the three add up to 1."""

    win: Fraction
    draw: Fraction
    loss: Fraction

    @property
    def value(self) -> Fraction:
        """The chance to win, a draw counted as one half."""
        return self.win + self.draw / 2


def race(first: Finish, second: Finish, *, equal_turns: bool = False) -> Odds:
    """The odds of the first player when neither looks at the other's board.

    The first to find wins at once; under `equal_turns` the second player still completes the turn, and finding both in
    the same turn is a draw.
    """
    cases = first.total * second.total
    same = sum(count * second.at(turn) for turn, count in enumerate(first.counts, start=1))
    ahead = sum(count * second.after(turn) for turn, count in enumerate(first.counts, start=1))
    won, drawn = (ahead, same) if equal_turns else (ahead + same, 0)
    return Odds(Fraction(won, cases), Fraction(drawn, cases), Fraction(cases - won - drawn, cases))


def weights(opponent: Finish, *, first: bool, to_move: bool, equal_turns: bool = False) -> tuple[int, ...]:
    """What it is worth to find the secret with my k-th guess from now, k = 1, 2, ...; nothing after the last.

    It is the number of cases in which the opponent, who finishes at so many guesses from now, is still unfinished;
    under `equal_turns` everything counts double, so that a draw counts one half. `first` says whether I move first in
    each turn of the match, `to_move` whether the next guess is mine. What a strategy is worth over my candidates,
    divided by their number and by what a sure win is worth (`certain`), is its value.
    """
    before = 0 if to_move else 1  # guesses that the opponent makes before my next one
    worth = []
    for k in range(1, len(opponent.counts) + 2):
        seen = k - 1 + before  # guesses of theirs before my k-th
        if equal_turns:
            same = seen + 1 if first else seen  # the guess of theirs in the same turn
            worth.append(2 * opponent.after(same) + opponent.at(same))
        else:
            worth.append(opponent.after(seen))
    while len(worth) > 1 and worth[-1] == 0:
        worth.pop()
    return tuple(worth)


def certain(opponent: Finish, *, equal_turns: bool = False) -> int:
    """What a sure win is worth in the numbers of `weights`."""
    return opponent.total * (2 if equal_turns else 1)
