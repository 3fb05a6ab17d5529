"""Grades of guesses by their cost, for players of different strength, and the candidates grouped by their answer."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from tests.reference.hitblow import every_code, plain_hint

from yomikiri.common.enums import Grade
from yomikiri.guessing.grades import grade_of
from yomikiri.hitblow.advice.suggestion import figures
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Unit
from yomikiri.hitblow.model.rules import Hint, Rules, Words
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.policies.onestep import OneStep
from yomikiri.hitblow.practice.lessons import LIMITS, ComparedGuess, play_report
from yomikiri.hitblow.practice.play import Play
from yomikiri.web.hitblow_cards import count_charts

HUNDREDTHS = {
    Unit.GUESSES: {0: "best", 9: "good", 10: "inaccuracy", 24: "inaccuracy", 25: "mistake", 100: "mistake"},
    Unit.CHANCE: {0: "best", 2: "good", 3: "inaccuracy", 9: "inaccuracy", 10: "mistake"},
}


@pytest.mark.parametrize(("unit", "cost"), [(unit, cost) for unit in Unit for cost in HUNDREDTHS[unit]])
def test_grade_limits_agree_with_the_table(unit: Unit, cost: int):
    assert grade_of(Fraction(cost, 100), LIMITS[unit]) == HUNDREDTHS[unit][cost]


@pytest.mark.parametrize("unit", Unit)
def test_guess_that_finds_the_secret_is_at_worst_risky(unit: Unit):
    found = [grade_of(Fraction(cost, 100), LIMITS[unit], found=True) for cost in (0, 1, 9, 30, 100)]
    assert not {Grade.INACCURACY, Grade.MISTAKE} & {*found}
    assert (found[0], found[1], found[-1]) == (Grade.BEST, Grade.GOOD, Grade.RISKY)


def weighed(known: Knowledge, guess: str, worth: Fraction | None) -> ComparedGuess:
    shown = figures(known, guess)
    return ComparedGuess(Unit.GUESSES, shown, shown, worth, Fraction(1))


def test_forced_and_estimated_guesses_have_no_grade():
    one = Knowledge.parse("012:0H1B 345:1H0B 123:0H2B 371:3H0B")
    assert one.count == 1
    assert weighed(one, "371", Fraction(1)).grade() is None
    assert weighed(one, "012", Fraction(2)).grade() is Grade.MISTAKE, "another guess than the only number left"
    assert weighed(Knowledge(), "012", None).grade() is None
    assert weighed(Knowledge(), "012", None).cost is None


def test_groups_agree_with_counts_and_are_sorted_by_size():
    rules = Rules(3, "01234")
    counts = Counter(plain_hint("013", code) for code in every_code(rules.symbols, 3, repeats=False))
    shown = figures(Knowledge(rules), "013")
    assert {(hint.hits, hint.blows): size for hint, size in shown.groups} == counts
    sizes = [size for _hint, size in shown.groups]
    assert sizes == sorted(sizes, reverse=True)
    assert (shown.parts, max(shown.left)) == (len(counts), max(counts.values()))


def test_charts_of_both_guesses_share_one_scale():
    known = Knowledge.parse("345:1H0B 123:0H2B 012:0H1B")
    both = figures(known, "371"), figures(known, "067")
    assert [(shown.parts, max(shown.left)) for shown in both] == [(2, 3), (3, 2)]
    charts = count_charts(both, Words.HIT, [("You", "you"), ("Best", "best")]).charts
    assert [[bar.length for bar in chart.bars] for chart in charts] == [
        [1, 1 / 3],
        [2 / 3, 1 / 3, 1 / 3],
    ]
    assert both[0].groups == ((Hint(2, 0), 3), (Hint(3, 0), 1))


def guessed(name: str, play: Play, random: Random) -> str:
    """Return the guess of the player with that name."""
    if name == "good":
        return OneStep("entropy").choose(play.board).guess
    return random.choice(play.board.codes() if name == "any that fits" else [*play.rules.secrets()])


@pytest.mark.parametrize("race", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_good_players_get_better_grades_than_random_ones(race: bool):
    """The test plays ten games for each player; `benchmarks/hitblow_grades.py` prints the whole table."""
    good, bad = {}, {}
    for name in ("good", "any that fits", "any code"):
        counts = Counter[Grade | None]()
        for number in range(10):
            random = Random(number)
            play = Play(seed=f"grades-{number}", race=race, handicap=False, secret="314" if race else "")
            while not play.over and len(play.guesses) < 9:
                play = play.guess(guessed(name, play, random))
                play = play.answered(Exact()) if race else play
            counts.update(turn.grade for turn in play_report(play, Exact()).turns)
        marked = sum(counts.values()) - counts[None]
        good[name] = (counts[Grade.BEST] + counts[Grade.GOOD] + counts[Grade.RISKY]) / marked
        bad[name] = counts[Grade.MISTAKE] / marked
    assert good["good"] > 0.8
    assert good["any that fits"] > 0.7
    assert good["any code"] < 0.6
    assert bad["good"] < 0.05
    assert bad["any code"] > 0.3
