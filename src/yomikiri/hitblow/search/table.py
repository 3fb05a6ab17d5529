"""A position as a table: what every guess is answered by every candidate, for searches of one position of few codes.

Candidates are numbered, and `answers` holds the slot of every guess's answer for each of them. Only answers that occur
have a slot, and the win, which is the last. Sets of candidates are stretches of `members` (see `partition`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.budget import UNLIMITED, Budget
from yomikiri.hitblow.codes import Codes, all_guesses, hint_number, hint_table, numbered_hint, numbers
from yomikiri.hitblow.rules import Hint, Rules
from yomikiri.machine.arrays import random_words

Members = NDArray[np.int32]  # candidates by their number


class Table(NamedTuple):
    """The candidates of a position and all guesses: c candidates, g guesses, d digits."""

    slots: int  # answers that occur, and the win, which is the last
    answers: Annotated[NDArray[np.uint8], "g", "c"]  # slots
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # symbols
    own: Annotated[NDArray[np.int64], "c"]  # the candidates among the guesses
    between: Annotated[NDArray[np.uint8], "c", "c"]  # the slots between candidates
    keys: Annotated[NDArray[np.uint64], "c", 2]  # random numbers whose sums name sets of candidates


_BLOCK = 1 << 20  # answers that are worked out between two looks at the budget, some milliseconds


def blocks(rows: int, columns: int) -> Iterator[slice]:
    """The rows of a table, some at a time: what numpy does to them is done in a few milliseconds."""
    each = max(1, _BLOCK // max(1, columns))
    return (slice(top, min(top + each, rows)) for top in range(0, rows, each))


def tabled(rules: Rules, candidates: Codes, budget: Budget = UNLIMITED) -> tuple[Table, tuple[Hint, ...]]:
    """The table of a position, and the hints of its slots. Raises `Stopped` when the time of the budget is over."""
    guesses = all_guesses(rules)
    answers = np.empty((len(guesses), len(candidates)), dtype=np.uint8)
    met = np.zeros(256, dtype=bool)
    for rows in blocks(*answers.shape):
        budget.check()
        answers[rows] = hint_table(guesses[rows], candidates)
        met[answers[rows]] = True
    win = hint_number(rules, rules.win)
    occurring = [*(number for number in np.flatnonzero(met).tolist() if number != win), win]
    slot = np.zeros(256, dtype=np.uint8)
    slot[occurring] = np.arange(len(occurring))
    for rows in blocks(*answers.shape):
        budget.check()
        answers[rows] = slot[answers[rows]]
    own = np.searchsorted(numbers(guesses), numbers(candidates)).astype(np.int64)  # also where addresses have 32 bits
    keys = random_words("codes", len(candidates), 2)
    table = Table(len(occurring), answers, guesses.copy(), own, answers[own], keys)
    return table, tuple(numbered_hint(rules, number) for number in occurring)
