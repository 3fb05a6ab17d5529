from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference.hitblow import every_code, plain_hint

from yomikiri.errors import CodeError, HintError, RulesError
from yomikiri.hitblow.rules import PRESETS, Hint, Repeats, Rules, hint


def test_the_seeds_examples():
    assert hint("325", "314") == Hint(1, 0)
    assert hint("159", "314") == Hint(0, 1)
    assert hint("415", "314") == Hint(1, 1)


@given(st.integers(1, 6).flatmap(lambda d: st.tuples(*[st.text("0123", min_size=d, max_size=d)] * 2)))
def test_a_hint_strikes_out_matched_symbols_so_none_counts_twice(pair):
    guess, secret = pair
    answer = hint(guess, secret)
    assert (answer.hits, answer.blows) == plain_hint(guess, secret)
    assert hint(secret, guess) == answer


def test_first_guess_cells_of_three_digits():
    cells = Counter(str(hint("012", secret)) for secret in every_code("0123456789", 3, repeats=False))
    assert cells == {
        "0H0B": 210, "0H1B": 252, "0H2B": 63, "0H3B": 2, "1H0B": 126, "1H1B": 42, "1H2B": 3, "2H0B": 21, "3H0B": 1,
    }  # fmt: skip


@pytest.mark.parametrize("digits", range(1, 6))
def test_hints_of_the_rules_are_those_that_occur(digits):
    symbols = "0123456789"[: 2 * digits]
    first = symbols[:digits]
    occurring = {hint(first, secret) for secret in every_code(symbols, digits, repeats=False)}
    assert set(Rules(digits, symbols).hints) == occurring
    assert list(Rules(digits, symbols).hints) == sorted(occurring)


def test_presets_are_the_four_games_of_the_design():
    assert list(PRESETS) == ["hitblow", "numeron", "bulls", "mastermind"]
    assert PRESETS["hitblow"].rules == PRESETS["numeron"].rules == Rules(3, "0123456789", Repeats.NONE)
    assert PRESETS["bulls"].rules == Rules(4, "0123456789", Repeats.NONE)
    assert PRESETS["mastermind"].rules == Rules(4, "123456", Repeats.ALL)
    assert [known.words for known in PRESETS.values()] == ["hit", "eat", "bull", "black"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((0,), "digits"),
        ((7,), "digits"),
        ((3, ""), "different printable characters"),
        ((3, "0123456789ABCDEFG"), "different printable characters"),
        ((3, "0012"), "different printable characters"),
        ((3, "01 2"), "different printable characters"),
        ((3, "012:"), "different printable characters"),
        ((3, "012-"), "different printable characters"),
        ((3, "01\n2"), "different printable characters"),
        ((3, "01"), "expected at least 3"),
        ((3, "0123", "some"), "repeats"),
    ],
)
def test_rules_outside_the_package_are_refused(arguments, error):
    with pytest.raises(RulesError, match=error):
        Rules(*arguments)


def test_two_symbols_are_enough_where_secrets_repeat():
    assert Rules(6, "01", Repeats.ALL).secret_count == 64
    assert Rules(3).secret_count == 720
    assert (Rules(3).guess_count, Rules(3, repeats=Repeats.GUESS).guess_count) == (720, 1000)


def test_checks_say_what_is_wrong_with_a_code():
    rules = Rules()
    assert rules.check_guess("012") == "012"
    with pytest.raises(CodeError, match="is not a code"):
        rules.check_guess("01")
    with pytest.raises(CodeError, match="is not a symbol of this game"):
        rules.check_guess("01x")
    with pytest.raises(CodeError, match="occurs twice in"):
        rules.check_guess("011")


def test_free_guesses_may_repeat_but_secrets_may_not():
    rules = Rules(repeats=Repeats.GUESS)
    assert rules.check_guess("000") == "000"
    with pytest.raises(CodeError, match="occurs twice in"):
        rules.check_secret("000")
    assert Rules(repeats=Repeats.ALL).check_secret("000") == "000"


def test_absent_symbols_must_be_known_and_leave_enough_for_a_secret():
    rules = Rules()
    assert rules.check_absent("97") == "79"
    assert rules.check_absent("0123456") == "0123456"
    with pytest.raises(RulesError, match="leaves too few symbols"):
        rules.check_absent("01234567")
    with pytest.raises(CodeError, match="is not a symbol of this game"):
        rules.check_absent("x")
    assert Rules(3, "01", Repeats.ALL).check_absent("0") == "0"
    with pytest.raises(RulesError, match="leaves too few symbols"):
        Rules(3, "01", Repeats.ALL).check_absent("01")


def test_values_are_rebuilt_by_repr_and_text():
    rules = Rules(4, "123456", Repeats.ALL)
    assert eval(repr(rules)) == rules
    assert eval(repr(Hint(1, 2))) == Hint(1, 2) == Hint.parse(str(Hint(1, 2)))
    with pytest.raises(HintError, match="is not an answer"):
        Hint.parse("1h1b")
