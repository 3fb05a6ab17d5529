"""Payoffs of positions, and counts of draws, computed on request and kept in tables.

- The *mover* of a position is the side to move.
- A *position*, in the kernels `pair`, consists of a kind and two candidate sets, each given by its canonical form
  (`forms`): the set of the mover, and that of the other side.
- The *kind* is SUDDEN, FIRST or SECOND if the first hit wins. FIRST and SECOND also say who is to move. It is
  OPENING or CLOSING if both players get the same number of guesses. The next guess then begins a round (OPENING, by the
  first player) or completes one (CLOSING, by the second player).
- The *payoff* of a position is its value to the mover, summed over all pairs of secrets: 2 for a win, and 1 for a draw.

This module calls the kernel `pairs`.
"""

from __future__ import annotations

from functools import partial

from yomikiri.common.budget import UNLIMITED, Budget
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
    OUT_OF_OPTIONS,
    OUT_OF_WORKSPACE,
    TOO_DEEP,
)
from yomikiri.hitblow.race.public.forms import Forms, GuessOption, poll_limit, too_deep
from yomikiri.machine.arrays import allocated
from yomikiri.machine.running import Runner

_AT_A_TIME = 1 << 16  # number of stored positions copied to a larger table between two checks of the budget


class Payoffs:
    """Table of the payoffs of positions to the mover, the side to move. A position has a candidate set for each side.

    A *payoff* is a sum over all pairs of secrets: 2 for a win of the mover, and 1 for a draw. `first` contains the
    candidate sets of the first player, and `second` those of the second player. They are the same object if both
    players look for secrets of the same game.

    In all methods, `mine` is the mover's candidate set, and `other` that of the opponent. Each set is given by the
    index of its canonical form: everything about the set that can affect the race. `kind` is one of these constants:

    - SUDDEN, FIRST, SECOND: the first hit wins. FIRST and SECOND also say who is to move.
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
            _, why = self._runner.run(solve, budget, poll_limit(16 * self._pairs.option.shape[1]))
            if not why:
                return
            if why == OUT_OF_WORKSPACE:
                self.widen(budget=budget)
            elif why == OUT_OF_OPTIONS:
                state = self._pairs.state
                self.sides(int(state[KIND]))[0].list_options(int(state[WANTED]), budget)
            elif why == TOO_DEEP:
                raise too_deep(len(self._pairs.option))
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


class Draws:
    """Counts of draws in a race with *equal turns*, in which the second player may complete the round.

    A count is the number of pairs of secrets for which both sides hit in the same round. A pair contains one secret of
    each player. If a side has several best guesses, it plays the first of them. The method `_answered` makes an
    exception: among the best guesses, the player chooses one with the most draws.

    A draw begins with a hit of the player who begins a round. For the player who completes the round, each of their
    candidates may be the secret, and the only guess left is right for exactly one of them. So each hit of a guess that
    begins a round makes exactly one pair of secrets a draw.
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

        - A makes a guess g, which completes a round. If it hits, A wins.
        - Otherwise B begins the next round with a hit.
        - A completes this round with a last guess in the cell of g that remains. It is right for one code of this cell,
          and then the race is drawn. So each cell of g without the cell of the hit gives one draw.

        The payoff of g is 2 if g can be the secret, plus 1 for each cell without the cell of the hit. A chooses a guess
        of greatest payoff. Of several guesses with this payoff, A chooses one with the most draws.
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
