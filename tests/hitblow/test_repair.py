from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.hitblow import every_code, plain_hint

from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.repair import repairs
from yomikiri.hitblow.rules import Hint, Rules, Turn, hint


def known(*turns: str, absent: str = "") -> Knowledge:
    return Knowledge(Rules(), absent, tuple(map(Turn.parse, turns)))


def test_one_wrong_line_is_named_with_what_it_could_have_been():
    (one, *others) = repairs(known("012:0H0B", "013:3H0B"))
    assert one.lines == (2,)
    assert [str(mend.hints[0]) for mend in one.mends] == ["0H0B", "0H1B", "1H0B"]
    assert [repair.lines for repair in others] == [(1,)]
    assert [(str(mend.hints[0]), mend.count) for mend in others[0].mends] == [("2H0B", 1)]


def test_turns_that_agree_need_no_repair():
    assert repairs(known("012:0H1B")) == ()
    assert repairs(Knowledge()) == ()


def test_a_repair_keeps_to_the_absent_symbols():
    (repair,) = repairs(known("789:3H0B", absent="7"))
    assert repair.lines == (1,)
    assert Hint(3, 0) not in {mend.hints[0] for mend in repair.mends}
    assert sum(mend.count for mend in repair.mends) == 504


SPACE = every_code("0123", 3, repeats=False)
RULES = Rules(3, "0123")


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(SPACE), st.sampled_from(SPACE)), min_size=1, max_size=3))
def test_repairs_are_just_the_smallest_changes_that_leave_candidates(pairs):
    turns = tuple(Turn(guess, hint(guess, secret)) for guess, secret in pairs)
    state = Knowledge(RULES, turns=turns)

    def fitting(hints: tuple[Hint, ...]) -> int:
        return sum(
            all(plain_hint(turn.guess, code) == (h.hits, h.blows) for turn, h in zip(turns, hints, strict=True))
            for code in SPACE
            if code not in {turn.guess for turn in turns[:-1]}
        )

    changes: dict[int, set[tuple[tuple[int, ...], tuple[Hint, ...], int]]] = {}
    for hints in product(RULES.hints, repeat=len(turns)):
        if count := fitting(hints):
            lines = tuple(i + 1 for i, turn in enumerate(turns) if turn.hint != hints[i])
            changes.setdefault(len(lines), set()).add((lines, tuple(hints[i - 1] for i in lines), count))
    expected = set() if state.count or not changes else changes[min(changes)]
    found = {(repair.lines, mend.hints, mend.count) for repair in repairs(state) for mend in repair.mends}
    assert found == expected


def test_repairs_that_leave_most_stand_first():
    found = repairs(known("012:0H0B", "345:0H0B", "678:0H0B"))
    totals = [sum(mend.count for mend in repair.mends) for repair in found]
    assert totals == sorted(totals, reverse=True)
    for repair in found:
        counts = [mend.count for mend in repair.mends]
        assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize("wrong", range(4))
def test_a_single_slip_of_the_pen_is_always_among_the_repairs(wrong):
    secret, guesses = "314", ["012", "345", "301", "319"]
    turns = [Turn(guess, hint(guess, secret)) for guess in guesses]
    turns[wrong] = Turn(guesses[wrong], Hint(0, 0) if turns[wrong].hint != Hint(0, 0) else Hint(1, 1))
    state = Knowledge(turns=tuple(turns))
    if not state.count:
        mends = {(r.lines, m.hints) for r in repairs(state) for m in r.mends}
        assert ((wrong + 1,), (hint(guesses[wrong], secret),)) in mends


def test_a_repair_keeps_to_symbols_that_are_not_absent():
    known = Knowledge(absent="7", turns=(Turn("012", Hint(0, 0)), Turn("345", Hint(0, 0)), Turn("689", Hint(0, 0))))
    for repair in repairs(known):
        for mend in repair.mends:
            hints = dict(zip(repair.lines, mend.hints, strict=True))
            turns = [Turn(turn.guess, hints.get(line, turn.hint)) for line, turn in enumerate(known.turns, start=1)]
            assert Knowledge(known.rules, known.absent, tuple(turns)).count == mend.count


def test_no_repair_says_that_the_game_was_won_before_its_last_line():
    turns = known("012:0H0B", "345:3H0B", "345:0H0B", "012:0H0B")
    assert not turns.count
    found = repairs(turns)
    assert found
    for repair in found:
        for mend in repair.mends:
            wins = [line for line, hint_ in zip(repair.lines, mend.hints, strict=True) if hint_ == Hint(3, 0)]
            assert all(line == len(turns.turns) for line in wins)


def test_the_last_line_may_have_been_the_win():
    last = next(repair for repair in repairs(known("012:0H2B", "345:0H1B", "130:0H0B")) if repair.lines == (3,))
    assert (Hint(3, 0),) in [mend.hints for mend in last.mends]
