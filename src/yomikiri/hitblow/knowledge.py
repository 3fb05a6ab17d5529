"""What is known in the middle of a game: the rules, symbols known to be absent, and the turns so far.

Knowledge is a value; the candidates and the tables of likelihood follow from it. Every candidate is equally likely:
the secret was drawn at random, and a code either fits every hint or is impossible. Where no code fits every hint,
`repairs` finds the fewest lines that may be wrong, and what each could have been.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from yomikiri.errors import N_, CodeError, HintError
from yomikiri.hitblow.codes import (
    Codes,
    all_secrets,
    cell_sizes,
    consistent,
    decode_all,
    encode,
    hint_number,
    hint_table,
    numbered_hint,
    possible_hints,
    without_symbols,
)
from yomikiri.hitblow.rules import Hint, Rules, Turn, hint


@dataclass(frozen=True)
class Knowledge:
    """Rules, absent symbols and turns.

    Raises a `CodeError` for a guess the rules do not allow, a `RulesError`, and a `HintError` for a hint that no
    secret of these rules gives to its guess. Turns that contradict each other are knowledge all the same: it has no
    candidates.

    >>> Knowledge().after(Turn.parse("012:0H3B")).codes()
    ['120', '201']
    """

    rules: Rules = Rules()
    absent: str = ""
    turns: tuple[Turn, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "absent", self.rules.check_absent(self.absent))
        object.__setattr__(self, "turns", tuple(self.turns))
        for turn in self.turns:
            self._check(turn)

    def _check(self, turn: Turn) -> None:
        self.rules.check_guess(turn.guess)
        if turn.hint not in possible_hints(self.rules, turn.guess):
            raise HintError(
                N_("{given} is impossible for {guess} in this game: check the hits and blows"),
                given=str(turn.hint),
                guess=turn.guess,
            )

    @cached_property
    def candidates(self) -> Codes:
        """The codes that fit everything known, in order: shape (n, digits), uint8 symbol indices."""
        codes = all_secrets(self.rules)
        if self.absent:
            codes = without_symbols(codes, map(self.rules.symbols.index, self.absent))
        for turn in self.turns:
            codes = self._fitting(codes, turn)
        return codes

    def _fitting(self, codes: Codes, turn: Turn) -> Codes:
        return consistent(codes, encode(self.rules, turn.guess), hint_number(self.rules, turn.hint))

    def after(self, turn: Turn) -> Knowledge:
        """The knowledge one turn later; raises a `CodeError` and a `HintError`."""
        self._check(turn)
        later = object.__new__(Knowledge)  # what is known already is checked, and filters nothing a second time
        vars(later).update(
            rules=self.rules,
            absent=self.absent,
            turns=(*self.turns, turn),
            candidates=self._fitting(self.candidates, turn),
        )
        return later

    @property
    def count(self) -> int:
        """How many candidates are left."""
        return len(self.candidates)

    @property
    def solved(self) -> bool:
        """Whether a turn has hit everything."""
        return any(turn.hint == self.rules.win for turn in self.turns)

    def codes(self, most: int | None = None) -> list[str]:
        """The candidates as text, in order; the first `most` of them."""
        return decode_all(self.rules, self.candidates[:most])

    def is_candidate(self, code: str) -> bool:
        """Whether `code` may be the secret: the rules allow it, and it fits everything known."""
        try:
            self.rules.check_secret(code)
        except CodeError:
            return False
        fits = all(hint(turn.guess, code) == turn.hint for turn in self.turns)
        return fits and not set(code) & set(self.absent)

    def probability(self, code: str) -> float:
        """How likely `code` is the secret: one in `count` for a candidate, else 0."""
        return 1 / self.count if self.is_candidate(code) else 0.0

    def table(self) -> NDArray[np.float64]:
        """How likely each symbol stands at each place: shape (symbols, digits), every column summing to 1.

        All zero when no candidate is left.
        """
        symbols = len(self.rules.symbols)
        columns = [np.bincount(column, minlength=symbols) for column in self.candidates.T]
        return np.column_stack(columns) / float(max(1, self.count))

    def cells(self, guess: str) -> dict[Hint, int]:
        """How many candidates answer `guess` with each hint: the sizes of the cells that are not empty."""
        sizes = cell_sizes(encode(self.rules, guess)[None, :], self.candidates)[0]
        return {numbered_hint(self.rules, number): int(size) for number, size in enumerate(sizes) if size}


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
    """Every smallest set of lines whose change restores consistency; empty if the turns agree already.

    A code disagrees with some lines; changing just these to what the code would have answered makes it a candidate. So
    the fewest lines to change are the fewest that any code disagrees with, and the codes that reach it name them all.
    A code that was guessed before the last line is none of these: the game would have ended there.
    """
    rules = known.rules
    codes = without_symbols(all_secrets(rules), map(rules.symbols.index, known.absent))
    guesses = [encode(rules, turn.guess)[None, :] for turn in known.turns]
    given = [hint_number(rules, turn.hint) for turn in known.turns]
    wrong = np.zeros(len(codes), dtype=np.uint16)
    for guess, number in zip(guesses, given, strict=True):
        wrong += hint_table(guess, codes)[0] != number
    if not known.turns or not wrong.min():
        return ()
    for guess in guesses[:-1]:
        wrong[(codes == guess).all(axis=1)] = len(guesses) + 1
    if wrong.min() > len(guesses):
        return ()
    nearest = codes[wrong == wrong.min()]
    answers = np.concatenate([hint_table(guess, nearest) for guess in guesses])
    mends: dict[tuple[int, ...], Counter[tuple[Hint, ...]]] = {}
    for column in answers.T.tolist():
        lines = tuple(index for index, number in enumerate(column) if number != given[index])
        hints = tuple(numbered_hint(rules, column[index]) for index in lines)
        mends.setdefault(tuple(index + 1 for index in lines), Counter())[hints] += 1
    found = (
        Repair(lines, tuple(Mend(hints, count) for hints, count in sorted(counts.items(), key=lambda m: (-m[1], m[0]))))
        for lines, counts in mends.items()
    )
    return tuple(sorted(found, key=lambda repair: (-sum(mend.count for mend in repair.mends), repair.lines)))
