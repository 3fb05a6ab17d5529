"""Canonical forms of candidate sets, payoffs of positions, and counts of draws, computed on request and kept in tables.

- The *canonical form* of a candidate set is everything about the set that can affect the race. Variables and methods
  call it `form`. Sets with equal canonical forms are interchangeable in the race.
- An *option* is the effect of a guess at a set: whether the guess can be the secret, and the canonical forms of its
  cells without the cell of the hit.
- A set is *separable* if one of its codes, guessed first, separates all others.
- The *mover* of a position is the side to move.
- A *position*, in the kernels `pair`, consists of a kind and two candidate sets, each given by its canonical form: the
  set of the mover, and that of the other side.
- The *kind* is SUDDEN, FIRST or SECOND if the first hit wins. FIRST and SECOND also give the player to move. It is
  OPENING or CLOSING if both players get the same number of guesses. The next guess then begins a round (OPENING, by the
  first player) or completes one (CLOSING, by the second player).
- The *payoff* of a position is its value to the mover, summed over all pairs of secrets: 2 for a win, and 1 for a draw.

This module calls the kernels `forms` and `pairs`.
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
    PairPosition,
    PairTable,
    Window,
    bound_option,
    known_bounds,
    move_pairs,
    next_kind,
    solve_pair,
)
from yomikiri.hitblow.race.kernels.tables import (
    BETWEEN,
    EXPAND_LIMIT,
    FORMS,
    LISTING,
    OUT_OF_OPTIONS,
    OUT_OF_TABLES,
    OUT_OF_WORKSPACE,
    SETS,
    TOO_DEEP,
    Frame,
    RaceTables,
    RaceWorkspace,
)
from yomikiri.hitblow.race.public.tables import game_of, new_workspace, small_tables, widened
from yomikiri.machine.arrays import allocated
from yomikiri.machine.running import Runner

_SHORT = 1 << 22  # number of comparisons of a guess with a code that a kernel makes in about ten milliseconds
_AT_A_TIME = 1 << 16  # number of stored positions copied to a larger table between two checks of the budget

R = TypeVar("R")


def _poll_limit(size: int) -> int:
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
                raise _too_deep(len(self._work.size))

    def _run(self, kernel: Callable[[], R], budget: Budget, size: int) -> tuple[R, int]:
        return self._runner.run(kernel, budget, _poll_limit(size * BETWEEN))

    def widen(self, budget: Budget = UNLIMITED) -> None:
        """Replace the tables of candidate sets by larger ones with the same contents, to get free space."""
        self.tables = widened(self.game, self.tables, replace(budget, states=None))

    def _widen_workspace(self) -> None:
        wider = self._new_workspace(2 * len(self._work.members), 2 * len(self._work.later))
        wider.state[:] = self._work.state
        self._work = wider

    def _new_workspace(self, members: int, options: int) -> RaceWorkspace:
        return new_workspace(self.game, members, options)._replace(shared=self._runner.words)


class Payoffs:
    """Table of the payoffs of positions to the mover, the side to move. A position has a candidate set for each side.

    A *payoff* is a sum over all pairs of secrets: 2 for a win of the mover, and 1 for a draw. `first` contains the
    candidate sets of the first player, and `second` those of the second player. They are the same object if both
    players look for secrets of the same game.

    In all methods, `mine` is the mover's candidate set, and `other` that of the opponent. Each set is given by the
    index of its canonical form: everything about the set that can affect the race. `kind` is one of these constants:

    - SUDDEN, FIRST, SECOND: the first hit wins. FIRST and SECOND also give the player to move.
    - OPENING, CLOSING: both players get the same number of guesses. The next guess begins (OPENING) or completes
      (CLOSING) a round.

    If the budget limits the number of states, each visit to a position counts as one state. When the budget is
    exhausted, methods raise `Stopped` without a result; intermediate results are kept.
    """

    def __init__(self, first: Forms, second: Forms) -> None:
        self._first, self._second = first, second
        self._runner = Runner()
        self._pairs = self._new_pairs(1 << 12, 64)

    @property
    def nodes(self) -> int:
        """The number of visits to positions so far, including repeated visits."""
        return self._runner.nodes

    @property
    def count(self) -> int:
        """The number of positions in the table. Each has bounds of its payoff, which may be equal."""
        return int(self._pairs.state[PAIRS])

    def sides(self, kind: int) -> tuple[Forms, Forms]:
        """Return two tables of candidate sets: that of the side to move, and that of the opponent.

        `kind` is the kind of the position:

        - CLOSING, SECOND: the second player is to move.
        - OPENING, FIRST: the first player is to move.
        - SUDDEN: either player may be to move. Both look for secrets of the same game, so both tables are the same
          object.
        """
        return (self._second, self._first) if kind in (CLOSING, SECOND) else (self._first, self._second)

    def known(self, kind: int, mine: int, other: int) -> tuple[int, int]:
        """Return the best known bounds (least, most) of the payoff of a position to the mover: the side to move.

        `mine` is the candidate set of the mover, and `other` that of the opponent. Both are indices of canonical forms
        (everything about a set that can affect the race). `kind` is the kind of the position, such as SUDDEN (see the
        class).
        """
        own, their = self.sides(kind)
        least, most = known_bounds(own.tables, their.tables, self._pairs, kind, mine, other)
        return int(least), int(most)

    def payoff(self, kind: int, mine: int, other: int, budget: Budget = UNLIMITED) -> int:
        """Return the exact payoff of a position to the mover, which is the side to move.

        `mine` is the candidate set of the mover, and `other` that of the opponent. Both are indices of canonical forms
        (everything about a set that can affect the race). `kind` is the kind of the position, such as SUDDEN (see the
        class).
        """
        own, their = self.sides(kind)
        self._narrow(kind, mine, other, -1, 2 * own.size(mine) * their.size(other) + 1, budget)
        return self.known(kind, mine, other)[0]

    def attains(self, kind: int, option: GuessOption, other: int, need: int, budget: Budget = UNLIMITED) -> bool:
        """Return True if a guess of the side to move has a payoff of at least `need` under best play.

        `kind` is the kind of the position before the guess, such as SUDDEN (see the class). `other` is the candidate
        set of the opponent, as the index of its canonical form (everything about the set that can affect the race).
        """
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

    def _bounds(self, kind: int, option: GuessOption, other: int) -> tuple[int, int]:
        """Return the best known bounds (least, most) of the payoff of a guess of the side to move.

        `kind` is the kind of the position before the guess, such as SUDDEN (see the class). `other` is the candidate
        set of the opponent, as the index of its canonical form (everything about the set that can affect the race).
        """
        own, their = self.sides(kind)
        low, high = bound_option(own.tables, their.tables, self._pairs, kind, option.hit, option.cells, other)
        return int(low), int(high)

    def _narrow(self, kind: int, mine: int, other: int, alpha: int, beta: int, budget: Budget) -> None:
        """Search a position until its payoff is proven to be at least beta, at most alpha, or exact.

        `kind`, `mine` and `other` give the position (see the class). The proven bounds are stored in the table of
        positions, from which `known` returns them.
        """
        own, their = self.sides(kind)
        while True:
            options = max(int((side.tables.first[:, 1] - side.tables.first[:, 0]).max()) for side in (own, their))
            if options > self._pairs.option.shape[1]:
                self.widen(options=2 * options, budget=budget)
            window = Window(alpha, beta)
            position = PairPosition(kind, mine, other)
            solve = partial(solve_pair, own.tables, their.tables, self._pairs, 0, position, window, WITH_PASS)
            _, why = self._runner.run(solve, budget, _poll_limit(16 * self._pairs.option.shape[1]))
            if not why:
                return
            if why == OUT_OF_WORKSPACE:
                self.widen(budget=budget)
            elif why == OUT_OF_OPTIONS:
                state = self._pairs.state
                self.sides(int(state[KIND]))[0].list_options(int(state[WANTED]), budget)
            elif why == TOO_DEEP:
                raise _too_deep(len(self._pairs.option))
            else:
                raise AssertionError("a guess that does not divide the set would pay: see race-public.md")

    def widen(self, options: int = 0, budget: Budget = UNLIMITED) -> None:
        """Enlarge the table of positions, or the workspace for the guesses on the search path.

        By default, the table of positions becomes twice as large. If `options` is given, the table keeps its size.
        `options` is then the new limit on the number of guesses at one candidate set.
        """
        old = self._pairs
        new = self._new_pairs(len(old.key) * (1 if options else 2), options or old.option.shape[1])
        for begin in range(0, len(old.key), _AT_A_TIME):
            budget.check(self.nodes)
            move_pairs(old, new, begin, min(begin + _AT_A_TIME, len(old.key)))
        new.state[:] = old.state
        self._pairs = new

    def _new_pairs(self, pairs: int, options: int) -> PairTable:
        return new_pairs(pairs, options)._replace(shared=self._runner.words)


def _too_deep(most: int) -> InputError:
    """Return the error for a race that can last more guesses than the workspace of the search allows."""
    return InputError(
        N_("this race can last more than {limit} guesses, too many to solve: choose a smaller game"),
        limit=most,
    )


class Draws:
    """Counts of draws in a race with *equal turns*, in which the second player may complete the round.

    A count is the number of pairs of secrets for which both sides hit in the same round. A pair contains one secret of
    each player. If a side has several best guesses, it plays the first of them. The method `_answered` makes an
    exception: among the best guesses, the player chooses one with the most draws.

    A draw begins with a hit of the player who begins a round. The player who completes the round then has one guess
    left, and guesses any of their candidates. This guess is right for exactly one of these candidates. So each hit of a
    guess that begins a round makes exactly one pair of secrets a draw.
    """

    def __init__(self, payoffs: Payoffs) -> None:
        self._payoffs, self._budget = payoffs, UNLIMITED
        self._known: dict[tuple[int, int, int], int] = {}

    def with_budget(self, budget: Budget) -> Draws:
        """Set the budget of the next count of draws, and return this object, so that calls can be chained."""
        self._budget = budget
        return self

    def drawn(self, kind: int, mine: int, other: int) -> int:
        """Return the number of draws from a position on: pairs of secrets for which both sides hit in the same round.

        `kind` is OPENING if the next guess begins a round, and CLOSING if it completes one. `mine` is the candidate set
        of the side to move, and `other` that of the opponent. Both are indices of canonical forms (everything about a
        set that can affect the race).
        """
        place = (kind, mine, other)
        if place not in self._known:
            own, _ = self._payoffs.sides(kind)
            separable = mine <= own.tables.max_separable
            self._known[place] = self._separable(kind, mine, other) if separable else self._played(kind, mine, other)
        return self._known[place]

    def _separable(self, kind: int, codes: int, other: int) -> int:
        """Return the number of draws from a position on, if the candidate set of the side to move is separable.

        A draw is a pair of secrets for which both sides hit in the same round. The mover, which is the side to move,
        has `codes` candidates, and guesses one that separates all the others. So the mover hits with this guess or the
        next one. `other` is the candidate set of the opponent, as the index of its canonical form (everything about the
        set that can affect the race). `kind` is OPENING if the mover's guess begins a round, and CLOSING if it
        completes one.
        """
        missed = codes - 1
        if kind == CLOSING:
            # The mover's guess misses all candidates but one. For each of these `missed` codes, the opponent begins the
            # next round, and the mover completes it with a hit. The opponent's guess there is right for one of the
            # opponent's candidates. So there is one draw for each missed code.
            return missed
        return 1 + (missed * self._answered(other) if missed else 0)

    def _answered(self, other: int) -> int:
        """Return the number of draws if player A completes a round, and player B is certain to hit in the next round.

        A draw is a pair of secrets for which both players hit in the same round. `other` is the candidate set of A, as
        the index of its canonical form. B has a single candidate left. The order of the guesses is as follows:

        - A guesses, and completes a round. If this guess hits, A wins.
        - B begins the next round with a hit.
        - A completes this round with a last guess, which is right for one code of each cell of A's first guess.
          This hit is a draw.

        The payoff of A's first guess is 2 if the guess can be the secret, plus 1 for each cell without the cell of the
        hit. A chooses a guess of greatest payoff. Of several guesses with this payoff, A chooses one with the most
        draws.
        """
        their, _ = self._payoffs.sides(CLOSING)
        if other <= their.tables.max_separable:
            return other - 1
        options = their.options_of(other, self._budget)
        return max((2 * option.hit + len(option.cells), len(option.cells)) for option in options)[1]

    def _played(self, kind: int, mine: int, other: int) -> int:
        need = self._payoffs.payoff(kind, mine, other, self._budget)
        own, _ = self._payoffs.sides(kind)
        options = own.options_of(mine, self._budget)
        best = next(option for option in options if self._payoffs.attains(kind, option, other, need, self._budget))
        drawn = best.hit if kind == OPENING else 0
        return drawn + sum(self.drawn(next_kind(kind), other, cell) for cell in best.cells.tolist())


def new_pairs(pairs: int, options: int) -> PairTable:
    """Allocate a table for `pairs` positions (a power of two), and a workspace for `options` guesses per set."""
    return allocated(PairTable, P=pairs, o=options)
