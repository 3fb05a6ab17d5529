"""The value of the race between players who know their own secrets, proven from both sides."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

from yomikiri.budget import UNLIMITED, Budget, Progress
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


def private(terms: Terms, *, budget: Budget = UNLIMITED) -> Value:
    """The value of the race when each player knows their own secret, within some 10 ** -8 if not exact.

    The states of the budget are the histories of the race; when it is spent, raises `Stopped` with nothing. Raises an
    `InputError` for too large a race.
    """
    begun = monotonic()
    tree = Tree(terms, budget)
    budget = budget.part(lambda: Progress(states=tree.histories, seconds=monotonic() - begun))
    first, second = strategies(tree, budget)
    for parts in _PARTS:
        budget.check()
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
