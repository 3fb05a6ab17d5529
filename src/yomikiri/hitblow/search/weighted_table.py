"""The table of the answers of all candidates to all guesses of Hit & Blow, which the weighted search reads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.guessing.kernels.answer_table import AnswerTable
from yomikiri.guessing.table import answer_table, row_length
from yomikiri.hitblow.model.codes import Codes, all_guesses, guess_numbers, hint_number, hint_table, numbered_hint
from yomikiri.hitblow.model.rules import Hint, Rules

_BLOCK = 1 << 20  # number of answers computed between two checks of the budget, some milliseconds


def blocks(rows: int, columns: int) -> Iterator[slice]:
    """Yield slices of the rows of a table, each small enough for NumPy to process in a few milliseconds."""
    each = max(1, _BLOCK // max(1, columns))
    return (slice(top, min(top + each, rows)) for top in range(0, rows, each))


def position_table(
    rules: Rules, candidates: Codes, weights: NDArray[np.int64], budget: Budget = UNLIMITED
) -> tuple[AnswerTable, tuple[Hint, ...]]:
    """Return the answer table of a position, and the answers in the order of their numbers.

    The candidates must be in order of weight, the heaviest first. Raises `Stopped` if the time of the budget is over.
    """
    guesses, count = all_guesses(rules), len(candidates)
    answers = np.zeros((count, row_length(len(guesses))), dtype=np.uint16)
    given = answers[:, : len(guesses)]
    met = np.zeros(256, dtype=bool)
    for rows in blocks(len(guesses), count):
        budget.check()
        found = hint_table(guesses[rows], candidates)
        met[found] = True
        given[:, rows] = found.T
    win = hint_number(rules, rules.win)
    occurring = [*(number for number in np.flatnonzero(met).tolist() if number != win), win]
    index = np.zeros(256, dtype=np.uint16)
    index[occurring] = np.arange(len(occurring))
    for rows in blocks(count, len(guesses)):
        budget.check()
        given[rows] = index[given[rows]]
    no_symbols = np.zeros((0, len(guesses)), dtype=np.uint8)
    own = guess_numbers(rules, candidates).tolist()
    table = answer_table(answers, len(guesses), own, weights.tolist(), no_symbols)
    return table, tuple(numbered_hint(rules, number) for number in occurring)
