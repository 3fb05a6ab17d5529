"""When no code fits every hint: the fewest lines that may be wrong, and what each could have been."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from yomikiri.hitblow.codes import all_secrets, encode, hint_number, hint_table, numbered_hint, without_symbols
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Hint


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
