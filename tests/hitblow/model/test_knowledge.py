import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference.hitblow import every_code, plain_hint

from yomikiri.common.errors import CodeError, HintError, RulesError, TurnError
from yomikiri.hitblow.model import knowledge
from yomikiri.hitblow.model.facts import Absent
from yomikiri.hitblow.model.knowledge import Knowledge, guess_of
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, hint
from yomikiri.hitblow.model.wrong_answers import Slips  # noqa: F401  (in what repr writes)

CODES = every_code("0123456789", 3, repeats=False)


def after(*turns: str, absent: str = "") -> Knowledge:
    return Knowledge(Rules(), absent, tuple(map(Turn.parse, turns)))


def test_no_hit_and_no_blow_leaves_210_candidates():
    assert after("012:0H0B").count == 210


def test_three_blows_leave_two_candidates_of_50_percent():
    known = after("012:0H3B")
    assert known.codes() == ["120", "201"]
    assert known.probability("120") == 0.5
    assert known.probability("021") == 0
    assert known.table()[1].tolist() == [0.5, 0.0, 0.5]


def test_two_hits_and_a_blow_are_impossible():
    with pytest.raises(HintError, match="is impossible for"):
        after("012:2H1B")


def test_hint_that_no_secret_gives_is_refused():
    for rules, turn in (
        (Rules(3, "0123"), Turn("012", Hint(0, 0))),  # three of four symbols always share at least two
        (Rules(repeats=Repeats.GUESS), Turn("000", Hint(0, 1))),  # a repdigit has no blows
    ):
        with pytest.raises(HintError, match="is impossible for"):
            Knowledge(rules).after(turn)
        with pytest.raises(HintError, match="is impossible for"):
            Knowledge(rules, facts=(turn,))


def test_after_checks_only_the_added_turn(monkeypatch):
    checked = []
    monkeypatch.setattr(knowledge, "check_fact", lambda _rules, fact: checked.append(fact))
    turns = (Turn("012", Hint(0, 1)), Turn("134", Hint(1, 0)))
    Knowledge(facts=turns[:1]).after(turns[1]).after(turns[0])
    assert checked == [*turns, turns[0]]


def test_one_absent_symbol_leaves_504_candidates():
    assert Knowledge(absent="7").count == 504
    assert Knowledge(absent="7").table()[7].tolist() == [0, 0, 0]


def test_first_guess_cells():
    assert {str(h): n for h, n in Knowledge().cells("012").items()} == {
        "0H0B": 210, "0H1B": 252, "0H2B": 63, "0H3B": 2, "1H0B": 126, "1H1B": 42, "1H2B": 3, "2H0B": 21, "3H0B": 1,
    }  # fmt: skip


def test_contradicting_turns_leave_no_candidates():
    known = after("012:0H0B", "345:0H0B", "678:0H0B")
    assert known.count == 0
    assert known.codes() == []
    assert not known.table().any()


def test_invalid_guesses_and_absent_symbols_are_refused():
    with pytest.raises(CodeError, match=" more than once: use"):
        after("011:0H0B")
    with pytest.raises(RulesError, match="leaves too few symbols"):
        Knowledge(absent="01234567")
    with pytest.raises(TurnError, match="is not a turn"):
        Turn.parse("0121H1B")


TURNS = st.lists(st.tuples(st.sampled_from(CODES), st.sampled_from(CODES)), max_size=5)


@given(TURNS, st.sampled_from(["", "7", "09"]))
def test_candidates_are_the_codes_that_fit_every_turn(pairs, absent):
    turns = tuple(Turn(guess, hint(guess, secret)) for guess, secret in pairs)
    known = Knowledge(Rules(), absent, turns)
    expected = [
        code
        for code in CODES
        if not set(absent) & set(code)
        and all(plain_hint(turn.guess, code) == (turn.hint.hits, turn.hint.blows) for turn in turns)
    ]
    assert known.codes() == expected
    stepwise = Knowledge(Rules(), absent, turns)
    assert stepwise == known
    assert stepwise.codes() == expected
    assert all(known.is_candidate(code) for code in expected[:3])


@given(TURNS)
def test_tables_and_probabilities_sum_to_one(pairs):
    secret = "314"
    known = Knowledge(facts=tuple(Turn(guess, hint(guess, secret)) for guess, _ in pairs))
    np.testing.assert_allclose(known.table().sum(axis=0), 1)
    assert sum(known.probability(code) for code in CODES) == pytest.approx(1)
    assert sum(known.cells("567").values()) == known.count


def test_knowledge_supports_equality_hash_and_repr():
    known = after("012:0H1B", absent="97")
    assert known == after("012:0H1B", absent="79")
    assert hash(known) == hash(after("012:0H1B", absent="79"))
    assert eval(repr(known)) == known
    assert str(known.turns[0]) == "012:0H1B"


def test_is_candidate_agrees_with_codes():
    for known in (
        Knowledge(absent="7", facts=(Turn("012", Hint(0, 1)),)),
        Knowledge(Rules(2, "0123", Repeats.ALL), "3"),
    ):
        listed = set(known.codes())
        every = Knowledge(known.rules).codes()
        assert [code for code in every if known.is_candidate(code)] == sorted(listed)
        assert sum(map(known.probability, every)) == pytest.approx(1)


def test_knowledge_is_uneven_if_secrets_have_different_weights():
    assert not Knowledge(Rules()).uneven
    assert Knowledge(Rules(), prior=(("012", 2), ("345", 1))).uneven


def test_resolved_knowledge_without_candidates_has_none_either():
    known = Knowledge(facts="012:3H0B 345:3H0B 678:3H0B", slips=1)
    assert known.count == known.resolved.count == 0
    assert known.resolved.slips.most == 0
    one = Knowledge(facts="012:3H0B 345:3H0B", slips=1)
    assert one.resolved.codes() == one.codes() == ["012", "345"]


def test_guess_of_an_entry_needs_a_turn():
    facts = (Turn("012", Hint(0, 1)), Absent("7"))
    assert guess_of(facts, 1) == "012"
    with pytest.raises(TurnError, match="entry 2 is absent=7, not a turn"):
        guess_of(facts, 2)
    with pytest.raises(TurnError, match="there is no entry 3: expected 1 to 2"):
        guess_of(facts, 3)
