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

    - `candidates`: the number of secrets that fit.
    - `parts`: the number of different answers that the candidates give to the guess.
    - `largest`: the probability of the likeliest answer.
    - `chance`: the probability that the guess is the secret.
    - `expected`: guesses still needed on average, including this one; None if that is not known.
    - `is_proven`: True if it is proven that no other guess needs fewer on average.
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
    - `bound`: a lower bound of `total` for any strategy. If the caller of `solve` has chosen the first guess, it is a
      lower bound for any strategy that begins with this guess.
    """

    first: str
    strategy: DecisionNode
    histogram: tuple[int, ...]
    bound: int

    @property
    def total(self) -> int:
        """The number of guesses, times the weight, summed over all secrets."""
        return sum(guesses * weight for guesses, weight in enumerate(self.histogram, start=1))

    @property
    def average(self) -> Fraction:
        """The average number of guesses of the strategy, over all secrets by their weights."""
        return Fraction(self.total, sum(self.histogram))

    @property
    def is_proven(self) -> bool:
        """True if `bound` shows that no strategy has a smaller total."""
        return self.total == self.bound


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """The evaluation of a turn, in a finished or a running game.

    - `before`, `after`: the number of candidates before and after the turn.
    - `best`: the best guess that the search found.
    - `cost`: the guesses lost on average against `best`, None if not known.
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
        """The grade of the guess.

        The grade is None if the guess was forced, if the cost is not known, or if `best` is not proven.
        """
        if self.cost is None or not self.is_proven or self.is_forced:
            return None
        return grade_of(self.cost, found=self.is_win)


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """A policy played against secrets.

    - `secrets`: the number of secrets played, including those that were not found.
    - `histogram`: the weight of the secrets found at guess 1, 2, 3, ...
    - `missed`: the weight of the secrets that were not found within the limit of guesses.
    """

    secrets: int
    histogram: tuple[int, ...]
    missed: int = 0

    @property
    def total(self) -> int:
        """The number of guesses, times the weight, summed over all secrets found."""
        return sum(guesses * weight for guesses, weight in enumerate(self.histogram, start=1))

    @property
    def average(self) -> Fraction | None:
        """The mean number of guesses over the secrets that the policy found. None if it found no secret."""
        found = sum(self.histogram)
        return Fraction(self.total, found) if found else None

    @property
    def most(self) -> int:
        """The greatest number of guesses that the policy needed for any secret that it found."""
        return len(self.histogram)


@dataclass(frozen=True, slots=True)
class QuestionCosts:
    """The least costs of a position, by the first step of the next turn.

    - `without`: the least cost if the turn begins with a guess.
    - `guess`: the best guess to begin with.
    - `costs`: for each question in the given order, the least cost if the turn begins with it.
    """

    guess: str
    without: int
    costs: tuple[int, ...]

    @property
    def best(self) -> int | None:
        """The index of the first question with the least cost, None if no question costs less than a guess."""
        best = min(range(len(self.costs)), key=self.costs.__getitem__, default=None)
        return best if best is not None and self.costs[best] < self.without else None
