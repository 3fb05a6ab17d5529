"""Addresses of games with the user's own lists: round trips, edits, and addresses that are refused."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.web.own import WORDS, marks

from yomikiri.common.errors import CodeError, InputError
from yomikiri.guessing.answers import HITS_BLOWS, MARKS
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.web import guess_address
from yomikiri.web.guess_address import GuessAddress, GuessPlayAddress, answer_in, read, read_play
from yomikiri.web.own_game import OwnGame

GAME = Game(WORDS, ["night"])
OWN = OwnGame(GAME)


def query(address: object) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(str(address)).query)


@given(st.sampled_from(WORDS), st.lists(st.sampled_from(GAME.guesses), max_size=5), st.integers(0, 5))
def test_assist_address_round_trips(secret: str, guesses: list[str], edit: int):
    position = GAME.start
    for guess in guesses:
        if not position.is_solved:
            position = position.after(f"{guess}:{marks(guess, secret)}")
    address = GuessAddress(position, "ja", "", min(edit, len(position.turns)), listed=bool(edit))
    assert read(query(address), GAME) == address


@given(st.lists(st.sampled_from(GAME.guesses), max_size=5), st.lists(st.integers(1, 6), max_size=3, unique=True))
def test_play_address_round_trips(guesses: list[str], hints: list[int]):
    address = GuessPlayAddress(OWN, "tea", tuple(guess for guess in guesses if guess != OWN.secret("tea")),
                               tuple(sorted(hints)), bool(hints), "ja")  # fmt: skip
    assert read_play(query(address), OWN) == address
    assert OWN.secret("tea") not in str(address)


def test_answer_extends_replaces_or_ends_the_turns():
    address = read([("turn", "crane:00000"), ("turn", "night:00000")], GAME)
    assert str(address.answered("spice", "00222")).endswith("&turn=spice:00222")
    assert str(address.editing(1).answered("grape", "02202")) == "/guess?v=1&turn=grape:02202&turn=night:00000"
    assert str(address.editing(1).answered("grape", "22222")) == "/guess?v=1&turn=grape:22222"
    assert str(address.editing(2).deleted()) == "/guess?v=1&turn=crane:00000"
    assert str(address.undone) == "/guess?v=1&turn=crane:00000"
    assert GuessAddress(GAME.start).undone is None


def test_symbols_may_be_colons():
    game = Game([":-)", ":-(", ";-)"])
    address = read([("turn", ":-(:220")], game)
    assert address.position.candidates == (":-)",)
    assert read(query(address), game) == address


def test_answer_comes_from_marks_or_text():
    assert answer_in({"m1": "0", "m2": "2"}, 2) == "02"
    assert answer_in({"m1": "0"}, 2) == ""
    assert answer_in({"m1": "0", "m2": "2", "answer": "gg"}, 2) == "gg"


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([("turn", "zzzzz:00000")], "guess 'zzzzz': expected a code from the list of guesses"),
        ([("turn", "crane:1H1B")], "answer '1H1B': 'H' is not a mark: expected 2 (right place)"),
        ([("turn", "crane")], "turn 'crane': expected GUESS:ANSWER such as brake:20001"),
        ([("turn", "crane:22222"), ("turn", "grape:00000")], "the secret is found already"),
        ([("turn", "crane:00000")] * 31, "31 turns are too many: expected at most 30"),
        ([("edit", "1")], "edit=1: expected a turn from 1 to 0"),
        ([("v", "2")], "unknown version '2'"),
    ],
)
def test_assist_address_is_refused_with_a_reason(pairs: list[tuple[str, str]], said: str):
    with pytest.raises(InputError) as refused:
        read(pairs, GAME)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([("me", "zzzzz")], "guess 'zzzzz'"),
        ([("lists", "00000000")], f"a game with other lists: expected lists={OWN.key}, found '00000000'"),
        ([("seed", "a b")], "seed 'a b': expected 1 to 40 letters, digits or '-'"),
        ([("me", "night")] * 31, "31 turns are too many"),
    ],
)  # fmt: skip
def test_play_address_is_refused_with_a_reason(pairs: list[tuple[str, str]], said: str):
    with pytest.raises(InputError) as refused:
        read_play([("seed", "tea"), *pairs], OWN)
    assert said in str(refused.value)


def test_play_address_follows_the_guess_rule():
    own = OwnGame(Game(WORDS, answers=MARKS, guess_rule=GuessRule.CONSISTENT))
    address = read_play([("seed", "tea")], own)
    assert address is not None
    wrong = next(word for word in WORDS if word != own.secret("tea"))
    after = address.after(wrong)
    with pytest.raises(CodeError, match="it cannot be the secret after these answers"):
        after.after(wrong)
    with pytest.raises(CodeError):
        read_play([("seed", "tea"), ("me", wrong), ("me", wrong)], own)


def test_play_address_is_checked_without_asserts():
    """The static site is compiled without assert statements, so the check must not depend on them."""
    source = Path(guess_address.__file__).read_text(encoding="utf-8")
    names = dict(vars(guess_address))
    exec(compile(source, guess_address.__file__, "exec", dont_inherit=True, optimize=2), names)
    own = OwnGame(Game(WORDS, answers=MARKS, guess_rule=GuessRule.CONSISTENT))
    wrong = next(word for word in WORDS if word != own.secret("tea"))
    with pytest.raises(CodeError, match="it cannot be the secret after these answers"):
        names["read_play"]([("seed", "tea"), ("me", wrong), ("me", wrong)], own)


def test_missing_seed_is_no_game():
    assert read_play([("lang", "ja")], OWN) is None


def test_answers_of_other_kinds_round_trip():
    game = Game(WORDS, answers=HITS_BLOWS)
    assert str(read([("turn", "crane:3 1")], game)) == "/guess?v=1&turn=crane:3H1B"
