"""The candidates with their weights as arrays, in a frozen value. Each fact maps this value to a new one.

- The *weight* of a code is proportional to its probability.
- In a game whose turns may be wrong, each code has several weights, one for each possible number of wrong turns. A
  *layer* contains the weights of all codes for one of these numbers.
- *Points* say how probable a mistake in a turn is, compared with other mistakes (`wrong_answers`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import TypeAlias, TypeVar

from yomikiri.common.lazy import NDArray, np
from yomikiri.hitblow.model.codes import Codes, answers_to, decode_all, encode, hint_number
from yomikiri.hitblow.model.facts import SecretChange
from yomikiri.hitblow.model.rules import Fact, Rules, Turn
from yomikiri.hitblow.model.wrong_answers import Slips, points

Weights: TypeAlias = "NDArray[np.int64]"
"""The weights of n codes, whole numbers in proportion to their probabilities: shape (n,)."""

Layers: TypeAlias = "NDArray[np.float64]"
"""The weights of n codes by the number of wrong turns: shape (1 + most, n), where row k is for k wrong turns."""

W = TypeVar("W", bound="np.generic")

_EXACT = 1 << 53
"""Limit below which floating-point numbers represent all whole numbers exactly."""


@dataclass(frozen=True)
class Space:
    """The candidates of a game in which all answers are taken to be right, in the order of codes.

    `weights` is None if all candidates are equally likely.
    """

    rules: Rules
    codes: Codes
    weights: Weights | None = None

    @property
    def by_slips(self) -> tuple[int, ...]:
        """A tuple of counts of candidates: element k is the number of candidates that contradict exactly k turns.

        This class assumes that no turn is wrong. So the tuple has one element, the number of all candidates.
        """
        return (len(self.codes),)

    def after(self, fact: Fact) -> Space:
        """Return the candidates, with their weights, after one more fact."""
        if isinstance(fact, SecretChange):
            weights = or_ones(self.weights, len(self.codes))
            codes, rows = _changed(self.rules, self.codes, weights[None, :], fact)
            return Space(self.rules, codes, reduced(rows[0]))
        kept = fits(self.rules, self.codes, fact)
        return Space(self.rules, self.codes[kept], None if self.weights is None else reduced(self.weights[kept]))


@dataclass(frozen=True)
class SlippedSpace:
    """The candidates of a game in which up to `slips.most` turns may be wrong, in the order of codes.

    Row k of `layers` contains the weight of each code if exactly k turns are wrong. The weight is the prior weight of
    the code, times a number for each wrong turn: the *points* of the mistake in this turn, which say how probable the
    mistake is compared with others. After a change of the secret, a code may have weights in several rows: the number
    of wrong turns then depends on what the secret was before.
    """

    rules: Rules
    codes: Codes
    layers: Layers
    slips: Slips

    @classmethod
    def of(cls, space: Space, slips: Slips) -> SlippedSpace:
        """Return the candidates before the first turn, with their weights, for a game in which turns may be wrong."""
        layers = np.zeros((1 + slips.most, len(space.codes)))
        layers[0] = 1 if space.weights is None else space.weights
        return cls(space.rules, space.codes, layers, slips)

    def after(self, fact: Fact) -> SlippedSpace:
        """Return the candidates, with their weights, after one more fact, which may be wrong if it is a turn.

        If a turn contradicts a code, it counts as one more wrong turn. The weights of the code move to the next row of
        `layers`, because row k is for k wrong turns. They are multiplied by the points of the mistake, which say how
        probable it is. A code that contradicts more than `slips.most` turns is excluded. Any other fact is taken to be
        right, and excludes the codes that contradict it.
        """
        if isinstance(fact, SecretChange):
            return SlippedSpace(self.rules, *_changed(self.rules, self.codes, self.layers, fact), self.slips)
        if isinstance(fact, Turn):
            slipped = points(self.rules, fact, self.codes)
            layers = np.where(slipped, 0, self.layers)
            layers[1:] += self.layers[:-1] * slipped
            kept = layers.any(axis=0)
        else:
            layers, kept = self.layers, fits(self.rules, self.codes, fact)
        return SlippedSpace(self.rules, self.codes[kept], layers[:, kept], self.slips)

    @cached_property
    def weights(self) -> Weights | None:
        """The relative probabilities of the codes, as whole numbers; None if all are equal.

        If their sum is at least 2^53, the numbers are scaled down and rounded.
        """
        right, wrong = self.slips.odds
        most = self.slips.most
        each = np.array([float(right) ** (most - count) * float(wrong) ** count for count in range(most + 1)])
        weights = each @ self.layers
        if (total := weights.sum()) >= _EXACT:
            weights = np.maximum(1, np.rint(weights * (_EXACT / 4 / total)))
        return reduced(weights.astype(np.int64))

    @property
    def by_slips(self) -> tuple[int, ...]:
        """A tuple of counts of candidates: element k is the number of candidates that contradict exactly k turns.

        After a change of the secret, a code may have weights for several numbers of wrong turns. The smallest of these
        numbers counts.
        """
        least = (self.layers > 0).argmax(axis=0)
        return tuple(np.bincount(least, minlength=len(self.layers)).tolist())


AnySpace: TypeAlias = Space | SlippedSpace


def fits(rules: Rules, codes: Codes, fact: Fact) -> NDArray[np.bool_]:
    """Check each code against a fact: shape (n,), bool, True if the fact is true of the code."""
    if isinstance(fact, Turn):
        return np.asarray(answers_to(rules, fact.guess, codes) == hint_number(rules, fact.hint))
    return np.fromiter(map(fact.holds, decode_all(rules, codes)), dtype=bool, count=len(codes))


def or_ones(weights: Weights | None, count: int) -> Weights:
    """Return the weights of codes as an array, shape (n,): `weights`, or `count` ones if `weights` is None."""
    return np.ones(count, dtype=np.int64) if weights is None else weights


def spreads(weights: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return w·log2(w) for each element w of an array, and 0 for w = 0. Sums of these numbers give entropies."""
    whole = weights.astype(np.float64)
    found: NDArray[np.float64] = whole * np.log2(np.maximum(whole, 1))
    return found


