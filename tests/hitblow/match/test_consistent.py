"""Finish distribution of random consistent guesses, compared with the definition.

Also tests `hitblow/race/kernels/random_play.py`: its distributions against enumeration.
"""

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from yomikiri.common.budget import Budget
from yomikiri.hitblow.match import consistent
from yomikiri.hitblow.match.opponents import Consistent
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, hint

SMALL = Knowledge(Rules(2, "01234"))
MIDDLE = Knowledge(Rules(3, "0123456"), "6", (Turn("012", Hint(0, 1)),))
GAMES = (
    Rules(2, "01234"),
    Rules(3, "01234"),
    Rules(3, "01234", no_leading="0"),
    Rules(3, "0123", Repeats.GUESS),
    Rules(3, "012", Repeats.ALL),
    Rules(1, "0123456"),
)


def by_enumeration(known: Knowledge, secret: str = "", *, by_weight: bool = False) -> list[Fraction]:
    """Return the probability of finding the secret at each guess, from the definition, with exact fractions."""
    weights = {code: known.weight(code) for code in known.codes()}

    @cache
    def finish(left: frozenset[str], hidden: str) -> tuple[Fraction, ...]:
        whole = sum(weights[code] if by_weight else 1 for code in left)
        found = [Fraction(0)] * (len(left) + 1)
        for guess in left:
            share = Fraction(weights[guess] if by_weight else 1, whole)
            if guess == hidden:
                found[0] += share
                continue
            rest = frozenset(code for code in left if hint(guess, code) == hint(guess, hidden))
            for turn, chance in enumerate(finish(rest, hidden), start=1):
                found[turn] += share * chance
        return tuple(found[: len(left)])

    every = frozenset(weights)
    if secret:
        return list(finish(every, secret))
    parts = [(Fraction(weights[code], sum(weights.values())), finish(every, code)) for code in weights]
    return [sum((share * chances[turn] for share, chances in parts), Fraction(0)) for turn in range(len(weights))]


def random_position(random: Random) -> tuple[Knowledge, str]:
    """Return a position with at most a few dozen candidates, and a secret among them."""
    rules = random.choice(GAMES)
    secret = random.choice([*rules.secrets()])
    prior = tuple((code, random.randint(1, 9)) for code in rules.secrets()) if random.random() < 0.3 else ()
    known = Knowledge(rules, prior=prior)
    for _turn in range(random.randint(known.count > 40, 2)):
        guess = random.choice(known.codes() if random.random() < 0.7 else [*rules.secrets()])
        known = known.after(Turn(guess, hint(guess, secret)))
    return known, secret


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_finish_equals_enumeration_of_all_games(seed):
    random = Random(seed)
    known, secret = random_position(random)
    given, by_weight = random.choice(["", secret]), random.random() < 0.3
    pace = Consistent(by_weight=by_weight).pace(known, given)
    assert pace.error == 0
    expected = by_enumeration(known, given, by_weight=by_weight)
    assert Fraction(pace.finish.at(1), pace.finish.total) == expected[0]
    for guesses in range(1, len(expected) + 1):
        assert pace.within(guesses) == pytest.approx(float(sum(expected[:guesses])), abs=1e-8)


@pytest.mark.usefixtures("no_cached_results")
def test_first_guess_is_exact_even_if_later_ones_are_sampled(monkeypatch):
    monkeypatch.setattr(consistent, "_EXACT_CANDIDATES", 0)
    for seed in range(20):
        known, secret = random_position(Random(seed))
        pace = Consistent(seed).pace(known, secret if seed % 2 else "")
        assert Fraction(pace.finish.at(1), pace.finish.total) == Fraction(1, known.count)
        assert pace.error > 0


def test_tables_are_exact_up_to_256_candidates():
    random = Random(5)
    for rules in (Rules(3), Rules(4), Rules(5), Rules(4, "012345", Repeats.ALL), Rules(3, "0123456789", Repeats.ALL)):
        start = Knowledge(rules)
        codes = start.codes()
        for _position in range(3):
            known, secret = start, random.choice(codes)
            while known.count > 256:
                guess = random.choice(known.codes())
                known = known.after(Turn(guess, hint(guess, secret)))
            assert Consistent().pace(known).error == 0
            assert Consistent().pace(known, secret).error == 0


def test_standard_game_is_exact_from_the_start():
    for start in (Knowledge(), Knowledge(absent="9")):
        assert Consistent().pace(start).error == 0
        assert Consistent().pace(start).finish == Consistent().pace(start, start.codes(1)[0]).finish


@pytest.mark.usefixtures("no_cached_results")
def test_walk_without_machine_code_gives_the_same_finish(monkeypatch):
    compiled = Consistent().pace(MIDDLE)
    consistent.consistent_pace.cache_clear()
    monkeypatch.setattr(consistent, "available", lambda: False)
    assert Consistent().pace(MIDDLE) == compiled


@pytest.mark.usefixtures("no_cached_results")
def test_samples_agree_with_exact_chances_and_depend_on_the_seed(monkeypatch):
    exact = Consistent().pace(MIDDLE, "134")
    monkeypatch.setattr(consistent, "_EXACT_CANDIDATES", 0)
    sampled = Consistent(seed=1).pace(MIDDLE, "134")
    assert 0 < sampled.error < 0.01
    for guesses in range(1, 6):
        assert abs(sampled.within(guesses) - exact.within(guesses)) < 5 * sampled.error
    assert sampled == Consistent(seed=1).pace(MIDDLE, "134")
    assert sampled != Consistent(seed=2).pace(MIDDLE, "134")


@pytest.mark.usefixtures("no_cached_results")
def test_too_much_work_and_lack_of_time_lead_to_samples(monkeypatch):
    known = Knowledge(Rules(4), facts=(Turn("0123", Hint(0, 1)), Turn("4567", Hint(1, 1))))
    exact = Consistent().pace(known)
    assert exact.error == 0
    late = Consistent().pace(known, budget=Budget.within(0.0))
    monkeypatch.setattr(consistent, "_EXACT_WORK", 1000)
    sampled = Consistent(seed=1).pace(known)
    assert 0 < sampled.error < late.error
    for guesses in range(1, 6):
        assert abs(sampled.within(guesses) - exact.within(guesses)) < 5 * sampled.error
        assert abs(late.within(guesses) - exact.within(guesses)) < 5 * late.error


@pytest.mark.parametrize("secret", ["", "0123"])
@pytest.mark.usefixtures("no_cached_results")
def test_a_sample_represents_very_many_candidates(secret: str, monkeypatch: pytest.MonkeyPatch):
    start = Knowledge(Rules(4, "0123456789"), "9")
    every = Consistent(seed=3).pace(start, secret)
    monkeypatch.setattr(consistent, "_MOST_AMONG", 1 << 9)
    monkeypatch.setattr(consistent, "_AMONG", 1 << 9)
    monkeypatch.setattr(consistent, "_EXACT_CANDIDATES", 1)
    some = Consistent(seed=4).pace(start, secret)
    assert some.error > 0
    assert some != every
    for guesses in range(1, 10):
        assert abs(some.within(guesses) - every.within(guesses)) < 0.1
