from fractions import Fraction
from math import inf

import pytest

from yomikiri.common.errors import ContradictionError, InputError, TurnError
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, MatchOutcome, Side
from yomikiri.hitblow.match.notation import read_match
from yomikiri.hitblow.match.opponents import Custom
from yomikiri.hitblow.model.facts import Has
from yomikiri.hitblow.model.labels import Motive
from yomikiri.hitblow.model.rules import Hint, Rules, Turn
from yomikiri.hitblow.policies.onestep import Likely

RULES = Rules(2, "0123")
ADVISOR = Advisor(Custom((1, 1, 1, 1)), Likely(), inf)


def assistant(text: str, advisor: Advisor = ADVISOR) -> MatchAssistant:
    return MatchAssistant(read_match(f"digits=2 symbols=0123 {text}"), advisor)


def test_assistant_follows_both_sides_to_the_end():
    game = assistant("secret=31").answer(Hint(0, 1), "01")
    assert (game.to_move, game.outcome) == (Side.OPPONENT, None)
    game = game.hear("13").answer(Hint(0, 1), "12").hear("31")
    assert game.match == assistant("secret=31 me=01:0H1B they=13:0H2B me=12:0H1B they=31:2H0B").match
    assert (game.to_move, game.outcome) == (None, MatchOutcome(Side.OPPONENT))


def test_opponent_guess_needs_an_answer_or_my_secret():
    with pytest.raises(TurnError, match="has no answer"):
        assistant("first=opponent").hear("12")
    with pytest.raises(TurnError, match="has no answer"):
        assistant("first=opponent they=12:0H0B").edit(1)
    with pytest.raises(TurnError, match="has no answer"):
        assistant("me=12:0H0B").edit(1, guess="01")
    assert assistant("first=opponent").hear("12", Hint(0, 1)).match.turns == (Turn("12", Hint(0, 1)),)
    assert assistant("first=opponent secret=31").hear("12").match.turns == (Turn("12", Hint(0, 1)),)


def test_opponent_turn_is_edited_by_its_guess_alone():
    game = assistant("secret=31 me=01:0H1B they=13").edit(2, guess="30")
    assert game.match.turns[1] == Turn("30", Hint(1, 0))


def test_terms_are_changed_by_name():
    game = assistant("me=01:0H1B").change("secret", "31").change("shown", "0")
    assert (game.match.secret, game.match.shown) == ("31", "0")
    assert game.change("secret", "").match.secret == ""
    assert game.restart().match == Match(RULES, RULES)


@pytest.mark.parametrize("first", ["", "me=absent=4 ", "they=absent=4 me=absent=4 "])
def test_line_numbers_do_not_depend_on_earlier_absent_facts(first: str):
    before, rules = len(first.split()), "digits=2 symbols=01234 "
    game = MatchAssistant(read_match(f"{rules}{first}me=01:0H0B they=01:0H1B me=23:0H0B"))
    assert {repair.lines for repair in game.repairs} == {(before + 1,), (before + 3,)}
    turns = "me=01:0H1B they=01:0H1B me=02:0H0B they=23:0H0B me=32:2H0B"
    slipped = MatchAssistant(read_match(f"{rules}slips=2 {first}{turns}"))
    assert slipped.wrong == (before + 1, before + 3)
    assert slipped.undo().wrong == ()


def test_repairs_use_line_numbers_of_the_match():
    game = assistant("me=01:0H0B they=01:0H1B me=23:0H0B")
    assert game.contradictory == (Side.ME,)
    assert (game.to_move, game.outcome) == (None, None)
    assert {repair.lines for repair in game.repairs} == {(1,), (3,)}
    with pytest.raises(ContradictionError):
        assert game.answer(Hint(1, 0))
    assert not game.edit(3, Hint(0, 2)).contradictory
    assert assistant("me=01:0H0B").repairs == ()


def test_corrected_by_fixes_answers_that_the_secret_disproves():
    game = assistant("me=01:0H1B they=13:1H0B me=12:0H1B they=20:0H0B")
    corrected = game.corrected_by("３1")
    assert corrected
    assert corrected.match == assistant("secret=31 me=01:0H1B they=13:0H2B me=12:0H1B they=20:0H0B").match
    assert corrected.corrected_by("31") == corrected
    with pytest.raises(InputError, match="'3'"):
        game.corrected_by("3")
    with pytest.raises(InputError, match="you revealed '0'"):
        assistant("shown=0 first=opponent they=12:0H1B").corrected_by("30")


def test_corrected_by_returns_none_for_a_contradicted_fact():
    game = assistant("first=opponent they=13:0H1B").learn(Has("3"), Side.OPPONENT)
    assert game.corrected_by("12") is None
    corrected = game.corrected_by("31")
    assert corrected
    assert corrected.match.facts[0] == Turn("13", Hint(0, 2))


def test_wasted_returns_revealed_symbols_of_a_guess():
    game = assistant("shown=0")
    assert (game.wasted("01"), game.wasted("12")) == ("0", "")


def test_advice_values_an_immediate_hit():
    advice = assistant("me=01:0H1B they=01:0H1B").advice
    assert advice.count == 4
    assert advice.proposed.hit == Fraction(1, 4)
    assert assistant("me=01:0H2B they=01:0H1B").advice.reason.motive is Motive.ONLY
    assert assistant("me=01:0H2B they=01:0H1B").advice.proposed.win == 1


def test_last_chance_can_only_draw():
    game = assistant("equal-turns=1 first=opponent they=01:0H1B me=01:0H1B they=13:2H0B")
    assert game.match.last_chance
    assert game.advice.reason.motive is Motive.LAST_CHANCE
    assert game.advice.proposed.win == Fraction(1, 8)
    assert game.answer(Hint(2, 0)).outcome == MatchOutcome(None)
    assert game.standing.win == Fraction(1, 8)


def test_after_my_find_the_opponent_can_only_draw():
    game = assistant("equal-turns=1 me=01:2H0B")
    assert game.to_move is Side.OPPONENT
    assert game.standing.win == 1 - Fraction(1, 8), "they find it with the next guess once in four"


def test_chance_of_a_guess_is_the_mean_over_its_answers():
    game = assistant("me=01:0H1B they=01:0H1B")
    for guess in ("12", "13", "20", "01", "23"):
        mean = Fraction(0)
        for hint, size in game.match.known(Side.ME).cells(guess).items():
            later = game.answer(hint, guess)
            won = later.outcome == MatchOutcome(Side.ME)
            mean += Fraction(size, 4) * (1 if won else later.standing.win)
        assert game.compare(guess).win == mean
    assert game.compare(game.advice.proposed.guess) == game.advice.proposed
    assert game.standing.win == game.advice.proposed.win
