"""The value of a race before its first guess: exact values, and bounds after a stop."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.reference.public_race import BruteRace

from yomikiri.common.budget import Budget, Stopped
from yomikiri.hitblow.model.codes import Codes, all_secrets, without_symbols
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.race.public.race import PublicRace, PublicValue, public_value, quick_bounds
from yomikiri.hitblow.race.terms import Reveals, Terms


def codes(rules: Rules, absent: int = 0) -> Codes:
    """Return all codes without the last `absent` symbols."""
    return without_symbols(all_secrets(rules), range(len(rules.symbols) - absent, len(rules.symbols)))


@pytest.mark.parametrize("equal", [False, True])
def test_at_a_glance_bounds_contain_the_value(equal):
    rules = Rules(2, "0123")
    race, every = PublicRace(rules, equal_turns=equal), codes(rules)
    for mine in range(1, 7):
        for theirs in range(1, 7):
            lower, upper = quick_bounds(mine, theirs, equal)
            assert lower <= race.win(every[:mine], every[:theirs]) <= upper


def test_public_value_is_exact_with_its_draws() -> None:
    value = public_value(Terms(Rules(2, "012"), equal_turns=True))
    brute = BruteRace(Rules(2, "012"), equal=True)
    every = frozenset(("01", "02", "10", "12", "20", "21"))
    assert value.lower == value.upper == brute.win(every, every, False)
    assert value.draw is not None
    least, most = brute.draws(every, every, False)
    assert least <= value.draw <= most
    assert value.effort.sets > 0


def test_stopped_race_has_valid_bounds() -> None:
    terms = Terms(Rules(3, "012345"), reveals=Reveals.SECOND)
    with pytest.raises(Stopped) as stopped:
        public_value(terms, budget=Budget(states=0))
    value = stopped.value.best
    assert isinstance(value, PublicValue)
    assert value.draw is None
    assert value.lower < Fraction(5917, 7200) < value.upper
