from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference.hitblow import every_code, plain_hint

from yomikiri.hitblow.model.partial_answers import answered, marks, marks_hint, patterns
from yomikiri.hitblow.model.rules import Hint, Rules, hint

CODES = ["".join(code) for code in permutations("01234", 3)]


@pytest.mark.parametrize("answer", ["1H_", "_0B", "?", "=2", "HMM", "HHH", "3H_"])
def test_partial_answer_holds_for_codes_that_would_get_it(answer: str) -> None:
    turn = answered("012", answer)
    assert turn
    assert str(turn) == f"012:{answer}"
    assert turn.found == (answer in ("HHH", "3H_"))
    for code in CODES:
        hits, blows = plain_hint("012", code)
        agrees = answer in ("?", f"{hits}H_", f"_{blows}B", f"={hits + blows}", marks("012", code))
        assert turn.holds(code) == agrees, code


@pytest.mark.parametrize("answer", ["1H1B", "", "HH1", "1H", "=x"])
def test_answered_returns_none_for_other_text(answer: str) -> None:
    assert answered("012", answer) is None


def test_marks_of_a_known_example():
    assert marks("415", "314") == "BHM"


def test_three_digits_have_exactly_24_patterns():
    assert len(patterns(3)) == 24
    thinkable = {a + b + c for a in "HBM" for b in "HBM" for c in "HBM"}
    assert thinkable - set(patterns(3)) == {"HHB", "HBH", "BHH"}


def test_patterns_are_the_marks_of_all_pairs():
    for digits in (1, 2, 3, 4):
        first, *_rest = codes = every_code("01234567", digits, repeats=False)
        assert set(patterns(digits)) == {marks(first, secret) for secret in codes}


def test_one_hit_one_blow_has_six_patterns_the_maximum():
    stand_for = Counter(map(marks_hint, patterns(3)))
    assert stand_for[Hint(1, 1)] == max(stand_for.values()) == 6
    assert {p for p in patterns(3) if marks_hint(p) == Hint(1, 1)} == {"".join(p) for p in permutations("HBM")}
    assert stand_for.keys() == set(Rules().hints)


@pytest.mark.parametrize("symbols", ["012345", pytest.param("0123456789", marks=pytest.mark.exhaustive)])
def test_marks_agree_with_the_hint_for_all_pairs(symbols: str):
    codes = every_code(symbols, 3, repeats=False)
    for guess in codes:
        for code in codes:
            pattern = marks(guess, code)
            assert pattern in patterns(3)
            assert marks_hint(pattern) == hint(guess, code)


def test_repeated_symbols_are_marked_hit_first_then_from_the_left():
    assert marks("000", "012") == "HMM"
    assert marks("0012", "1300") == "BBBM"
    assert marks("0010", "2002") == "BHMM"


@given(st.integers(1, 6).flatmap(lambda d: st.tuples(*[st.text("012", min_size=d, max_size=d)] * 2)))
def test_marks_agree_with_the_hint_for_repeated_symbols(pair):
    guess, secret = pair
    assert marks_hint(marks(guess, secret)) == hint(guess, secret)
    assert Counter(marks(guess, secret)).total() == len(guess)
