"""`Terms`: the rules of a race, and what both players know before the first guess.

Also tests `hitblow/race/value.py`: the kinds of information of a value.
"""

from __future__ import annotations

import pytest

from yomikiri.common.errors import InputError, RulesError
from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.race.terms import Reveals, Terms, too_large

SMALL = Rules(2, "01234")


def test_default_terms_have_no_revealed_symbols():
    terms = Terms(SMALL)
    assert (terms.shown, terms.first.count, terms.second.count) == ("", 20, 20)


def test_revealed_symbols_reduce_the_codes_of_the_other_side():
    terms = Terms(SMALL, reveals=Reveals.FIRST, revealed=2)
    assert terms.shown == "34"
    assert (terms.first.count, terms.second.count) == (20, 6)
    assert set("".join(terms.second.codes())) == set("012")
    swapped = Terms(SMALL, reveals=Reveals.SECOND, revealed=2)
    assert (swapped.first, swapped.second) == (terms.second, terms.first)


def test_absent_symbols_apply_to_both_sides_and_are_not_revealed():
    terms = Terms(SMALL, absent="43", reveals=Reveals.FIRST)
    assert (terms.absent, terms.shown) == ("34", "2")
    assert terms.first.codes() == ["01", "02", "10", "12", "20", "21"]
    assert terms.second.codes() == ["01", "10"]


def test_each_side_has_the_rules_of_its_target():
    """The first player reveals a symbol that is absent from their own secret, the target of the second player."""
    own = Rules(2, "12ab", Repeats.ALL)
    terms = Terms(SMALL, absent="2", reveals=Reveals.FIRST, revealed=1, second_rules=own)
    assert terms.first.rules is SMALL
    assert terms.second.rules is own
    assert terms.shown == "b"
    assert set("".join(terms.first.codes())) == set("0134")
    assert set("".join(terms.second.codes())) == set("1a"), "of the absent symbols those that the rules know"


@pytest.mark.parametrize(
    ("absent", "reveals", "revealed", "said"),
    [
        ("0123", Reveals.NONE, 1, "absent '0123' leaves too few symbols"),
        ("", Reveals.FIRST, 4, "4 revealed symbols leave too few for a secret: expected at most 3"),
        ("01", Reveals.SECOND, 2, "2 revealed symbols leave too few for a secret: expected at most 1"),
        ("012", Reveals.FIRST, 1, "no symbol can be revealed"),
    ],
)
def test_terms_that_leave_no_secret_are_refused(absent: str, reveals: Reveals, revealed: int, said: str):
    with pytest.raises(RulesError, match=said):
        Terms(SMALL, absent=absent, reveals=reveals, revealed=revealed)


def test_number_of_revealed_symbols_is_ignored_without_reveals():
    assert Terms(SMALL, revealed=9).shown == ""


def test_too_large_names_the_number_and_the_limit():
    error = too_large(5040, 1296)
    assert isinstance(error, InputError)
    assert error.data == {"given": 5040, "limit": 1296}
