from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference.hitblow import every_code

from yomikiri.hitblow.marks import expand, fits, marks, marks_hint, patterns
from yomikiri.hitblow.rules import Hint, Rules, hint


def test_marks_of_the_seeds_example():
    assert marks("415", "314") == "BHM"


def test_three_digits_have_exactly_24_patterns():
    assert len(patterns(3)) == 24
    thinkable = {a + b + c for a in "HBM" for b in "HBM" for c in "HBM"}
    assert thinkable - set(patterns(3)) == {"HHB", "HBH", "BHH"}


def test_patterns_are_those_that_occur():
    for digits in (1, 2, 3, 4):
        first, *_rest = codes = every_code("01234567", digits, repeats=False)
        assert set(patterns(digits)) == {marks(first, secret) for secret in codes}


def test_one_hit_one_blow_stands_for_six_patterns_and_no_hint_for_more():
    assert set(expand(Hint(1, 1), 3)) == {"".join(p) for p in permutations("HBM")}
    assert {hint: len(expand(hint, 3)) for hint in Rules().hints}[Hint(1, 1)] == 6
    assert max(len(expand(hint, 3)) for hint in Rules().hints) == 6
    assert sum(len(expand(hint, 3)) for hint in Rules().hints) == 24
    assert expand(Hint(2, 1), 3) == ()


@pytest.mark.parametrize("symbols", ["012345", pytest.param("0123456789", marks=pytest.mark.exhaustive)])
def test_filtering_by_expanded_patterns_is_filtering_by_hint_over_all_pairs(symbols: str):
    codes = every_code(symbols, 3, repeats=False)
    unions = {answer: set(expand(answer, 3)) for answer in Rules().hints}
    for guess in codes:
        for code in codes:
            pattern = marks(guess, code)
            # `code` fits the union of an answer's patterns just when it gives that answer
            assert pattern in unions[hint(guess, code)]
    assert all(not unions[a] & unions[b] for a in unions for b in unions if a != b)


def test_fits_asks_for_just_these_marks():
    assert fits("314", "415", "BHM")
    assert not fits("314", "415", "HBM")


def test_of_a_repeated_symbol_the_hit_is_marked_first_then_from_the_left():
    assert marks("000", "012") == "HMM"
    assert marks("0012", "1300") == "BBBM"
    assert marks("0010", "2002") == "BHMM"


@given(st.integers(1, 6).flatmap(lambda d: st.tuples(*[st.text("012", min_size=d, max_size=d)] * 2)))
def test_marks_sum_up_to_the_hint_also_with_repeats(pair):
    guess, secret = pair
    assert marks_hint(marks(guess, secret)) == hint(guess, secret)
    assert Counter(marks(guess, secret)).total() == len(guess)
