"""Finish distributions (how many cases a player solves at each guess), and the race between two players.

The odds of the race are compared with a count of all pairs of cases.
"""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yomikiri.hitblow.policies.book import VOLUMES, read_volume
from yomikiri.hitblow.race.finish import Finish, Odds, Pace, certain_payoff, mixture, race_odds, win_payoffs

finishes = st.builds(Finish, st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any).map(tuple))
TREE = Finish((1, 4, 25, 154, 346, 185, 5))
OURS = Finish.of(read_volume(VOLUMES[0]).cost)


def cases(finish: Finish) -> list[int]:
    """Return the number of guesses for each of the equally likely cases of a distribution."""
    return [turn for turn, count in enumerate(finish.counts, start=1) for _ in range(count)]


def counted(first: Finish, second: Finish, equal_turns: bool) -> Odds:
    pairs = list(product(cases(first), cases(second)))
    won = sum(a < b or (a == b and not equal_turns) for a, b in pairs)
    drawn = sum(a == b and equal_turns for a, b in pairs)
    return Odds(*(Fraction(count, len(pairs)) for count in (won, drawn, len(pairs) - won - drawn)))


@given(finishes, finishes, st.booleans())
def test_race_odds_agree_with_counting_all_pairs(first: Finish, second: Finish, equal_turns: bool):
    odds = race_odds(first, second, equal_turns=equal_turns)
    assert odds == counted(first, second, equal_turns)
    assert odds.win + odds.draw + odds.loss == 1


def swapped(odds: Odds) -> Odds:
    """Return the odds of the other player."""
    return Odds(odds.loss, odds.draw, odds.win)


@given(finishes, finishes)
def test_swapping_seats_gives_the_complement(first: Finish, second: Finish):
    """With equal turns the odds are complementary; otherwise a tie counts as a win of the first player."""
    equal = race_odds(first, second, equal_turns=True)
    assert swapped(equal) == race_odds(second, first, equal_turns=True)
    assert swapped(race_odds(first, second)) == Odds(equal.loss, Fraction(0), equal.win + equal.draw)
    assert equal.value + swapped(equal).value == 1


def test_race_of_two_optimal_trees_has_the_known_value():
    assert round(race_odds(TREE, TREE).value, 3) == Fraction("0.672")
    assert OURS.counts == (1, 4, 23, 150, 356, 185, 1)
    assert round(race_odds(OURS, OURS).value, 3) == Fraction("0.677")


@given(finishes, finishes, st.booleans(), st.booleans(), st.booleans())
def test_weights_agree_with_the_race_odds(mine: Finish, theirs: Finish, first: bool, to_move: bool, equal_turns: bool):
    payoffs = win_payoffs(theirs, first=first, to_move=to_move, equal_turns=equal_turns)
    total = sum(count * value for count, value in zip(mine.counts, payoffs, strict=False))
    value = Fraction(total, mine.total * certain_payoff(theirs, equal_turns=equal_turns))
    # In the middle of a turn, the next guess of the player who has moved belongs to the next turn.
    own = Finish((0, *mine.counts)) if first and not to_move else mine
    opponent = Finish((0, *theirs.counts)) if to_move and not first else theirs
    pair = (own, opponent) if first else (opponent, own)
    odds = race_odds(*pair, equal_turns=equal_turns)
    assert value == (odds if first else swapped(odds)).value


@given(st.lists(st.tuples(st.integers(0, 5), finishes), min_size=1, max_size=4).filter(lambda p: any(c for c, _ in p)))
def test_mixture_is_the_weighted_average_of_its_parts(parts: list[tuple[int, Finish]]):
    total = sum(chance for chance, _finish in parts)
    mixed = mixture((Fraction(chance, total), finish) for chance, finish in parts)
    for guess in range(1, 8):
        expected = sum(Fraction(chance, total) * finish.at(guess) / finish.total for chance, finish in parts)
        assert Fraction(mixed.at(guess), mixed.total) == expected


@pytest.mark.parametrize("counts", [(), (0, 0), (1, -1), (0.5, 0.5)])
def test_invalid_finishes_are_refused(counts: Any):
    with pytest.raises(ValueError, match="not a finish"):
        Finish(counts)


def test_mean_and_tails_are_counted_from_guess_one():
    finish = Finish((1, 0, 3))
    assert finish.mean == Fraction(10, 4)
    assert [finish.at(guess) for guess in range(5)] == [0, 1, 0, 3, 0]
    assert [finish.after(guess) for guess in range(5)] == [4, 3, 3, 0, 0]


def test_soon_ends_at_certainty():
    pace = Pace(Finish((1, 1, 2)))
    assert pace.soon(2) == [0.25, 0.5]
    assert pace.soon(5) == [0.25, 0.5, 1.0]
    assert Pace(Finish((3,))).soon(5) == [1.0]
