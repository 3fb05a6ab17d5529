"""What a race is worth before its first guess when both sides see both boards."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from yomikiri.budget import UNLIMITED, Budget, Stopped
from yomikiri.hitblow.race.public.race import Effort, PublicRace, compile_kernels
from yomikiri.hitblow.race.terms import Terms


@dataclass(frozen=True, slots=True)
class Value:
    """Bounds of the first player's chance to win, a draw counting one half; and the chance of a draw.

    The bounds are equal unless the work was stopped; `draw` is None then.
    """

    lower: Fraction
    upper: Fraction
    draw: Fraction | None
    effort: Effort


def public_value(terms: Terms, *, budget: Budget = UNLIMITED, store: Path | None = None) -> Value:
    """The value of a race, exact and computed from nothing.

    With a `store`, a file, the work is kept, and goes on from what is in it; raises an `InputError`. The states of the
    budget are those of `PublicRace`. When it is spent, raises `Stopped`, and `best` is a Value of bounds.
    """
    mine, theirs = terms.first.candidates, terms.second.candidates
    sides = terms.first.rules, terms.second.rules
    race = PublicRace(*sides, equal_turns=terms.equal_turns, from_nothing=True, store=store)
    compile_kernels()
    try:
        value = race.win(mine, theirs, budget=budget)
        return Value(value, value, race.draw(mine, theirs, budget=budget), race.effort)
    except Stopped:
        lower, upper = at_a_glance(len(mine), len(theirs), terms.equal_turns)
        raise Stopped(Value(lower, upper, None, race.effort)) from None
    finally:
        race.save()


def at_a_glance(mine: int, theirs: int, equal_turns: bool) -> tuple[Fraction, Fraction]:
    """Bounds from the numbers of candidates alone: either side can hit one of its own at once."""
    hit, answer = Fraction(1, mine), Fraction(1, theirs)
    lower = hit * (1 - answer / 2) if equal_turns else hit
    return lower, lower + (1 - hit) * (1 - answer)
