"""What chooses the next guess: one small interface; and how many guesses it takes, played against every secret."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.enums import Named
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import no_code_fits


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a guess still takes if play after it goes on as well as is known: guesses, this one included.

    `total_guesses` is summed over all candidates, `max_guesses` is for the worst of them (None where nobody counted);
    `proven` says that no play after this guess has a smaller total.
    """

    total_guesses: int
    max_guesses: int | None
    proven: bool


class Unproven(Named):
    """Why a policy that proves its guesses did not: there is no machine code, the space is too large to search
    at all, the time it was given was spent, or hints may be wrong, which no proof allows for."""

    NO_MACHINE_CODE = "no machine code"
    TOO_LARGE = "too-large"
    TIME = "time"
    SLIPS = "slips"


@dataclass(frozen=True, slots=True)
class Choice:
    """The guess of a policy, the next best ones in order, and whether only a sample was looked at.

    `best_candidate` is the best guess that could be right, where the policy compares guesses and chose another.
    `outlooks` holds what is known of the guess and its alternatives, by guess; the guess is *proven* best when its
    outlook is proven. `unproven` says why there is no proof where one was asked for.
    """

    guess: str
    alternatives: tuple[str, ...] = ()
    sampled: bool = False
    best_candidate: str | None = None
    outlooks: Mapping[str, Outlook] = field(default_factory=dict)
    unproven: Unproven | None = None


def proven(guess: str, total_guesses: int, max_guesses: int | None) -> Choice:
    """A guess that is proven best, with what it takes."""
    return Choice(guess, outlooks={guess: Outlook(total_guesses, max_guesses, True)})


ALTERNATIVES = 5
"""How many of the next best guesses a policy that compares guesses tells."""


class Policy(ABC):
    """Chooses a guess from knowledge, and always the same one from the same knowledge and an unlimited budget.

    There is always a guess: where the budget is spent before a better one is proven, the choice says so.
    """

    name: str
    """The name it is asked for by."""

    @abstractmethod
    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        """The next guess; raises `ContradictionError` when no candidate is left."""

    def guess(self, known: Knowledge, budget: Budget = UNLIMITED) -> str:
        """Return the guess of `choose` alone, which may be quicker to find."""
        return self.choose(known, budget).guess

    def compare(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        """Return the same guess with the next best ones, even if these take longer to find."""
        return self.choose(known, budget)

    def outlook(self, known: Knowledge, guess: str, budget: Budget = UNLIMITED) -> Outlook | None:
        """Return how many guesses any guess would still need, if the policy knows."""
        return None


def require_candidates(known: Knowledge) -> None:
    """Raise `ContradictionError` when nothing fits the turns."""
    if not known.count:
        raise no_code_fits(known.facts)


@dataclass(frozen=True, slots=True)
class Function(Policy):
    """A plain function as a policy: what is known to a guess, always the same one from the same knowledge."""

    function: Callable[[Knowledge], str]
    name: str = "function"

    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        """What the function returns; raises a `CodeError` for a code that may not be guessed."""
        require_candidates(known)
        return Choice(known.rules.check_guess(self.function(known)))
