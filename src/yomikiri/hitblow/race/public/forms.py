"""Canonical forms of candidate sets, computed on request and kept in a table.

- The *canonical form* of a candidate set is everything about the set that can affect the race. Variables and methods
  call it `form`. Sets with equal canonical forms are interchangeable in the race.
- An *option* is the effect of a guess at a set: whether the guess can be the secret, and the canonical forms of its
  cells without the cell of the hit.
- A set is *separable* if one of its codes, guessed first, separates all others.

This module calls the kernels `forms` and `entries`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.model.codes import Codes
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.race.kernels.entries import list_options
from yomikiri.hitblow.race.kernels.forms import form_of
from yomikiri.hitblow.race.kernels.tables import (
    BETWEEN,
    EXPAND_LIMIT,
    FORMS,
    LISTING,
    OUT_OF_TABLES,
    OUT_OF_WORKSPACE,
    SETS,
    Frame,
    RaceTables,
    RaceWorkspace,
)
from yomikiri.hitblow.race.public.tables import game_of, new_workspace, small_tables, widened
from yomikiri.machine.running import Runner

_SHORT = 1 << 22  # number of comparisons of a guess with a code that a kernel makes in about ten milliseconds

R = TypeVar("R")


def poll_limit(size: int) -> int:
    """Return the number of polls (checks for a stop request) that a kernel makes in about ten milliseconds.

    A kernel first runs in the calling thread, because starting another thread takes longer than many searches. If the
    kernel is not done after this number of polls, it is called again in another thread. `size` is the most work that
    the kernel does between two polls, in comparisons of a guess with a code.
    """
    return _SHORT // (1 + size)


@dataclass(frozen=True, slots=True)
class GuessOption:
    """A guess at a candidate set, and its effect.

    - `guess`: index of the guess in the array of all guesses, or -1 if the guess is unknown.
    - `hit`: 1 if the guess can be the secret, otherwise 0.
    - `cells`: for each cell except the cell of the hit, the index of its canonical form (everything about the
      cell that can affect the race). Two cells with the same index are interchangeable in the race.
    """

    guess: int
    hit: int
    cells: NDArray[np.int32]


class Forms:
    """Table of the candidate sets of one game, which finds interchangeable sets by their canonical form.

    The *canonical form* of a set is everything about it that can affect the race. Sets with equal canonical forms are
    interchangeable in the race.

    `tables` contains the sets that are known from the start. For a set with more than `expand_limit` codes, the table
    contains only one guess at first, and the other guesses are evaluated on request. The default of `expand_limit` is
    the number of different answers to a guess.

    If the budget limits the number of states, each visited candidate set counts as one state. When the budget is
    exhausted, methods raise `Stopped` without a result; intermediate results are kept.
    """

    def __init__(
        self,
        rules: Rules,
        tables: RaceTables | None = None,
        expand_limit: int | None = None,
        budget: Budget = UNLIMITED,
    ) -> None:
        self.game = game_of(rules, budget)
        self._expand_limit = self.game.hints if expand_limit is None else expand_limit
        guesses = len(self.game.codes)
        self.tables = small_tables(self.game) if tables is None else tables
        self._runner = Runner()
        self._work = self._new_workspace(4 * guesses + 64, 4 * guesses + 64)

    @property
    def nodes(self) -> int:
        """The number of candidate sets that all searches have visited so far."""
        return self._runner.nodes

    @property
    def counts(self) -> tuple[int, int]:
        """The numbers of stored candidate sets and of stored canonical forms.

        Sets that are interchangeable in the race have the same canonical form.
        """
        return int(self.tables.used[SETS]), int(self.tables.used[FORMS])

    def size(self, form: int) -> int:
        """Return the number of codes in a candidate set, which is given by the index of its canonical form."""
        return int(self.tables.size[form])

    def numbers(self, codes: Codes) -> NDArray[np.int32]:
        """Return the index of each code in the array of all guesses. The codes are given as rows of symbol indices."""
        numbers: NDArray[np.int32] = self.game.number[codes @ self.game.radix]
        return numbers

    def form(self, codes: NDArray[np.int32], budget: Budget = UNLIMITED) -> int:
        """Return the index of the canonical form of a candidate set. Sets with equal indices are interchangeable.

        `codes` contains the codes of the set, as indices in the array of all guesses.
        """
        return self._compute_form(codes, budget, listing=False)

    def options(self, codes: NDArray[np.int32], budget: Budget = UNLIMITED) -> list[GuessOption]:
        """Return the guesses at a candidate set that may be best, at most one for each effect: the first in code order.

        The *effect* of a guess is whether the guess can be the secret, and the canonical forms of its cells without the
        cell of the hit. Guesses without information are left out. A cell is *separable* if one of its codes, guessed
        first, separates all others. Many guesses are left out because a guess with only separable cells is proven to be
        at least as good.
        """
        end = self._compute_form(codes, budget, listing=True)
        work = self._work
        cells = np.split(work.cell[: work.option_begin[end]].copy(), work.option_begin[1:end])
        return [GuessOption(int(work.option_guess[i]), int(work.option_hit[i]), cells[i]) for i in range(end)]

    def options_of(self, form: int, budget: Budget = UNLIMITED) -> list[GuessOption]:
        """Return the effects of all undominated guesses at a candidate set, without the guesses themselves.

        The *effect* of a guess is whether the guess can be the secret, and the canonical forms of its cells without the
        cell of the hit. The set is given by the index of its canonical form. Different sets can have the same canonical
        form, so the guesses are unknown: the field `guess` of each result is -1. A guess is *dominated* if another
        guess is at least as good in every race. Requires that the set is not separable: no code of the set, guessed
        first, separates all others.
        """
        self.list_options(form, budget)
        tables = self.tables
        return [
            GuessOption(-1, int(tables.hit[i]), tables.cell[tables.begin[i] : tables.begin[i + 1]])
            for i in range(*tables.first[form].tolist())
        ]

    def list_options(self, form: int, budget: Budget = UNLIMITED) -> None:
        """Evaluate all guesses at a large candidate set for which the tables contain only one guess so far.

        The set is given by the index of its canonical form. Does nothing if all guesses have been evaluated already.
        """
        tables = self.tables
        if tables.listed[form]:
            return
        begin = tables.sketched[form]
        codes = tables.code[begin : begin + tables.size[form]].astype(np.int32)
        end = self._compute_form(codes, budget, listing=True)
        while self._run(partial(list_options, self.game, self.tables, self._work, form, end), budget, end)[1]:
            self.widen(budget)

    def cells(self, codes: NDArray[np.int32], guess: int) -> list[NDArray[np.int32]]:
        """Return the cells into which a guess divides the candidates: one for each possible answer, some empty.

        The cells are in the order of answers, so the last cell is that of the hit.
        """
        answers = self.game.answers[guess, codes]
        return [codes[answers == hint] for hint in range(self.game.hints)]

    def _compute_form(self, codes: NDArray[np.int32], budget: Budget, *, listing: bool) -> int:
        n = len(codes)
        while True:
            self._work.members[:n] = codes
            self._work.state[[LISTING, EXPAND_LIMIT]] = listing, self._expand_limit
            found, why = self._run(
                partial(form_of, self.game, self.tables, self._work, 0, Frame(0, n, n, 0, 0)), budget, n
            )
            if not why:
                return int(found)
            if why == OUT_OF_TABLES:
                self.widen(budget)
            elif why == OUT_OF_WORKSPACE:
                self._widen_workspace()
            else:
                raise too_deep(len(self._work.size))

    def _run(self, kernel: Callable[[], R], budget: Budget, size: int) -> tuple[R, int]:
        return self._runner.run(kernel, budget, poll_limit(size * BETWEEN))

    def widen(self, budget: Budget = UNLIMITED) -> None:
        """Replace the tables of candidate sets by larger ones with the same contents, to get free space."""
        self.tables = widened(self.game, self.tables, replace(budget, states=None))

    def _widen_workspace(self) -> None:
        wider = self._new_workspace(2 * len(self._work.members), 2 * len(self._work.later))
        wider.state[:] = self._work.state
        self._work = wider

    def _new_workspace(self, members: int, options: int) -> RaceWorkspace:
        return new_workspace(self.game, members, options)._replace(shared=self._runner.words)


def too_deep(most: int) -> InputError:
    """Return the error for a race that can last more guesses than the workspace of the search allows."""
    return InputError(
        N_("this race can last more than {limit} guesses, too many to solve: choose a smaller game"),
        limit=most,
    )
