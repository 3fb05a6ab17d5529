import contextlib

from hypothesis import given
from hypothesis import strategies as st

from yomikiri.common.errors import InputError
from yomikiri.hitblow.model.game import HitBlowGame, game_of, game_pairs
from yomikiri.hitblow.model.rules import PRESETS, Repeats, Rules, Turn, Words
from yomikiri.hitblow.model.wrong_answers import Slips


@st.composite
def games(draw: st.DrawFn) -> HitBlowGame:
    """Generate games of presets and other rules with any words."""
    own = [Rules(2, "ab=9&", Repeats.ALL), Rules(1, "赤青"), Rules(3, "012", Repeats.GUESS)]
    rules = draw(st.sampled_from([*(preset.rules for preset in PRESETS.values()), *own]))
    guesses = st.permutations(rules.symbols).map(lambda symbols: "".join(symbols[: rules.digits]))
    turns = draw(st.lists(st.builds(Turn, guesses, st.sampled_from(rules.hints)), max_size=4))
    spare = rules.symbols[-1] if len(rules.symbols) > rules.digits else ""
    slips = draw(st.sampled_from([Slips(), Slips(1), Slips(9, 0.125)]))
    return HitBlowGame(
        rules, draw(st.sampled_from(Words)), draw(st.sampled_from(["", spare])), tuple(turns), slips=slips
    )


@given(games())
def test_game_round_trips_through_pairs(game):
    assert game_of(game_pairs(game)) == game
    assert game_of(reversed([*game_pairs(game)])).facts == game.facts[::-1]


def test_game_pairs_contain_preset_or_differences():
    assert list(game_pairs(HitBlowGame())) == []
    for name, preset in PRESETS.items():
        assert list(game_pairs(HitBlowGame(preset.rules, preset.words))) == (
            [] if name == "hitblow" else [("preset", name)]
        )
    assert dict(game_pairs(HitBlowGame(Rules(4), Words.HIT, "7"))) == {"digits": "4", "absent": "7"}
    assert dict(game_pairs(HitBlowGame(words=Words.BLACK))) == {"words": "black"}


@given(st.text(), st.text())
def test_random_pairs_give_a_game_or_an_input_error(name, value):
    for known in (name, "preset", "digits", "symbols", "repeats", "words", "absent", "turn"):
        with contextlib.suppress(InputError):
            assert isinstance(game_of([(known, value)]), HitBlowGame)


def test_last_value_of_a_repeated_name_counts():
    assert game_of([("digits", "2"), ("preset", "bulls"), ("digits", "3")]) == HitBlowGame(words=Words.BULL)
