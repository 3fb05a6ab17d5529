"""Play that is proven best: the guess of least total over all candidates, with the exact figures of others beside it.

Where it cannot prove a guess it plays as another policy does and says why: the kernels are not compiled yet, the space
is too large to search at all, or the time it may take is spent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import perm
from time import monotonic
from typing import TYPE_CHECKING

from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies.base import Choice, Outlook, Policy, Unproven, require_candidates
from yomikiri.hitblow.policies.onestep import OneStep
from yomikiri.hitblow.rules import Repeats, Rules

if TYPE_CHECKING:
    from yomikiri.hitblow.search.engine import Engine
    from yomikiri.hitblow.search.pieces import Piece

SECONDS = 10.0
ALTERNATIVES = 4
MOST_GUESSES = 1 << 18  # in larger spaces the tables of the search alone take too long
_MEMORY = 1 << 26  # bytes of memo


class _OutOfTime(Exception):
    """The time that a search may take is spent."""


@dataclass(frozen=True, slots=True)
class Exact(Policy):
    """The proven guess, found within so many seconds; else the choice of `beyond`."""

    seconds: float = SECONDS
    beyond: Policy = OneStep("entropy")
    name: str = "exact"

    def choose(self, known: Knowledge) -> Choice:
        """The guess of least total, and the guesses next to it by one-step bound, each with its own least total."""
        require_candidates(known)
        if reason := _not_now(known.rules):
            return replace(self.beyond.choose(known), unproven=reason)
        engine, piece = _engine(known.rules, known.absent), _piece(known)
        pause = _deadline(self.seconds)
        try:
            total = engine.run(piece, pause).lower
        except _OutOfTime:
            return replace(self.beyond.choose(known), unproven=Unproven.TIME)
        guess = engine.best_guess(piece, total)
        outlooks = {guess: Outlook(total, None, proven=True)} | self._others(engine, piece, guess, pause)
        alternatives = sorted(outlooks, key=lambda other: (other != guess, outlooks[other].total_guesses))[1:]
        return Choice(guess, tuple(alternatives), outlooks=outlooks)

    def outlook(self, known: Knowledge, guess: str) -> Outlook | None:
        """What any guess would still take at least; None where that cannot be proven in time."""
        known.rules.check_guess(guess)
        if not known.count or _not_now(known.rules):
            return None
        try:
            return _outlook(_engine(known.rules, known.absent), _piece(known), guess, _deadline(self.seconds))
        except _OutOfTime:
            return None

    def _others(self, engine: Engine, piece: Piece, best: str, pause: Callable[[], None]) -> dict[str, Outlook]:
        found: dict[str, Outlook] = {}
        others = [guess for _, guess in engine.guesses(piece)[: ALTERNATIVES + 1] if guess != best]
        try:
            for guess in others[:ALTERNATIVES]:
                if outlook := _outlook(engine, piece, guess, pause):
                    found[guess] = outlook
        except _OutOfTime:
            pass
        return found


def _outlook(engine: Engine, piece: Piece, guess: str, pause: Callable[[], None]) -> Outlook | None:
    """The least total after a guess; None for one that tells nothing, after which play has no end."""
    from yomikiri.hitblow.search.split import cells_of

    count = len(engine.codes(piece.turns))
    cells = cells_of(engine, piece, guess)
    if any(len(engine.codes(cell.turns)) == count for cell in cells):
        return None
    return Outlook(count + sum(engine.run(cell, pause).lower for cell in cells), None, proven=True)


def _not_now(rules: Rules) -> Unproven | None:
    """Why nothing can be proven under these rules now, if so; if the kernels are missing, they are made."""
    symbols = len(rules.symbols)
    guesses = perm(symbols, rules.digits) if rules.repeats is Repeats.NONE else symbols**rules.digits
    if guesses > MOST_GUESSES:
        return Unproven.TOO_LARGE
    from yomikiri.hitblow.search.prepare import compile_behind, kernels_ready

    if kernels_ready():
        return None
    compile_behind()
    return Unproven.COMPILING


def _deadline(seconds: float) -> Callable[[], None]:
    end = monotonic() + seconds

    def pause() -> None:
        if monotonic() > end:
            raise _OutOfTime

    return pause


def _piece(known: Knowledge) -> Piece:
    from yomikiri.hitblow.search.pieces import Piece

    return Piece(known.rules, known.absent, known.turns)


@lru_cache(maxsize=1)
def _engine(rules: Rules, absent: str) -> Engine:
    """The engine of the game in hand: what it learns in one turn serves the next."""
    from yomikiri.hitblow.search.engine import Engine

    return Engine(rules, absent, consistent=False, memory=_MEMORY)
