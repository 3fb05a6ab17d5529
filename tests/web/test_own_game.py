"""The game that a server offers for the user's own lists: its key, secrets, counts of candidates and suggestions."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.web.own import WORDS, fitting, marks

from yomikiri.common.budget import Budget
from yomikiri.common.errors import InputError
from yomikiri.guessing.answers import HITS, MARKS
from yomikiri.guessing.game import Game
from yomikiri.web import limits
from yomikiri.web.own_game import OwnGame

GAME = Game(WORDS, answers=MARKS)


def test_key_depends_on_lists_and_rules_alone():
    others = (Game(WORDS[1:]), Game(WORDS, ["night"]), Game(WORDS, answers=HITS), Game(WORDS, guess_limit=6),
              Game(dict.fromkeys(WORDS, 1) | {"crane": 2}))  # fmt: skip
    keys = [OwnGame(game).key for game in (GAME, *others)]
    assert len({*keys}) == len(keys)
    assert OwnGame(Game(WORDS)).key == OwnGame(GAME).key


def test_secret_follows_from_the_seed_and_the_weights():
    own = OwnGame(Game(dict.fromkeys(WORDS, 1) | {"spice": 11}))
    drawn = Counter(own.secret(f"seed{number}") for number in range(600))
    assert {*drawn} == {*WORDS}
    assert 250 < drawn["spice"] < 410  # 330 is expected, and the standard deviation is 12
    assert own.secret("seed7") == own.secret("seed7")


def test_counts_are_the_candidates_after_each_turn():
    turns = {"grape": "02202", "crane": "02202"}
    position = GAME.start.after_all(f"{guess}:{answer}" for guess, answer in turns.items())
    assert all(marks(guess, "drake") == answer for guess, answer in turns.items())
    assert OwnGame(GAME).counts(position) == (len(fitting({"grape": "02202"})), len(fitting(turns)))


def test_advice_is_kept_once_proven():
    own = OwnGame(GAME)
    found = own.advice(GAME.start, Budget())
    assert found.is_proven
    assert own.advice(GAME.start, Budget.within(0)) is found
    assert own.advice(GAME.start.after("grape:02202"), Budget.within(0)).expected is None
    assert own.advice(GAME.start.after("grape:02202"), Budget()).is_proven


def test_prepared_first_guess_replaces_an_unproven_one():
    own = OwnGame(GAME)
    assert own.advice(GAME.start, Budget.within(0)).expected is None
    own.prepare(Budget())
    assert own.advice(GAME.start, Budget.within(0)).is_proven


def test_lists_that_are_too_long_for_the_page_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "MOST_LISTED_ANSWERS", 99)
    with pytest.raises(InputError, match="10 secrets times 10 guesses are too many for the page: expected at most 99"):
        OwnGame(GAME)
