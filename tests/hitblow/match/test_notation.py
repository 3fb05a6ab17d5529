import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yomikiri.common.errors import InputError, YomikiriError
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import match_of, match_pairs, read_match, write_match
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, Words, hint

GAMES = [Rules(), Rules(2, "ab=9"), Rules(3, "01234", Repeats.ALL), Rules(2, "赤青黄")]


def test_write_match_lists_terms_and_turns():
    match = Match(first=Side.OPPONENT, shown="7", secret="314")
    match = match.play(Turn("012", Hint(1, 0))).play(Turn("345", Hint(1, 0)))
    text = "first=opponent shown=7 secret=314 they=012:1H0B me=345:1H0B"
    assert write_match(match) == text
    assert read_match(text) == match
    assert write_match(Match()) == ""


@given(st.integers(0, 10_000))
def test_random_match_round_trips(seed):
    chance = random.Random(seed)
    rules, own_rules = chance.choice(GAMES), chance.choice(GAMES)
    secrets = {side: drawn(chance, own_rules if side is Side.ME else rules) for side in Side}
    match = Match(
        rules, own_rules, chance.choice(list(Side)),
        secret=secrets[Side.ME] if chance.random() < 0.5 else "", equal_turns=chance.random() < 0.5,
    )  # fmt: skip
    for _ in range(chance.randrange(8)):
        if (mover := match.to_move) is None:
            break
        guess = drawn(chance, match.sought(mover))
        match = match.play(Turn(guess, hint(guess, secrets[mover.other])))
    assert read_match(write_match(match)) == match
    for words in Words:
        assert match_of(match_pairs(match, words)) == match


def drawn(chance: random.Random, rules: Rules) -> str:
    if rules.repeats is Repeats.ALL:
        return "".join(chance.choices(rules.symbols, k=rules.digits))
    return "".join(chance.sample(rules.symbols, rules.digits))


def test_opponent_guess_needs_no_answer_if_my_secret_is_given():
    assert read_match("secret=314 me=012:0H0B they=415") == read_match("secret=314 me=012:0H0B they=415:1H1B")


def test_read_match_accepts_every_form_of_answers():
    plain = read_match("me=012:1H1B they=345:0H2B")
    assert read_match("ＭＥ＝０１２：１Ｈ１Ｂ they=345:0E2B") == plain
    assert read_match("words=bull me=012:1B1C they=345:02") == plain


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("me=012:0H0B me=345:0H0B", "is out of turn"),
        ("they=012:0H0B", "is out of turn"),
        ("first=opponent me=012:0H0B", "is out of turn"),
        ("me=012:3H0B they=345:0H0B", "comes after the end of the match"),
        ("me=012:3H0B me=345:0H0B", "comes after the end of the match"),
        ("012:0H0B", "is not part of a match"),
        ("we=012:0H0B", "is not part of a match"),
        ("first=they", "first=they: expected one of me, opponent"),
        ("digits=three", "digits 'three': expected a number, such as 1"),
        ("equal-turns=yes", "equal-turns=yes: expected one of 0, 1"),
        ("me=012", "has no answer"),
        ("first=opponent they=012", "has no answer"),
        ("secret=314 me=01x", "is not a turn"),
        ("me=012:x", "is not an answer"),
    ],
)
def test_invalid_match_text_is_refused_with_the_cause(text, error):
    with pytest.raises(InputError, match=error):
        read_match(text)


@given(st.text(), st.text())
def test_random_pairs_give_a_match_or_a_yomikiri_error(name, value):
    for known in (name, "me", "they", "secret", "symbols", "absent"):
        with suppress(YomikiriError):
            assert match_of([(known, value)])
