"""Lists of codes as text, and the errors that name their lines."""

import pytest

from yomikiri.common.errors import InputError
from yomikiri.guessing.answers import MARKS
from yomikiri.guessing.lists import game_of_lists, read_list


def test_codes_have_the_weight_after_the_comma_or_one():
    assert read_list("crane\n\nslate, 3\n") == {"crane": 1, "slate": 3}


def test_game_of_two_lists():
    game = game_of_lists("crane\nslate,3\n", "night\n", MARKS)
    assert game.secrets == ("crane", "slate")
    assert game.weights == (1, 3)
    assert game.guesses == ("night", "crane", "slate")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("crane\nslate,x", "line 2 of the list: 'slate,x' needs a whole number after the comma"),
        ("crane\nslate\ncrane", "line 3 of the list: 'crane' is there twice"),
        ("crane\ncran", "line 2 of the list: 'cran' has 4 symbols: expected 5, as before"),
    ],
)
def test_bad_lines_are_refused_with_their_number(text: str, message: str):
    with pytest.raises(InputError, match=message):
        read_list(text)
