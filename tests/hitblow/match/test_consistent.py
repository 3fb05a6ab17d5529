"""The pace of random consistent play, against its definition."""

from dataclasses import replace
from fractions import Fraction

import pytest

from yomikiri.budget import Budget
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.opponents import Consistent
from yomikiri.hitblow.rules import Hint, Repeats, Rules, Turn, hint

SMALL = Knowledge(Rules(2, "01234"))
MID = Knowledge(Rules(3, "0123456"), "6", (Turn("012", Hint(0, 1)),))


def chances(codes: list[str], secret: str) -> list[Fraction]:
    """When a player who guesses any code that fits finds the secret, from the definition."""
    found = [Fraction(0)] * (len(codes) + 1)
    for guess in codes:
        if guess == secret:
            found[0] += Fraction(1, len(codes))
            continue
        left = [code for code in codes if hint(guess, code) == hint(guess, secret)]
        for turn, chance in enumerate(chances(left, secret), start=1):
            found[turn] += chance / len(codes)
    return found[: len(codes)]


@pytest.mark.parametrize("known", [SMALL, SMALL.after(Turn("01", Hint(0, 1))), Knowledge(Rules(2, "012", Repeats.ALL))])
def test_a_consistent_player_finds_the_secret_when_the_definition_says(known):
    codes = known.codes()
    each = {secret: chances(codes, secret) for secret in codes}
    for secret in (*codes[::4], ""):
        pace = Consistent().pace(known, secret)
        told = [each[secret]] if secret else [*each.values()]
        for guesses in range(len(codes) + 1):
            expected = sum(sum(chance[:guesses]) for chance in told) / len(told)
            assert pace.within(guesses) == pytest.approx(float(expected), abs=1e-8)
        assert pace.error == 0


def test_where_some_secrets_are_likelier_they_count_as_often(monkeypatch):
    codes = SMALL.codes()
    known = Knowledge(SMALL.rules, prior=tuple((code, 1 + 9 * (code < "13")) for code in codes))
    each = {secret: chances(codes, secret) for secret in codes}
    exact = Consistent().pace(known)
    for guesses in range(1, len(codes)):
        expected = sum(known.probability(code) * float(sum(each[code][:guesses])) for code in codes)
        assert exact.within(guesses) == pytest.approx(expected, abs=1e-8)
    monkeypatch.setattr("yomikiri.hitblow.match.consistent._EXACT_SETS", 3)
    sampled = Consistent(seed=1).pace(replace(known, prior=tuple((code, 10 * w) for code, w in known.prior[1:])))
    assert sampled.error > 0
    shares = [sampled.within(guesses) - exact.within(guesses) for guesses in range(1, 6)]
    assert max(map(abs, shares)) < 0.1
    two = Knowledge(SMALL.rules, prior=(("01", 3), ("23", 1)))
    assert Consistent(by_weight=True).pace(two).within(1) == pytest.approx((9 + 1) / 16, abs=0.03)
    assert Consistent().pace(two).within(1) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "known",
    [
        SMALL,
        Knowledge(Rules(3, "01234"), "3"),
        Knowledge(Rules(3, "01234", Repeats.GUESS)),
        Knowledge(Rules(3, "0123")),
    ],
)
def test_before_the_first_hint_one_guess_of_each_kind_stands_for_all(known, monkeypatch):
    monkeypatch.setattr("yomikiri.hitblow.match.consistent._EXACT_CANDIDATES", known.count - 1)
    codes = known.codes()
    for secret in (codes[1], codes[-1]):
        pace, shares = Consistent(seed=2).pace(known, secret), chances(codes, secret)
        assert pace.error == 0
        for guesses in range(len(codes) + 1):
            assert pace.within(guesses) == pytest.approx(float(sum(shares[:guesses])), abs=1e-8)
    assert Consistent().pace(known).finish == Consistent().pace(known, codes[0]).finish


def test_the_standard_game_is_never_sampled():
    for start in (Knowledge(), Knowledge(absent="9")):
        assert Consistent().pace(start).error == 0
        for guess in ("012", "019"):
            for answer, size in start.cells(guess).items():
                if size > 200:
                    later = start.after(Turn(guess, answer))
                    assert Consistent().pace(later, later.codes(1)[0]).error == 0


def test_samples_agree_with_the_exact_chances_and_are_the_same_each_time(monkeypatch):
    exact = Consistent().pace(MID, "134")
    monkeypatch.setattr("yomikiri.hitblow.match.consistent._EXACT_CANDIDATES", 0)
    sampled = Consistent(seed=1).pace(MID, "134")
    assert 0 < sampled.error < 0.01
    assert sampled.finish.total == 4096
    for guesses in range(1, 6):
        assert abs(sampled.within(guesses) - exact.within(guesses)) < 5 * 0.5 / 64
    assert sampled == Consistent(seed=1).pace(MID, "134")
    assert sampled != Consistent(seed=2).pace(MID, "134")


def test_where_too_many_sets_are_met_games_are_sampled_and_where_the_time_is_over_fewer(monkeypatch):
    exact = Consistent(seed=3).pace(MID)
    assert exact.error == 0
    late = Consistent(seed=3).pace(MID, budget=Budget.within(0.0))
    monkeypatch.setattr("yomikiri.hitblow.match.consistent._EXACT_SETS", 3)
    sampled = Consistent(seed=4).pace(MID)
    assert 0 < sampled.error <= late.error
    for guesses in range(1, 6):
        assert abs(sampled.within(guesses) - exact.within(guesses)) < 5 * 0.5 / 64
        assert abs(late.within(guesses) - exact.within(guesses)) < 0.1


@pytest.mark.parametrize("secret", ["", "0123"])
def test_of_very_many_candidates_some_stand_for_all(secret: str, monkeypatch: pytest.MonkeyPatch):
    start = Knowledge(Rules(4, "0123456789"), "9")
    every = Consistent(seed=3).pace(start, secret)
    monkeypatch.setattr("yomikiri.hitblow.match.consistent._MOST_AMONG", 1 << 9)
    monkeypatch.setattr("yomikiri.hitblow.match.consistent._AMONG", 1 << 9)
    monkeypatch.setattr("yomikiri.hitblow.match.consistent._EXACT_CANDIDATES", 1)
    some = Consistent(seed=4).pace(start, secret)
    assert some.error > 0
    assert some != every
    for guesses in range(1, 10):
        assert abs(some.within(guesses) - every.within(guesses)) < 0.1
