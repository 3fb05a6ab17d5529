"""Matches that allow wrong answers (`Slips`): candidates of both boards, and values of guesses and items."""

from __future__ import annotations

import pytest
from tests.hitblow.match.test_items import plain

from yomikiri.hitblow.advice.items import Items
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import read_match, write_match
from yomikiri.hitblow.match.opponents import Consistent
from yomikiri.hitblow.model.corrections import repairs
from yomikiri.hitblow.model.facts import parse_standard
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Basis, Item, Unsolved, UseMeasure
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.model.wrong_answers import Slips

ME, OPPONENT = Side.ME, Side.OPPONENT
SMALL = "digits=2 symbols=01678"
ADVISOR = Advisor(Consistent(), seconds=60)


def test_slips_apply_to_each_board_separately():
    text = "slips=1 slip-rate=0.2 me=012:0H1B they=345:1H0B me=134:0H2B they=678:0H1B me=345:2H0B they=012:0H3B"
    match = read_match(text)
    assert write_match(match) == text
    for side, turns in ((ME, "012:0H1B 134:0H2B 345:2H0B"), (OPPONENT, "345:1H0B 678:0H1B 012:0H3B")):
        alone = Knowledge(facts=tuple(map(parse_standard, turns.split())), slips=Slips(1, 0.2))
        assert match.known(side) == alone
        assert match.known(side).by_slips == alone.by_slips
    assert match.known(OPPONENT).by_slips[0] == 0
    assert not MatchAssistant(match).contradictory


def test_answers_of_my_known_secret_are_taken_as_right():
    match = read_match("slips=1 secret=345 me=012:0H1B they=354:1H2B")
    assert (match.known(ME).slips.most, match.known(OPPONENT).slips.most) == (1, 0)
    changed = read_match("first=opponent slips=1 secret=345 they=354:1H2B they=shuffle")
    assert changed.known(OPPONENT).slips.most == 0
    later = changed.play(Turn.parse("012:0H0B")).play(Turn.parse("345:0H3B"))
    assert later.known(OPPONENT).slips.most == 1
    assert later == read_match(f"{write_match(changed)} me=012:0H0B they=345:0H3B")
    assert later.known(OPPONENT).by_slips == read_match(write_match(later)).known(OPPONENT).by_slips


def test_resolved_match_keeps_all_candidates():
    match = read_match("preset=mastermind slips=1 me=1122:0H1B they=1122:0H1B")
    assert match.resolved.known(ME).count == match.known(ME).count == 1296
    advice = Advisor().advise(match)
    assert (advice.basis, advice.unsolved, advice.count) == (Basis.PLAIN, Unsolved.SLIPS, 1296)
    sure = Advisor().standing(read_match("preset=mastermind me=1122:0H1B they=1122:0H1B"))
    assert 0.4 < advice.proposed.win < sure.win


def test_resolved_keeps_the_probabilities_of_candidates():
    match = read_match("slips=2 me=012:0H1B they=345:1H0B me=134:0H2B they=678:0H1B")
    mine, settled = match.known(ME), match.resolved
    assert settled.known(ME).codes() == mine.codes()
    assert settled.known(ME).chances() == pytest.approx(mine.chances(), abs=1e-3)
    later = settled.play(Turn.parse("345:2H0B")).learn(ME, parse_standard("off=5@3"))
    kept = [code for code in mine.codes() if Turn.parse("345:2H0B").holds(code) and code[2] != "5"]
    assert later.known(ME).codes() == kept
    assert later.known(ME).share(kept[0]) / later.known(ME).share(kept[1]) == pytest.approx(
        float(mine.share(kept[0]) / mine.share(kept[1])), rel=0.05
    )


def test_resolved_opponent_board_has_the_likeliest_correction():
    fits = read_match("slips=1 me=012:0H1B they=345:1H0B")
    assert fits.resolved.known(OPPONENT) == read_match("me=012:0H1B they=345:1H0B").known(OPPONENT)
    text = "first=opponent they=012:0H1B me=012:0H0B they=134:0H2B me=345:0H0B they=345:2H0B me=678:0H1B they=340:0H0B"
    wrong = read_match(f"slips=1 {text}")
    known = Knowledge(facts=wrong.known(OPPONENT).facts)
    assert not known.count
    [first, *_] = repairs(known)
    facts = [*known.facts]
    facts[first.lines[0] - 1] = first.turns[0]
    assert wrong.resolved.known(OPPONENT) == Knowledge(facts=tuple(facts))
    assert ADVISOR.pace(wrong) == Consistent().pace(Knowledge(facts=tuple(facts)))


@pytest.mark.parametrize("text", ["me=01:0H1B they=08:0H1B", "first=opponent they=01 secret=16 me=61:0H1B they=61"])
def test_advice_with_slips_assumes_right_later_answers(text: str):
    match = read_match(f"{SMALL} slips=1 {text}")
    known, settled = match.known(ME), match.resolved
    advice = ADVISOR.advise(match)
    assert (advice.unsolved, advice.basis, advice.count) == (Unsolved.SLIPS, Basis.PACE, known.count)
    assert not advice.proposed.exact
    assert advice.proposed.hit == known.share(advice.proposed.guess)
    pace = Consistent().pace(settled.known(OPPONENT), match.secret).finish
    likely = {code: settled.known(ME).weight(code) for code in known.codes()}
    worth = plain(match, tuple(likely), pace, likely=likely)
    assert float(advice.proposed.win) == pytest.approx(float(worth), abs=1e-6)
    item = MatchAssistant(match, ADVISOR, items=Items((Item.HIGH, Item.DOUBLE))).item_advice
    assert item is not None
    assert item.measure is UseMeasure.WIN
    assert item.without == pytest.approx(float(worth), abs=1e-6)


def test_slips_tolerate_contradictions_up_to_their_number():
    text = "me=012:0H1B they=345:0H0B me=134:0H2B they=678:0H1B me=345:2H0B they=019:1H0B me=340:0H0B"
    game = MatchAssistant(read_match(text))
    assert game.contradictory == (ME,)
    assert MatchAssistant(read_match(f"slips=1 {text}")).contradictory == ()
    far = MatchAssistant(read_match(f"slips=1 {text} they=019:1H0B me=012:3H0B"))
    assert far.contradictory == (ME,)
    assert {len(repair.lines) for repair in far.repairs} == {3}
    assert [repair.share for repair in far.repairs] == sorted((repair.share for repair in far.repairs), reverse=True)
