"""The race when both sides see both boards: what any position is worth to the side to move, and its best guesses.

Both sides know what either may still find out: the hints are public, and nobody uses what their own secret tells them
about the other's guesses. So a position is a pair of sets of candidates, and which side is to move.
`public_value` is what a race is worth before its first guess.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from time import monotonic
from typing import TypeVar

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.hitblow.model.codes import Codes, all_guesses, all_secrets, decode, encode, without_symbols
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.race.kernels.pairs import (
    CLOSING,
    FIRST,
    OPENING,
    SECOND,
    SUDDEN,
    hit_worth,
    next_kind,
)
from yomikiri.hitblow.race.kernels.tables import Tables
from yomikiri.hitblow.race.public.payoffs import Draws, Forms, Payoffs
from yomikiri.hitblow.race.public.shipped_tables import STANDARD, alike, shipped, to_bytes
from yomikiri.hitblow.race.public.store import RaceStore
from yomikiri.hitblow.race.public.tables import game_of, small_tables
from yomikiri.hitblow.race.terms import Terms, Value, too_large

R = TypeVar("R")
_SECONDS_BETWEEN_SAVES = 10.0
_SHARE_OF_SAVES = 0.05  # of the time at most
MOST_GUESSES = 5040  # the hints between them take 25 MB


@dataclass(frozen=True, slots=True)
class RaceEffort:
    """What the work took: sets of candidates worked out, their forms, and pairs of forms looked into."""

    sets: int
    forms: int
    pairs: int


class PublicRace:
    """What positions of a match are worth when both sides see both boards and play their best.

    `rules` are those of the secret that the first player seeks, `second_rules` of the one that the second player seeks:
    the same unless they are given. Sets of candidates are rows of symbol indices, as `Knowledge.candidates` gives them:
    `mine` those of the secret that the side to move seeks, `theirs` those of the other's. Neither is empty. `closing`
    says that the second player is to move, whose guess closes the turn; where the rules are the same and the first hit
    wins, it makes no difference. By default the first hit wins; with `equal_turns` the second player still completes
    the turn, and is asked about only where the first has not hit in it.

    The states of the budget of a question are the sets and pairs of forms that it looks into; when it is spent, the
    question raises `Stopped` with nothing. What is found out is kept for the next one. The making of the tables raises
    `Stopped` as well when the time of its `budget` is over. Raises an `InputError` for rules under which more than
    MOST_GUESSES codes may be guessed. `from_nothing` leaves aside the
    forms of the standard game that come with the program (`shipped_tables`); what a `store`, a file, holds is known,
    and it is kept up to date and from other runs until `close`; an `InputError` says that it cannot be.
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
        self._games = [rules] if alike(rules, self.second_rules) else [rules, self.second_rules]
        for game in self._games:
            guesses = len(all_guesses(game))
            if guesses > MOST_GUESSES:
                raise too_large(guesses, MOST_GUESSES)
        for game in self._games:
            game_of(game, budget)
        self._store = RaceStore(store, *self._games) if store else None
        self._due = monotonic() + _SECONDS_BETWEEN_SAVES
        try:
            known = self._store.load() if self._store else [_known(game, from_nothing, budget) for game in self._games]
        except BaseException:
            self.close()
            raise
        self._forms = [Forms(game, tables) for game, tables in zip(self._games, known, strict=True)]
        self._worths = Payoffs(self._forms[0], self._forms[-1])

    def __enter__(self) -> PublicRace:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.save()
        finally:
            self.close()

    def close(self) -> None:
        """Let other runs use the store, if there is one."""
        if self._store:
            self._store.close()

    @property
    def effort(self) -> RaceEffort:
        """All work done so far."""
        sets, forms = (sum(counts) for counts in zip(*(forms.counts for forms in self._forms), strict=True))
        return RaceEffort(sets, forms, self._worths.count)

    def win(self, mine: Codes, theirs: Codes, *, closing: bool = False, budget: Budget = UNLIMITED) -> Fraction:
        """The chance of the side to move to win; a draw counts one half."""
        worth = self._asked(lambda own: self._worths.worth(*self._position(mine, theirs, closing, own), own), budget)
        return self._share(worth, mine, theirs)

    def chance(
        self, guess: str, mine: Codes, theirs: Codes, *, closing: bool = False, budget: Budget = UNLIMITED
    ) -> Fraction:
        """The chance of the side to move to win if it makes this guess now and both sides play their best after it.

        A guess that tells nothing and cannot hit hands the move over.
        """
        return self._asked(lambda own: self._chance(guess, mine, theirs, closing, own), budget)

    def _chance(self, guess: str, mine: Codes, theirs: Codes, closing: bool, budget: Budget) -> Fraction:
        kind = self._kind(closing)
        own, their = self._worths.sides(kind)
        other = their.form(their.numbers(theirs), budget)
        number = int(own.numbers(encode(self._sought(closing), guess)[None, :])[0])
        *cells, found = own.cells(own.numbers(mine), number)
        total = len(found) * hit_worth(kind, len(theirs))
        for cell in cells:
            if len(cell):
                rest = self._worths.worth(next_kind(kind), other, own.form(cell, budget), budget)
                total += 2 * len(theirs) * len(cell) - rest
        return self._share(total, mine, theirs)

    def moves(
        self, mine: Codes, theirs: Codes, *, closing: bool = False, budget: Budget = UNLIMITED
    ) -> tuple[str, ...]:
        """The guesses that win most often, those that can hit first, then in code order.

        Guesses that are seen to do the same as a lower one are left out, and so are those that another dominates.
        """
        return self._asked(lambda own: self._moves(mine, theirs, closing, own), budget)

    def _moves(self, mine: Codes, theirs: Codes, closing: bool, budget: Budget) -> tuple[str, ...]:
        kind, form, other = self._position(mine, theirs, closing, budget)
        best = self._worths.worth(kind, form, other, budget)
        rules = self._sought(closing)
        if len(mine) == 1:
            return (decode(rules, mine[0]),)
        own, _ = self._worths.sides(kind)
        options = [
            option
            for option in own.options(own.numbers(mine), budget)
            if self._worths.attains(kind, option, other, best, budget)
        ]
        options.sort(key=lambda option: (-option.hit, option.guess))
        return tuple(decode(rules, own.game.codes[option.guess]) for option in options)

    def draw(self, mine: Codes, theirs: Codes, *, closing: bool = False, budget: Budget = UNLIMITED) -> Fraction:
        """The chance of a draw when both sides make the moves of this program; 0 unless turns are completed.

        Of guesses that win equally often some draw more often than others, so this is not the only answer.
        """
        if not self.equal_turns:
            return Fraction(0)
        draws = Draws(self._worths)
        drawn = self._asked(lambda own: draws.ask(own).drawn(*self._position(mine, theirs, closing, own)), budget)
        return Fraction(drawn, len(mine) * len(theirs))

    def _kind(self, closing: bool) -> int:
        if self.equal_turns:
            return CLOSING if closing else OPENING
        if len(self._games) == 1:
            return SUDDEN
        return SECOND if closing else FIRST

    def _position(self, mine: Codes, theirs: Codes, closing: bool, budget: Budget) -> tuple[int, int, int]:
        """The kind of a position and the forms of both sides, the mover's first."""
        kind = self._kind(closing)
        own, their = self._worths.sides(kind)
        return kind, own.form(own.numbers(mine), budget), their.form(their.numbers(theirs), budget)

    def _sought(self, closing: bool) -> Rules:
        """The rules of the secret that the side to move seeks."""
        return self.second_rules if closing else self.rules

    def _share(self, worth: int, mine: Codes, theirs: Codes) -> Fraction:
        return Fraction(worth, 2 * len(mine) * len(theirs))

    def save(self) -> None:
        """Keep all work so far in the store, if there is one."""
        begun = monotonic()
        if self._store:
            self._store.save([forms.tables for forms in self._forms])
        now = monotonic()
        self._due = now + max(_SECONDS_BETWEEN_SAVES, (now - begun) / _SHARE_OF_SAVES)

    def _asked(self, ask: Callable[[Budget], R], budget: Budget) -> R:
        """The answer to a question, which is asked again when it was stopped for the store to be kept up to date.

        Nothing is saved while a kernel writes into the tables.
        """
        begun, before = monotonic(), self._looked_into

        def whole() -> Progress:
            return Progress(states=self._looked_into - before, seconds=monotonic() - begun)

        def due() -> bool:
            return self._store is not None and monotonic() > self._due

        own = budget.part(whole)
        while True:
            try:
                return ask(replace(own, cancelled=lambda: budget.cancelled() or due()))
            except Stopped:
                if own.spent() or not due():
                    raise
                self.save()

    @property
    def _looked_into(self) -> int:
        return self._worths.nodes + sum(forms.nodes for forms in self._forms)


