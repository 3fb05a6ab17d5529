"""Facts other than turns in a match: the item DOUBLE, passes, changes of the secret, and corrections."""

from __future__ import annotations

import pytest

from yomikiri.common.errors import HintError, TurnError
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import read_match, write_match
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import parse_fact

ME, OPPONENT = Side.ME, Side.OPPONENT
TEXTS = [
    "me=high=LHH me=012:0H1B they=345:1H0B",
    "me=012:0H1B they=has=3 they=345:1H0B me=absent=7",
    "secret=345 me=012:0H1B they=354:1H_ they=at=5@3",
    "secret=345 me=double they=at=3@1 me=012:0H1B me=134:1H0B they=678:0H0B me=139:MBM",
    "secret=345 me=012:0H1B they=shuffle secret=453 they=345:0H3B me=slash=6",
    "me=012:0H1B they=shuffle they=345:0H3B",
    "secret=345 they=shuffle secret=453 me=012:0H1B they=change=low@1 secret=053 they=034:1H1B",
    "me=high=LHH me=pass they=345:1H0B me=012:0H1B they=slash=3 they=pass",
    "first=opponent they=double they=012:0H0B they=345:0H3B me=678:1H0B they=453:2H0B",
]


def known(tokens: str) -> Knowledge:
    return Knowledge(facts=tuple(parse_fact(token, Knowledge().rules) for token in tokens.split()))


@pytest.mark.parametrize("text", TEXTS)
def test_match_with_facts_round_trips(text: str):
    match = read_match(text)
    assert write_match(match) == text
    assert read_match(write_match(match)) == match


def test_facts_take_no_turn_and_belong_to_one_board():
    match = read_match("me=high=LHH me=012:0H1B they=has=3 they=345:1H0B me=absent=7")
    assert match.to_move is ME
    assert match.known(ME) == known("high=LHH 012:0H1B absent=7")
    assert match.known(OPPONENT) == known("has=3 345:1H0B")
    assert [str(turn) for turn in match.turns] == ["012:0H1B", "345:1H0B"]
    assert match.undo().known(ME) == known("high=LHH 012:0H1B")


def test_double_allows_two_guesses_in_one_turn():
    match = read_match("secret=345 me=double they=at=3@1 me=012:0H1B")
    assert match.to_move is ME
    assert read_match(write_match(match) + " me=134:1H0B").to_move is OPPONENT
    assert match.known(ME) == known("012:0H1B")
    assert match.known(OPPONENT) == known("at=3@1")
    with pytest.raises(TurnError, match="out of turn"):
        read_match("me=012:0H1B me=double")
    won = read_match("equal-turns=1 me=double me=012:3H0B they=345:3H0B")
    assert won.outcome
    assert won.outcome.winner is None


def test_pass_ends_a_turn_without_a_guess():
    match = read_match("secret=345 me=high=LHH me=pass they=315:2H0B me=012:0H1B they=pass")
    assert match.to_move is ME
    assert [str(match.owner(line)) for line in range(6)] == ["me", "me", "opponent", "me", "opponent", "me"]
    assert match.known(ME) == known("high=LHH 012:0H1B")
    assert match.known(OPPONENT) == known("315:2H0B")
    assert match.undo().to_move is OPPONENT
    for text in ("they=pass", "me=pass me=pass", "me=012:3H0B they=pass"):
        with pytest.raises(TurnError, match=r"out of turn|after the end"):
            read_match(text)
    both = read_match("equal-turns=1 me=pass they=pass me=012:3H0B")
    assert both.last_chance
    lost = both.learn(OPPONENT, parse_fact("pass", both.rules)).outcome
    assert lost is not None
    assert lost.winner is ME
    assert read_match("me=double me=pass").to_move is OPPONENT
    late = read_match("first=opponent they=345:0H0B me=pass they=678:3H0B").outcome
    assert late is not None
    assert late.winner is OPPONENT


def test_change_of_my_secret_keeps_earlier_and_later_secrets():
    match = read_match("secret=345 me=012:0H1B they=shuffle secret=453 they=345:0H3B")
    assert [match.secret_at(line) for line in range(4)] == ["345", "345", "453", "453"]
    assert match.secret == "453"
    assert match.known(OPPONENT).codes() == ["453", "534"]
    assert match.undo().undo().secret == "345"
    without_secret = read_match("secret=345 me=012:0H1B they=shuffle")
    assert without_secret.secret == ""
    with_secret = MatchAssistant(without_secret).change("secret", "534")
    assert with_secret.match.secret == "534"
    assert with_secret.match.secret_at(0) == "345"
    assert str(with_secret.hear("345").match.turns[-1]) == "345:0H3B"


def test_facts_of_the_opponent_must_fit_my_secret():
    for text in ("they=has=7", "they=at=4@1", "they=shuffle secret=456", "they=shuffle secret=453 they=has=6"):
        with pytest.raises(HintError, match=r"does not fit your secret"):
            read_match(f"secret=345 {text}")
    assert read_match("secret=345 they=has=4 they=high=LLH").known(OPPONENT).count


def test_entries_are_replaced_only_by_the_same_kind():
    game = MatchAssistant(read_match("me=has=3 me=012:0H1B they=345:1H0B"))
    assert game.put(1, parse_fact("has=4", game.match.rules)).match.known(ME) == known("has=4 012:0H1B")
    assert game.put(2, parse_fact("012:1H_", game.match.rules)).match.known(ME) == known("has=3 012:1H_")
    with pytest.raises(TurnError, match="cannot replace"):
        game.put(2, parse_fact("has=4", game.match.rules))
    assert Match().learn(ME, parse_fact("has=3", game.match.rules)).known(ME) == known("has=3")


def test_repairs_use_line_numbers_of_the_match():
    game = MatchAssistant(read_match("me=has=3 me=012:2H0B they=345:1H0B me=high=HHH"))
    assert game.contradictory == (ME,)
    assert not game.repairs  # 3 is low, so has=3 contradicts high=HHH; only turns are corrected
    game = MatchAssistant(read_match("me=has=7 me=012:2H0B they=345:1H0B me=high=HHH"))
    assert {repair.lines for repair in game.repairs} == {(2,)}
