"""What a race is worth before its first guess, by what the players see of each other."""

from __future__ import annotations

from pathlib import Path

from yomikiri.budget import UNLIMITED, Budget
from yomikiri.enums import Named
from yomikiri.errors import N_, InputError, RulesError
from yomikiri.hitblow.race.terms import Terms, Value


class Information(Named):
    """What the players see of each other's boards: everything, nothing, or everything while they use what they know of
    their own secret."""

    PUBLIC = "public"
    UNSEEN = "unseen"
    PRIVATE = "private"


def race_value(
    terms: Terms | None = None,
    information: Information | str = Information.PUBLIC,
    *,
    budget: Budget = UNLIMITED,
    store: Path | None = None,
) -> Value:
    """The value of a race (the standard one by default) to the first player under best play by both sides.

    The value is a `PublicValue`, an `Equilibrium` with strategies, or a plain `Value`. With a `store`, a file, the work
    on a public race is kept, and goes on from what is in it. When the budget is spent, raises `Stopped`, and `best` is
    a value of bounds, None where nothing is known. Raises an `InputError`.

    >>> from yomikiri.hitblow.rules import Rules
    >>> race_value(Terms(Rules(2, "012"))).lower
    Fraction(25, 36)
    """
    terms, information = terms or Terms(), Information.of(information)
    if store is not None and information is not Information.PUBLIC:
        raise InputError(N_("{given} cannot be used: only a public race is stored"), given=str(store))
    if information is Information.PUBLIC and terms.prior:
        raise RulesError(
            N_("a public race under weights is not solved: choose --information unseen or private, or leave them out")
        )
    # Imported late: numpy comes with them.
    if information is Information.PUBLIC:
        from yomikiri.hitblow.race.public.race import public_value

        return public_value(terms, budget=budget, store=store)
    if information is Information.UNSEEN:
        from yomikiri.hitblow.race.unseen import unseen

        return unseen(terms.first, terms.second, equal_turns=terms.equal_turns, budget=budget)
    from yomikiri.hitblow.race.private import private

    return private(terms, budget=budget)
