"""Games against the program: the secret depends on the seed only, its guesses on public information only."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import permutations

import pytest

from yomikiri.common.errors import CodeError, InputError, RulesError
from yomikiri.common.seeds import chosen
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Level
from yomikiri.hitblow.model.rules import PRESETS, Repeats, Rules, hint
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.practice import play as module
from yomikiri.hitblow.practice.play import Play, secret_of

PLAIN = Exact(None)
SMALL = Rules(2, "01234")

# The examples of play.md. A change of a secret requires a new FORMAT.
VECTORS = {
    ("hitblow", "tea"): "307",
    ("hitblow", "day-2026-11-22"): "619",
    ("bulls", "tea"): "8029",
    ("mastermind", "tea"): "6625",
}


def test_secret_of_rejects_a_biased_attempt():
    rules = Rules(6, "0123456789ABCDEF")
    first = sha256(f"yomikiri 1\n151\nsecret 6 none {rules.symbols}\n0".encode()).hexdigest()
    assert int(first[:8], 16) >= 2**32 - 2**32 % rules.secret_count
    assert secret_of(Knowledge(rules), "151") == "503FEA"


@pytest.mark.parametrize(("preset", "seed"), VECTORS)
def test_secret_of_a_seed_never_changes(preset: str, seed: str):
    assert secret_of(Knowledge(PRESETS[preset].rules), seed) == VECTORS[preset, seed]


def by_hand(rules: Rules, seed: str) -> str:
    """Compute the secret by the recipe in play.md, without code of the package."""
    codes = sorted(map("".join, permutations(rules.symbols, rules.digits)))
    for attempt in range(9):
        text = f"yomikiri 1\n{seed}\nsecret {rules.digits} none {rules.symbols}\n{attempt}"
        number = int(sha256(text.encode()).hexdigest()[:8], 16)
        if number < 2**32 - 2**32 % len(codes):
            return codes[number % len(codes)]
    raise AssertionError


@pytest.mark.parametrize("seed", ["tea", "a", "day-2026-11-22", "0123456789"])
def test_secret_of_agrees_with_the_documented_recipe(seed: str):
    assert secret_of(Knowledge(), seed) == by_hand(Rules(), seed)


def test_chosen_rejects_numbers_that_would_bias_the_choice():
    among = 2**31 + 1  # nearly half of all numbers are rejected
    for seed in map(str, range(20)):
        numbers = (int(sha256(f"yomikiri 1\n{seed}\nx\n{k}".encode()).hexdigest()[:8], 16) for k in range(99))
        assert chosen(seed, "x", among) == next(number for number in numbers if number < among)


def test_secrets_are_uniformly_distributed():
    found = Counter(secret_of(Knowledge(SMALL), str(seed)) for seed in range(4000))
    assert len(found) == SMALL.secret_count
    assert (
        sum((count - 200) ** 2 / 200 for count in found.values()) < 45
    )  # chi-squared limit for 19 degrees of freedom, p = 0.001


def test_secrets_are_distributed_by_weight():
    known = Knowledge(SMALL, prior=(("01", 1), ("32", 6), ("41", 3)))
    found = Counter(secret_of(known, str(seed)) for seed in range(2000))
    expected = {"01": 200, "32": 1200, "41": 600}
    assert set(found) == set(expected)
    assert (
        sum((found[code] - mean) ** 2 / mean for code, mean in expected.items()) < 14
    )  # chi-squared limit for 2 degrees of freedom, p = 0.001


def test_secret_depends_on_the_rules():
    assert (
        len({secret_of(Knowledge(Rules(3, "0123456789", repeats)), "tea") for repeats in (Repeats.NONE, Repeats.ALL)})
        == 2
    )


def raced(level: Level, first: Side, guesses: list[str], rules: Rules = SMALL) -> Play:
    """Return a race after these guesses, or at its end."""
    shown = "" if first is Side.OPPONENT else rules.symbols[0]
    play = Play(rules, "tea", True, level, first, secret=rules.symbols[1 : rules.digits + 1], shown=shown)
    play = play.answered(PLAIN)
    for guess in guesses:
        if play.to_move is Side.ME:
            play = play.guess(guess).answered(PLAIN)
    return play


@pytest.mark.parametrize("first", Side)
@pytest.mark.parametrize("level", [*Level])
def test_program_guesses_do_not_depend_on_its_secret(monkeypatch: pytest.MonkeyPatch, level: Level, first: Side):
    guesses = ["01", "10", "01"]
    seen: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for secret in map("".join, permutations(SMALL.symbols, 2)):
        monkeypatch.setattr(module, "secret_of", lambda _rules, _seed, kept=secret: kept)
        play = raced(level, first, guesses)
        knowledge = (play.absent, *map(str, play.board.played))
        seen.setdefault(knowledge, set()).add(play.answers)
    assert len(seen) < 20  # some secrets give the same answers
    assert [knowledge for knowledge, moves in seen.items() if len(moves) > 1] == []


def test_exchanged_match_contains_no_secret():
    play = raced(Level.CONSISTENT, Side.ME, ["01"])
    seen = play.match.exchanged()
    assert seen
    assert seen.secret == ""
    assert seen.known(Side.ME).turns == play.match.known(Side.OPPONENT).played


@pytest.mark.parametrize("level", [*Level])
def test_race_ends_with_true_answers(level: Level):
    play = raced(level, Side.OPPONENT, ["".join(code) for code in permutations(SMALL.symbols, 2)])
    assert play.over
    for side, kept in ((Side.ME, play.program_secret), (Side.OPPONENT, play.secret)):
        for turn in play.match.known(side).played:
            assert turn.hint == hint(turn.guess, kept)
    assert play.absent not in play.program_secret


def test_consistent_level_guesses_only_candidates():
    consistent = raced(Level.CONSISTENT, Side.ME, ["01"] * 9)
    for at, guess in enumerate(consistent.answers):
        assert all(hint(before, guess) == hint(before, "12") for before in consistent.answers[:at])


def test_play_without_race_has_one_guesser():
    play = Play(seed="tea").guess("012").guess("307")
    assert [str(turn) for turn in play.board.played] == ["012:0H1B", "307:3H0B"]
    assert (play.over, play.won, play.to_move) == (True, True, None)


def test_guesses_after_the_end_are_dropped():
    play = Play(seed="tea", guesses=("307", "012"))
    assert play.answered(PLAIN).guesses == ("307",)


def test_waits_for_names_missing_input_in_order():
    play = Play(race=True)
    assert play.waits_for == "secret"
    assert Play(race=True, secret="314").waits_for == "shown"
    assert Play(race=True, secret="314", handicap=False).waits_for == ""
    assert Play(race=True, secret="314", first=Side.OPPONENT).waits_for == ""
    assert Play(race=True, secret="314", first=Side.OPPONENT).to_move is Side.OPPONENT


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"seed": "two words"}, InputError),
        ({"seed": ""}, InputError),
        ({"rules": Rules(4), "level": Level.PERFECT}, RulesError),
        ({"race": True, "secret": "31"}, CodeError),
        ({"race": True, "secret": "314", "shown": "78"}, CodeError),
    ],
)
def test_invalid_settings_are_refused(given, error):
    with pytest.raises(error):
        Play(**given)
