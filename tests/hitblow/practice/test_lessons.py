"""Reports of games and matches, compared with reviews and with full enumeration.

Also tests `wording/learning.py`: sentences of reports.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from yomikiri.common.budget import Budget
from yomikiri.common.enums import Grade
from yomikiri.common.errors import ContradictionError
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.opponents import Consistent, Custom, PolicyPlayer
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Level, Unit
from yomikiri.hitblow.model.rules import Rules, Turn, Words, hint
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.practice.lessons import Lesson, Report, Shortfall, match_report, play_report, report
from yomikiri.hitblow.practice.play import Play
from yomikiri.wording import learning as wording
from yomikiri.wording import use_language

FAULT = Play(seed="k3x9", guesses=("012", "013", "014", "015", "016", "017"))
SMALL = Rules(2, "0123")


def of(text: str) -> Report:
    return report(Knowledge.parse(text))


def test_lesson_is_the_costliest_turn_without_a_find():
    found = of("345:1H0B 123:0H2B 012:0H1B 371:3H0B")
    assert [turn.grade for turn in found.turns] == [Grade.BEST, Grade.GOOD, Grade.INACCURACY, Grade.RISKY]
    assert found.turns[3].cost == Fraction(1, 4), "it gave most away, and paid"
    assert found.lesson
    assert (found.lesson.marked.number, found.lesson.marked.weighed.best.guess) == (3, "062")
    assert [*wording.lesson(found.lesson)] == [
        "Guess 3: there were 17 candidates.",
        "You guessed 012: splits them 8 + 4 + 3 + 2.",
        "Best was 062: 5 groups, the largest with 6.",
    ]
    assert found.lesson.numbers == (), "17 are too many to be listed"


def test_lesson_lists_few_candidates():
    lost = of("345:1H0B 123:0H2B 012:0H1B 381:2H0B").lesson
    assert lost
    assert lost.marked.number == 4
    assert lost.numbers == ("361", "371", "381", "391")


def test_game_without_loss_has_no_lesson():
    assert of("012:0H3B 120:3H0B").lesson is None
    assert of("345:1H0B").lesson is None
    assert report(Knowledge()).lesson is None


def test_lost_game_lists_mistakes_before_luck_in_both_languages():
    lost = play_report(FAULT, Exact())
    assert [*wording.summary(lost, Words.HIT)] == [
        "Your choices cost 2.43 guesses; turn 3 cost the most.",
        "Bad luck cost 0.86 guesses.",
    ]
    use_language("ja")
    assert [*wording.summary(lost, Words.HIT)][1] == "運の悪さで 0.86 手余計にかかりました。"


def test_contradicting_game_has_no_report():
    with pytest.raises(ContradictionError):
        of("012:3H0B 345:3H0B")


# --- a match ----------------------------------------------------------------------------------------------------------


def chance(mine: list[str], theirs: list[float], rules: Rules) -> Fraction:
    """Return my winning chance under best play if I move, by full enumeration.

    `theirs` contains the weights of the opponent's finish at their next guesses. Only `hint` comes from the package.
    """
    return max(chance_with(guess, mine, theirs, rules) for guess in rules.secrets())


def chance_with(guess: str, mine: list[str], theirs: list[float], rules: Rules) -> Fraction:
    cells: dict[object, list[str]] = {}
    for code in mine:
        cells.setdefault(hint(guess, code), []).append(code)
    left = sum(theirs)
    won = Fraction(0)
    for answer, codes in cells.items():
        if answer == rules.win:
            won += Fraction(1, len(mine))
        elif theirs[1:] and len(codes) < len(mine):
            still = Fraction(sum(theirs[1:])) / Fraction(left)
            won += Fraction(len(codes), len(mine)) * still * chance(codes, theirs[1:], rules)
    return won


def test_match_report_agrees_with_full_enumeration():
    """The opponent finds my secret at guess 2, 3 or 4 with equal probability."""
    times = (0, 1, 1, 1)
    match = Match(SMALL, SMALL)
    for fact in ("01:0H1B", "02:0H1B", "23:1H0B", "12:0H1B", "20:2H0B"):
        match = match.play(Turn.parse(fact))
    found = match_report(match, Advisor(Custom(times), Exact(None), 60.0))
    assert match.outcome
    assert match.outcome.winner is Side.ME
    known, expected = [*SMALL.secrets()], []
    for at, turn in enumerate(found.turns):
        best, played = (chance(known, [*times[at:]], SMALL), chance_with(turn.turn.guess, known, [*times[at:]], SMALL))
        expected.append((best, best - played))
        known = [code for code in known if hint(turn.turn.guess, code) == getattr(turn.turn, "hint", None)]
    assert [(point.chance, turn.cost) for point, turn in zip(found.curve[:-1], found.turns, strict=True)] == expected
    assert found.curve[-1].chance == 1
    assert any(turn.cost for turn in found.turns), "else this test would hold nothing"


def lost_race() -> Play:
    """Return a race that the program wins."""
    guesses, answers = ("345", "346", "347", "348"), ("012", "134", "514", "314")
    return Play(seed="tea", race=True, handicap=False, secret="314", guesses=guesses, answers=answers)


def test_race_report_is_in_winning_chances():
    found = play_report(lost_race(), Exact())
    assert found.unit is Unit.CHANCE
    assert found.review is None
    assert found.cost is not None
    assert found.luck is not None
    start, end = found.curve[0].chance, found.curve[-1].chance
    assert end == 0
    assert end == start - found.cost + found.luck
    said = [*wording.summary(found, Words.HIT)]
    assert said[0].startswith("Your choices cost ")
    assert said[1].startswith("Bad luck cost "), said
    assert all("point" in line for line in said)


def test_curve_has_a_point_before_each_guess_and_at_the_end():
    found = play_report(lost_race(), Exact())
    assert [point.number for point in found.curve] == [1, 2, 3, 4, None]
    assert [point.grade for point in found.curve[:-1]] == [turn.grade for turn in found.turns]


def test_cost_of_a_match_guess_is_in_winning_chances():
    found = play_report(lost_race(), Exact())
    assert found.lesson
    weighed = found.lesson.marked.weighed
    assert weighed.cost
    assert weighed.cost >= Fraction(1, 100)
    said = wording.cost(weighed)
    assert said.startswith("cost ")
    assert "best " in said
    assert "yours " in said


def test_unfinished_race_has_no_final_point_and_no_luck():
    going = play_report(replace(lost_race(), guesses=("345", "346"), answers=("012",)), Exact())
    assert [point.number for point in going.curve] == [1, 2]
    assert going.luck is None


def test_estimated_turns_have_no_grade_and_are_marked():
    going = replace(lost_race(), guesses=("345",), answers=())
    found = match_report(replace(going.match, secret=""), Advisor(Consistent(), Exact(), 0.0))
    assert found.turns[0].grade is None
    assert found.curve[0].estimated
    assert found.cost is None


@pytest.mark.parametrize("opponent", [Consistent(), PolicyPlayer("optimal", Exact())], ids=lambda each: each.name)
def test_report_exists_even_without_time(opponent):
    race = replace(lost_race(), answers=("012", "134", "514"), guesses=("345", "346", "347"))
    found = match_report(replace(race.match, secret=""), Advisor(opponent, Exact()), Budget(cancelled=lambda: True))
    assert [point.number for point in found.curve] == [1, 2, 3]
    assert found.curve[0].estimated


def test_exchanged_match_swaps_sides_and_is_its_own_inverse():
    match = replace(lost_race().match, secret="")
    other = match.exchanged()
    assert other
    assert (other.first, other.known(Side.ME)) == (Side.OPPONENT, match.known(Side.OPPONENT))
    assert other.exchanged() == match


def test_report_against_random_guesses_counts_guesses():
    assert play_report(replace(lost_race(), level=Level.RANDOM), Exact()).unit is Unit.GUESSES


def test_report_does_not_use_the_secret_against_a_deterministic_level():
    race = replace(lost_race(), level=Level.FEWEST, guesses=("345",), answers=())
    other = replace(race, secret="271")
    assert play_report(race, Exact()).curve[0] == play_report(other, Exact()).curve[0]


@pytest.mark.parametrize(
    ("secret", "guesses", "expected", "said"),
    [
        ("307", "012 012 307", Shortfall(1, "", True, (), 252), "012 repeats guess 1"),
        ("079", "462 283 015 097 079", Shortfall(0, "2", True, (), 80), "Ruled out before: 2."),
        ("068", "907 431 672 025 068", Shortfall(0, "", True, (), 96), "431 could not be the number. 012 could."),
        ("276", "837 380 712 671 276", Shortfall(0, "", False, ("174", "175", "179", "276"), 4),
         "174, 175, 179, 276 would get the same answer. 145 tells them apart."),
        ("851", "781 286 758 851", Shortfall(0, "", False, (), 5), "758 can leave 5 candidates. 803 leaves at most 3."),
    ],
)  # fmt: skip
def test_lesson_names_the_plain_reasons(secret: str, guesses: str, expected: Shortfall, said: str):
    facts = tuple(Turn(guess, hint(guess, secret)) for guess in guesses.split())
    lesson = report(Knowledge(facts=facts)).lesson
    assert lesson
    assert lesson.shortfall == expected
    use_language("en")
    assert said in " ".join(wording.reasons(lesson))


@pytest.mark.parametrize(
    ("facts", "number"),
    [
        ("789:MMM 345:1H0B 345:1H0B", 2),
        ("789:MMM 012:0H1B 345:0H1B 012:0H1B", 2),
        ("789:MMM 789:0H0B 789:0H0B", 2),
        ("345:1H0B shuffle 012:0H1B 345:1H0B", 0),
        ("345:1H0B shuffle 345:1H0B 345:1H0B", 2),
    ],
)
def test_lesson_counts_all_guesses_in_the_number_of_a_repeated_guess(facts: str, number: int):
    found = of(facts)
    lesson = Lesson(found.turns[-1], found.positions[-1], ())
    assert lesson.shortfall.repeats == number


def test_guesses_that_were_not_the_players_own_get_no_grade():
    found = report(Knowledge(facts=tuple(map(Turn.parse, ["345:1H0B", "123:0H2B", "012:0H1B", "371:3H0B"]))))
    rest = found.without([3])
    assert [turn.grade for turn in rest.turns if turn.number != 3] == [
        turn.grade for turn in found.turns if turn.number != 3
    ]
    assert rest.turns[2].grade is None
    assert rest.lesson
    assert rest.lesson.marked.number == 2
