"""What the secret may still be, fact by fact: codes with their weights, in a value that each fact gives anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import TypeAlias, TypeVar

from yomikiri.common.lazy import NDArray, np
from yomikiri.hitblow.model.codes import Codes, answers_to, decode_all, encode, hint_number
from yomikiri.hitblow.model.facts import Change
from yomikiri.hitblow.model.rules import Fact, Rules, Turn
from yomikiri.hitblow.model.wrong_answers import Slips, points

Weights: TypeAlias = "NDArray[np.int64]"  # shape (n,), beside n codes
Layers: TypeAlias = "NDArray[np.float64]"  # shape (1 + most, n): how likely each code is with so many wrong turns
W = TypeVar("W", bound="np.generic")

_EXACT = 1 << 53  # up to which whole numbers are whole as floats


@dataclass(frozen=True)
class Space:
    """The codes that fit every fact, in order; with `weights` where some are likelier than others."""

    rules: Rules
    codes: Codes
    weights: Weights | None = None

    @property
    def by_slips(self) -> tuple[int, ...]:
        """How many codes fit every turn."""
        return (len(self.codes),)

    def after(self, fact: Fact) -> Space:
        """What is left after one more fact."""
        if isinstance(fact, Change):
            weights = or_ones(self.weights, len(self.codes))
            codes, rows = _changed(self.rules, self.codes, weights[None, :], fact)
            return Space(self.rules, codes, reduced(rows[0]))
        kept = fits(self.rules, self.codes, fact)
        return Space(self.rules, self.codes[kept], None if self.weights is None else reduced(self.weights[kept]))


@dataclass(frozen=True)
class SlippedSpace:
    """The codes that disagree with no more turns than may be wrong, in order.

    Row k of `layers` is how likely each code is with k wrong turns: what it weighed at first times the points of their
    slips. After a change of the secret one code may stand in several rows.
    """

    rules: Rules
    codes: Codes
    layers: Layers
    slips: Slips

    @classmethod
    def of(cls, space: Space, slips: Slips) -> SlippedSpace:
        """The space where no turn has been told yet."""
        layers = np.zeros((1 + slips.most, len(space.codes)))
        layers[0] = 1 if space.weights is None else space.weights
        return cls(space.rules, space.codes, layers, slips)

    def after(self, fact: Fact) -> SlippedSpace:
        """What is left after one more fact; only turns may be wrong."""
        if isinstance(fact, Change):
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
        """How likely each code is, in whole numbers: exact while these are less than 2^53 together, else near it."""
        right, wrong = self.slips.odds
        most = self.slips.most
        each = np.array([float(right) ** (most - count) * float(wrong) ** count for count in range(most + 1)])
        weights = each @ self.layers
        if (total := weights.sum()) >= _EXACT:
            weights = np.maximum(1, np.rint(weights * (_EXACT / 4 / total)))
        return reduced(weights.astype(np.int64))

    @property
    def by_slips(self) -> tuple[int, ...]:
        """How many codes fit every turn, how many more if one is wrong, and so on."""
        least = (self.layers > 0).argmax(axis=0)
        return tuple(np.bincount(least, minlength=len(self.layers)).tolist())


AnySpace: TypeAlias = Space | SlippedSpace


def fits(rules: Rules, codes: Codes, fact: Fact) -> NDArray[np.bool_]:
    """Which of the codes a condition is true of: shape (n,)."""
    if isinstance(fact, Turn):
        return np.asarray(answers_to(rules, fact.guess, codes) == hint_number(rules, fact.hint))
    return np.fromiter(map(fact.holds, decode_all(rules, codes)), dtype=bool, count=len(codes))


def or_ones(weights: Weights | None, count: int) -> Weights:
    """The weights, 1 for each of so many codes where all are alike: shape (n,)."""
    return np.ones(count, dtype=np.int64) if weights is None else weights


def spreads(weights: NDArray[np.int64]) -> NDArray[np.float64]:
    """w·log2(w) of each weight, or of each size of a cell, 0 of none."""
    whole = weights.astype(np.float64)
    found: NDArray[np.float64] = whole * np.log2(np.maximum(whole, 1))
    return found


def parts_of(told: NDArray[np.generic], but: int = -1) -> list[int]:
    """The sets of codes that are told alike, in the order of what is told, but for one number: a bit for each code."""
    # Not `np.unique`, which loads the masked arrays of numpy.
    return [mask(told == each) for each in sorted(set(told.tolist())) if each != but]


def mask(kept: NDArray[np.bool_]) -> int:
    """Some of the codes, shape (n,), as a number with a bit for each."""
    return int.from_bytes(np.packbits(kept, bitorder="little").tobytes(), "little")


def reduced(weights: Weights) -> Weights | None:
    """Weights without a common divisor; None if all are alike."""
    if not len(weights) or (weights == weights[0]).all():
        return None
    found: Weights = weights // np.gcd.reduce(weights)
    return found


def _changed(rules: Rules, codes: Codes, rows: NDArray[W], change: Change) -> tuple[Codes, NDArray[W]]:
    """What the secret may be after a change: each code shares its weights, a column, equally among what it may have
    become."""
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
