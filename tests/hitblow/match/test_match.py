import pickle
import random
from functools import reduce
from itertools import permutations

import pytest

from yomikiri.common.errors import CodeError, HintError, InputError, TurnError
from yomikiri.hitblow.match.match import Match, MatchOutcome, Side
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, hint
from yomikiri.hitblow.model.wrong_answers import Slips  # noqa: F401

ME, OPPONENT = Side.ME, Side.OPPONENT
SMALL = Rules(2, "0123")
MISS, WIN = Turn("012", Hint(0, 1)), Turn("345", Hint(3, 0))


def after(*turns: Turn, **terms: object) -> Match:
    return reduce(Match.play, turns, Match(**terms))  # type: ignore[arg-type]


# --- the rules --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", Side)
def test_sides_take_turns(first):
    match = Match(first=first)
    for expected in (first, first.other, first, first.other):
        assert match.to_move is expected
        match = match.play(MISS)


@pytest.mark.parametrize("first", Side)
def test_all_hits_win_at_once(first):
    assert after(MISS, first=first).outcome is None
    assert after(WIN, first=first).outcome == MatchOutcome(first)
    assert after(MISS, WIN, first=first).outcome == MatchOutcome(first.other)
    assert after(WIN, first=first).to_move is None


def test_equal_turns_give_the_second_player_a_last_turn():
    terms = {"equal_turns": True}
    found = after(WIN, **terms)
    assert (found.outcome, found.to_move, found.last_chance) == (None, OPPONENT, True)
    assert found.play(WIN).outcome == MatchOutcome(None)
    assert found.play(MISS).outcome == MatchOutcome(ME)
    assert after(MISS, WIN, **terms).outcome == MatchOutcome(OPPONENT)
    assert not after(MISS, MISS, MISS, **terms).last_chance


@pytest.mark.parametrize("equal_turns", [False, True])
def test_turn_after_the_end_is_refused(equal_turns):
    over = after(MISS, WIN, equal_turns=equal_turns)
    with pytest.raises(TurnError, match="comes after the end of the match"):
        over.play(MISS)
    with pytest.raises(TurnError, match="comes after the end of the match"):
        Match(facts=(*over.turns, MISS))


def referee(secrets: dict[Side, str], first: Side, equal_turns: bool, guesses: list[str]) -> list[Side | str]:
    """Return the movers and the result of a sequence of guesses, by an independent loop over rounds."""
    sides: list[Side | str] = []
    while guesses:
        hits = []
        for side in (first, first.other):
            if not guesses:
                return sides
            sides.append(side)
            if guesses.pop(0) == secrets[side.other]:
                hits.append(side)
                if not equal_turns:
                    return [*sides, f"{side} wins"]
        if hits:
            return [*sides, "drawn" if len(hits) == 2 else f"{hits[0]} wins"]
    return sides


def test_match_outcome_agrees_with_a_referee():
    chance = random.Random(1)
    codes = ["".join(code) for code in permutations("0123", 2)]
    ends = set()
    for _ in range(300):
        secrets = {side: chance.choice(codes) for side in Side}
        first, equal_turns = chance.choice(list(Side)), chance.random() < 0.5
        guesses = [chance.choice(codes) for _ in range(12)]
        expected = referee(secrets, first, equal_turns, guesses[:])
        match = Match(SMALL, SMALL, first, secret=secrets[ME], equal_turns=equal_turns)
        movers: list[Side | str] = []
        for guess in guesses:
            if (mover := match.to_move) is None:
                break
            movers.append(mover)
            match = match.play(Turn(guess, hint(guess, secrets[mover.other])))
        if match.outcome:
            movers.append(f"{match.outcome.winner} wins" if match.outcome.winner else "drawn")
        assert movers == expected
        ends.add(movers[-1])
    assert {"me wins", "opponent wins", "drawn"} <= ends


# --- the boards -------------------------------------------------------------------------------------------------------


def test_board_contains_turns_of_its_side_and_revealed_symbols():
    match = after(MISS, Turn("678", Hint(1, 0)), Turn("134", Hint(1, 1)), absent="9", shown="5")
    assert match.known(ME) == Knowledge(Rules(), "9", (MISS, Turn("134", Hint(1, 1))))
    assert match.known(OPPONENT) == Knowledge(Rules(), "5", (Turn("678", Hint(1, 0)),))
    assert list(match.lines(ME)) == [0, 2]
    assert list(match.lines(OPPONENT)) == [1]


