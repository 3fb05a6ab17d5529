"""Puzzles from a seed and from games, their clues, and the check compared with the slow search."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.reference.hitblow import plain_hint
from tests.reference.search import Reference

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.enums import Difficulty, Grade
from yomikiri.common.errors import CodeError, InputError, RulesError
from yomikiri.guessing.puzzle_positions import LEFT
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import PRESETS, Rules, Words
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.practice.lessons import play_report, report
from yomikiri.hitblow.practice.play import Play
from yomikiri.hitblow.practice.puzzles import GuessPuzzle, check, clues, from_report, generated, in_a_row
from yomikiri.wording import learning
from yomikiri.wording import puzzles as wording

SMALL = Rules(3, "01234")
PLAIN = Reference(SMALL)
VECTORS = {
    ("hitblow", Difficulty.EASY): "086:0H0B 172:1H0B 479:1H0B",
    ("hitblow", Difficulty.HARD): "716:1H0B 749:1H0B",
    ("mastermind", Difficulty.MEDIUM): "5332:0H0B 1616:2H0B",
}
FOUR = GuessPuzzle(Knowledge.parse("345:1H0B 123:0H2B 012:0H1B"), "371", 4)


@pytest.mark.parametrize(("preset", "difficulty"), VECTORS)
def test_puzzle_of_a_seed_never_changes(preset: str, difficulty: Difficulty):
    assert str(generated(PRESETS[preset].rules, "tea", difficulty).position) == VECTORS[preset, difficulty]


@pytest.mark.parametrize("difficulty", Difficulty)
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_puzzle_matches_its_difficulty_and_guesses_differ_in_cost(difficulty, seed):
    board = generated(Rules(), seed, difficulty).board
    fewest, most = LEFT[difficulty]
    assert fewest <= board.count <= most
    costs = [check(GuessPuzzle(board), code).weighed.cost or Fraction(0) for code in board.codes()]
    assert sum(costs) / len(costs) >= Fraction(1, 10)


def test_spent_budget_raises_stopped():
    with pytest.raises(Stopped):
        generated(Rules(), "tea", Difficulty.EASY, Budget(cancelled=lambda: True))


def test_unsuitable_rules_and_invalid_seeds_are_refused():
    with pytest.raises(RulesError, match="seed 'tea' gives no hard puzzle"):
        generated(Rules(1, "012"), "tea", Difficulty.HARD)
    with pytest.raises(InputError):
        generated(Rules(), "a b", Difficulty.EASY)


@pytest.mark.parametrize("guess", ["012", "034", "213", "104", "340"])
@pytest.mark.parametrize("turns", ["012:0H2B", "012:1H1B", "012:0H2B 123:0H2B"])
def test_check_agrees_with_the_slow_search(turns: str, guess: str):
    known = Knowledge.parse(turns, SMALL)
    codes = PLAIN.numbers(known.codes())
    number = PLAIN.guesses.index(guess)
    cells = PLAIN.cells(number, codes)
    least = PLAIN.least(codes, len(codes))[0]
    total = len(codes) + sum(least if cell == codes else PLAIN.least(cell, len(cell))[0] for cell in cells)
    answer = check(GuessPuzzle(known), guess)
    assert answer.weighed.value == Fraction(total, len(codes))
    assert answer.weighed.cost == Fraction(total - least, len(codes))
    assert answer.solved == (total == least) or answer.weighed.forced


def test_check_lists_the_meaning_of_each_answer():
    answer = check(FOUR, "067")
    assert answer.solved
    assert answer.gained == Fraction(1, 4)
    assert dict(answer.means) == {
        each: tuple(code for code in FOUR.board.codes() if plain_hint("067", code) == (each.hits, each.blows))
        for each, _codes in answer.means
    }
    assert [*learning.meanings(answer, Words.HIT)] == [
        "0H0B means 381 or 391",
        "0H1B means 371",
        "1H0B means 361",
    ]
    assert learning.guess_result(answer) == "067 is a best guess."
    assert answer.before
    assert (learning.value(answer.weighed), learning.value(answer.before)) == (
        "2.25 guesses to go on average",
        "2.50 guesses to go on average",
    )


def test_check_of_a_worse_guess_hides_the_best_one():
    answer = check(FOUR, "371")
    assert (answer.solved, answer.grade, answer.gained) == (False, Grade.MISTAKE, Fraction(0))
    assert learning.guess_result(answer) == "371 costs 0.25 guesses. There is a better one."
    with pytest.raises(CodeError):
        check(FOUR, "3711")


@pytest.mark.parametrize("difficulty", Difficulty)
def test_clues_describe_a_best_guess(difficulty):
    """Some order of the digits in the third clue is a best guess with the properties of the other clues."""
    for seed in "abcd":
        puzzle = generated(Rules(), seed, difficulty)
        given = clues(puzzle)
        board = puzzle.board
        orders = [code for code in board.rules.secrets() if sorted(code) == sorted(given.digits)]
        best = [answer for answer in (check(puzzle, code) for code in orders) if answer.solved]
        assert best
        splits = {(answer.weighed.played.parts, max(answer.weighed.played.left)) for answer in best}
        assert (given.groups, given.largest) in splits
        assert given.inside in {board.is_candidate(answer.weighed.played.guess) for answer in best}
        open_places = [place for place in (1, 2, 3) if len({code[place - 1] for code in board.codes()}) > 1]
        assert [*given.places] == open_places


def test_clues_in_words():
    assert wording.question(FOUR.board.count) == "4 candidates. What do you guess?"
    assert wording.clues(clues(FOUR), 3) == (
        "Only place 2 is undecided. No candidate is a best guess. Look for one that separates the candidates.",
        "A best guess splits the candidates into 3 groups, the largest of 2. 1 of its digits is in no candidate.",
        "Its digits: 0 6 7.",
    )


def test_puzzles_of_a_game_are_its_mistakes_sorted_by_cost():
    lost = play_report(Play(seed="k3x9", guesses=("012", "013", "014", "015", "016", "017")), Exact())
    puzzles = from_report(lost)
    assert [(puzzle.number, puzzle.played) for puzzle in puzzles] == [
        (3, "014"), (6, "017"), (4, "015"), (5, "016"), (2, "013")
    ]  # fmt: skip
    assert puzzles[0].board == Knowledge.parse("012:0H2B 013:0H1B")
    found = report(Knowledge.parse("345:1H0B 123:0H2B 012:0H1B 371:3H0B"))
    assert [puzzle.number for puzzle in from_report(found)] == [3]


def test_race_puzzle_is_checked_in_winning_chances():
    guesses, answers = ("345", "346", "347", "348"), ("012", "134", "514", "314")
    race = Play(seed="tea", race=True, handicap=False, secret="314", guesses=guesses, answers=answers)
    puzzles = from_report(play_report(race, Exact()))
    assert puzzles
    assert isinstance(puzzles[0].position, Match)
    best = clues(puzzles[0]).digits
    orders = [code for code in Rules().secrets() if sorted(code) == sorted(best)]
    checked = [check(puzzles[0], code) for code in orders]
    assert any(answer.solved for answer in checked)
    assert all(answer.gained is not None for answer in checked)


def test_puzzle_with_one_candidate_is_solved_by_it():
    puzzle = GuessPuzzle(Knowledge(facts="012:0H3B 120:0H3B"))
    assert puzzle.board.codes() == ["201"]
    checked = check(puzzle, "201")
    assert (checked.grade, checked.solved) == (Grade.BEST, True)
    assert learning.guess_result(checked) == "201 is a best guess."
    assert not check(puzzle, "345").solved


def test_in_a_row_counts_solved_puzzles_since_the_last_failure():
    assert [in_a_row(map(bool, row)) for row in ([], [1, 1], [1, 0], [0, 1, 1, 1])] == [0, 2, 0, 3]
