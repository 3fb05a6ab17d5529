"""Models of the opponent: how soon they find my secret, as far as that does not depend on my board.

`optimal` plays for the fewest guesses on average, `entropy` for the least doubt left after the next hint, `consistent`
guesses any code that still fits, each as likely; `custom` finds the secret at times that are given. None of them looks
at my board. `perfect` does: it plays the race, and what it does is known from the race alone (`race.public`).

If my secret is given, a model plays against that secret; else against each of the candidates, as likely as they are.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import lru_cache

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.enums import not_one_of, shown
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.match.consistent import consistent_pace
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Turn, hint
from yomikiri.hitblow.policies.base import Policy
from yomikiri.hitblow.policies.onestep import OneStep
from yomikiri.hitblow.policies.simulation import simulate
from yomikiri.hitblow.race.finish import Finish, Pace


class Opponent(ABC):
    """A model of the opponent."""

    name: str
    """The name it is asked for by."""
    watches = False
    """Whether it looks at my board."""

    @property
    def stand_in(self) -> Opponent:
        """Who it is taken for where only the pace counts: itself, unless it looks at my board."""
        return self

    @abstractmethod
    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        """When they find my secret, from what they know of it now; there is a candidate, the secret is one.

        Raises `Stopped` where the play of a policy is worked out and the budget is spent before.
        """


@dataclass(frozen=True, slots=True)
class Player(Opponent):
    """Plays by a policy, and so in one way only."""

    name: str
    policy: Policy

    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        """One guess for certain if the secret is given, else the histogram over the candidates."""
        budget = replace(budget, begun=None)  # each of their guesses is an answer of its own
        if not secret:
            return Pace(Finish(_histogram(self.policy, known, budget)))
        return Pace(Finish((*[0] * (_guesses(self.policy, known, secret, budget) - 1), 1)))


# What a spent budget cut short has raised, so that only what is whole is remembered.
@lru_cache(maxsize=256)
def _histogram(policy: Policy, known: Knowledge, budget: Budget) -> tuple[int, ...]:
    return simulate(policy, known, budget).histogram


@lru_cache(maxsize=4096)
def _guesses(policy: Policy, known: Knowledge, secret: str, budget: Budget) -> int:
    """With which of its next guesses a policy finds the secret."""
    guess = policy.choose(known, budget).guess
    budget.check()
    answer = hint(guess, secret)
    return 1 if answer == known.rules.win else 1 + _guesses(policy, known.after(Turn(guess, answer)), secret, budget)


@dataclass(frozen=True, slots=True)
class Consistent(Opponent):
    """Draws each guess from the remaining candidates: all equally likely, or by their weights if `by_weight`.

    The pace is exact for sets of moderate size. Otherwise it comes from samples, which are the same for the same seed;
    if the budget is spent, from few samples.
    """

    seed: int = 0
    by_weight: bool = False
    name = "consistent"

    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        """The chances over its draws, and over the candidates if the secret is not given."""
        return consistent_pace(known, secret, self.seed, by_weight=self.by_weight, late=budget.spent())


@dataclass(frozen=True, slots=True)
class Perfect(Opponent):
    """Plays the race: looks at both boards, and has no better guess in it.

    What it guesses depends on my board, so it has no pace of its own: that of `consistent` stands in to tell how soon
    it may find the secret.
    """

    seed: int = 0
    name = "perfect"
    watches = True

    @property
    def stand_in(self) -> Opponent:
        return Consistent(self.seed)

    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        return self.stand_in.pace(known, secret, budget)


@dataclass(frozen=True, slots=True)
class Custom(Opponent):
    """Finds the secret at times that are given: `counts[i]` of their sum with guess i + 1 of the match."""

    counts: tuple[int, ...]
    name = "custom"

    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        """The times that are still to come; if none is, the next guess."""
        left = self.counts[len(known.turns) :]
        return Pace(Finish(left if any(left) else (1,)))


OPPONENTS = ("perfect", "optimal", "consistent", "entropy", "custom")
DEFAULT_OPPONENT = "consistent"


def opponent_named(name: str, plain: Policy, finishes: str = "", seed: int = 0) -> Opponent:
    """The model of that name, one of `OPPONENTS`.

    `plain` is the policy of `optimal`; `finishes` are the counts of `custom`, such as `1,4,25,154`, for it alone.
    Raises an `InputError`.
    """
    match name:
        case "perfect":
            return Perfect(seed)
        case "consistent":
            return Consistent(seed)
        case "optimal":
            return Player(name, plain)
        case "entropy":
            return Player(name, OneStep(name))
        case "custom":
            return Custom(parse_finishes(finishes))
    raise not_one_of("opponent", name, OPPONENTS)


def read_opponent(given: Opponent | str, plain: Policy, parameter: str) -> Opponent:
    """Return the model that a parameter gives, also by its name, with `plain` as the policy of `optimal`.

    Raises an `InputError`. `custom` has no name alone, since it needs counts.
    """
    if isinstance(given, Opponent):
        return given
    if not isinstance(given, str) or given not in OPPONENTS[:-1]:
        raise not_one_of(parameter, shown(given), OPPONENTS[:-1])
    return opponent_named(given, plain)


def parse_finishes(text: str) -> tuple[int, ...]:
    """Read counts such as `1,4,25,154`; raises an `InputError`, also for counts too large to be weighed."""
    if not re.fullmatch(r"\s*[0-9]{1,7}(?:[\s,]+[0-9]{1,7}){0,99}\s*", text) or not re.search("[1-9]", text):
        raise InputError(
            N_(
                "--finishes {given!r}: expected how often they need 1, 2, 3, ... guesses, such as 1,4,25,"
                " of at most 7 digits each"
            ),
            given=text,
        )
    return tuple(int(number) for number in re.findall("[0-9]+", text))
