"""Lists of codes as arrays, and the list of all codes of some symbols.

Also tests `guessing/plain_answers.py`: the answers to one guess.
"""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import numpy as np
import pytest

from yomikiri.common.errors import CodeError, InputError
from yomikiri.guessing.answers import ANSWER_KINDS, HITS_BLOWS, AnswerKind
from yomikiri.guessing.codes import MOST_CODES, CodeSpace, ListedCodes
from yomikiri.guessing.game import Game
from yomikiri.guessing.plain_answers import answers_to


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("no_leading", ["", "0", "02"])
@pytest.mark.parametrize(("places", "symbols"), [(1, "01"), (2, "0123"), (3, "210"), (5, "01234"), (4, "cab0")])
def test_code_space_lists_all_codes_in_order(places: int, symbols: str, repeats: bool, no_leading: str):
    every = product(sorted(symbols), repeat=places) if repeats else permutations(sorted(symbols), places)
    expected = ["".join(code) for code in every if code[0] not in no_leading]
    space = CodeSpace(places, symbols, repeats=repeats, no_leading=no_leading)
    assert list(space) == expected
    assert (len(space), space.places) == (len(expected), places)
    assert all((code in space) == (code in expected) for code in map("".join, product(symbols + "x", repeat=places)))


def test_code_lists_equal_sequences_of_the_same_codes():
    space = CodeSpace(2, "012")
    assert space == ("01", "02", "10", "12", "20", "21") == space
    assert space == ListedCodes.of([*space], "012")
    assert hash(space) == hash(ListedCodes.of([*space], "0123"))
    assert space != ("01", "02")
    assert space[1:3] == ["02", "10"]
    assert space[-1] == "21"
    assert space.take(np.array([4, 0])) == ("20", "01")
    assert repr(space[:2]) == "('01', '02')"
    assert space != "01"


@pytest.mark.parametrize("kind", ANSWER_KINDS.values(), ids=ANSWER_KINDS)
def test_answers_of_a_list_equal_those_of_each_code(kind: AnswerKind):
    chance = Random(7)
    for _game in range(60):
        places, symbols = chance.randint(1, 6), "abcdef"[: chance.randint(1, 6)]
        codes = sorted({"".join(chance.choices(symbols, k=places)) for _ in range(40)})
        guess = "".join(chance.choices(symbols + "x", k=places)) if chance.random() < 0.5 else chance.choice(codes)
        found = answers_to(kind, guess, ListedCodes.of(codes, symbols))
        assert [kind.text(number, places) for number in found.tolist()] == [kind.answer(guess, code) for code in codes]


@pytest.mark.slow
def test_large_spaces_are_searched_in_blocks():
    """A space of 151,200 codes: the candidates of a position are those that a loop over all codes finds."""
    space = CodeSpace(6, "0123456789")
    position = Game(space, answers=HITS_BLOWS).start.after_all(["012345:1H2B", "106782:2H1B"])
    assert position.candidates == [
        code
        for code in map("".join, permutations("0123456789", 6))
        if (HITS_BLOWS.answer("012345", code), HITS_BLOWS.answer("106782", code)) == ("1H2B", "2H1B")
    ]
    assert set(position.weights) == {1}


@pytest.mark.parametrize(
    ("places", "symbols", "message"),
    [
        (0, "01", "length of a code 0: expected 1 to 10"),
        (11, "01", "length of a code 11: expected 1 to 10"),
        (2, "010", "symbols '010': expected different printable characters, without spaces"),
        (2, "0 1", "symbols '0 1': expected different printable characters, without spaces"),
        (3, "01", "symbols '01' are too few: expected at least 3 for a code without repeats"),
        (2, "".join(map(chr, range(0x4E00, 0x4E00 + 65))), "the codes have 65 different symbols: expected at most 64"),
        (8, "0123456789ab", f"19958400 codes: expected at most {MOST_CODES}"),
    ],
)
def test_impossible_spaces_are_refused(places: int, symbols: str, message: str):
    with pytest.raises(InputError, match=message):
        CodeSpace(places, symbols)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("1x2", "code '1x2': 'x' is not one of the symbols 01234"),
        ("121", "code '121': '1' is there more than once, expected different symbols"),
        ("012", "code '012': it may not begin with '0'"),
    ],
)
def test_codes_outside_a_space_are_refused_with_the_reason(code: str, message: str):
    with pytest.raises(CodeError, match=message):
        Game(CodeSpace(3, "01234", no_leading="0"), answers=HITS_BLOWS).code(code)


def test_secrets_of_a_list_may_be_guessed_by_all_codes_of_a_space():
    game = Game(["012", "120"], CodeSpace(3, "0123"), HITS_BLOWS)
    assert (len(game.secrets), len(game.guesses)) == (2, 24)
    with pytest.raises(CodeError, match="'7' is not one of the symbols 0123"):
        Game(["017"], CodeSpace(3, "0123"), HITS_BLOWS)
    with pytest.raises(CodeError, match="'01' has 2 symbols: expected 3, such as 012"):
        Game(["01"], CodeSpace(3, "0123"), HITS_BLOWS)


def test_guesses_of_a_space_contain_its_secrets():
    secrets = CodeSpace(3, "0123")
    assert len(Game(secrets, CodeSpace(3, "0123", repeats=True), HITS_BLOWS).guesses) == 64
    for guesses in (CodeSpace(3, "012"), CodeSpace(3, "0123", no_leading="0"), CodeSpace(2, "0123")):
        with pytest.raises(InputError, match="expected all codes that can be the secret among them"):
            Game(secrets, guesses, HITS_BLOWS)
    with pytest.raises(InputError, match="a list of guesses: needs a list of secrets"):
        Game(secrets, ["012"], HITS_BLOWS)