def reduced(weights: Weights) -> Weights | None:
    """Return the weights of codes, divided by their greatest common divisor.

    Returns None if all weights are equal, or if there are no codes.
    """
    if not len(weights) or (weights == weights[0]).all():
        return None
    found: Weights = weights // np.gcd.reduce(weights)
    return found


def _changed(rules: Rules, codes: Codes, rows: NDArray[W], change: SecretChange) -> tuple[Codes, NDArray[W]]:
    """Return the candidates after a change of the secret by its owner, with their weights.

    `rows` has a column for each candidate. Its rows are different kinds of weights, for example one for each number of
    wrong turns. If the change turns a candidate into one of m codes, each of these codes receives an equal share of
    every weight in the column. All weights are first multiplied by one number, so that the shares are whole numbers.
    """
    became = [change.secrets(code, rules) for code in decode_all(rules, codes)]
    whole = lcm(*{len(each) for each in became if each})
    after: list[Counter[str]] = [Counter() for _row in rows]
    for row, counted in zip(rows.tolist(), after, strict=True):
        for weight, each in zip(row, became, strict=True):
            for code in each:
                counted[code] += weight * (whole // len(each))
    found = sorted({code for each in became for code in each}, key=lambda code: [*map(rules.symbols.index, code)])
    listed = np.array([encode(rules, code) for code in found], dtype=np.uint8).reshape(len(found), rules.digits)
    weights = np.array([[counted[code] for code in found] for counted in after], dtype=rows.dtype)
    return listed, weights.reshape(len(rows), len(found))
