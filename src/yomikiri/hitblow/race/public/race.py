"""The race in which both sides see both boards: the value of any position to the side to move, and its best guesses.

Both sides see all answers, and neither player uses their own secret to interpret the other's guesses. So a position
consists of the side to move and one candidate set for each side. `public_value` returns the value of a race before its
first guess. The *canonical form* of a candidate set is everything about it that can affect the race. Variables and
functions call it `form`. The *payoff* of a position is its value to the side to move: two for each pair of secrets for
which this side wins, and one for each draw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.hitblow.model.codes import Codes, all_guesses, all_secrets, decode, encode, without_symbols
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.race.kernels.pairs import (
    CLOSING,
    FIRST,
    OPENING,
    SECOND,
    SUDDEN,
    hit_payoff,
    next_kind,
)
from yomikiri.hitblow.race.kernels.tables import RaceTables
from yomikiri.hitblow.race.public.forms import Forms
from yomikiri.hitblow.race.public.payoffs import Draws, Payoffs
from yomikiri.hitblow.race.public.shipped_tables import STANDARD, is_same_game, shipped, to_bytes
from yomikiri.hitblow.race.public.tables import game_of, small_tables
from yomikiri.hitblow.race.terms import Terms, Value, too_large

if TYPE_CHECKING:
    from yomikiri.hitblow.race.public.store import RaceStore

R = TypeVar("R")
_SECONDS_BETWEEN_SAVES = 10.0
_SHARE_OF_SAVES = 0.05  # limit on the fraction of the time that is spent on saving results to a store
# limit on the number of possible guesses in a game, so that an array with one byte per code and guess takes about 25 MB
MOST_GUESSES = 5040


@dataclass(frozen=True, slots=True)
class RaceEffort:
    """The effort of a computation, as three counts.

    - `sets`: stored candidate sets.
    - `forms`: their canonical forms. The *canonical form* of a set is everything about it that can affect the race, so
      several sets may share one form.
    - `pairs`: stored positions.
    """

    sets: int
    forms: int
    pairs: int


class PublicRace:
    """Values of match positions in which both sides see both boards and play perfectly.

    `rules` are the rules of the secret that the first player looks for, and `second_rules` those of the secret that the
    second player looks for (default: the same). By default, the first hit wins. With `equal_turns`, the second player
    may still complete the round, and two hits in one round are a draw.

    The methods take two candidate sets: `mine` of the side to move, and `theirs` of the opponent. Each set is an array
    with one row of symbol indices per code, as in `Knowledge.candidates`, and is not empty. `closing` is True if the
    second player is to move, so that the next guess completes a round. With `equal_turns`, this means that the first
    player's guess in this round was wrong. `closing` has no effect if both rules are the same and the first hit wins.

    If the budget of a request limits the number of states, each visited candidate set and position counts as one. When
    the budget is exhausted, methods raise `Stopped` without a result; intermediate results are kept. The constructor
    raises `Stopped` if the time of `budget` is over, and an `InputError` for rules with more than MOST_GUESSES guesses.

    If `store` is given, it is a file: its contents are loaded, new results are saved to it, and other processes cannot
    use it until `close` is called. The constructor raises an `InputError` if the file cannot be used. Without a store,
    the shipped tables of the standard game are used (`shipped_tables`), unless `from_nothing` is True.
    """

    def __init__(
        self,
        rules: Rules,
        second_rules: Rules | None = None,
        *,
        equal_turns: bool = False,
        from_nothing: bool = False,
        store: Path | None = None,
        budget: Budget = UNLIMITED,
    ) -> None:
        self.rules, self.second_rules = rules, second_rules or rules
        self.equal_turns = equal_turns
        self._games = [rules] if is_same_game(rules, self.second_rules) else [rules, self.second_rules]
        for game in self._games:
            guesses = len(all_guesses(game))
            if guesses > MOST_GUESSES:
                raise too_large(guesses, MOST_GUESSES)
        for game in self._games:
            game_of(game, budget)
        self._store = _open_store(store, self._games) if store else None
        self._due = monotonic() + _SECONDS_BETWEEN_SAVES
        try:
            known = self._store.load() if self._store else [_known(game, from_nothing, budget) for game in self._games]
        except BaseException:
            self.close()
            raise
        self._forms = [Forms(game, tables) for game, tables in zip(self._games, known, strict=True)]
        self._payoffs = Payoffs(self._forms[0], self._forms[-1])

    def __enter__(self) -> PublicRace:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.save()
        finally:
            self.close()

    def close(self) -> None:
        """Close the file of the store, if there is one, so that other processes can use it."""
        if self._store:
            self._store.close()

    @property
    def effort(self) -> RaceEffort:
        """The effort of all computations of this object so far.

        It includes the results from shipped tables or a store.
        """
        sets, forms = (sum(counts) for counts in zip(*(forms.counts for forms in self._forms), strict=True))
        return RaceEffort(sets, forms, self._payoffs.count)

    def win(self, mine: Codes, theirs: Codes, *, closing: bool = False, budget: Budget = UNLIMITED) -> Fraction:
        """Return the chance of winning of the side to move, with a draw counted one half.

        `mine` and `theirs` are the candidates of the side to move and of the opponent. `closing` is True if the second
        player is to move, so that the next guess completes a round.
        """
        payoff = self._with_saves(
            lambda own: self._payoffs.payoff(*self._position(mine, theirs, closing, own), own), budget
        )
        return self._share(payoff, mine, theirs)

    def chance(
        self, guess: str, mine: Codes, theirs: Codes, *, closing: bool = False, budget: Budget = UNLIMITED
    ) -> Fraction:
        """Return the chance of winning of the side to move after the guess `guess`, with best play afterwards.

        A draw counts one half. A guess that cannot hit and does not divide the candidates passes the move. `mine` and
        `theirs` are the candidates of the side to move and of the opponent. `closing` is True if the second player is
        to move, so that the next guess completes a round.
        """
        return self._with_saves(lambda own: self._chance(guess, mine, theirs, closing, own), budget)

    def _chance(self, guess: str, mine: Codes, theirs: Codes, closing: bool, budget: Budget) -> Fraction:
        kind = self._kind(closing)
        own, their = self._payoffs.sides(kind)
        other = their.form(their.numbers(theirs), budget)
        number = int(own.numbers(encode(self._sought(closing), guess)[None, :])[0])
        *cells, found = own.cells(own.numbers(mine), number)
        total = len(found) * hit_payoff(kind, len(theirs))
        for cell in cells:
            if len(cell):
                rest = self._payoffs.payoff(next_kind(kind), other, own.form(cell, budget), budget)
                total += 2 * len(theirs) * len(cell) - rest
        return self._share(total, mine, theirs)

    def moves(
        self, mine: Codes, theirs: Codes, *, closing: bool = False, budget: Budget = UNLIMITED
    ) -> tuple[str, ...]:
        """Return guesses with the greatest chance of winning for the side to move, with a draw counted one half.

        `mine` and `theirs` are the candidates of the side to move and of the opponent. `closing` is True if the second
        player is to move, so that the next guess completes a round.

        Both sides play perfectly afterwards. Possible secrets come first, in code order, then the other guesses, in
        code order. The result contains at least one guess, but some best guesses may be missing:

        - Of guesses with the same effect, only the first in code order is returned. The *effect* of a guess is
          whether it can be the secret, and the canonical forms of its cells (everything about a cell that can
          affect the race).
        - A guess is left out if the search has found that another guess is at least as good in every race.
        - A guess without information is left out.
        - If only one candidate is left, only this code is returned.
        """
        return self._with_saves(lambda own: self._moves(mine, theirs, closing, own), budget)

    def _moves(self, mine: Codes, theirs: Codes, closing: bool, budget: Budget) -> tuple[str, ...]:
        kind, form, other = self._position(mine, theirs, closing, budget)
        best = self._payoffs.payoff(kind, form, other, budget)
        rules = self._sought(closing)
        if len(mine) == 1:
            return (decode(rules, mine[0]),)
        own, _ = self._payoffs.sides(kind)
        options = [
            option
            for option in own.options(own.numbers(mine), budget)
            if self._payoffs.attains(kind, option, other, best, budget)
        ]
        options.sort(key=lambda option: (-option.hit, option.guess))
        return tuple(decode(rules, own.game.codes[option.guess]) for option in options)

    def draw(self, mine: Codes, theirs: Codes, *, closing: bool = False, budget: Budget = UNLIMITED) -> Fraction:
        """Return the chance of a draw if both sides play the guesses that this program selects.

        `mine` and `theirs` are the candidates of the side to move and of the opponent. `closing` is True if the second
        player is to move, so that the next guess completes a round.

        A draw is only possible if the second player may complete the round (`equal_turns`). Otherwise the result is 0.
        Guesses that win equally often may lead to different chances of a draw, so another selection may give another
        result.
        """
        if not self.equal_turns:
            return Fraction(0)
        draws = Draws(self._payoffs)
        drawn = self._with_saves(
            lambda own: draws.with_budget(own).drawn(*self._position(mine, theirs, closing, own)), budget
        )
        return Fraction(drawn, len(mine) * len(theirs))

    def _kind(self, closing: bool) -> int:
        if self.equal_turns:
            return CLOSING if closing else OPENING
        if len(self._games) == 1:
            return SUDDEN
        return SECOND if closing else FIRST

    def _position(self, mine: Codes, theirs: Codes, closing: bool, budget: Budget) -> tuple[int, int, int]:
        """Return a position as the search of payoffs uses it: (kind, set of the mover, set of the opponent).

        The mover is the side to move. Each set is given by the index of its canonical form (everything about the set
        that can affect the race). `closing` is True if the second player is to move. The kind is one of these:

        - SUDDEN, FIRST, SECOND: the first hit wins. FIRST and SECOND also say who is to move.
        - OPENING, CLOSING: both players get the same number of guesses. The next guess begins (OPENING) or completes
          (CLOSING) a round.
        """
        kind = self._kind(closing)
        own, their = self._payoffs.sides(kind)
        return kind, own.form(own.numbers(mine), budget), their.form(their.numbers(theirs), budget)

    def _sought(self, closing: bool) -> Rules:
        """Return the rules of the secret that the side to move looks for.

        The second player is to move if `closing` is True, otherwise the first player.
        """
        return self.second_rules if closing else self.rules

    def _share(self, payoff: int, mine: Codes, theirs: Codes) -> Fraction:
        return Fraction(payoff, 2 * len(mine) * len(theirs))

    def save(self) -> None:
        """Save all new results to the file of the store, if there is one."""
        begun = monotonic()
        if self._store:
            self._store.save([forms.tables for forms in self._forms])
        now = monotonic()
        self._due = now + max(_SECONDS_BETWEEN_SAVES, (now - begun) / _SHARE_OF_SAVES)

    def _with_saves(self, compute: Callable[[Budget], R], budget: Budget) -> R:
        """Return the result of `compute` for a budget. Save new results to the file now and then.

        `compute` is interrupted for each save, because it changes the tables that are to be saved. After the save, it
        is called again. The new call continues from the intermediate results of the interrupted call, which are in the
        tables.
        """
        begun, before = monotonic(), self._state_count

        def whole() -> Progress:
            return Progress(states=self._state_count - before, seconds=monotonic() - begun)

        def due() -> bool:
            return self._store is not None and monotonic() > self._due

        own = budget.part(whole)
        while True:
            try:
                return compute(replace(own, cancelled=lambda: budget.cancelled() or due()))
            except Stopped:
                if own.spent() or not due():
                    raise
                self.save()

    @property
    def _state_count(self) -> int:
        return self._payoffs.nodes + sum(forms.nodes for forms in self._forms)


def _open_store(path: Path, games: Sequence[Rules]) -> RaceStore:
    # Import the store only when it is used: it needs SQLite, which Python in a browser lacks. Web pages use no store.
    from yomikiri.hitblow.race.public.store import RaceStore

    return RaceStore(path, *games)


def _known(rules: Rules, from_nothing: bool, budget: Budget) -> RaceTables:
    """Return the tables with which the computation for a game begins if there is no store.

    For the standard game these are the shipped tables, unless `from_nothing` is True. In all other cases the tables
    contain only separable sets: one code of the candidate set, guessed first, separates all others.
    """
    game = game_of(rules)
    served = is_same_game(rules, STANDARD) and not from_nothing
    return shipped(game, budget) if served else small_tables(game)


def shipped_forms() -> bytes:
    """Compute from scratch the contents of the file that contains the shipped tables.

    The tables describe the candidate sets of the standard game (3 digits of 10 symbols), and the guesses at them.
    """
    codes = all_secrets(STANDARD)
    forms = Forms(STANDARD, expand_limit=len(codes))
    for candidates in (codes, without_symbols(codes, [0])):
        forms.form(forms.numbers(candidates))
    return to_bytes(forms.tables)


@dataclass(frozen=True, slots=True)
class PublicValue(Value):
    """The value of a public race as bounds, and the effort spent. The bounds differ only after an early stop."""

    effort: RaceEffort


def public_value(terms: Terms, *, budget: Budget = UNLIMITED, store: Path | None = None) -> PublicValue:
    """Return the exact value of a public race, in which both players see all guesses and answers.

    The computation does not use the shipped tables, the results for the standard game that come with the program.
    `store` is a file from which results are loaded and to which new results are saved. Raises an `InputError` if the
    file cannot be used or the race is too large. If the budget limits the number of states, each visited candidate set
    and position counts as one. When the budget is exhausted, raises `Stopped` whose `best` is a PublicValue with
    bounds.
    """
    mine, theirs = terms.first.candidates, terms.second.candidates
    sides, effort = (terms.first.rules, terms.second.rules), RaceEffort(0, 0, 0)
    try:
        with PublicRace(*sides, equal_turns=terms.equal_turns, from_nothing=True, store=store, budget=budget) as race:
            try:
                value = race.win(mine, theirs, budget=budget)
                draw = race.draw(mine, theirs, budget=budget)
            finally:
                effort = race.effort
    except Stopped:
        lower, upper = quick_bounds(len(mine), len(theirs), terms.equal_turns)
        raise Stopped(PublicValue(lower, upper, None, effort)) from None
    return PublicValue(value, value, draw, effort)


def quick_bounds(mine: int, theirs: int, equal_turns: bool) -> tuple[Fraction, Fraction]:
    """Return quick bounds of the value of a race, computed from how many candidates each side has.

    The value is the first player's chance of winning, with a draw counted one half. A side with n candidates can hit
    with its first guess with probability 1 / n.

    - Lower bound: the first player gets only the cases in which their first guess hits. With `equal_turns`, the second
      player may complete the round, so some of these cases are draws.
    - Upper bound: the first player also gets all other cases, except those in which the second player's first guess
      hits.
    """
    hit, answer = Fraction(1, mine), Fraction(1, theirs)
    lower = hit * (1 - answer / 2) if equal_turns else hit
    return lower, lower + (1 - hit) * (1 - answer)
