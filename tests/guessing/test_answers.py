"""Kinds of answers, against the rules of the reference, and the forms in which players type them."""

import re
from itertools import product

import numpy as np
import pytest
from tests.reference import guessing as reference

from yomikiri.common.errors import HintError, InputError
from yomikiri.guessing.answers import ANSWER_KINDS, HITS, HITS_BLOWS, MARKS, SUM, AnswerKind, kind_named, marks_of
from yomikiri.guessing.kernels.answers import fill_answers
from yomikiri.hitblow import hint

CODES = ["".join(code) for code in product("abc", repeat=4)]


def test_marks_follow_the_rules_of_wordle():
    signs = {"hit": 2, "blow": 1, "miss": 0}
    for guess, secret in product(CODES, repeat=2):
        assert marks_of(guess, secret) == tuple(signs[mark] for mark in reference.marks(guess, secret))


def test_hits_and_blows_equal_those_of_hit_and_blow():
    for guess, secret in product(CODES, repeat=2):
        assert HITS_BLOWS.answer(guess, secret) == str(hint(guess, secret))


def test_sum_distinguishes_an_anagram_from_the_secret():
    assert SUM.answer("abc", "bca") == "3"
    assert SUM.answer("abc", "abc") == SUM.win(3) == "win"
    assert HITS.answer("abc", "bca") == "0"


@pytest.mark.parametrize("kind", ANSWER_KINDS.values(), ids=ANSWER_KINDS)
def test_answers_in_the_standard_form_are_read(kind: AnswerKind):
    for guess, secret in product(CODES[:30], repeat=2):
        answer = kind.answer(guess, secret)
        assert kind.parse(answer, 4) == answer
        assert (answer == kind.win(4)) == (guess == secret)
    assert kind.parse(kind.example(4), 4)


@pytest.mark.parametrize("kind", ANSWER_KINDS.values(), ids=ANSWER_KINDS)
def test_kernel_fills_the_numbers_of_the_answers(kind: AnswerKind):
    codes = np.array([[ord(symbol) for symbol in code] for code in CODES], dtype=np.uint8)
    hits, blows = (np.array(values) for values in kind.values(4))
    answers = np.zeros((len(CODES), 96), dtype=np.uint16)
    fill_answers(np.ascontiguousarray(codes.T), codes, hits, blows, answers)
    for s, secret in enumerate(CODES):
        for g, guess in enumerate(CODES):
            if guess != secret:
                assert kind.text(int(answers[s, g]), 4) == kind.answer(guess, secret)


@pytest.mark.parametrize(
    ("kind", "text", "answer"),
    [
        (MARKS, "🟩⬛🟨⬜⬛", "20100"),
        (MARKS, "🟧⬛🟦⬛⬛", "20100"),
        (MARKS, "GbY--", "20100"),
        (MARKS, "２０１００", "20100"),
        (HITS_BLOWS, "1h 2b", "1H2B"),
        (HITS_BLOWS, "1A2B", "1H2B"),
        (HITS_BLOWS, "1 2", "1H2B"),
        (HITS_BLOWS, "1,2", "1H2B"),
        (HITS, " 3 ", "3"),
        (SUM, "WIN", "win"),
    ],
)
def test_forms_of_players_are_read(kind: AnswerKind, text: str, answer: str):
    assert kind.parse(text, 5) == answer


WRONG = [
    (MARKS, "2010", "answer '2010': it has 4 marks: expected 5, such as 20001"),
    (MARKS, "2", "answer '2': it has 1 mark: expected 5, such as 20001"),
    (MARKS, "", "answer '': it has 0 marks: expected 5, such as 20001"),
    (MARKS, "20103", "answer '20103': '3' is not a mark: expected 2 (right place), 1 (another place) or 0 (absent)"),
    (MARKS, "1H1B", "answer '1H1B': 'H' is not a mark: expected 2 (right place), 1 (another place) or 0 (absent)"),
    (MARKS, "win", "answer 'win': only answers of the kind 'sum' have it; for the secret itself, type 22222"),
    (HITS_BLOWS, "4H2B", "answer '4H2B': hits and blows together are 6: expected at most 5, such as 1H1B"),
    (HITS_BLOWS, "", "answer '': expected the numbers of hits and blows, such as 1H1B"),
    (HITS_BLOWS, "WIN", "answer 'WIN': only answers of the kind 'sum' have it; for the secret itself, type 5H0B"),
    (HITS, "6", "answer '6': expected the number of symbols in the right place, from 0 to 5"),
    (HITS, "win", "answer 'win': only answers of the kind 'sum' have it; for the secret itself, type 5"),
    (SUM, "x", "answer 'x': expected the number of hits and blows together, from 0 to 5, or win"),
    (SUM, "6", "answer '6': expected the number of hits and blows together, from 0 to 5, or win"),
]


@pytest.mark.parametrize(("kind", "text", "message"), WRONG, ids=[f"{kind.NAME}-{text}" for kind, text, _ in WRONG])
def test_wrong_answers_are_refused_with_what_is_wrong(kind: AnswerKind, text: str, message: str):
    with pytest.raises(HintError, match=re.escape(message)):
        kind.parse(text, 5)


def test_unknown_kind_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match="expected one of hits-blows, marks, hits, sum"):
        kind_named("colours")
