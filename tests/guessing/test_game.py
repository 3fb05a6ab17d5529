"""Games from lists of codes, positions, and the errors for lists and turns."""

import pytest

from yomikiri.common.errors import CodeError, ContradictionError, InputError, TurnError
from yomikiri.guessing.answers import HITS_BLOWS
from yomikiri.guessing.game import Game, Observation

WORDS = ["crane", "crate", "grate", "night"]


def test_every_secret_may_be_guessed():
    game = Game(["crane"], ["night", "crate"])
    assert game.guesses == ("night", "crate", "crane")
    assert game.symbols == "aceghinrt"
    assert game.places == 5


def test_letters_are_folded():
    assert Game(["CRANE", "Crate"]).secrets == ("crane", "crate")
    assert Game(WORDS).code(" NIGHT") == "night"


def test_weights_have_no_common_divisor_and_zero_excludes():
    game = Game({"ab": 4, "cd": 6, "ef": 0})
    assert game.secrets == ("ab", "cd")
    assert game.weights == (2, 3)


def test_candidates_fit_every_answer():
    position = Game(WORDS).start.after_all(["crane:22202"])
    assert position.candidates == ("crate",)
    assert position.turns == (Observation("crane", "22202"),)
    assert str(position.turns[0]) == "crane:22202"
    assert not position.is_solved
    assert position.after("crate:ggggg").is_solved


@pytest.mark.parametrize(
    ("secrets", "message"),
    [
        ([], "the list of secrets is empty"),
        (["ab", "abc"], "'abc' has 3 symbols, but 'ab' has 2"),
        (["ab", "AB"], "'ab' is in the list twice"),
        (["abcdefghijk"], "'abcdefghijk' has 11 symbols: expected 1 to 10"),
        ([chr(0x4E00 + i) for i in range(65)], "the codes have 65 different symbols: expected at most 64"),
        (["ab cd"], "'ab cd' contains a space: write one code on each line"),
        ({"ab": 2, "AB": 3}, "'ab' is in the list twice"),
        ({"ab": -1}, "weight '-1' of ab: expected a whole number from 0 to 1048576"),
    ],
)
def test_bad_lists_are_refused(secrets: list[str] | dict[str, int], message: str):
    with pytest.raises(InputError, match=message):
        Game(secrets)


@pytest.mark.parametrize(
    ("turn", "kind", "message"),
    [
        ("crane", TurnError, "turn 'crane': expected GUESS:ANSWER such as crane:20001"),
        ("cran:00000", CodeError, "'cran' has 4 symbols: expected 5, such as crane"),
        ("crown:00000", CodeError, "guess 'crown': expected a code from the list of guesses"),
    ],
)
def test_bad_turns_are_refused(turn: str, kind: type[InputError], message: str):
    with pytest.raises(kind, match=message):
        Game(WORDS).start.after(turn)


def test_observations_are_checked_like_text():
    start = Game(WORDS).start
    assert start.after(Observation("CRANE", "GYB--".lower())) == start.after("crane:21000")
    for turn, message in (
        (Observation("crane", "xyz"), "answer 'xyz'"),
        (Observation("cra", "000"), "'cra' has 3 symbols"),
        (Observation("zzzzz", "00000"), "guess 'zzzzz': expected a code from the list of guesses"),
    ):
        with pytest.raises(InputError, match=message):
            start.after(turn)


def test_codes_with_colons_may_be_guessed():
    assert Game([":-)", ":-("]).start.after(":-):220").candidates == (":-(",)


def test_turn_after_the_limit_names_it():
    for limit, said in ((1, "1 guess$"), (2, "2 guesses$")):
        turns = ["crane:00000"] * (limit + 1)
        with pytest.raises(TurnError, match=f"turn 'crane:00000': the game ends after {said}"):
            Game(WORDS, guess_limit=limit).start.after_all(turns)


def test_turn_after_the_end_is_refused():
    with pytest.raises(TurnError, match="the secret is found already"):
        Game(WORDS).start.after_all(["crane:22222", "crate:00000"])


def test_contradiction_names_the_turn_that_leaves_no_secret():
    position = Game(["ab", "cd", "ef"], answers=HITS_BLOWS).start.after_all(["ab:0H0B", "cd:0H0B", "ef:0H0B"])
    with pytest.raises(ContradictionError, match="no secret fits ef:0H0B and the turns before it"):
        position.require_candidates()
    Game(WORDS).start.require_candidates()
