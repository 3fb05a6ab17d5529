"""The simple policies: a candidate in order or at random, and the school-days method of throwing repdigits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from yomikiri.budget import UNLIMITED, Budget
from yomikiri.errors import N_, RulesError
from yomikiri.hitblow.codes import decode
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies.base import Choice, Policy, require_candidates
from yomikiri.hitblow.rules import Repeats

ALTERNATIVES = 5


@dataclass(frozen=True, slots=True)
class Likely(Policy):
    """The likeliest candidate, ties first in order; all candidates being equally likely, the first."""

    name: str = "likely"

    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        """The first candidate; the next ones are the alternatives."""
        require_candidates(known)
        first, *rest = known.codes(1 + ALTERNATIVES)
        return Choice(first, tuple(rest))


@dataclass(frozen=True, slots=True)
class Random(Policy):
    """The likeliest candidate, ties at random; the same seed and knowledge give the same guess."""

    seed: int = 0
    name: str = "random"

    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        """Any candidate, each as likely as the other."""
        require_candidates(known)
        history = [ord(letter) for letter in f"{known.absent} {' '.join(map(str, known.turns))}"]
        index = np.random.default_rng([self.seed, *history]).integers(known.count)
        return Choice(decode(known.rules, known.candidates[index]))


@dataclass(frozen=True, slots=True)
class Repdigit(Policy):
    """Repdigits in turn (000, 111, ...) until the symbols of the secret are known, then what is known is placed.

    A symbol is thrown while it is open how often the secret uses it; once none is open, the first candidate is guessed.
    Needs rules that allow repeated symbols in guesses.
    """

    name: str = "repdigit"

    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        """The repdigit of the first open symbol, or the first candidate."""
        if known.rules.repeats is Repeats.NONE and known.rules.digits > 1:
            raise RulesError(
                N_("policy {given} guesses repeated digits such as 000: it needs --repeats guess or --repeats all"),
                given=self.name,
            )
        require_candidates(known)
        for index, symbol in enumerate(known.rules.symbols):
            times = (known.candidates == index).sum(axis=1)
            if times.min() != times.max():
                return Choice(symbol * known.rules.digits)
        return Choice(known.codes(1)[0])
