"""Parsing and writing of answers in every usual form."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yomikiri.common.errors import HintError
from yomikiri.hitblow.model.answers import parse_hint
from yomikiri.hitblow.model.notation import write_hint
from yomikiri.hitblow.model.rules import Hint, Words


@pytest.mark.parametrize(
    ("text", "hits", "blows"),
    [
        ("1 2", 1, 2), ("1-2", 1, 2), ("1,2", 1, 2), ("12", 1, 2), ("1、2", 1, 2),
        ("\uff11 \uff12", 1, 2), ("\uff11\uff12", 1, 2),
        ("\uff11\uff8b\uff6f\uff84\uff12\uff8c\uff9e\uff9b\uff70", 1, 2),
        ("1H2B", 1, 2), ("1h2b", 1, 2), ("2B1H", 1, 2), ("1 h 2 b", 1, 2), ("1H 2B", 1, 2), ("1H、2B", 1, 2),
        ("1A2B", 1, 2), ("2b1a", 1, 2), ("1EAT2BITE", 1, 2), ("2BITE1EAT", 1, 2), ("1E2B", 1, 2),
        ("1S2B", 1, 2), ("2b1s", 1, 2), ("1 strike 2 balls", 1, 2), ("1ストライク2ボール", 1, 2), ("1.2", 1, 2),
        ("0", 0, 0), ("miss", 0, 0), ("ミス", 0, 0), ("ハズレ", 0, 0), ("はずれ", 0, 0), ("1黒2白", 1, 2),
        ("1ヒット2ブロー", 1, 2), ("2ブロー1ヒット", 1, 2), ("1イート2バイト", 1, 2),
        ("1B2C", 1, 2), ("2C1B", 1, 2), ("1B2W", 1, 2), ("2w1b", 1, 2),
        ("1 bull 2 cows", 1, 2), ("1 hit, 2 blows", 1, 2),
        ("H1B2", 1, 2), ("hit 1 blow 2", 1, 2), ("ヒット1", 1, 0),
        ("1H", 1, 0), ("2B", 0, 2), ("2 ブロー", 0, 2), ("2 cows", 0, 2), ("3h", 3, 0),
        ("1EAT-1BITE", 1, 1), ("1ー2", 1, 2), ("1−2", 1, 2), ("1H–2B", 1, 2),
        ("1스트라이크2볼", 1, 2), ("낫싱", 0, 0), ("●○○", 1, 2), ("○ ●", 1, 1), ("🟢🔸▫️", 1, 1),
        ("🟢🔶⬜", 1, 1), ("⬜⬜⬜", 0, 0), ("▫️▫️▫️", 0, 0),
    ],
)  # fmt: skip
def test_parse_hint_accepts_every_usual_form(text, hits, blows):
    assert parse_hint(text) == Hint(hits, blows)


def test_lone_b_is_a_bull_for_bulls_and_a_blow_otherwise():
    assert parse_hint("1B") == Hint(0, 1)
    assert parse_hint("1B", Words.EAT) == Hint(0, 1)
    assert parse_hint("1B", Words.BULL) == Hint(1, 0)
    assert parse_hint("1H1B", Words.BULL) == Hint(1, 1)


def test_lone_b_is_black_for_blacks_and_whites():
    for text in ("1B", "b1", "１Ｂ", "1黒", "1 black"):
        assert parse_hint(text, Words.BLACK) == Hint(1, 0)
    for text in ("2B1W", "1W2B", "2 blacks 1 white", "2黒1白", "黒2 白1", "2H1B"):
        assert parse_hint(text, Words.BLACK) == Hint(2, 1)
    assert parse_hint("1黒1白") == Hint(1, 1)
    assert write_hint(Hint(2, 1), Words.BLACK) == "2B1W"


@pytest.mark.parametrize(
    ("text", "words", "hits", "blows"),
    [("BBW", Words.BLACK, 2, 1), ("wb", Words.BLACK, None, None), ("B", Words.BLACK, 1, 0), ("WW", Words.BLACK, 0, 2),
     ("BCC", Words.BULL, 1, 2), ("BBBB", Words.BLACK, 4, 0)],
)  # fmt: skip
def test_letters_b_and_w_are_counted(text, words, hits, blows):
    if hits is None:
        with pytest.raises(HintError):
            parse_hint(text, words)
    else:
        assert parse_hint(text, words) == Hint(hits, blows)


@pytest.mark.parametrize(
    "text", ["", "1", "H", "1H1H", "1B1B", "1C1W", "111", "1H1B1H", "一 一", "-1 1", "1..5", "1x2", "x", "1 miss"]
)
def test_invalid_hints_are_refused_with_the_expected_form(text):
    with pytest.raises(HintError, match="expected"):
        parse_hint(text)


@given(st.integers(0, 6), st.integers(0, 6), st.sampled_from(Words))
def test_hint_text_round_trips(hits, blows, words):
    assert parse_hint(write_hint(Hint(hits, blows), words), words) == Hint(hits, blows)


@given(st.text(max_size=12))
def test_random_text_is_a_hint_or_a_hint_error(text):
    with contextlib.suppress(HintError):
        assert isinstance(parse_hint(text), Hint)
