"""A game judged, against sums over all codes by the slow search and by the plain rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.hitblow import every_code, plain_hint
from tests.reference.search import Reference

from yomikiri.errors import ContradictionError
from yomikiri.hitblow.judgement import Review, review
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies import exact
from yomikiri.hitblow.policies.base import Unproven
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.rules import PRESETS, Hint, Repeats, Rules, Turn, hint
from yomikiri.hitblow.slips import Slips

GAMES = [Rules(2, "01234"), Rules(3, "01234"), Rules(2, "0123", Repeats.ALL)]
PLAIN = {rules: Reference(rules) for rules in GAMES}


def game(rules: Rules, secret: str, guesses: list[str]) -> Knowledge:
    return Knowledge(rules, "", tuple(Turn(guess, hint(guess, secret)) for guess in guesses))


def judged(*turns: str, rules: Rules | None = None, absent: str = "") -> Review:
    return review(Knowledge(rules or Rules(), absent, tuple(map(Turn.parse, turns))))


def least(rules: Rules, codes: list[str]) -> Fraction:
    """The guesses that best play takes on average, by the slow search."""
    plain = PLAIN[rules]
    return Fraction(plain.least(plain.numbers(codes), len(codes))[0], len(codes))


@settings(max_examples=30)
@given(st.data())
def test_loss_and_luck_are_the_differences_of_what_the_slow_search_counts(data):
    rules = data.draw(st.sampled_from(GAMES))
    every = every_code(rules.symbols, rules.digits, repeats=rules.repeats is Repeats.ALL)
    secret = data.draw(st.sampled_from(every))
    guesses = data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=3))
    if secret in guesses:
        guesses = guesses[: guesses.index(secret) + 1]
    result = review(game(rules, secret, guesses))
    assert result.start == least(rules, every)
    left = every
    for turn, guess in zip(result.turns, guesses, strict=True):
        cells = Counter(plain_hint(guess, code) for code in left)
        after = [code for code in left if plain_hint(guess, code) == plain_hint(guess, secret)]
        needed = 1 + sum(
            least(rules, cell) * Fraction(len(cell), len(left))
            for answer in cells
            if answer != (rules.digits, 0) and (cell := [c for c in left if plain_hint(guess, c) == answer])
        )
        assert (turn.count, turn.left) == (len(left), len(after))
        assert turn.loss == needed - least(rules, left) >= 0
        assert turn.luck == needed - 1 - (0 if guess == secret else least(rules, after))
        ours = 0 if guess == secret else len(after)
        fewer = [size for answer, size in cells.items() if (0 if answer == (rules.digits, 0) else size) <= ours]
        assert turn.chance == Fraction(sum(fewer), len(left))
        assert turn.bits == pytest.approx(log2(len(left) / len(after)))
        assert turn.expected_bits == pytest.approx(sum(n / len(left) * log2(len(left) / n) for n in cells.values()))
        assert (turn.best.guess == guess) == (turn.loss == 0)
        left = after


@pytest.mark.parametrize("guesses", [["345", "123", "012", "371"], ["371"], ["345", "345", "345", "371"]])
def test_the_length_of_a_game_is_the_start_and_the_losses_less_the_luck(guesses):
    result = review(game(Rules(), "371", guesses))
    assert result.found
    assert result.start is not None
    assert result.loss is not None
    assert result.luck is not None
    assert len(guesses) == result.start + result.loss - result.luck


def test_what_best_play_takes_at_the_start_is_the_proven_total():
    assert judged("012:0H0B").start == Fraction(3575, 720)
    assert judged("012:0H0B", absent="7").start == Fraction(2337, 504)


def test_a_guess_that_tells_nothing_again_gives_one_guess_away():
    assert [turn.loss for turn in judged("012:0H1B", "012:0H1B").turns] == [0, 1]


def test_the_rank_of_hints_is_one_half_on_average():
    cells = Knowledge().cells("012")
    ranks = [judged(f"012:{answer}").turns[0].rank * size for answer, size in cells.items()]
    assert sum(ranks) == Fraction(720, 2)


def test_finding_the_secret_leaves_fewest():
    turn = judged("012:0H3B", "120:3H0B").turns[1]
    assert (turn.chance, turn.rank, turn.luck) == (Fraction(1, 2), Fraction(1, 4), Fraction(1, 2))
    assert judged("012:0H3B", "120:0H3B").turns[1].rank == Fraction(3, 4)


def test_turns_after_the_end_are_not_judged():
    result = judged("012:3H0B", "345:0H0B")
    assert (len(result.turns), result.later) == (1, (Turn.parse("345:0H0B"),))


def test_a_game_that_is_not_over_comes_with_the_next_guess():
    result = judged("012:0H1B")
    assert (result.found, result.next and result.next.proposed.guess) == (False, "134")
    assert judged("012:3H0B").next is None


def test_nothing_is_judged_that_contradicts_itself():
    with pytest.raises(ContradictionError):
        judged("012:3H0B", "345:3H0B")


def test_without_kernels_a_review_is_the_same(monkeypatch):
    turns = ("012:0H1B", "345:1H0B", "678:0H0B")
    game = Knowledge(Rules(), "", tuple(map(Turn.parse, turns)))
    warm = review(game, Exact())
    monkeypatch.setattr("yomikiri.numba_support.kernel_cache.Part.compiled", lambda _part: False)
    assert review(game, Exact(waits=False)) == warm
    assert warm.turns[0].loss == 0, "the first guess is the book's"


@pytest.mark.exhaustive
def test_without_kernels_what_is_too_large_is_said_to_be_unproven(monkeypatch):
    monkeypatch.setattr("yomikiri.numba_support.kernel_cache.Part.compiled", lambda _part: False)
    turns = tuple(map(Turn.parse, ("9876:0H1B", "0123:1H2B", "0132:1H2B")))
    result = review(Knowledge(PRESETS["bulls"].rules, "", turns), Exact(waits=False))
    assert result.turns[0].loss == 0, "the first guess is the book's, its digits renamed"
    assert result.turns[1].unproven is Unproven.COMPILING
    assert (result.turns[1].loss, result.loss, result.luck) == (None, None, None)


def test_what_is_unproven_is_best_if_it_tells_no_less(monkeypatch):
    monkeypatch.setattr(exact, "_MOST_CANDIDATES", 10)
    first, again = judged("765:0H0B", "765:0H0B", rules=Rules(3, "01234567")).turns
    assert (first.best.guess, first.loss, first.unproven) == ("765", None, Unproven.TOO_LARGE)
    assert (again.best.guess != "765", again.loss, again.bits) == (True, None, 0)


def test_a_game_with_a_wrong_turn_is_judged_as_the_secret_answers():
    told, real = "012:0H1B 134:2H0B 156:3H0B", "012:0H1B 134:1H0B 156:3H0B"
    assert not Knowledge.parse(told).count
    wary = replace(Knowledge.parse(told), slips=Slips(1))
    result = review(wary)
    assert [turn.told for turn in result.turns] == [None, Hint(2, 0), None]
    unmarked = tuple(replace(turn, told=None) for turn in result.turns)
    assert replace(result, turns=unmarked) == review(Knowledge.parse(real))
    with pytest.raises(ContradictionError, match="no code fits 012:0H1B 134:2H0B 375:3H0B"):
        review(replace(Knowledge.parse("012:0H1B 134:2H0B 375:3H0B"), slips=Slips(1)))
    unfinished = replace(Knowledge.parse("012:0H1B 134:1H0B"), slips=Slips(1))
    assert review(unfinished) == review(Knowledge.parse("012:0H1B 134:1H0B"))
