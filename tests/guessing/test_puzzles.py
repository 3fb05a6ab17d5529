"""Puzzles of games with lists: positions from a seed, and the check compared with the slow search.

Also tests `guessing/puzzle_positions.py`: puzzles are made of its positions.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.reference.guessing import least_cost, marks

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.enums import Difficulty, Grade
from yomikiri.common.errors import CodeError, InputError, RulesError
from yomikiri.guessing.answers import HITS_BLOWS, SUM
from yomikiri.guessing.codes import CodeSpace
from yomikiri.guessing.game import Game, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.puzzle_positions import LEFT, GuessClues
from yomikiri.guessing.puzzles import best_guess, check, clues, generated

WORDS = ["brake", "crane", "crate", "drake", "flake", "grade", "grape", "grate", "spice", "trace"]
OTHERS = ["night", "badge", "fudge", "cabin"]
GAME = Game(dict(zip(WORDS, (1, 2, 1, 1, 3, 1, 1, 1, 2, 1), strict=True)), OTHERS)
FOUR = Game(CodeSpace(4, "abcdef"), answers=HITS_BLOWS)


def cost_of(position: Position, guess: str) -> int:
    """Return the least cost with a guess first, by the slow search of its cells."""
    weights = dict(zip(position.candidates, position.weights, strict=True))
    cells: dict[object, dict[str, int]] = {}
    for code, weight in weights.items():
        if code != guess:
            cells.setdefault(marks(guess, code), {})[code] = weight
    return sum(weights.values()) + sum(least_cost(cell, position.game.guesses, marks) or 0 for cell in cells.values())


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_check_agrees_with_the_slow_search(seed: str):
    position = generated(GAME, seed, Difficulty.EASY)
    weights = dict(zip(position.candidates, position.weights, strict=True))
    least, total = least_cost(weights, GAME.guesses, marks), sum(weights.values())
    assert least is not None
    for guess in (*position.candidates, "night", "badge"):
        found, cost = check(position, guess), cost_of(position, guess)
        assert found.expected == Fraction(cost, total)
        assert found.cost == Fraction(cost - least, total)
        assert found.is_solved == (cost == least)
        assert found.is_proven
        assert cost_of(position, found.best) == (least if found.cost else cost)
    assert cost_of(position, best_guess(position)) == least


@pytest.mark.parametrize("difficulty", Difficulty)
@pytest.mark.parametrize("seed", ["a", "b"])
def test_puzzle_matches_its_difficulty_and_guesses_differ_in_cost(seed: str, difficulty: Difficulty):
    position = generated(FOUR, seed, difficulty)
    fewest, most = LEFT[difficulty]
    assert fewest <= len(position.candidates) <= most
    costs = [check(position, code).cost or Fraction(0) for code in position.candidates]
    assert sum(costs) / len(costs) >= Fraction(1, 10)


def test_puzzle_of_a_seed_never_changes():
    assert str(generated(GAME, "tea", Difficulty.EASY).turns[0]) == "crane:02202"
    assert [str(turn) for turn in generated(FOUR, "tea", Difficulty.MEDIUM).turns] == VECTOR


VECTOR = ["aecf:0H3B", "bcae:1H1B"]


def test_spent_budget_raises_stopped():
    with pytest.raises(Stopped):
        generated(GAME, "tea", Difficulty.EASY, Budget(cancelled=lambda: True))


def test_unsuitable_games_and_invalid_seeds_are_refused():
    with pytest.raises(RulesError, match="seed 'tea' gives no hard puzzle"):
        generated(GAME, "tea", Difficulty.HARD)
    with pytest.raises(RulesError):
        generated(Game(["aaa", "bbb", "ccc"]), "tea", Difficulty.EASY)
    with pytest.raises(InputError):
        generated(GAME, "a b", Difficulty.EASY)


def test_guess_that_hard_mode_excludes_is_refused():
    game = Game(WORDS, OTHERS, guess_rule=GuessRule.HARD)
    position = game.start.after("grape:02202")
    with pytest.raises(CodeError, match="hard mode needs"):
        check(position, "night")
    assert check(position, "crane").is_solved


def test_check_lists_the_meaning_of_each_answer():
    position = Game(WORDS, answers=SUM).start.after("grape:3")
    found = check(position, position.candidates[0])
    assert sorted(code for _answer, codes in found.means for code in codes) == sorted(position.candidates)
    assert [len(codes) for _answer, codes in found.means] == sorted(found.sizes, reverse=True)


def test_unknown_cost_has_no_grade():
    found = check(GAME.start, "crane", Budget(cancelled=lambda: True))
    assert (found.cost, found.expected, found.grade, found.is_solved) == (None, None, None, False)
    assert check(GAME.start, "night").grade is Grade.INACCURACY


def test_clues_describe_a_best_guess():
    position = GAME.start.after("grape:02202")
    assert clues(position) == GuessClues((1, 4), True, 4, 2, 0, "acenr")
