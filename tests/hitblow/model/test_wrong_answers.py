import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.hitblow import every_code, plain_hint, plain_slips

from yomikiri.common.errors import InputError
from yomikiri.hitblow.model.codes import all_secrets
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn
from yomikiri.hitblow.model.wrong_answers import Slips, guesses_for, points

GAMES = (
    (Rules(3, "0123456"), every_code("0123456", 3, repeats=False)),
    (Rules(3, "7890"), every_code("7890", 3, repeats=False)),
    (Rules(2, "qwas", Repeats.ALL), every_code("qwas", 2, repeats=True)),
    (Rules(3, "012", Repeats.ALL), every_code("012", 3, repeats=True)),
)


@settings(max_examples=25)
@given(st.data(), st.sampled_from(GAMES))
def test_points_agree_with_the_table_for_every_code(data, game):
    rules, space = game
    guess, secret = data.draw(st.sampled_from(space)), data.draw(st.sampled_from(space))
    answer = plain_hint(guess, secret)
    found = points(rules, Turn(guess, Hint(*answer)), all_secrets(rules))
    expected = [
        0 if plain_hint(guess, code) == answer else sum(plain_slips(guess, answer, code, space).values())
        for code in space
    ]
    np.testing.assert_array_equal(found, expected)


def test_guesses_for_lists_neighbouring_keys_and_swapped_digits():
    assert dict(guesses_for(Rules(), "019")) == {"109": 5, "910": 5, "091": 5, "029": 2, "018": 2}


def test_odds_of_slips_follow_from_the_rate():
    assert Slips(1).odds == (1900, 1)
    assert Slips(1, 0.5).odds == (100, 1)
    assert Slips(1, 0.2).odds == (400, 1)
    assert Slips(1, 0.30000001) == Slips(1, 0.3)


@pytest.mark.parametrize("arguments", [(-1, 0.05), (10, 0.05), (1, 0), (1, 0.6), (1, float("nan"))])
def test_invalid_slips_are_refused(arguments):
    with pytest.raises(InputError, match="expected a "):
        Slips(*arguments)
