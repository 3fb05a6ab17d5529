import pytest

from yomikiri.common.errors import CodeError, HintError, InputError, TurnError
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import (
    parse_code,
    parse_guess,
    parse_line,
    parse_opponent_line,
    parse_turn,
)
from yomikiri.hitblow.model.rules import PRESETS, Fact, Hint, Repeats, Rules, Turn, Words
from yomikiri.wording import sentence, use_words


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("012 1H", "'012 1H' has an answer: expected the guess alone, such as 012"),
        ("1H1B", "'1H1B' is an answer: expected a guess, such as 345"),
        ("RR1", "'R' in 'RR1' is not a symbol of this game: expected symbols from 0123456789"),
        ("01", "'01' is not a code: expected 3 symbols, such as 345"),
        ("0 1 1", "'1' is in '011' more than once: use 3 different symbols"),
    ],
)
def test_errors_quote_a_guess_as_typed(text, error):
    with pytest.raises(CodeError) as raised:
        parse_guess(text, Rules())
    assert str(raised.value) == error


@pytest.mark.parametrize(
    ("rules", "text"), [(Rules(), "012:HHB"), (Rules(2), "01:HB"), (Rules(1), "0:B"), (Rules(), "012:2H1B")]
)
def test_impossible_answers_and_marks_are_refused(rules, text):
    with pytest.raises(HintError, match=r"is impossible for .* in this game: check the answer"):
        Knowledge(rules, facts=(parse_turn(text, rules),))


@pytest.mark.parametrize("text", ["h", "hb", "hbmh"])
def test_marks_need_one_letter_for_each_place(text):
    with pytest.raises(HintError, match=f"'{text}' is not an answer: expected one such as 1H1B"):
        read(text)


@pytest.mark.parametrize(
    ("preset", "token", "expected"),
    [
        ("bulls", "1234:3B1C", "3B1C is impossible for 1234 in this game: check the answer"),
        ("mastermind", "1122:3B1W", "3B1W is impossible for 1122 in this game: check the answer"),
        ("numeron", "012:2E1B", "2E1B is impossible for 012 in this game: check the answer"),
    ],
)
def test_errors_use_the_words_of_the_game(preset, token, expected):
    rules, words = PRESETS[preset].rules, PRESETS[preset].words
    with pytest.raises(HintError) as raised:
        Knowledge(rules, facts=(parse_turn(token, rules, words),))
    use_words(words)
    assert sentence(raised.value) == expected
    assert "H" in str(raised.value)


def test_codes_fold_case_unless_both_cases_are_symbols():
    assert parse_code("012", Rules()) == "012"
    letters = Rules(3, "ABCDEF")
    assert parse_code("abc", letters) == parse_code("\uff41\uff22c", letters) == "ABC"
    both = Rules(2, "aAbB")
    assert parse_code("aA", both) == "aA"


def test_parse_turn_uses_the_words_of_the_game():
    assert parse_turn("012:0H1B", Rules()) == Turn("012", Hint(0, 1))
    assert parse_turn("012:1b", Rules()) == Turn("012", Hint(0, 1))
    assert parse_turn("0123:1B", Rules(4), Words.BULL) == Turn("0123", Hint(1, 0))
    for text in ("012", "0120H1B", ""):
        with pytest.raises(TurnError, match="is not a turn"):
            parse_turn(text, Rules())
    with pytest.raises(CodeError, match="is not a symbol of this game"):
        parse_turn("01x:1H", Rules())


def read(text: str, rules: Rules = Rules()) -> Fact:  # noqa: B008 (rules are frozen)
    """Parse a typed line after the suggestion 012."""
    return parse_line(text, rules, Words.HIT, lambda: rules.symbols[: rules.digits])


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("1 1", "012:1H1B"),
        ("11", "012:1H1B"),
        ("345 1H1B", "345:1H1B"),
        ("345:1H1B", "345:1H1B"),
        ("345 1 1", "345:1H1B"),
        ("345 11", "345:1H1B"),
        ("345 1ヒット", "345:1H0B"),
        ("345 0 0", "345:0H0B"),
    ],
)
def test_parse_line_reads_an_answer_or_a_guess_with_its_answer(text, token):
    assert read(text) == Turn.parse(token)


def test_two_digit_games_read_two_digits_as_an_answer():
    assert read("11", Rules(2)) == Turn("01", Hint(1, 1))
    assert read("12 11", Rules(2)) == Turn("12", Hint(1, 1))


def test_code_spelled_like_a_fact_is_read_as_code():
    with pytest.raises(TurnError, match="'has' has no answer"):
        parse_line("has", Rules(3, "hasxyz"), Words.HIT, str)


def test_guess_without_answer_is_refused():
    with pytest.raises(TurnError, match="has no answer"):
        read("345")
    with pytest.raises(TurnError, match="has no answer"):
        read("1122", Rules(4, "123456", Repeats.ALL))


def test_unreadable_answers_are_quoted():
    with pytest.raises(HintError, match="nonsense"):
        read("nonsense")
    with pytest.raises(CodeError, match="xyz"):
        read("xyz 1H1B")


@pytest.mark.parametrize(
    "text",
    ["345 1H1B", "345:1 1", "345=1H1B", "345,1,1", "３４５、１、１", "345.1.1", "3 4 5 1H1B", "3 4 5 1 1", "3 4 5=11"],
)
def test_guess_and_answer_accept_every_separator(text: str):
    assert read(text) == Turn("345", Hint(1, 1))


@pytest.mark.parametrize("text", ["345 =2", "345=2", "345:=2", "３４５　＝２"])
def test_sum_of_hits_and_blows_is_read_after_a_guess(text: str):
    assert str(read(text)) == "345:=2"
    assert str(read("absent=7")) == "absent=7"


def test_symbols_of_the_game_are_not_separators():
    rules = Rules(2, "=,.1")
    assert read("=, 1 1", rules) == Turn("=,", Hint(1, 1))
    assert read(".=:11", rules) == Turn(".=", Hint(1, 1))


def test_guess_can_contain_blanks():
    assert parse_guess(" 3 4 5 ", Rules()) == "345"
    assert parse_opponent_line("3 4 5", Rules()) == parse_opponent_line("345", Rules())
    assert parse_opponent_line("3 4 5 miss", Rules())[1] == Hint(0, 0)


def test_parse_guess_checks_the_rules():
    assert parse_guess("000", Rules(repeats=Repeats.GUESS)) == "000"
    with pytest.raises(InputError):
        parse_guess("000", Rules())
