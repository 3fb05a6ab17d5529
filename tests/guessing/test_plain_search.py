"""The search without machine code: the same costs and guesses as the kernels, and advice on any system.

Also tests `guessing/branch_and_bound.py`: the part that hitblow's search without machine code uses, too.
"""

import random
from itertools import product

import numpy as np
import pytest
from tests.guessing.test_position_search import distinct, random_game

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.guessing.advice import review, solve, suggest
from yomikiri.guessing.answers import ANSWER_KINDS, HITS_BLOWS, AnswerKind
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.kernels.answers import fill_answers
from yomikiri.guessing.kernels.limits import NO_LIMIT
from yomikiri.guessing.plain_answers import fill_plainly
from yomikiri.guessing.plain_search import PlainTableSearch
from yomikiri.guessing.position_search import PositionSearch
from yomikiri.guessing.search import TableSearch


def both_searches(game: Game) -> tuple[TableSearch, PlainTableSearch, PositionSearch]:
    """Return the search by kernels and the plain one for the same table."""
    position = PositionSearch(game.start)
    rule = {"candidates_only": game.guess_rule is GuessRule.CONSISTENT, "guess_limit": game.guess_limit or NO_LIMIT}
    compiled = TableSearch(position.table, UNLIMITED, **rule)  # type: ignore[arg-type]
    return compiled, PlainTableSearch(position.table, UNLIMITED, **rule), position  # type: ignore[arg-type]


def check_equal(game: Game, label: object) -> None:
    compiled, plain, position = both_searches(game)
    everything = np.arange(len(position.secrets), dtype=np.int32)
    cost, guess = compiled.best(everything)
    found = plain.best(everything)
    assert found[0] >= IMPOSSIBLE if cost >= IMPOSSIBLE else found == (cost, guess), label
    for first in random.Random(len(everything)).sample(range(len(position.guesses)), min(5, len(position.guesses))):
        exact = compiled.cost_after(everything, first)
        if game.guess_rule is not GuessRule.CONSISTENT or first in position.own:
            assert min(plain.cost_after(everything, first), IMPOSSIBLE) == min(exact, IMPOSSIBLE), (label, first)


def test_random_games_have_the_costs_and_guesses_of_the_kernels():
    for seed in range(300):
        check_equal(random_game(seed), seed)


@pytest.mark.parametrize("rule", GuessRule)
@pytest.mark.parametrize("limit", [None, 4])
def test_longer_lists_have_the_costs_and_guesses_of_the_kernels(rule: GuessRule, limit: int | None):
    chance = random.Random(3)
    words = ["".join(code) for code in chance.sample(list(product("abcdefg", repeat=4)), 260)]
    for count in (20, 45):
        weights = dict.fromkeys(words[:count], 1) if limit else {word: chance.randint(1, 4) for word in words[:count]}
        check_equal(Game(weights, words[60:], guess_rule=rule, guess_limit=limit), count)


def test_full_space_has_its_known_total():
    compiled, plain, position = both_searches(Game(distinct(3, 5), answers=HITS_BLOWS))
    everything = np.arange(len(position.secrets), dtype=np.int32)
    assert plain.best(everything) == compiled.best(everything)
    assert plain.best(everything)[0] == 196


@pytest.mark.parametrize("kind", ANSWER_KINDS.values(), ids=ANSWER_KINDS)
def test_answers_equal_those_of_the_kernel(kind: AnswerKind):
    chance = np.random.default_rng(4)
    for places in (1, 3, 7):
        hits, blows = (np.array(values) for values in kind.values(places))
        guesses, secrets = (chance.integers(0, 4, (count, places), dtype=np.uint8) for count in (300, 40))
        columns = np.ascontiguousarray(guesses.T)
        compiled, plain = (np.zeros((40, 320), dtype=np.uint16) for _ in range(2))
        fill_answers(columns, secrets, hits, blows, compiled)
        fill_plainly(columns, secrets, hits, blows, plain)
        assert np.array_equal(compiled, plain)


WORDS = ("brake", "crane", "crate", "drake", "flake", "grade", "grape", "grate", "spice", "trace")


@pytest.mark.parametrize("rule", GuessRule)
def test_advice_needs_no_machine_code(rule: GuessRule, request: pytest.FixtureRequest):
    game = Game(WORDS, ["night", "lumpy"], guess_rule=rule)
    played = game.start.after_all(["grape:02202", "brake:02202"])
    compiled = suggest(game.start), solve(game.start), review(played)
    request.getfixturevalue("no_machine_code")
    assert isinstance(PositionSearch(game.start)._search, PlainTableSearch)
    assert (suggest(game.start), solve(game.start), review(played)) == compiled


@pytest.mark.usefixtures("no_machine_code")
def test_search_without_machine_code_ends_with_its_budget():
    game = Game(distinct(3, 7), answers=HITS_BLOWS)
    with pytest.raises(Stopped):
        solve(game.start, Budget(states=20))
    advice = suggest(game.start, Budget(states=20))
    assert not advice.is_proven
    assert advice.expected is None
