from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference.hitblow import every_code, plain_hint

from yomikiri.common.errors import CodeError, HintError, RulesError, TurnError
from yomikiri.hitblow.model.rules import PRESETS, Hint, Repeats, Rules, Turn, Words, hint, preset_of, usual_words


def test_hint_of_known_examples():
    assert hint("325", "314") == Hint(1, 0)
    assert hint("159", "314") == Hint(0, 1)
    assert hint("415", "314") == Hint(1, 1)


@given(st.integers(1, 6).flatmap(lambda d: st.tuples(*[st.text("0123", min_size=d, max_size=d)] * 2)))
def test_hint_counts_no_symbol_twice(pair):
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
def test_hints_of_the_rules_are_all_possible_hints(digits):
    symbols = "0123456789"[: 2 * digits]
    first = symbols[:digits]
    occurring = {hint(first, secret) for secret in every_code(symbols, digits, repeats=False)}
    assert set(Rules(digits, symbols).hints) == occurring
    assert list(Rules(digits, symbols).hints) == sorted(occurring)


def test_presets_are_the_four_documented_games():
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
def test_invalid_rules_are_refused(arguments, error):
    with pytest.raises(RulesError, match=error):
        Rules(*arguments)


def test_two_symbols_are_enough_if_secrets_can_repeat():
    assert Rules(6, "01", Repeats.ALL).secret_count == 64
    assert Rules(3).secret_count == 720
    assert (Rules(3).guess_count, Rules(3, repeats=Repeats.GUESS).guess_count) == (720, 1000)


def test_check_guess_reports_the_error_in_a_code():
    rules = Rules()
    assert rules.check_guess("012") == "012"
    with pytest.raises(CodeError, match="is not a code"):
        rules.check_guess("01")
    with pytest.raises(CodeError, match="is not a symbol of this game"):
        rules.check_guess("01x")
    with pytest.raises(CodeError, match=" more than once: use"):
        rules.check_guess("011")


def test_repeats_guess_allows_repeats_in_guesses_only():
    rules = Rules(repeats=Repeats.GUESS)
    assert rules.check_guess("000") == "000"
    with pytest.raises(CodeError, match=" more than once: use"):
        rules.check_secret("000")
    assert Rules(repeats=Repeats.ALL).check_secret("000") == "000"


def test_check_absent_requires_known_symbols_and_enough_others():
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


@pytest.mark.parametrize("repeats", Repeats)
def test_check_absent_requires_a_symbol_that_may_begin_a_secret(repeats):
    rules = Rules(2, "01234", repeats, no_leading="012")
    for absent in map("".join, product("01234-", repeat=3)):
        absent = absent.replace("-", "")
        if any(not set(code) & set(absent) for code in rules.secrets()):
            assert set(rules.check_absent(absent)) == set(absent)
        else:
            with pytest.raises(RulesError, match=r"leaves (no symbol that a secret may begin with|too few symbols)"):
                rules.check_absent(absent)


def test_rules_and_hints_round_trip_through_repr_and_text():
    rules = Rules(4, "123456", Repeats.ALL)
    assert eval(repr(rules)) == rules
    assert eval(repr(Hint(1, 2))) == Hint(1, 2) == Hint.parse(str(Hint(1, 2)))
    with pytest.raises(HintError, match="is not an answer"):
        Hint.parse("1h1b")


def test_turn_parses_only_its_own_text():
    turn = Turn("012", Hint(0, 1))
    assert Turn.parse(str(turn)) == turn
    for text in ("", "012", "0120H1B"):
        with pytest.raises(TurnError, match="expected GUESS:ANSWER, such as 345:0H1B"):
            Turn.parse(text)
    with pytest.raises(HintError, match="such as 1H1B or '1 1'"):
        Turn.parse("012:")


@pytest.mark.parametrize(
    ("digits", "symbols", "repeats", "example"),
    [
        (3, "0123456789", Repeats.NONE, "345"),
        (3, "01234", Repeats.NONE, "234"),
        (3, "012", Repeats.NONE, "012"),
        (4, "01", Repeats.ALL, "0101"),
    ],
)
def test_example_of_rules_is_a_valid_secret(digits, symbols, repeats, example):
    rules = Rules(digits, symbols, repeats)
    assert rules.example == example
    assert rules.check_secret(example) == example


@pytest.mark.parametrize(
    ("digits", "symbols", "no_leading", "example"),
    [
        (3, "0123456789", "0", "345"),
        (3, "0123456789", "3", "456"),
        (3, "0123456789", "3456789", "012"),
        (3, "0123456789", "012345678", "901"),
        (4, "01", "0", "1010"),
    ],
)
def test_example_of_rules_begins_with_an_allowed_symbol(digits, symbols, no_leading, example):
    rules = Rules(digits, symbols, Repeats.ALL if len(symbols) < digits else Repeats.NONE, no_leading)
    assert rules.example == example
    assert rules.check_secret(example) == example


@pytest.mark.parametrize("repeats", Repeats)
def test_no_leading_symbols_are_excluded_from_secrets_and_counts(repeats):
    rules = Rules(3, "0123", repeats, "03")
    secrets = [code for code in every_code("0123", 3, repeats=repeats is Repeats.ALL) if code[0] in "12"]
    guesses = [code for code in every_code("0123", 3, repeats=repeats is not Repeats.NONE) if code[0] in "12"]
    assert list(rules.secrets()) == secrets
    assert (rules.secret_count, rules.guess_count) == (len(secrets), len(guesses))


def test_errors_about_codes_quote_the_typed_text():
    with pytest.raises(CodeError, match="'01 x' is not a code"):
        Rules(3, "0123").check_guess("01", "01 x")
    with pytest.raises(CodeError, match="'０１' is not a code"):
        Rules(3, "0123").check_secret("01", "０１")


def test_turn_has_found_the_secret_if_every_symbol_is_a_hit():
    assert Turn("012", Hint(3, 0)).found
    assert not Turn("012", Hint(1, 2)).found


def test_usual_words_are_those_of_the_first_matching_preset():
    assert usual_words(PRESETS["numeron"].rules) is Words.HIT
    assert usual_words(PRESETS["mastermind"].rules) is Words.BLACK
    assert usual_words(Rules(2, "01")) is Words.HIT


def test_is_guess_and_is_secret_reject_invalid_codes():
    rules = Rules(3, "0123", Repeats.GUESS)
    assert [rules.is_guess(code) for code in ("012", "011", "01", "014")] == [True, True, False, False]
    assert [rules.is_secret(code) for code in ("012", "011", "01", "014")] == [True, False, False, False]


def test_preset_is_found_by_its_rules_and_words():
    assert [preset_of(each.rules, each.words) for each in PRESETS.values()] == list(PRESETS)
    assert preset_of(Rules(), Words.BLACK) is None
