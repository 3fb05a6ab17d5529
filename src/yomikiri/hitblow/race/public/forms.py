"""Forms of sets of codes, worked out when they are asked for and kept: what drives the kernels of `kernels/forms`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from yomikiri.budget import UNLIMITED, Budget, Progress, Slice
from yomikiri.hitblow.codes import Codes
from yomikiri.hitblow.race.public.kernels.entries import list_options
from yomikiri.hitblow.race.public.kernels.forms import form_of
from yomikiri.hitblow.race.public.kernels.tables import (
    AT_ONCE,
    BUDGET,
    FORMS,
    LISTING,
    OUT_OF_ROOM,
    OUT_OF_TABLES,
    SERIAL,
    SETS,
    STOPPED,
    FormTables,
    Tables,
    Workspace,
    form_tables,
    game_of,
    new_room,
    small_tables,
    widened,
)
from yomikiri.hitblow.rules import Rules


@dataclass(frozen=True, slots=True)
class Option:
    """What a guess does: whether it can hit, and the forms of its other cells."""

    guess: int
    hit: int
    cells: NDArray[np.int32]


class Forms:
    """All forms of one game met so far.

    `tables` are known from the start. Sets of more codes than `at_once`, by default the number of hints, are sketched,
    and their options listed when they are asked for. The states of a budget are sets worked out; a question for which
    it is spent raises `Stopped` with nothing, and what was found out is kept.
    """

    def __init__(self, rules: Rules, tables: Tables | None = None, at_once: int | None = None) -> None:
        self.game = game_of(rules)
        self._at_once = self.game.hints if at_once is None else at_once
        guesses = len(self.game.codes)
        self.tables = small_tables(self.game) if tables is None else tables
        self._room: Workspace = new_room(self.game, 4 * guesses + 64, 4 * guesses + 64)
        self._slice = Slice(100)

    @property
    def counts(self) -> tuple[int, int]:
        """How many sets were worked out, and how many forms they have."""
        return int(self.tables.used[SETS]), int(self.tables.used[FORMS])

    @property
    def read(self) -> FormTables:
        """What pairs of forms read of the tables."""
        return form_tables(self.tables)

    def size(self, form: int) -> int:
        """How many codes the sets of a form have."""
        return int(self.tables.size[form])

    def numbers(self, codes: Codes) -> NDArray[np.int32]:
        """The numbers of codes, which are rows of symbols."""
        numbers: NDArray[np.int32] = self.game.number[codes @ self.game.radix]
        return numbers

    def form(self, codes: NDArray[np.int32], budget: Budget = UNLIMITED) -> int:
        """The form of a set of codes, given by their numbers; it is not empty."""
        return self._work_out(codes, budget, listing=False)

    def options(self, codes: NDArray[np.int32], budget: Budget = UNLIMITED) -> list[Option]:
        """What each guess does to a set, by the lowest guess that does it.

        Guesses that tell nothing, and those that one leaving only perfect cells dominates, are left out.
        """
        end = self._work_out(codes, budget, listing=True)
        room = self._room
        cells = np.split(room.cell[: room.option_begin[end]].copy(), room.option_begin[1:end])
        return [Option(int(room.option_guess[i]), int(room.option_hit[i]), cells[i]) for i in range(end)]

    def options_of(self, form: int, budget: Budget = UNLIMITED) -> list[Option]:
        """The options of a form that is not perfect, those that another dominates left out; they know no guess."""
        self.list_options(form, budget)
        tables = self.tables
        return [
            Option(-1, int(tables.hit[i]), tables.cell[tables.begin[i] : tables.begin[i + 1]])
            for i in range(*tables.first[form].tolist())
        ]

    def list_options(self, form: int, budget: Budget = UNLIMITED) -> None:
        """Work out the options of a form if it is a sketch."""
        tables = self.tables
        if tables.listed[form]:
            return
        begin = tables.sketched[form]
        codes = tables.code[begin : begin + tables.size[form]].astype(np.int32)
        end = self._work_out(codes, budget, listing=True)
        while not list_options(self.game, self.tables, self._room, form, end):
            self.widen()
        budget.report(Progress(states=self.counts[0]))

    def cells(self, codes: NDArray[np.int32], guess: int) -> list[NDArray[np.int32]]:
        """The cells of a guess, in the order of hints, the win last; empty ones are kept."""
        answers = self.game.answers[guess, codes]
        return [codes[answers == hint] for hint in range(self.game.hints)]

    def _work_out(self, codes: NDArray[np.int32], budget: Budget, *, listing: bool) -> int:
        state = self._room.state
        while True:
            budget.check(self.counts[0])
            n = len(codes)
            self._room.members[:n] = codes
            state[LISTING] = listing
            state[AT_ONCE] = self._at_once
            state[STOPPED] = 0
            state[BUDGET] = state[SERIAL] + self._slice.begin(budget)
            found = int(form_of(self.game, self.tables, self._room, 0, 0, n, n, 0, 0))
            if not state[STOPPED]:
                return found
            if state[STOPPED] == OUT_OF_TABLES:
                self.widen()
            elif state[STOPPED] == OUT_OF_ROOM:
                self._widen_room()
                state = self._room.state
            else:
                self._slice.end()
                budget.report(Progress(states=self.counts[0]))

    def widen(self) -> None:
        """Make room for more sets and forms."""
        self.tables = widened(self.game, self.tables)

    def _widen_room(self) -> None:
        wider = new_room(self.game, 2 * len(self._room.members), 2 * len(self._room.later))
        wider.state[:] = self._room.state
        self._room = wider
