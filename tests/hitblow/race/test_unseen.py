"""The race with hidden boards, compared with the matrix game of all strategies."""

from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.reference.race import SlowGame

from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.common.errors import RulesError
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.race.finish import Finish, race_odds
from yomikiri.hitblow.race.terms import Reveals, Terms
from yomikiri.hitblow.race.unseen import Equilibrium, equilibrium, finish_of, rounded, unseen
from yomikiri.hitblow.strategy.strategy import cost

PRIOR = tuple(zip(Rules(2, "0123").secrets(), (3, 1, 1, 40, 2, 0, 5, 5, 1, 9, 1, 2), strict=True))
GAMES = [
    Terms(Rules(2, "0123"), prior=PRIOR),
    Terms(Rules(2, "0123"), equal_turns=True, prior=PRIOR, second_rules=Rules(2, "012")),
    Terms(Rules(1, "0")),
    Terms(Rules(1, "0123")),
    Terms(Rules(2, "012")),
    Terms(Rules(2, "0123")),
    Terms(Rules(2, "0123"), equal_turns=True),
    Terms(Rules(2, "01234"), reveals=Reveals.FIRST),
    Terms(Rules(2, "01234"), reveals=Reveals.FIRST, equal_turns=True),
    Terms(Rules(2, "01234"), reveals=Reveals.SECOND, revealed=2),
    Terms(Rules(2, "012", Repeats.ALL), reveals=Reveals.SECOND),
    Terms(Rules(2, "0123"), reveals=Reveals.FIRST, second_rules=Rules(2, "abc", Repeats.ALL)),
    Terms(Rules(1, "0123"), equal_turns=True, second_rules=Rules(2, "012")),
]


@cache
def finishes(known: Knowledge) -> list[Finish]:
    """Return the finish distribution of every strategy."""
    return [Finish(counts) for counts in SlowGame(known.rules, known.weighted).histograms(tuple(known.codes()))]


@pytest.mark.parametrize("terms", GAMES, ids=str)
def test_strategies_guarantee_their_bounds(terms: Terms):
    """The bounds are equal, so they are the value of the game of all strategies."""
    found = unseen(terms.first, terms.second, equal_turns=terms.equal_turns)
    first, second = finish_of(found.first), finish_of(found.second)
    against = [race_odds(first, other, equal_turns=terms.equal_turns).value for other in finishes(terms.second)]
    assert min(against) == found.lower
    against = [race_odds(other, second, equal_turns=terms.equal_turns).value for other in finishes(terms.first)]
    assert max(against) == found.upper
    assert 0 <= found.upper - found.lower <= Fraction(1, 10**6)


@pytest.mark.parametrize("terms", GAMES, ids=str)
def test_mixed_strategies_are_consistent(terms: Terms):
    found = unseen(terms.first, terms.second, equal_turns=terms.equal_turns)
    for choices, known in ((found.first, terms.first), (found.second, terms.second)):
        assert sum(choice.chance for choice in choices) == 1
        assert all(Finish.of(cost(choice.tree, known.codes(), known.weighted)) == choice.finish for choice in choices)


def test_swapped_seats_give_the_complement_with_equal_turns():
    plain, reduced = Knowledge(Rules(3, "012345")), Knowledge(Rules(3, "012345"), "5")
    ahead = unseen(plain, reduced, equal_turns=True)
    behind = unseen(reduced, plain, equal_turns=True)
    assert ahead.lower + behind.upper == ahead.upper + behind.lower == 1
    assert ahead.draw == behind.draw
    assert ahead.draw


@pytest.mark.slow
def test_standard_race_has_its_documented_values():
    """A revealed digit lowers the chance of its owner, but the first player keeps more than one half."""
    values = {who: unseen(terms.first, terms.second) for who in Reveals for terms in [Terms(reveals=who)]}
    assert all(found.lower == found.upper for found in values.values())
    fractions = {who: str(found.value) for who, found in values.items()}
    assert fractions == {Reveals.NONE: "116467/172800", Reveals.FIRST: "7373/12960", Reveals.SECOND: "280019/362880"}
    page = (Path(__file__).parents[3] / "docs/guide/race.md").read_text(encoding="utf-8")
    assert all(fraction in page for fraction in fractions.values())
    assert Fraction(1, 2) < values[Reveals.FIRST].value < values[Reveals.NONE].value < values[Reveals.SECOND].value


