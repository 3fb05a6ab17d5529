"""Guess rules: consistent play and hard mode, and limits of the number of guesses."""

import pytest

from yomikiri.common.errors import CodeError, InputError, TurnError
from yomikiri.guessing.answers import HITS_BLOWS
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule

WORDS = ["speed", "erase", "abide", "steal", "crepe", "eerie", "there"]


def test_hard_mode_keeps_hits_and_uses_marked_symbols():
    hard = Game(WORDS, guess_rule=GuessRule.HARD).start
    assert all(hard.allows(word) for word in WORDS)
    after = hard.after("steal:10100")
    assert [word for word in WORDS if after.allows(word)] == ["speed", "erase", "steal"]
    after = hard.after("erase:10001")  # two e's at other places
    assert [word for word in WORDS if after.allows(word)] == ["speed", "erase", "crepe", "eerie", "there"]
    after = hard.after("erase:00002").after("abide:00002")
    assert [word for word in WORDS if after.allows(word)] == ["erase", "abide", "crepe", "eerie", "there"]


@pytest.mark.parametrize(
    ("turn", "guess", "message"),
    [
        ("steal:00200", "abide", "guess 'abide': hard mode needs 'e' at place 3"),
        ("steal:10000", "abide", "guess 'abide': hard mode needs 's'"),
        ("erase:10001", "abide", "guess 'abide': hard mode needs 'e' 2 times"),
    ],
)
def test_refused_guess_names_the_requirement(turn: str, guess: str, message: str):
    with pytest.raises(CodeError, match=message):
        Game(WORDS, guess_rule=GuessRule.HARD).start.after(turn).require_allowed(guess)


def test_consistent_guesses_are_candidates():
    position = Game(WORDS, guess_rule=GuessRule.CONSISTENT).start.after("steal:00000")
    assert [word for word in WORDS if position.allows(word)] == list(position.candidates)
    with pytest.raises(CodeError, match="guess 'steal': it cannot be the secret"):
        position.require_allowed("steal")


def test_hard_mode_needs_marks():
    with pytest.raises(InputError, match="hard mode: needs marks, not the answers 'hits-blows'"):
        Game(["12", "21"], answers=HITS_BLOWS, guess_rule=GuessRule.HARD)


def test_game_ends_after_the_limit():
    position = Game(["ab", "cd", "ef"], guess_limit=1).start.after("ab:00")
    assert position.guesses_left == 0
    with pytest.raises(TurnError, match=r"the game ends after 1 guess$"):
        position.after("cd:22")
    with pytest.raises(InputError, match="limit of guesses 0: expected 1 or more"):
        Game(["ab"], guess_limit=0)
