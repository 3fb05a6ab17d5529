"""Results of searches as values: a suggestion, a solution, a judged turn, a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from yomikiri.common.enums import Grade
from yomikiri.guessing.game import Observation
from yomikiri.guessing.grades import grade_of
from yomikiri.guessing.strategy import DecisionNode


@dataclass(frozen=True, slots=True)
class GuessAdvice:
    """A suggested guess.

    - `candidates`: how many secrets fit; `parts`: the number of different answers; `largest`: the largest part.
    - `chance`: the probability that the guess is the secret.
    - `expected`: guesses still needed on average, this one included; None if the search was stopped before that.
    - `is_proven`: True if no other guess needs fewer on average.
    - `finds_all`: False if no strategy finds every candidate within the limit of guesses.
    """

    guess: str
    candidates: int
    chance: Fraction
    parts: int
    largest: Fraction
    expected: Fraction | None
    is_proven: bool
    finds_all: bool = True


@dataclass(frozen=True, slots=True)
class SolvedGame:
    """A strategy for a position.

    - `histogram`: the weight of the secrets found at guess 1, 2, 3, ..., counted by playing every secret.
    - `bound`: a lower bound of `total` for any strategy (with `first` given: for any that begins with it).
    """

    first: str
    strategy: DecisionNode
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
    - `finds_all`: False if no strategy that begins with the guess finds every candidate within the limit of guesses;
      None if that is not known.
    - `is_win`: True if the guess found the secret.
    """

    turn: Observation
    before: int
    after: int
    best: str
    cost: Fraction | None
    is_proven: bool
    chance: Fraction
    finds_all: bool | None = True
    is_win: bool = False

    @property
    def is_forced(self) -> bool:
        """True if there was no choice, because the only candidate was guessed."""
        return self.before == 1 and not self.cost

    @property
    def grade(self) -> Grade | None:
        """The grade of the guess; None for a forced guess, and if the best guess or the cost is not proven."""
        if self.cost is None or not self.is_proven or self.is_forced:
            return None
        return grade_of(self.cost, found=self.is_win)


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """A policy played against secrets.

    - `secrets`: the number of secrets played, those that were not found included.
    - `histogram`: the weight of the secrets found at guess 1, 2, 3, ...
    - `missed`: the weight of the secrets that were not found within the limit of guesses.
    """

    secrets: int
    histogram: tuple[int, ...]
    missed: int = 0

    @property
    def total(self) -> int:
        """The total of guesses over all secrets found, by weight."""
        return sum(guesses * weight for guesses, weight in enumerate(self.histogram, start=1))

    @property
    def average(self) -> Fraction | None:
        """The mean number of guesses of the secrets found; None if no secret was found."""
        found = sum(self.histogram)
        return Fraction(self.total, found) if found else None

    @property
    def most(self) -> int:
        """The greatest number of guesses of a secret found."""
        return len(self.histogram)


@dataclass(frozen=True, slots=True)
class QuestionCosts:
    """The least costs of a position, by the first step of the next turn.

    - `without`: the least cost if the turn begins with a guess, and `guess`: the best one.
    - `costs`: the least cost if the turn begins with the question, for each question in the given order.
    """

    guess: str
    without: int
    costs: tuple[int, ...]

    @property
    def best(self) -> int | None:
        """The index of the first question with the least cost, None if no question costs less than a guess."""
        best = min(range(len(self.costs)), key=self.costs.__getitem__, default=None)
        return best if best is not None and self.costs[best] < self.without else None
