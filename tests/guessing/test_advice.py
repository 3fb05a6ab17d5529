"""Advice on games of any kind: suggestions, solutions and reviews.

Also tests `guessing/results.py`: the values.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import log2

import pytest

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import CodeError, ContradictionError, InputError, TurnError
from yomikiri.guessing.advice import review, solve, suggest
from yomikiri.guessing.answers import HITS_BLOWS
from yomikiri.guessing.codes import CodeSpace
from yomikiri.guessing.game import Game, Observation
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.one_step import guess_by_sample

CODES = ["".join(code) for code in permutations("012345", 3)]
GAME = Game(CODES, answers=HITS_BLOWS)


def test_suggestion_states_cost_chance_and_parts():
    advice = suggest(GAME.start, seconds=None)
    assert advice.expected == Fraction(436, 120)
    assert advice.is_proven
    assert advice.candidates == 120
    assert advice.chance == Fraction(1, 120)
    assert advice.parts == 9


def test_solution_is_counted_by_playing_every_secret():
    solution = solve(GAME.start)
    assert solution.is_proven
    assert solution.total == solution.bound == 436
    assert sum(solution.histogram) == 120
    assert solution.average == Fraction(436, 120)


def test_solution_with_a_given_first_guess_is_optimal_among_those():
    game = Game(["ab", "ac", "bc"], ["zz"], HITS_BLOWS)
    assert solve(game.start, first="zz").total == solve(game.start).total + 3
    with pytest.raises(CodeError):
        solve(game.start, first="xx")


def test_consistent_play_costs_no_less():
    consistent = Game(CODES, answers=HITS_BLOWS, guess_rule=GuessRule.CONSISTENT)
    assert solve(consistent.start).total >= solve(GAME.start).total


def test_impossible_limit_is_reported_and_the_likeliest_candidate_is_the_last_guess():
    codes = dict.fromkeys(["".join(code) for code in permutations("012", 3)], 1) | {"201": 2}
    game = Game(codes, answers=HITS_BLOWS, guess_limit=1)
    advice = suggest(game.start)
    assert (advice.guess, advice.finds_all, advice.is_proven, advice.expected) == ("201", False, False, None)
    with pytest.raises(InputError, match="limit of 1 guess: no strategy finds every secret within it"):
        solve(game.start)
    longer = Game(codes, answers=HITS_BLOWS, guess_limit=2)
    assert not suggest(longer.start).finds_all
    assert suggest(Game(codes, answers=HITS_BLOWS, guess_limit=4).start).finds_all


def test_suggestion_needs_a_guess_that_is_left():
    game = Game(["ab", "cd"], answers=HITS_BLOWS, guess_limit=1)
    with pytest.raises(TurnError):
        suggest(game.start.after("ab:0H0B"))


def test_review_refuses_guesses_that_hard_mode_does_not_allow():
    game = Game(["ab", "cb"], ["dd"], guess_rule=GuessRule.HARD)
    with pytest.raises(CodeError, match="guess 'dd': hard mode needs 'b' at place 2"):
        review(game.start.after("ab:02").after("dd:00"))


def test_solution_without_time_is_stopped():
    with pytest.raises(Stopped):
        solve(GAME.start, Budget(states=0))


def test_review_charges_a_guess_against_the_best_one():
    first = solve(GAME.start).first
    position = GAME.start.after(f"{first}:{HITS_BLOWS.answer(first, '345')}").after("345:3H0B")
    best, last = review(position, seconds=None)
    assert best.cost == 0
    assert best.is_proven
    assert best.before == 120
    assert best.after == last.before == len(GAME.start.after(str(best.turn)).candidates)
    assert last.cost is not None
    assert last.cost >= 0
    assert last.after == 1


def test_review_charges_a_useless_guess_one_guess():
    game = Game(["ab", "ac", "bc"], ["zz"], HITS_BLOWS)
    (turn,) = review(game.start.after("zz:0H0B"), seconds=None)
    assert turn.cost == 1


def test_contradiction_is_reported():
    game = Game(["ab", "cd"], answers=HITS_BLOWS)
    with pytest.raises(ContradictionError):
        suggest(game.start.after("ab:1H0B"))


def test_ten_of_ten_digits_are_found_by_samples():
    """More candidates than a search takes: the guesses are the best for a sample, until few candidates are left."""
    space = CodeSpace(10, "0123456789", no_leading="0")
    secret, position = space[1_234_567], Game(space, answers=HITS_BLOWS).start
    while not position.is_solved:
        advice = suggest(position, seconds=0.05)
        assert advice.candidates == len(position.candidates)
        assert advice.expected is None or advice.candidates <= 512
        parts = Counter(HITS_BLOWS.answer(advice.guess, code) for code in position.candidates[:300])
        assert advice.parts >= len(parts)
        position = position.after(f"{advice.guess}:{HITS_BLOWS.answer(advice.guess, secret)}")
    assert position.candidates == (secret,)
    assert len(position.turns) <= 14


def test_guess_for_a_sample_has_the_greatest_information_about_it():
    position = Game(CodeSpace(4, "0123456"), answers=HITS_BLOWS).start.after("0123:0H2B")
    guess = guess_by_sample(position, 2 * 40**2)
    sample = position.candidates[:: -(-len(position.candidates) // 40)]

    def bits(guess: str) -> float:
        return sum(n * log2(n) for n in Counter(HITS_BLOWS.answer(guess, code) for code in sample).values())

    assert bits(guess) <= min(map(bits, sample)) + 1e-6


def test_review_of_a_large_game_compares_what_it_can():
    game = Game(CodeSpace(7, "0123456789"), answers=HITS_BLOWS)
    turns = ["0123456:1H4B", "1023567:0H5B", "2301675:2H3B", "3204167:1H4B"]
    judged = review(game.start.after_all(turns), seconds=0.2)
    assert judged[0].before == 604_800
    assert [turn.cost is None for turn in judged[:2]] == [True, True]
    assert [turn.after for turn in judged[:-1]] == [turn.before for turn in judged[1:]]


def can_find_all(game: Game, candidates: frozenset[str], left: int) -> bool:
    """Return True if some guesses find every candidate within `left` guesses, by trying all of them."""
    if len(candidates) <= 1:
        return left >= len(candidates)
    return left > 0 and any(finds_all_after(game, candidates, guess, left) for guess in game.guesses)


def finds_all_after(game: Game, candidates: frozenset[str], guess: str, left: int) -> bool:
    """Return True if `guess` and then other guesses find every candidate within `left` guesses."""
    cells: dict[str, set[str]] = {}
    for code in candidates - {guess}:
        cells.setdefault(game.answers.answer(guess, code), set()).add(code)
    return all(can_find_all(game, frozenset(cell), left - 1) for cell in cells.values())


@pytest.mark.slow
def test_review_tells_whether_every_candidate_can_be_found_in_time():
    codes = ["".join(code) for code in permutations("01234", 3)]
    found = set[bool | None]()
    for limit in (2, 3, 4, 5):
        game = Game(codes[::2], answers=HITS_BLOWS, guess_limit=limit)
        for secret in game.secrets[::4]:
            position, expected = game.start, []
            for guess in game.secrets[:2]:
                if not position.is_solved:
                    left = limit - len(position.turns)
                    expected.append(finds_all_after(game, frozenset(position.candidates), guess, left))
                    position = position.after(Observation(guess, HITS_BLOWS.answer(guess, secret)))
            assert [turn.finds_all for turn in review(position)] == expected
            found |= set(expected)
    assert found == {True, False}
