"""The answer table of a position for the weighted search, and the allocation of its workspace."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.hitblow.model.codes import Codes, all_guesses, guess_numbers, hint_number, hint_table, numbered_hint
from yomikiri.hitblow.model.rules import Hint, Rules
from yomikiri.hitblow.search.kernels.weighted_workspace import (
    AHEAD,
    WORD,
    CandidateTable,
    WeightedPosition,
    WeightedWorkspace,
)
from yomikiri.machine.arrays import allocated, random_words
from yomikiri.machine.shared_words import NO_END

_BLOCK = 1 << 20  # number of answers computed between two checks of the budget, some milliseconds


def new_workspace(position: WeightedPosition) -> WeightedWorkspace:
    """Allocate a workspace for a search as deep as the number of guesses that have a cost in `position.step`."""
    guesses, candidates = position.table.answers.shape
    depths, answer_count = len(position.step) - AHEAD, position.table.answer_count
    room = candidates * (depths + 1)
    work = allocated(
        WeightedWorkspace,
        members=room,
        depths=depths,
        guesses=guesses,
        candidates=candidates,
        answer_count=answer_count,
    )
    state = work.state[0]
    state.table_limit, state.masked_up_to, state.counted_above = NO_END, WORD, answer_count * answer_count // 2
    state.refined_guesses, state.windowed_above = 8, 100
    work.class_of[:] = -1
    return work


def blocks(rows: int, columns: int) -> Iterator[slice]:
    """Yield slices of the rows of a table, each small enough for NumPy to process in a few milliseconds."""
    each = max(1, _BLOCK // max(1, columns))
    return (slice(top, min(top + each, rows)) for top in range(0, rows, each))


def answer_table(
    rules: Rules, candidates: Codes, budget: Budget = UNLIMITED
) -> tuple[CandidateTable, tuple[Hint, ...]]:
    """Return the answer table of a position, and the answers in the order of their numbers.

    Raises `Stopped` if the time of the budget is over.
    """
    guesses = all_guesses(rules)
    answers = np.empty((len(guesses), len(candidates)), dtype=np.uint8)
    met = np.zeros(256, dtype=bool)
    for rows in blocks(*answers.shape):
        budget.check()
        answers[rows] = hint_table(guesses[rows], candidates)
        met[answers[rows]] = True
    win = hint_number(rules, rules.win)
    occurring = [*(number for number in np.flatnonzero(met).tolist() if number != win), win]
    index = np.zeros(256, dtype=np.uint8)
    index[occurring] = np.arange(len(occurring))
    for rows in blocks(*answers.shape):
        budget.check()
        answers[rows] = index[answers[rows]]
    own = guess_numbers(rules, candidates).astype(np.int64)  # int64, because NumPy's default may have 32 bits
    keys = random_words("codes", len(candidates), 2)
    table = CandidateTable(len(occurring), answers, guesses.copy(), own, answers[own], keys)
    return table, tuple(numbered_hint(rules, number) for number in occurring)
