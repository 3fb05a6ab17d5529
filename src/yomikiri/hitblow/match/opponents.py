"""Models of the opponent, each with a *pace*: the distribution of its number of guesses, from now, to find the secret.

- `optimal` plays for the fewest guesses on average.
- `entropy` plays for the least expected entropy after the next answer.
- `consistent` draws each guess at random from the candidates.
- `custom` has a given distribution.
- `perfect` makes the guess with the greatest chance of winning the match, looking at both boards (`race.public`). Its
  guesses depend on the player's board, so it has no pace of its own. Methods that need one use that of `consistent`.

If the player's secret is known, a model plays against that secret, otherwise against all candidates by their weights.
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
    """A model of the opponent in a match, which predicts how many guesses they need to find the player's secret."""

    name: str
    """The name of the model."""
    watches = False
    """True if the model's guesses depend on the player's board."""

    @property
    def stand_in(self) -> Opponent:
        """The model for methods that need only the distribution of the opponent's number of guesses.

        This is the model itself, unless its guesses depend on the player's board. Such a model has no such
        distribution, so another model replaces it.
        """
        return self

    @abstractmethod
    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        """Return the distribution of the opponent's number of guesses, from now until they find the player's secret.

        `known` is the opponent's present knowledge. `secret` is the player's secret, or empty if it is unknown; then
        the distribution is the average over the candidates. Requires that `secret` is one of the candidates. Raises
        `Stopped` if the budget ends while the play of a policy is simulated.
        """


@dataclass(frozen=True, slots=True)
class PolicyPlayer(Opponent):
    """A model of the opponent: a player who follows a policy, without randomness."""

    name: str
    policy: Policy

    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        """Return the distribution of the number of guesses that the policy needs to find the secret.

        If `secret` is given, the number is certain, because a policy contains no randomness.
        """
        budget = replace(budget, begun=None)  # Restart the clock: the time limit applies to each simulated guess.
        if not secret:
            return Pace(Finish(_histogram(self.policy, known, budget)))
        return Pace(Finish((*[0] * (_guesses(self.policy, known, secret, budget) - 1), 1)))


# The cache contains complete results only: an interrupted simulation raises `Stopped` and returns no value to cache.
@lru_cache(maxsize=256)
def _histogram(policy: Policy, known: Knowledge, budget: Budget) -> tuple[int, ...]:
    return simulate(policy, known, budget).histogram


@lru_cache(maxsize=4096)
def _guesses(policy: Policy, known: Knowledge, secret: str, budget: Budget) -> int:
    """Return the number of guesses that a policy needs to find `secret`, beginning with the knowledge `known`."""
    guess = policy.choose(known, budget).guess
    budget.check()
    answer = hint(guess, secret)
    return 1 if answer == known.rules.win else 1 + _guesses(policy, known.after(Turn(guess, answer)), secret, budget)


@dataclass(frozen=True, slots=True)
class Consistent(Opponent):
    """A model of the opponent: a player who draws each guess at random from the candidates.

    All candidates are equally likely guesses. If `by_weight` is True, their probabilities are in proportion to their
    weights. Up to a moderate number of candidates, the distribution of the number of guesses is exact. Beyond that it
    comes from sampled games, which are the same for the same seed. If the budget is spent, fewer games are sampled.
    """

    seed: int = 0
    by_weight: bool = False
    name = "consistent"

    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        """Return the distribution of the number of guesses that this player needs to find the secret.

        If `secret` is given, the only randomness is in the guesses. Otherwise the secret is random too: the
        distribution is the average over all candidates, by their weights.
        """
        return consistent_pace(known, secret, self.seed, by_weight=self.by_weight, late=budget.spent())


@dataclass(frozen=True, slots=True)
class Perfect(Opponent):
    """A model of the opponent: a player who looks at both boards and makes the guess that wins most often.

    Its guesses depend on the player's board, so the distribution of its number of guesses (its *pace*) is not known
    without that board. The pace of `consistent` is used as a substitute.
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
    """A model of the opponent: a player with a given distribution of the number of guesses.

    The probability of finding the secret with guess i + 1 of the match is `counts[i]` divided by the sum of all counts.
    """

    counts: tuple[int, ...]
    name = "custom"

    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        """Return the distribution of the number of guesses that the player still needs to find the secret.

        `counts` is the distribution from the start of the game. If m guesses have been made, the result is `counts`
        without its first m elements. If only zeros are left, the player is assumed to find the secret with the next
        guess.
        """
        left = self.counts[len(known.turns) :]
        return Pace(Finish(left if any(left) else (1,)))


# Names of the models of the opponent.
OPPONENTS = ("perfect", "optimal", "consistent", "entropy", "custom")
DEFAULT_OPPONENT = "consistent"


def opponent_named(name: str, plain: Policy, finishes: str = "", seed: int = 0) -> Opponent:
    """Return the model that predicts how soon the opponent finds the player's secret, selected by name.

    `name` is one of `OPPONENTS`. The model `optimal` follows the policy `plain`. The model `custom` needs `finishes`,
    a text that says how many games end with guess 1, 2, and so on, such as `1,4,25,154`. `seed` is for models that draw
    random samples. Raises an `InputError` for another name or for invalid numbers.
    """
    match name:
        case "perfect":
            return Perfect(seed)
        case "consistent":
            return Consistent(seed)
        case "optimal":
            return PolicyPlayer(name, plain)
        case "entropy":
            return PolicyPlayer(name, OneStep(name))
        case "custom":
            return Custom(parse_finishes(finishes))
    raise not_one_of("opponent", name, OPPONENTS)


def read_opponent(given: Opponent | str, plain: Policy, parameter: str) -> Opponent:
    """Return the model of the opponent that an argument contains: a model, or its name.

    `plain` is the policy that the model `optimal` follows. The name `custom` is not accepted, because that model needs
    a distribution. Raises an `InputError` that names the argument `parameter`.
    """
    if isinstance(given, Opponent):
        return given
    if not isinstance(given, str) or given not in OPPONENTS[:-1]:
        raise not_one_of(parameter, shown(given), OPPONENTS[:-1])
    return opponent_named(given, plain)


def parse_finishes(text: str) -> tuple[int, ...]:
    """Parse a text that says how many games end with guess 1, 2, and so on, such as `1,4,25,154`; return the counts.

    Raises an `InputError`, also for counts that are too large.
    """
    if not re.fullmatch(r"\s*[0-9]{1,7}(?:[\s,]+[0-9]{1,7}){0,99}\s*", text) or not re.search("[1-9]", text):
        raise InputError(
            N_(
                "finishes {given!r}: expected how many secrets they find with guess 1, 2, 3, ..., such as "
                "1,4,25, with at most 7 digits each"
            ),
            given=text,
        )
    return tuple(int(number) for number in re.findall("[0-9]+", text))
