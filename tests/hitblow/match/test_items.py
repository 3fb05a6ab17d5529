"""Items in a match: their values against a plain recursion over guesses and answers."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache

import pytest

from yomikiri.common.budget import Budget
from yomikiri.hitblow.advice.items import Items, Use, answer
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.items import advise
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import read_match, write_match
from yomikiri.hitblow.match.opponents import Consistent, Perfect
from yomikiri.hitblow.match.valuation import BestResponse
from yomikiri.hitblow.model.codes import all_guesses, decode_all
from yomikiri.hitblow.model.facts import At, Changed, Double, Pass, Shuffle, parse_standard
from yomikiri.hitblow.model.labels import Item, Unsolved, UseMeasure
from yomikiri.hitblow.model.rules import Rules, hint
from yomikiri.hitblow.race.finish import Finish, Pace, win_payoffs

RULES = Rules(2, "01678")
ALL = Items(tuple(Item))
ADVISOR = Advisor(Consistent(), seconds=60)


def plain(
    match: Match,
    codes: tuple[str, ...],
    finish: Finish,
    calls: int = 1,
    turn: int = 0,
    likely: dict[str, int] | None = None,
) -> Fraction:
    """Return my winning chance by a plain recursion, with `calls` guesses in this turn and one in each later turn.

    `codes` are the candidates, and `likely` their weights (equal by default). `finish` is the opponent's finish
    distribution. `turn` is the index of my next turn, from 0.
    """
    likely = likely or dict.fromkeys(codes, 1)
    mine = match.to_move is Side.ME
    stakes = win_payoffs(finish, first=match.first is Side.ME, to_move=mine, equal_turns=match.equal_turns)
    guesses = decode_all(match.rules, all_guesses(match.rules))

    @cache
    def worth(codes: tuple[str, ...], turn: int, calls: int) -> int:
        if turn >= len(stakes) or not codes:
            return 0
        best = 0
        for guess in guesses:
            cells = defaultdict(list)
            for code in codes:
                if code != guess:
                    cells[hint(guess, code)].append(code)
            if len(cells) == 1 and guess not in codes:
                continue
            later = (turn, calls - 1) if calls > 1 else (turn + 1, 1)
            total = stakes[turn] * likely[guess] if guess in codes else 0
            total += sum(worth(tuple(cell), *later) for cell in cells.values())
            best = max(best, total)
        return best

    whole = sum(likely[code] for code in codes)
    return Fraction(worth(codes, turn, calls), whole * finish.total * (2 if match.equal_turns else 1))


@pytest.mark.parametrize("terms", ["", "first=opponent they=01:0H1B", "equal-turns=1", "equal-turns=1 me=01:0H1B"])
def test_double_turn_value_agrees_with_a_plain_recursion(terms: str):
    match = read_match(f"digits=2 symbols=01678 {terms}")
    finish, codes = Finish((1, 3, 4, 2)), tuple(match.known(Side.ME).codes())
    side = match.to_move
    assert side is not None
    doubled = match.learn(side, Double())
    found = BestResponse(doubled, Pace(finish)).standing()
    if side is Side.ME:
        assert (doubled.calls, match.calls) == (2, 1)
        assert found == plain(doubled, codes, finish, calls=2) > plain(match, codes, finish)
    else:
        assert found == plain(doubled, codes, finish, turn=1) < plain(match, codes, finish)


@pytest.mark.parametrize("text", ["me=01:0H0B they=08:0H1B", "secret=16 me=61:0H1B they=01", "equal-turns=1 secret=16"])
def test_item_value_is_the_winning_chance_after_its_use(text: str):
    match = read_match(f"digits=2 symbols=01678 {text}")
    known, theirs = match.known(Side.ME), match.known(Side.OPPONENT)
    codes = tuple(known.codes())
    found = advise(match, ADVISOR, ALL)
    assert found is not None
    assert found.measure is UseMeasure.WIN
    pace = Consistent().pace(theirs, match.secret).finish
    assert found.without == pytest.approx(float(plain(match, codes, pace)))
    worth = dict([*found.others, *([(found.use, found.value)] if found.use else [])])
    assert {use.place for use in worth if use.item is Item.CHANGE} <= {1, 2}
    assert match.secret or any(use.item is Item.CHANGE for use in worth)
    assert found.value == max([found.without, *worth.values()])
    for use, value in worth.items():
        expected = Fraction(0)
        if use.item is Item.DOUBLE:
            each = []
            for place in (1, 2):
                shown = Fraction(0)
                for symbol in match.secret[place - 1 : place] or {code[place - 1] for code in theirs.codes()}:
                    cell = theirs.after(At(symbol, place))
                    share = 1 if match.secret else Fraction(cell.count, theirs.count)
                    shown += share * plain(match, codes, Consistent().pace(cell, match.secret).finish, calls=2)
                each.append(shown)
            assert value == pytest.approx(float(min(each)))
            continue
        if use.item is Item.SHUFFLE:
            expected = plain(match, codes, Consistent().pace(theirs.after(Shuffle())).finish)
        elif use.item is Item.CHANGE:
            mine = [match.secret] if match.secret else theirs.codes()
            for secret in mine:
                change = Changed("low" if secret[use.place - 1] < "5" else "high", use.place)
                now = theirs.after(change) if change.becomes(secret, match.own_rules) else theirs
                expected += plain(match, codes, Consistent().pace(now).finish) / len(mine)
        else:
            cells = defaultdict(list)
            for code in codes:
                cells[answer(use, code)].append(code)
            expected = sum((len(cell) * plain(match, tuple(cell), pace) for cell in cells.values()), Fraction(0)) / len(
                codes
            )
        assert value == pytest.approx(float(expected)), use


def test_item_facts_use_one_item_per_turn():
    game = MatchAssistant(read_match("secret=345"), ADVISOR, items=ALL)
    game = game.take("me", "slash=6")
    assert (Item.SLASH in game.items_now.left, game.items_now.playable, game.item_advice) == (False, (), None)
    game = game.take("me", "012:0H1B").take("they", "678:0H0B")
    assert game.items_now.playable == tuple(item for item in Item if item is not Item.SLASH)
    game = game.take("me", "double").take("they", "at=3@1")
    assert (Item.DOUBLE in game.items_now.left, Item.TARGET in game.items_now.left) == (False, True)
    game = game.take("me", "134:0H0B")
    assert game.match.to_move is Side.ME
    assert game.items_now.playable == (), "the same turn goes on"
    game = game.take("me", "256:1H0B")
    seen = game.take("they", "double").take("me", "at=9@1").take("they", "912:0H0B").take("they", "786:0H0B")
    assert Item.TARGET in seen.items_now.playable, "what I see of their DOUBLE is no TARGET"
    game = game.take("they", "912:0H0B").take("they", "shuffle")
    assert Item.SHUFFLE not in game.items_now.left
    assert game.items_now.playable == ()
    assert game.undo().items_now.playable == (Item.HIGH, Item.TARGET, Item.SHUFFLE, Item.CHANGE)
    assert game.restart().items_now == ALL


def test_items_given_during_a_match_are_the_unused_ones():
    match = read_match("secret=345 me=high=LHH")
    game = MatchAssistant(match, ADVISOR, items=Items((Item.SLASH,), since=1))
    assert game.items_now.playable == (), "HIGH&LOW was played in this turn"
    game = game.take("me", "012:0H1B").take("they", "678:0H0B")
    assert game.items_now.playable == (Item.SLASH,)
    assert game.take("me", "slash=6").items_now.left == ()


def test_item_costs_the_turn_if_the_rules_say_so():
    game = MatchAssistant(read_match("secret=345"), ADVISOR, items=Items(tuple(Item), takes_turn=True))
    game = game.learn(parse_standard("high=LHH"))
    assert write_match(game.match) == "secret=345 me=high=LHH me=pass"
    game = game.take("they", "slash=2")
    assert write_match(game.match).endswith("they=slash=2 they=pass")
    game = game.take("me", "double")
    assert game.match.to_move is Side.ME, "DOUBLE is two guesses, and never in place of one"
    game = game.take("they", "at=3@1").take("me", "012:0H1B").take("me", "678:0H0B").take("me", "shuffle")
    assert game.match.to_move is Side.ME, "they shuffled"
    game = game.take("they", "change=low@1")
    assert game.match.to_move is Side.OPPONENT
    game = game.take("they", "012:0H1B").take("me", "has=3")
    assert game.match.to_move is Side.ME, "a fact that is no item takes no turn"
    used = game.take("me", "at=9@1")
    assert (used.match.to_move, used.items_now.left) == (Side.OPPONENT, (Item.SLASH, Item.SHUFFLE))


@pytest.mark.parametrize("text", ["me=01:0H0B they=08:0H1B", "equal-turns=1 secret=16 they=61:0H2B"])
def test_value_of_an_item_that_costs_the_turn(text: str):
    match = read_match(f"digits=2 symbols=01678 {'first=opponent ' if text.startswith('equal') else ''}{text}")
    found = advise(match, ADVISOR, Items((Item.SLASH,), takes_turn=True))
    assert found is not None
    assert found.takes_turn
    known = match.known(Side.ME)
    pace = Consistent().pace(match.known(Side.OPPONENT), match.secret).finish
    cells = defaultdict(list)
    for code in known.codes():
        cells[answer(Use(Item.SLASH), code)].append(code)
    expected = Fraction(0)
    for fact, cell in cells.items():
        passed = match.learn(Side.ME, fact).learn(Side.ME, Pass())
        assert passed.to_move is Side.OPPONENT
        expected += Fraction(len(cell), known.count) * plain(passed, tuple(cell), pace)
    [(_use, value)] = [*found.others, *([(found.use, found.value)] if found.use else [])]
    assert value == pytest.approx(float(expected))


def test_perfect_advice_does_not_support_double():
    match = read_match("digits=2 symbols=0123 me=double")
    advice = Advisor(Perfect()).advise(match)
    assert advice.unsolved is Unsolved.DOUBLE


def test_large_match_scores_items_by_my_board(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("yomikiri.hitblow.match.advice._WEIGHED", 100)
    found = advise(read_match(""), ADVISOR, Items((Item.HIGH, Item.DOUBLE)))
    assert found is not None
    assert (found.use, found.measure) == (Use(Item.HIGH), UseMeasure.BITS)
    assert (
        advise(read_match("digits=2 symbols=0123 me=01:0H0B they=01:0H0B me=23:0H2B they=23:0H2B"), ADVISOR, ALL)
        is None
    )


def test_spent_budget_marks_the_advice_as_late():
    match = read_match("digits=2 symbols=01678 secret=01 me=01:0H1B they=08:1H0B")
    found, late = (advise(match, ADVISOR, ALL, budget) for budget in (Budget(), Budget(until=0.0)))
    assert found is not None
    assert late is not None
    assert (found.measure, found.late) == (UseMeasure.WIN, False)
    assert (late.measure is UseMeasure.WIN, late.late) == (False, True)


def test_amount_of_work_not_time_decides_between_search_and_score(monkeypatch: pytest.MonkeyPatch):
    match, items = read_match("digits=2 symbols=01678 secret=01 me=01:0H1B they=08:1H0B"), Items((Item.SLASH,))
    hasty = Advisor(Consistent(), seconds=0.001)
    weighed = advise(match, hasty, items)
    assert weighed
    assert weighed.measure is UseMeasure.WIN
    monkeypatch.setattr("yomikiri.hitblow.match.items._WEIGHED", 10)
    scored = advise(match, ADVISOR, items)
    assert scored is None or scored.measure is not UseMeasure.WIN
