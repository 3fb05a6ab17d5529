"""What is known in the middle of a game: the rules, symbols known to be absent, and the facts so far, most of them
turns.

Knowledge is a value; the candidates and the tables of likelihood follow from it. Every candidate is equally likely, the
secret having been drawn at random, until a change of the secret makes some of them likelier. Where no code fits,
`repairs` finds the fewest turns that may be wrong, and what each could have been.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from yomikiri.errors import N_, CodeError, HintError
from yomikiri.hitblow.codes import (
    Codes,
    all_secrets,
    cell_sizes,
    decode_all,
    encode,
    hint_number,
    hint_table,
    numbered_hint,
    possible_hints,
)
from yomikiri.hitblow.facts import Absent, Change, Prior, absent_first, checked_prior, parse
from yomikiri.hitblow.rules import Answered, Fact, Hint, Rules, Turn

Weights = NDArray[np.int64]  # shape (n,), beside n codes


@dataclass(frozen=True)
class Knowledge:
    """Rules, absent symbols, facts in order, turns among them, and how likely each secret was before (`facts.Prior`).

    A fact may be given as its token. Symbols told to be absent before everything else are the `absent` ones, whichever
    way they are told. Raises an
    `InputError` for a fact that the rules do not allow (a `CodeError` for a guess, a `HintError` for a hint that no
    secret of these rules gives to its guess). Facts that contradict each other are knowledge all the same: it has no
    candidates.

    >>> Knowledge().after(Turn.parse("012:0H3B")).codes()
    ['120', '201']
    """

    rules: Rules = Rules()
    absent: str = ""
    facts: tuple[Fact, ...] = ()
    prior: Prior = ()

    def __post_init__(self) -> None:
        told = tuple(parse(fact) if isinstance(fact, str) else fact for fact in self.facts)
        absent, facts = absent_first(self.absent, told)
        object.__setattr__(self, "absent", self.rules.check_absent(absent))
        object.__setattr__(self, "facts", facts)
        for fact in self.facts:
            check_fact(self.rules, fact)
        object.__setattr__(self, "prior", checked_prior(self.rules, self.prior))

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> Knowledge:
        """Read facts as `str` writes them, blanks between; raises an `InputError`.

        >>> str(Knowledge.parse("012:0H1B absent=7"))
        '012:0H1B absent=7'
        """
        return cls(rules or Rules(), facts=tuple(map(parse, text.split())))

    def __str__(self) -> str:
        """The absent symbols and the facts, a token each."""
        return " ".join([*([f"absent={self.absent}"] if self.absent else []), *map(str, self.facts)])

    def _repr_html_(self) -> str:
        """What a notebook shows: the facts, how many candidates there are, the chance of each symbol in each place."""
        from yomikiri.svg import table

        places = [str(place) for place in range(1, self.rules.digits + 1)]
        rows = zip(self.rules.symbols, self.table().tolist(), strict=True)
        return table(f"{self} ({self.count})".lstrip(), places, rows)

    @property
    def turns(self) -> tuple[Answered, ...]:
        """The guesses made so far, with what they were answered."""
        return tuple(fact for fact in self.facts if isinstance(fact, Answered))

    @cached_property
    def _space(self) -> tuple[Codes, Weights | None]:
        codes, weights = all_secrets(self.rules), None
        if self.prior:
            codes = np.array([encode(self.rules, code) for code, _weight in self.prior], dtype=np.uint8)
            weights = np.array([weight for _code, weight in self.prior], dtype=np.int64)
        if self.absent:
            kept = (codes[:, :, None] != [*map(self.rules.symbols.index, self.absent)]).all(axis=(1, 2))
            codes, weights = codes[kept], None if weights is None else weights[kept]
        space: tuple[Codes, Weights | None] = codes, None if weights is None else _reduced(weights)
        for fact in self.facts:
            space = _after(self.rules, space, fact)
        return space

    @property
    def candidates(self) -> Codes:
        """The codes that fit everything known, in order: shape (n, digits), uint8 symbol indices."""
        return self._space[0]

    @property
    def weights(self) -> Weights | None:
        """The relative probabilities of the candidates, as whole numbers: shape (n,), int64; None if all are equal.

        They have no common divisor.
        """
        return self._space[1]

    def after(self, fact: Fact) -> Knowledge:
        """The knowledge with one more fact; raises an `InputError`."""
        if isinstance(fact, Absent) and not self.facts:
            return Knowledge(self.rules, self.absent + fact.symbols, prior=self.prior)
        check_fact(self.rules, fact)
        later = object.__new__(Knowledge)  # what is known already is checked, and filters nothing a second time
        vars(later).update(
            rules=self.rules,
            absent=self.absent,
            facts=(*self.facts, fact),
            prior=self.prior,
            _space=_after(self.rules, self._space, fact),
        )
        return later

    @cached_property
    def start(self) -> Knowledge:
        """What is known without the `played` turns: all that is not a whole hint, and what came before a change."""
        facts, last = self.facts, self._last_change
        rest = [fact for fact in facts[last:] if not isinstance(fact, Turn)]
        rest.sort(key=lambda fact: (not isinstance(fact, Absent), str(fact)))  # the order of conditions does not matter
        return Knowledge(self.rules, self.absent, (*facts[:last], *rest), self.prior)

    @property
    def played(self) -> tuple[Turn, ...]:
        """The turns that were made with the secret as it is now."""
        return tuple(fact for fact in self.facts[self._last_change :] if isinstance(fact, Turn))

    @property
    def _last_change(self) -> int:
        """How many facts there are up to the last change of the secret."""
        return max((line for line, fact in enumerate(self.facts, start=1) if isinstance(fact, Change)), default=0)

    @property
    def uneven(self) -> bool:
        """Whether some secrets are known to be likelier than others, or were before the turns."""
        return bool(self.prior) or self.weights is not None

    @property
    def count(self) -> int:
        """The number of candidates."""
        return len(self.candidates)

    @property
    def total(self) -> int:
        """The sum of the weights of all candidates: `count` if all are equal."""
        return self.count if self.weights is None else int(self.weights.sum())

    @property
    def solved(self) -> bool:
        """Whether a guess has found the secret, and the secret is still the same."""
        return any(isinstance(fact, Answered) and fact.found for fact in self.facts[self._last_change :])

    def codes(self, most: int | None = None) -> list[str]:
        """The candidates as text, in order; the first `most` of them."""
        return decode_all(self.rules, self.candidates[:most])

    def likeliest(self, most: int) -> list[str]:
        """Return the `most` likeliest candidates; equally likely ones in order."""
        if self.weights is None:
            return self.codes(most)
        return decode_all(self.rules, self.candidates[np.argsort(-self.weights, kind="stable")[:most]])

    def is_candidate(self, code: str) -> bool:
        """Whether `code` may be the secret: the rules allow it, and it fits everything known."""
        return self._place(code) is not None

    @cached_property
    def weighted(self) -> dict[str, int] | None:
        """The weight of each candidate, by its code and in order; None if all are equal."""
        return None if self.weights is None else dict(zip(self.codes(), self.weights.tolist(), strict=True))

    def weight(self, code: str) -> int:
        """The relative probability of `code`, of their `total`; 0 if it is no candidate."""
        place = self._place(code)
        if place is None:
            return 0
        return 1 if self.weights is None else int(self.weights[place])

    def share(self, code: str) -> Fraction:
        """How likely `code` is the secret, exactly; 0 if it is no candidate."""
        return Fraction(self.weight(code), max(1, self.total))

    def probability(self, code: str) -> float:
        """How likely `code` is the secret; 0 if it is no candidate."""
        return float(self.share(code))

    def _place(self, code: str) -> int | None:
        """Where a code stands among the candidates."""
        try:
            self.rules.check_secret(code)
        except CodeError:
            return None
        places = np.flatnonzero((self.candidates == encode(self.rules, code)).all(axis=1))
        return int(places[0]) if len(places) else None

    def chances(self) -> NDArray[np.float64]:
        """How likely each candidate is the secret, in order: shape (n,), summing to 1."""
        weights = np.ones(self.count, dtype=np.int64) if self.weights is None else self.weights
        return weights / float(max(1, self.total))

    def table(self) -> NDArray[np.float64]:
        """The chance of each symbol in each place: shape (symbols, digits), every column summing to 1.

        All zero when no candidate is left.
        """
        symbols = len(self.rules.symbols)
        columns = [np.bincount(column, self.weights, minlength=symbols) for column in self.candidates.T]
        return np.column_stack(columns) / float(max(1, self.total))

    def cells(self, guess: str) -> dict[Hint, int]:
        """Return the weight of the candidates for each hint to `guess`: the cells that are not empty."""
        guesses = encode(self.rules, self.rules.check_guess(guess))[None, :]
        sizes = cell_sizes(guesses, self.candidates, self.weights)[0]
        return {numbered_hint(self.rules, number): int(size) for number, size in enumerate(sizes) if size}


def check_fact(rules: Rules, fact: Fact) -> None:
    """Raise an `InputError` for a fact that these rules do not allow, or of which no secret is true."""
    fact.check(rules)
    if isinstance(fact, Turn):
        if fact.hint not in possible_hints(rules, fact.guess):
            raise HintError(
                N_("{given} is impossible for {guess} in this game: check the hits and blows"),
                given=str(fact.hint),
                guess=fact.guess,
            )
    elif not _possible(rules, fact):
        raise HintError(N_("{given} is impossible in this game: no secret fits it"), given=str(fact))


@lru_cache(maxsize=256)
def _possible(rules: Rules, fact: Fact) -> bool:
    return any(fact.becomes(code, rules) for code in rules.secrets())


def fits(rules: Rules, codes: Codes, fact: Fact) -> NDArray[np.bool_]:
    """Which of the codes a condition is true of: shape (n,)."""
    if isinstance(fact, Turn):
        numbers = hint_table(encode(rules, fact.guess)[None, :], codes)[0]
        return np.asarray(numbers == hint_number(rules, fact.hint))
    return np.fromiter(map(fact.holds, decode_all(rules, codes)), dtype=bool, count=len(codes))


def _after(rules: Rules, space: tuple[Codes, Weights | None], fact: Fact) -> tuple[Codes, Weights | None]:
    """Codes and their weights after one more fact."""
    codes, weights = space
    if not isinstance(fact, Change):
        kept = fits(rules, codes, fact)
        return codes[kept], None if weights is None else _reduced(weights[kept])
    return _changed(rules, space, fact)


def _changed(rules: Rules, space: tuple[Codes, Weights | None], change: Change) -> tuple[Codes, Weights | None]:
    """What the secret may be after a change: each code shares its weight equally among what it may have become."""
    codes, weights = space
    before = [1] * len(codes) if weights is None else weights.tolist()
    became = [_secrets_among(rules, change.becomes(code, rules)) for code in decode_all(rules, codes)]
    whole = lcm(*{len(each) for each in became if each})
    after: Counter[str] = Counter()
    for weight, each in zip(before, became, strict=True):
        for code in each:
            after[code] += weight * (whole // len(each))
    found = sorted(after, key=lambda code: list(map(rules.symbols.index, code)))
    rows = np.array([encode(rules, code) for code in found], dtype=np.uint8).reshape(len(found), rules.digits)
    return rows, _reduced(np.array([after[code] for code in found], dtype=np.int64))


def _secrets_among(rules: Rules, codes: Sequence[str]) -> list[str]:
    """Those of the codes that the rules allow a secret to be."""

    def allowed(code: str) -> bool:
        try:
            return bool(rules.check_secret(code))
        except CodeError:
            return False

    return [code for code in codes if allowed(code)]


def _reduced(weights: Weights) -> Weights | None:
    """Weights without a common divisor; None if all are alike."""
    if not len(weights) or (weights == weights[0]).all():
        return None
    reduced: Weights = weights // np.gcd.reduce(weights)
    return reduced


@dataclass(frozen=True, slots=True)
class Mend:
    """Hints that would make the lines consistent, one for each line of the repair, and how many codes then fit."""

    hints: tuple[Hint, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Repair:
    """Lines (from 1) whose hints, changed together, leave candidates; the mend that leaves most stands first."""

    lines: tuple[int, ...]
    mends: tuple[Mend, ...]


def repairs(known: Knowledge) -> tuple[Repair, ...]:
    """Return every smallest set of facts whose change restores consistency; empty if the facts agree already.

    A code disagrees with some turns; changing just these to what the code would have answered makes it a candidate. So
    the fewest lines to change are the fewest that any code disagrees with, and the codes that reach it name them all.
    A code that was guessed before the last turn is none of these: the game would have ended there. Facts that are no
    turns hold, and so does what was known before the secret was changed.

    >>> repairs(Knowledge(facts=(Turn.parse("012:0H1B"), Turn.parse("012:1H1B"))))[0].lines
    (2,)
    """
    rules, codes, turns = known.rules, known.start.candidates, known.played
    if not turns or not len(codes):
        return ()
    own = [line for line, fact in enumerate(known.facts, start=1) if isinstance(fact, Turn)][-len(turns) :]
    guesses = [encode(rules, turn.guess)[None, :] for turn in turns]
    given = [hint_number(rules, turn.hint) for turn in turns]
    wrong = np.zeros(len(codes), dtype=np.uint16)
    for guess, number in zip(guesses, given, strict=True):
        wrong += hint_table(guess, codes)[0] != number
    if not wrong.min():
        return ()
    for guess in guesses[:-1]:
        wrong[(codes == guess).all(axis=1)] = len(guesses) + 1
    if wrong.min() > len(guesses):
        return ()
    nearest = codes[wrong == wrong.min()]
    answers = np.concatenate([hint_table(guess, nearest) for guess in guesses])
    mends: dict[tuple[int, ...], Counter[tuple[Hint, ...]]] = {}
    for column in answers.T.tolist():
        changed = [index for index, number in enumerate(column) if number != given[index]]
        hints = tuple(numbered_hint(rules, column[index]) for index in changed)
        mends.setdefault(tuple(own[index] for index in changed), Counter())[hints] += 1
    found = (
        Repair(lines, tuple(Mend(hints, count) for hints, count in sorted(counts.items(), key=lambda m: (-m[1], m[0]))))
        for lines, counts in mends.items()
    )
    return tuple(sorted(found, key=lambda repair: (-sum(mend.count for mend in repair.mends), repair.lines)))
