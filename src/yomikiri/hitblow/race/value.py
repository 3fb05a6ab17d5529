"""The value of a race before its first guess, for three assumptions about what the players see and use."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.enums import Named, not_such
from yomikiri.common.errors import N_, InputError, RulesError
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.race.terms import Terms, Value


class Information(Named):
    """The information that the players use.

    - `PUBLIC`: both players see both boards.
    - `UNSEEN`: each player sees only their own board.
    - `PRIVATE`: both players see both boards, and a player's guesses may also depend on the player's own secret.
    """

    PUBLIC = "public"
    UNSEEN = "unseen"
    PRIVATE = "private"


def race_value(
    terms: Terms | Rules | str | None = None,
    information: Information | str = Information.PUBLIC,
    *,
    budget: Budget = UNLIMITED,
    store: str | PathLike[str] | None = None,
) -> Value:
    """Return the value of a race to the first player under best play by both players.

    `terms` contains the rules and conditions of the race, such as equal turns. Instead, you can pass rules, or the name
    of a preset (a game whose rules are built in). Such a race has the default conditions of `Terms`. The default is the
    race of 3 digits of 10 symbols without repeats. The type of the result depends on `information`:

    - `PUBLIC`: a `PublicValue`.
    - `UNSEEN`: an `Equilibrium`, which contains the strategies.
    - `PRIVATE`: a `Value` without strategies.

    `store` is a file that keeps the progress of a public race. A later call continues from it.

    Raises `Stopped` when the budget is exhausted. Its `best` is a value with bounds, or None. Raises an `InputError`
    for invalid arguments, a race that is too large, and a `store` that cannot be used or belongs to a race that is not
    public. Raises a `RulesError` for a public race with a prior.

    >>> from yomikiri.hitblow.model.rules import Rules
    >>> race_value(Rules(2, "012")).lower
    Fraction(25, 36)
    """
    terms = Terms() if terms is None else terms if isinstance(terms, Terms) else Terms(Rules.read(terms, "terms"))
    information, budget = Information.read(information, "information"), Budget.read(budget, "budget")
    if not (store is None or isinstance(store, (str, PathLike))):
        raise not_such("store", store, "'race.store'")
    if store is not None and information is not Information.PUBLIC:
        raise InputError(N_("{given} cannot be used: only public races can be saved"), given=str(store))
    if information is Information.PUBLIC and terms.prior:
        raise RulesError(
            N_(
                "a public race cannot be solved with weights: choose --information unseen or private, or leave out "
                "the weights"
            )
        )
    # Import the solvers on first use only, because they import NumPy, which is slow to load.
    if information is Information.PUBLIC:
        from yomikiri.hitblow.race.public.race import public_value

        return public_value(terms, budget=budget, store=Path(store) if store else None)
    if information is Information.UNSEEN:
        from yomikiri.hitblow.race.unseen import unseen

        return unseen(terms.first, terms.second, equal_turns=terms.equal_turns, budget=budget)
    from yomikiri.hitblow.race.private import private

    return private(terms, budget=budget)
