"""Forms of sets of codes, the worth of pairs of them, and how often they are drawn.

Worked out when they are asked for, and kept: what drives the kernels of `forms` and `pairs`.
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
from yomikiri.hitblow.race.kernels.pairs import (
    CLOSING,
    KIND,
    OPENING,
    PAIRS,
    SECOND,
    WANTED,
    WITH_PASS,
    Pairs,
    Window,
    bound_option,
    known,
    move_pairs,
    next_kind,
    solve_pair,
)
from yomikiri.hitblow.race.kernels.tables import (
    AT_ONCE,
    BETWEEN,
    FORMS,
    LISTING,
    OUT_OF_OPTIONS,
    OUT_OF_ROOM,
    OUT_OF_TABLES,
    SETS,
    TOO_DEEP,
    RaceWorkspace,
    Tables,
)
from yomikiri.hitblow.race.public.tables import game_of, new_room, small_tables, widened
from yomikiri.machine.arrays import allocated
from yomikiri.machine.running import Runner

_SHORT = 1 << 22  # answers that a kernel works out in some ten milliseconds
_AT_A_TIME = 1 << 16  # pairs that are moved between two looks at the budget

R = TypeVar("R")


def _looks(size: int) -> int:
    """How many looks a kernel may take in the thread that asks, each at so many answers or options at most: some ten
    milliseconds at most."""
    return _SHORT // (1 + size)


@dataclass(frozen=True, slots=True)
class Option:
    """What a guess does: whether it can hit, and the forms of its other cells."""

    guess: int
    hit: int
    cells: NDArray[np.int32]


class Forms:
    """All forms of one game met so far.

    `tables` are known from the start. Sets of more codes than `at_once`, by default the number of hints, are sketched,
    and their options listed when they are asked for. The states of a budget are sets looked into; a question for which
    it is spent raises `Stopped` with nothing, and what was found out is kept.
    """

    def __init__(
        self, rules: Rules, tables: Tables | None = None, at_once: int | None = None, budget: Budget = UNLIMITED
    ) -> None:
        self.game = game_of(rules, budget)
        self._at_once = self.game.hints if at_once is None else at_once
        guesses = len(self.game.codes)
        self.tables = small_tables(self.game) if tables is None else tables
        self._runner = Runner()
        self._room = self._new_room(4 * guesses + 64, 4 * guesses + 64)

    @property
    def nodes(self) -> int:
        """The sets looked into so far."""
        return self._runner.nodes

    @property
    def counts(self) -> tuple[int, int]:
        """How many sets were worked out, and how many forms they have."""
        return int(self.tables.used[SETS]), int(self.tables.used[FORMS])

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
        while self._run(partial(list_options, self.game, self.tables, self._room, form, end), budget, end)[1]:
            self.widen(budget)

    def cells(self, codes: NDArray[np.int32], guess: int) -> list[NDArray[np.int32]]:
        """The cells of a guess, in the order of hints, the win last; empty ones are kept."""
        answers = self.game.answers[guess, codes]
        return [codes[answers == hint] for hint in range(self.game.hints)]

    def _work_out(self, codes: NDArray[np.int32], budget: Budget, *, listing: bool) -> int:
        n = len(codes)
        while True:
            self._room.members[:n] = codes
            self._room.state[[LISTING, AT_ONCE]] = listing, self._at_once
            found, why = self._run(partial(form_of, self.game, self.tables, self._room, 0, 0, n, n, 0, 0), budget, n)
            if not why:
                return int(found)
            if why == OUT_OF_TABLES:
                self.widen(budget)
            elif why == OUT_OF_ROOM:
                self._widen_room()
            else:
                raise _too_deep(len(self._room.size))

    def _run(self, kernel: Callable[[], R], budget: Budget, size: int) -> tuple[R, int]:
        return self._runner.run(kernel, budget, _looks(size * BETWEEN))

    def widen(self, budget: Budget = UNLIMITED) -> None:
        """Make room for more sets and forms."""
        self.tables = widened(self.game, self.tables, replace(budget, states=None))

    def _widen_room(self) -> None:
        wider = self._new_room(2 * len(self._room.members), 2 * len(self._room.later))
        wider.state[:] = self._room.state
        self._room = wider

    def _new_room(self, members: int, options: int) -> RaceWorkspace:
        return new_room(self.game, members, options)._replace(shared=self._runner.words)


class Payoffs:
    """What pairs of forms are worth to the mover; worths are explained in `pairs`.

    `first` are the forms of the sets in which the first player seeks, `second` those of the second player: the same, or
    of another game, and then SUDDEN positions are told apart by who moves. A form is one of the mover's, `mine`, or of
    the `other` side's. The states of a budget are pairs looked into; a question for which it is spent raises `Stopped`
    with nothing, and what was found out is kept.
    """

    def __init__(self, first: Forms, second: Forms) -> None:
        self._first, self._second = first, second
        self._runner = Runner()
        self._pairs = self._new_pairs(1 << 12, 64)

    @property
    def nodes(self) -> int:
        """The pairs looked into so far, one that was stopped and asked again as often."""
        return self._runner.nodes

    @property
    def count(self) -> int:
        """How many pairs are known."""
        return int(self._pairs.state[PAIRS])

    def sides(self, kind: int) -> tuple[Forms, Forms]:
        """The forms of the mover and of the other side, in positions of a kind."""
        return (self._second, self._first) if kind in (CLOSING, SECOND) else (self._first, self._second)

    def known(self, kind: int, mine: int, other: int) -> tuple[int, int]:
        """(least, most) of a pair by what is known of it."""
        own, their = self.sides(kind)
        least, most = known(own.tables, their.tables, self._pairs, kind, mine, other)
        return int(least), int(most)

    def worth(self, kind: int, mine: int, other: int, budget: Budget = UNLIMITED) -> int:
        """The worth of a pair to the mover."""
        own, their = self.sides(kind)
        self._narrow(kind, mine, other, -1, 2 * own.size(mine) * their.size(other) + 1, budget)
        return self.known(kind, mine, other)[0]

    def attains(self, kind: int, option: Option, other: int, need: int, budget: Budget = UNLIMITED) -> bool:
        """Whether an option is worth at least so much against a form."""
        budget.check(self.nodes)
        low, high = self._bounds(kind, option, other)
        for cell in option.cells.tolist():
            if low >= need or high < need:
                break
            least, most = self.known(next_kind(kind), other, cell)
            if least < most:
                self._narrow(next_kind(kind), other, cell, most - (need - low), least + high - need + 1, budget)
                low, high = self._bounds(kind, option, other)
        return low >= need

    def _bounds(self, kind: int, option: Option, other: int) -> tuple[int, int]:
        """(least, most) that an option is worth against a form, by what is known."""
        own, their = self.sides(kind)
        low, high = bound_option(own.tables, their.tables, self._pairs, kind, option.hit, option.cells, other)
        return int(low), int(high)

    def _narrow(self, kind: int, mine: int, other: int, alpha: int, beta: int, budget: Budget) -> None:
        """Solve a pair as far as `solve_pair` does."""
        own, their = self.sides(kind)
        while True:
            options = max(int((side.tables.first[:, 1] - side.tables.first[:, 0]).max()) for side in (own, their))
            if options > self._pairs.option.shape[1]:
                self.widen(options=2 * options, budget=budget)
            window = Window(alpha, beta)
            ask = partial(solve_pair, own.tables, their.tables, self._pairs, 0, kind, mine, other, window, WITH_PASS)
            _, why = self._runner.run(ask, budget, _looks(16 * self._pairs.option.shape[1]))
            if not why:
                return
            if why == OUT_OF_ROOM:
                self.widen(budget=budget)
            elif why == OUT_OF_OPTIONS:
                state = self._pairs.state
                self.sides(int(state[KIND]))[0].list_options(int(state[WANTED]), budget)
            elif why == TOO_DEEP:
                raise _too_deep(len(self._pairs.option))
            else:
                raise AssertionError("a guess that tells nothing would pay: see race-public.md")

    def widen(self, options: int = 0, budget: Budget = UNLIMITED) -> None:
        """Make room for more pairs, or for forms of so many options."""
        old = self._pairs
        new = self._new_pairs(len(old.key) * (1 if options else 2), options or old.option.shape[1])
        for begin in range(0, len(old.key), _AT_A_TIME):
            budget.check(self.nodes)
            move_pairs(old, new, begin, min(begin + _AT_A_TIME, len(old.key)))
        new.state[:] = old.state
        self._pairs = new

    def _new_pairs(self, pairs: int, options: int) -> Pairs:
        return new_pairs(pairs, options)._replace(shared=self._runner.words)


def _too_deep(most: int) -> InputError:
    """The error for play that takes more guesses than there is room for, however much memory there is."""
    return InputError(
        N_("play may take more than {limit} guesses in a row, too many to solve this race: choose a smaller game"),
        limit=most,
    )


class Draws:
    """Counts draws under completed turns: of all pairs of secrets, how many both sides find in the same turn.

    In every position the first best option of the mover's form is played. A draw comes about in one way: an opening
    guess hits, and the closing guess that answers it, any candidate, hits as well: one of the other's codes.
    """

    def __init__(self, worths: Payoffs) -> None:
        self._worths, self._budget = worths, UNLIMITED
        self._known: dict[tuple[int, int, int], int] = {}

    def ask(self, budget: Budget) -> Draws:
        """The same, for a question with a budget of its own."""
        self._budget = budget
        return self

    def drawn(self, kind: int, mine: int, other: int) -> int:
        """How many pairs of secrets are drawn from a position on."""
        place = (kind, mine, other)
        if place not in self._known:
            own, _ = self._worths.sides(kind)
            perfect = mine <= own.tables.perfect
            self._known[place] = self._perfect(kind, mine, other) if perfect else self._played(kind, mine, other)
        return self._known[place]

    def _perfect(self, kind: int, codes: int, other: int) -> int:
        """A perfect form may hit, and if not leaves one code."""
        missed = codes - 1
        if kind == CLOSING:
            # The other side moves with one candidate of mine left: it draws if it hits at once, and loses if not.
            return missed
        return 1 + (missed * self._answered(other) if missed else 0)

    def _answered(self, other: int) -> int:
        """The draws with a closing guess of `other` against one code that is found with the guess after it."""
        their, _ = self._worths.sides(CLOSING)
        if other <= their.tables.perfect:
            return other - 1
        options = their.options_of(other, self._budget)
        return max((2 * option.hit + len(option.cells), len(option.cells)) for option in options)[1]

    def _played(self, kind: int, mine: int, other: int) -> int:
        need = self._worths.worth(kind, mine, other, self._budget)
        own, _ = self._worths.sides(kind)
        options = own.options_of(mine, self._budget)
        best = next(option for option in options if self._worths.attains(kind, option, other, need, self._budget))
        drawn = best.hit if kind == OPENING else 0
        return drawn + sum(self.drawn(next_kind(kind), other, cell) for cell in best.cells.tolist())


def new_pairs(pairs: int, options: int) -> Pairs:
    """Workspace for so many pairs (a power of two), and so many options of a form."""
    return allocated(Pairs, P=pairs, o=options)
