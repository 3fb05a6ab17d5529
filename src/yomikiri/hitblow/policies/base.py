"""The interface of all policies, and the values that they return."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Unproven
from yomikiri.hitblow.model.rules import no_code_fits


@dataclass(frozen=True, slots=True)
class Outlook:
    """The number of guesses until the secret is found, if a certain guess is next and the best known play follows.

    The numbers include this guess. `total_guesses` is the sum over all candidates, each counted with its weight.
    `max_guesses` is the maximum, or None if it is unknown. `proven` is True if no play after this guess has a smaller
    total.
    """

    total_guesses: int
    max_guesses: int | None
    proven: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """The guess that a policy chose, and the next best guesses in order.

    - `sampled`: True if only a sample of guesses was considered.
    - `best_candidate`: the best guess among the candidates, if the policy compares guesses and chose one that is not a
      candidate. None otherwise.
    - `outlooks`: for `guess` and each of `alternatives`, the number of guesses until the secret is found, if it is
      known. The chosen guess is proven to be best if `outlooks[guess].proven` is True.
    - `unproven`: the reason for a missing proof, or None.
    """

    guess: str
    alternatives: tuple[str, ...] = ()
    sampled: bool = False
    best_candidate: str | None = None
    outlooks: Mapping[str, Outlook] = field(default_factory=dict)
    unproven: Unproven | None = None


def proven(guess: str, total_guesses: int, max_guesses: int | None) -> Choice:
    """Return the choice of a guess that is proven to be best.

    `total_guesses` is the number of guesses from this one on, added up over all candidates. `max_guesses` is their
    maximum, or None if it is unknown.
    """
    return Choice(guess, outlooks={guess: Outlook(total_guesses, max_guesses, True)})


ALTERNATIVES = 5
"""The default number of next best guesses in a `Choice`."""


class Policy(ABC):
    """A rule for choosing guesses. The same knowledge and an unlimited budget always give the same guess.

    A policy returns a guess even if the budget ends before the guess is proven to be best. If the policy usually proves
    its guesses, `Choice.unproven` then contains the reason.
    """

    name: str
    """The name of the policy, as in options."""

    @abstractmethod
    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        """Return the next guess. Raises `ContradictionError` if there are no candidates."""

    def guess(self, known: Knowledge, budget: Budget = UNLIMITED) -> str:
        """Return the guess that `choose` returns, without the other values. This may be quicker than `choose`."""
        return self.choose(known, budget).guess

    def compare(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        """Return the same guess as `choose`, with the next best guesses, even if finding these takes longer."""
        return self.choose(known, budget)

    def outlook(self, known: Knowledge, guess: str, budget: Budget = UNLIMITED) -> Outlook | None:
        """Return the number of guesses until the secret is found, if `guess` is next.

        Returns None if the policy does not know this number.
        """
        return None


def require_candidates(known: Knowledge) -> None:
    """Raise `ContradictionError` if no code fits the facts."""
    if not known.count:
        raise no_code_fits(known.facts)


@dataclass(frozen=True, slots=True)
class Function(Policy):
    """A policy that calls a plain function. The function must return the same guess for the same knowledge."""

    function: Callable[[Knowledge], str]
    name: str = "function"

    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        """Return the guess of the function. Raises a `CodeError` if the rules do not allow this guess."""
        require_candidates(known)
        return Choice(known.rules.check_guess(self.function(known)))
