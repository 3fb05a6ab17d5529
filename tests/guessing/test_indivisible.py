"""Sets that no guess divides, against the search that they replace and the slow oracle."""

from __future__ import annotations

import random

import pytest
from tests.reference.guessing import least_cost

from yomikiri.common.errors import InputError
from yomikiri.guessing import indivisible
from yomikiri.guessing.advice import solve, suggest
from yomikiri.guessing.answers import HITS, MARKS
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.position_search import PositionSearch
from yomikiri.machine.kernel import as_python

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
TRIPLES = [symbol * 3 for symbol in LETTERS]


def plane() -> list[str]:
    """Return the 81 lines of the affine plane over the field of nine elements as codes: any two agree in one place."""

    def product(a: int, b: int) -> int:
        (a1, a0), (b1, b0) = divmod(a, 3), divmod(b, 3)
        return (a0 * b0 - a1 * b1) % 3 + 3 * ((a0 * b1 + a1 * b0) % 3)

    def plus(a: int, b: int) -> int:
        return (a + b) % 3 + 3 * ((a // 3 + b // 3) % 3)

    lines = [(x, y) for x in range(9) for y in range(9)]
    return ["".join(str(plus(product(m, x), y)) for m in range(9)) + str(x) for x, y in lines]


@pytest.mark.parametrize("rule", [GuessRule.ANY, GuessRule.CONSISTENT])
def test_costs_equal_those_of_the_oracle(rule: GuessRule, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(indivisible, "_FEWEST", 3)
    chance = random.Random(7)
    for count in range(3, 8):
        weights = {code: chance.choice((1, 2, 5)) for code in chance.sample(TRIPLES, count)}
        game = Game(weights, ["abc", "xyz"] if count % 2 else [], guess_rule=rule)
        expected = least_cost(weights, game.guesses, MARKS.answer, consistent=rule is GuessRule.CONSISTENT)
        assert solve(game.start).total == expected, weights


@pytest.mark.parametrize("uncompiled", [False, True])
def test_random_games_cost_the_same_with_and_without_the_test(uncompiled: bool, monkeypatch: pytest.MonkeyPatch):
    chance = random.Random(3)
    for _game in range(4 if uncompiled else 30):
        apart = chance.sample(TRIPLES[6:], chance.randint(3, 6))
        codes = {code: chance.choice((1, 3)) for code in [*apart, "abc", "acb", "bca", "cab"][: chance.randint(4, 10)]}
        start = Game(codes, ["aab", "ccc"], guess_limit=chance.choice((None, 4, 6))).start
        found = []
        for fewest in (3, 99):
            monkeypatch.setattr(indivisible, "_FEWEST", fewest)
            if uncompiled:
                with as_python():
                    search = PositionSearch(start)
            else:
                search = PositionSearch(start)
            found.append((search.best().cost, [search.cost_after(guess, search._budget) for guess in search.guesses]))
        assert found[0] == found[1]


def test_strategy_of_more_than_64_guesses_is_proven_and_replayed():
    codes = plane()
    assert {HITS.answer(one, other) for one in codes for other in codes} == {"1", "10"}
    solved = solve(Game(codes, answers=HITS).start)
    assert (solved.total, len(solved.histogram), solved.is_proven) == (81 * 82 // 2, 81, True)
    assert solve(Game(codes, answers=HITS).start, first=codes[70]).first == codes[70]
    assert suggest(Game(codes, answers=HITS).start).is_proven


def test_limit_that_is_too_small_is_refused():
    with pytest.raises(InputError, match="no strategy finds every secret within it"):
        solve(Game(TRIPLES, guess_limit=35).start)
    assert solve(Game(TRIPLES, guess_limit=36).start).total == 36 * 37 // 2


def test_cell_that_no_guess_divides_is_solved_at_once():
    codes = dict.fromkeys([*TRIPLES[4:], "abc", "acb", "bac", "bca", "cab", "cba"], 1)
    solved = solve(Game(codes).start, first="abc")
    assert (solved.is_proven, len(solved.histogram)) == (True, 33)
    assert suggest(Game(codes).start.after("abc:000")).is_proven


def test_heaviest_secret_comes_first():
    weights = {code: 1 + (code == "kkk") for code in TRIPLES}
    assert suggest(Game(weights).start).guess == "kkk"