def test_sides_can_have_different_rules():
    match = Match(Rules(4), SMALL, secret="13", first=OPPONENT)
    match = match.play(Turn("10", match.answer("10"))).play(Turn("0123", Hint(0, 2)))
    assert match.known(OPPONENT).codes() == ["12", "13", "20", "30"]
    assert match.play(Turn("13", Hint(2, 0))).outcome == MatchOutcome(OPPONENT)
    with pytest.raises(CodeError, match="is not a code"):
        match.play(Turn("0123", Hint(0, 2)))


def test_candidates_do_not_depend_on_construction():
    match = after(MISS, Turn("678", Hint(1, 0)), Turn("134", Hint(1, 1)), absent="9")
    built = Match(absent="9", facts=match.turns)
    for side in Side:
        assert match.known(side).codes() == built.known(side).codes() != []


def test_contradicting_answers_leave_no_candidates():
    match = after(MISS, MISS, Turn("012", Hint(1, 0)))
    assert (match.known(ME).count, match.known(OPPONENT).count) == (0, 252)
    assert match.to_move is OPPONENT


# --- what is refused --------------------------------------------------------------------------------------------------


def test_secret_determines_answers_to_the_opponent():
    match = Match(first=OPPONENT, secret="314", shown="7")
    assert match.answer("345") == Hint(1, 1)
    with pytest.raises(HintError, match="'345:1H0B' does not fit your secret 314: expected 1H1B"):
        match.play(Turn("345", Hint(1, 0)))
    assert match.play(Turn("345", Hint(1, 1))).play(Turn("345", Hint(1, 0))).to_move is OPPONENT
    with pytest.raises(CodeError, match=" more than once: use"):
        match.answer("335")


@pytest.mark.parametrize(
    ("terms", "error"),
    [
        ({"secret": "317", "shown": "57"}, "so your secret cannot contain it"),
        ({"secret": "311"}, " more than once: use"),
        ({"secret": "31"}, "is not a code"),
        ({"facts": (Turn("0123", Hint(0, 0)),)}, "is not a code"),
        ({"facts": (Turn("012", Hint(2, 1)),)}, "is impossible for"),
    ],
)
def test_invalid_terms_and_turns_are_refused(terms, error):
    with pytest.raises(InputError, match=error):
        Match(**terms)


def test_impossible_answers_are_refused_but_contradicting_ones_are_not():
    repeats = Rules(3, "0123", Repeats.ALL)
    with pytest.raises(HintError, match="is impossible for"):
        Match(repeats, repeats).play(Turn("000", Hint(0, 1)))
    assert Match(repeats, repeats).play(Turn("000", Hint(1, 0))).known(ME).count == 27


# --- steps ------------------------------------------------------------------------------------------------------------


def test_undo_and_edit_change_one_turn():
    match = after(MISS, Turn("678", Hint(1, 0)), Turn("134", Hint(1, 1)))
    assert match.undo() == after(MISS, Turn("678", Hint(1, 0)))
    edited = match.edit(2, Turn("679", Hint(0, 0)))
    assert edited == after(MISS, Turn("679", Hint(0, 0)), Turn("134", Hint(1, 1)))
    assert edited.known(OPPONENT) == Knowledge(facts=(Turn("679", Hint(0, 0)),))
    with pytest.raises(TurnError, match="comes after the end of the match"):
        match.edit(2, WIN)
    assert match.edit(3, WIN).outcome == MatchOutcome(ME)


def test_undo_and_edit_need_turns():
    with pytest.raises(TurnError, match="no turn to undo"):
        Match().undo()
    with pytest.raises(TurnError, match="no turn to edit"):
        Match().edit(1, MISS)
    for line in (0, 2):
        with pytest.raises(TurnError, match="there is no entry"):
            after(MISS).edit(line, MISS)


def test_match_supports_equality_pickle_and_repr():
    match = after(MISS, Turn("678", Hint(1, 0)), first=OPPONENT, shown="5", equal_turns=True)
    assert eval(repr(match)) == match
    assert pickle.loads(pickle.dumps(match)) == match
    assert len({match, match.undo().play(match.turns[1])}) == 1
