"""Lists of codes as text, and the errors that name their files and lines.

Also tests `common/file_errors.py`: the text of a file with its name.
"""

import re

import pytest

from yomikiri.common.errors import InputError
from yomikiri.common.file_errors import FileText
from yomikiri.guessing.answers import MARKS
from yomikiri.guessing.game import Game
from yomikiri.guessing.lists import read_list, read_lists


def test_codes_have_the_weight_after_the_comma_or_one():
    assert read_list("crane\n\nSLATE, 3\n") == {"crane": 1, "slate": 3}


def test_game_of_two_lists():
    game = Game(*read_lists("crane\nslate,3\n", "night\n"), MARKS)
    assert game.secrets == ("crane", "slate")
    assert game.weights == (1, 3)
    assert game.guesses == ("night", "crane", "slate")


def test_codes_of_weight_zero_are_left_out():
    assert Game(*read_lists("crane\nslate,0\n", None), MARKS).guesses == ("crane",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("crane\nslate,x", "list, line 2: weight 'x' of slate: expected a whole number from 0 to 1048576"),
        ("crane,9999999\nslate", "list, line 1: weight '9999999' of crane: expected a whole number from 0 to 1048576"),
        ("crane\nslate\nCrane", "list, line 3: 'crane' is in line 1 too: remove one of the two"),
        ("crane\ncran\nslate", "list, line 2: 'cran' has 4 symbols: expected 5, as most codes of the list have"),
        ("c\ncrane\nslate", "list, line 1: 'c' has 1 symbol: expected 5, as most codes of the list have"),
        ("# words\ncrane\nslate", "list, line 1: '# words' contains a space: write one code on each line"),
        ("ab cd\nab-cd", "list, line 1: 'ab cd' contains a space: write one code on each line"),
        ("ab\u3000cd", "list, line 1: 'ab cd' contains a space: write one code on each line"),
        (",3\ncrane", "list, line 1: '' has 0 symbols: expected 1 to 10"),
        ("abcdefghijk", "list, line 1: 'abcdefghijk' has 11 symbols: expected 1 to 10"),
        ("\n\n", "list: the list is empty: expected one code on each line"),
    ],
)
def test_bad_lines_are_refused_with_their_number(text: str, message: str):
    with pytest.raises(InputError, match=re.escape(message)):
        read_list(text)


@pytest.mark.parametrize(
    ("secrets", "guesses", "message"),
    [
        ("cran\ncrane\nslate", None, "s.txt, line 1: 'cran' has 4 symbols: expected 5"),
        ("crane", "night\nday", "g.txt, line 2: 'day' has 3 symbols: expected 5, as the secrets have"),
        ("crane", "day", "g.txt, line 1: 'day' has 3 symbols: expected 5, as the secrets have"),
        ("crane", "", "g.txt: the list is empty: expected one code on each line"),
        ("", None, "s.txt: the list is empty: expected one code on each line"),
        ("crane,0\nslate,0", None, "s.txt: every weight is 0: give one code or more a weight of at least 1"),
    ],
)
def test_errors_name_the_file(secrets: str, guesses: str | None, message: str):
    with pytest.raises(InputError, match=re.escape(message)):
        read_lists(FileText(secrets, "s.txt"), None if guesses is None else FileText(guesses, "g.txt"))


def test_list_from_standard_input_is_named():
    with pytest.raises(InputError, match=r"<stdin>, line 2: 'crane' is in line 1 too"):
        read_list(FileText("crane\ncrane", "-"))


def test_query_may_have_an_empty_list_of_guesses():
    assert read_lists("crane", "") == ({"crane": 1}, {})