def bounds(report: Progress) -> tuple[Fraction, Fraction]:
    assert isinstance(report.lower, Fraction)
    assert isinstance(report.upper, Fraction)
    return report.lower, report.upper


def test_progress_bounds_tighten_toward_the_value():
    reports: list[Progress] = []
    found = unseen(
        Knowledge(Rules(3, "0123456")), Knowledge(Rules(3, "0123456")), budget=Budget(progress=reports.append)
    )
    lowers, uppers = zip(*map(bounds, reports), strict=True)
    assert list(lowers) == sorted(lowers)
    assert list(uppers) == sorted(uppers, reverse=True)
    assert [one.states for one in reports] == sorted(one.states for one in reports)
    assert lowers[-1] <= found.lower <= found.upper <= uppers[-1]


def test_spent_budget_returns_proven_bounds():
    known = Knowledge(Rules(3, "0123456"))
    reports: list[Progress] = []
    whole = unseen(known, known, budget=Budget(progress=reports.append))
    after_a_round = next(one.states for one in reports if bounds(one) != (Fraction(0), Fraction(1)))
    with pytest.raises(Stopped) as stopped:
        unseen(known, known, budget=Budget(states=after_a_round + 1))
    best = stopped.value.best
    assert isinstance(best, Equilibrium)
    assert best.lower < whole.value < best.upper
    with pytest.raises(Stopped) as stopped:
        unseen(known, known, budget=Budget.within(0))
    assert stopped.value.best is None, "before the end of the first round nothing is proven"


def test_equilibrium_solves_games_with_mixed_strategies():
    stone_paper_scissors = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
    rows, columns = equilibrium(stone_paper_scissors)
    assert np.allclose(rows, 1 / 3)
    assert np.allclose(columns, 1 / 3)
    rows, columns = equilibrium(np.array([[3.0, 0.0], [1.0, 2.0], [0.5, 0.5]]))
    assert np.allclose(rows, [0.25, 0.75, 0])
    assert np.allclose(columns, [0.5, 0.5])


def test_rounded_chances_keep_their_sum():
    assert rounded(np.array([1 / 3, 1 / 3, 1 / 3]), 10) == [4, 3, 3]
    assert rounded(np.array([0.0, 1.0]), 7) == [0, 7]


def test_revealed_symbols_are_absent_for_the_other_side_only():
    terms = Terms(Rules(2, "01234"), "0", Reveals.FIRST, 2)
    assert (terms.shown, terms.first.absent, terms.second.absent) == ("34", "0", "034")
    assert Terms(Rules(2, "01234"), reveals=Reveals.NONE, revealed=2).shown == ""
    with pytest.raises(RulesError, match="leave too few for a secret"):
        Terms(Rules(2, "01234"), reveals=Reveals.SECOND, revealed=4)


def test_each_side_has_the_rules_of_its_target():
    own = Rules(3, "0abcd")
    terms = Terms(Rules(2, "01234"), "01", Reveals.FIRST, 1, second_rules=own)
    assert terms.shown == "d", "of the first player's own secret, which the second seeks"
    assert (terms.first.rules, terms.first.absent) == (Rules(2, "01234"), "01")
    assert (terms.second.rules, terms.second.absent) == (own, "0d")
    assert Terms(Rules(2, "01234"), "01", Reveals.SECOND, second_rules=own).first.absent == "014"
    with pytest.raises(RulesError, match="leave too few for a secret"):
        Terms(Rules(2, "01234"), "01", Reveals.FIRST, 2, second_rules=own)
    with pytest.raises(RulesError, match="leaves too few symbols"):
        Terms(Rules(2, "01234"), "01", second_rules=Rules(2, "012"))