def _known(rules: Rules, from_nothing: bool, budget: Budget) -> Tables:
    """What is known of a game from the start, where no store says more."""
    game = game_of(rules)
    served = alike(rules, STANDARD) and not from_nothing
    return shipped(game, budget) if served else small_tables(game)


def shipped_forms() -> bytes:
    """The file of forms that comes with the program (`shipped_tables`), worked out from scratch."""
    codes = all_secrets(STANDARD)
    forms = Forms(STANDARD, at_once=len(codes))
    for told in (codes, without_symbols(codes, [0])):
        forms.form(forms.numbers(told))
    return to_bytes(forms.tables)


@dataclass(frozen=True, slots=True)
class PublicValue(Value):
    """The value with the work it took; the bounds are equal unless the work was stopped."""

    effort: RaceEffort


def public_value(terms: Terms, *, budget: Budget = UNLIMITED, store: Path | None = None) -> PublicValue:
    """The value of a race, exact and computed from scratch.

    With a `store`, a file, the work is kept, and goes on from what is in it; raises an `InputError`. The states of the
    budget are those of `PublicRace`. When it is spent, raises `Stopped`, and `best` is a PublicValue of bounds.
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
        lower, upper = at_a_glance(len(mine), len(theirs), terms.equal_turns)
        raise Stopped(PublicValue(lower, upper, None, effort)) from None
    return PublicValue(value, value, draw, effort)


def at_a_glance(mine: int, theirs: int, equal_turns: bool) -> tuple[Fraction, Fraction]:
    """Bounds from the numbers of candidates alone: either side can hit one of its own at once."""
    hit, answer = Fraction(1, mine), Fraction(1, theirs)
    lower = hit * (1 - answer / 2) if equal_turns else hit
    return lower, lower + (1 - hit) * (1 - answer)
