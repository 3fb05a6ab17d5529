"""The value of the race between players who know their own secrets, proven from both sides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

from yomikiri.hitblow.race.private.programme import Strategy, strategies
from yomikiri.hitblow.race.private.replies import Chances, drawn, least, most
from yomikiri.hitblow.race.private.tree import Tree
from yomikiri.hitblow.race.terms import Terms
from yomikiri.hitblow.race.unseen import rounded

# Chances are rounded to whole numbers of such parts: the coarsest with which both bounds meet, else the finest.
_PARTS = (12, 5040, 10**9)


@dataclass(frozen=True, slots=True)
class Value:
    """What the first player is sure of, what the second player holds them to (a draw counted one half), and the chance
    of a draw."""

    lower: Fraction
    upper: Fraction
    draw: Fraction


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work is: the histories of the race, and the seconds that their programme has taken so far."""

    histories: int
    seconds: float


def no_report(_: Progress) -> None:
    """What to do with progress that nobody asked for."""


def private(terms: Terms, *, report: Callable[[Progress], None] = no_report) -> Value:
    """The value of the race when each player knows their own secret, within some 10 ** -8 if not exact.

    `report` hears of progress several times a second, and may raise to end the work. Raises an `InputError`
    for too large a race.
    """
    tree = Tree(terms)
    begun = monotonic()
    first, second = strategies(tree, lambda: report(Progress(tree.histories, monotonic() - begun)))
    for parts in _PARTS:
        ours, theirs = _exact(first, parts), _exact(second, parts)
        lower, upper = least(tree, ours), most(tree, theirs)
        if lower == upper:
            break
    sure = dict.fromkeys(tree.own, Fraction(1)), dict.fromkeys(tree.sought, Fraction(1))
    draw = drawn(tree.root, *sure, ours, theirs) / (len(tree.own) * len(tree.sought))
    return Value(lower, upper, draw)


def _exact(strategy: Strategy, parts: int) -> Chances:
    """A strategy in fractions."""
    return {
        place: tuple(Fraction(part, parts) for part in rounded(chances, parts)) for place, chances in strategy.items()
    }
