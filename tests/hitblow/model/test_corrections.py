from collections import Counter
from itertools import product
from math import prod
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.hitblow import every_code, plain_hint, plain_slips

from yomikiri.hitblow.model.corrections import repairs
from yomikiri.hitblow.model.facts import parse_standard
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import weighed
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, hint


def known(*turns: str, absent: str = "") -> Knowledge:
    return Knowledge(Rules(), absent, tuple(map(Turn.parse, turns)))


def test_repairs_list_the_possible_answers_of_one_wrong_turn():
    found = repairs(known("012:0H0B", "013:3H0B"))
    second = {str(repair.turns[0]) for repair in found if repair.lines == (2,)}
    assert second == {"013:0H0B", "013:0H1B", "013:1H0B"}
    first = {str(repair.turns[0]): repair.count for repair in found if repair.lines == (1,)}
    assert first == {"012:2H0B": 1}


def test_consistent_turns_need_no_repair():
    assert repairs(known("012:0H1B")) == ()
    assert repairs(Knowledge()) == ()


def test_likeliest_repair_is_first():
    """Among answers that fit equally many codes, one missing blow is the likeliest mistake."""
    first, *_others = repairs(known("012:0H2B", "102:1H1B", "012:0H0B"))
    assert (first.lines, [*map(str, first.turns)]) == ((3,), ["012:0H2B"])


def test_repairs_include_swapped_digits_of_a_guess():
    turns = [Turn("012", hint("021", "213")), *(Turn(guess, hint(guess, "213")) for guess in ("345", "216", "273"))]
    found = repairs(Knowledge(facts=tuple(turns)))
    assert "021:0H2B" in {str(repair.turns[0]) for repair in found if repair.lines == (1,)}


SPACE = every_code("0123", 3, repeats=False)
REPEATED = every_code("012", 3, repeats=True)
GAMES = ((Rules(3, "0123"), SPACE), (Rules(3, "012", Repeats.ALL), REPEATED))


@settings(max_examples=30)
@given(st.data(), st.sampled_from(GAMES))
def test_repairs_are_minimal_and_sorted_by_likelihood(data, game):
    """The reference enumerates every code and every way to give the wrong answers."""
    rules, space = game
    codes = st.sampled_from(space)
    pairs = data.draw(st.lists(st.tuples(codes, codes), min_size=2, max_size=4))
    prior = tuple((code, data.draw(st.integers(1, 3))) for code in space) if data.draw(st.booleans()) else ()
    state = Knowledge(rules, facts=tuple(Turn(guess, hint(guess, secret)) for guess, secret in pairs), prior=prior)
    last = len(pairs)
    weights = weighed(rules, "", (), state.prior)
    by_number: dict[int, tuple[Counter[object], Counter[object]]] = {}
    for code in space:
        ways: list[list[tuple[object, int]]] = []
        for line, turn in enumerate(state.played, start=1):
            answer = turn.hint.hits, turn.hint.blows
            if plain_hint(turn.guess, code) == answer:
                ways.append([] if turn.guess == code and line < last else [(None, 1)])
                continue
            slips: list[tuple[object, int]] = []
            for real, points in plain_slips(turn.guess, answer, code, space).items():
                guess, meant = (turn.guess, real) if isinstance(real, tuple) else (real, answer)
                if line == last or guess != code:
                    slips.append(((line, guess, meant), points))
            ways.append(slips)
        for chosen in product(*ways):
            changed = tuple(way for way, _points in chosen if way)
            counts, likely = by_number.setdefault(len(changed), (Counter(), Counter()))
            counts[changed] += 1
            likely[changed] += weights.get(code, 0) * prod(points for _way, points in chosen)
    found: dict[object, object] = {
        tuple(
            (line, turn.guess, (turn.hint.hits, turn.hint.blows))
            for line, turn in zip(repair.lines, repair.turns, strict=True)
        ): (repair.count, pytest.approx(repair.share))
        for repair in repairs(state)
    }
    if 0 in by_number or not by_number:
        # The secret was guessed before the last turn. A game would have ended there, so no corrections are expected.
        assert not found or not state.count
        return
    if state.count:
        assert not found
        return
    counts, likely = by_number[min(by_number)]
    total = sum(likely.values())
    assert found == {way: (counts[way], likely[way] / total) for way in counts}
    shares = [repair.share for repair in repairs(state)]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("wrong", range(4))
def test_single_wrong_answer_is_among_the_repairs(wrong):
    secret, guesses = "314", ["012", "345", "301", "319"]
    turns = [Turn(guess, hint(guess, secret)) for guess in guesses]
    turns[wrong] = Turn(guesses[wrong], Hint(0, 0) if turns[wrong].hint != Hint(0, 0) else Hint(1, 1))
    state = Knowledge(facts=tuple(turns))
    if not state.count:
        right = Turn(guesses[wrong], hint(guesses[wrong], secret))
        assert ((wrong + 1,), (right,)) in {(repair.lines, repair.turns) for repair in repairs(state)}


def test_repairs_respect_absent_symbols():
    for knowledge in (known("012:0H0B", "345:0H0B", "689:0H0B", absent="7"), known("789:3H0B", absent="7")):
        found = repairs(knowledge)
        assert found
        for repair in found:
            turns = list(knowledge.played)
            for line, turn in zip(repair.lines, repair.turns, strict=True):
                turns[line - 1] = turn
            assert Knowledge(knowledge.rules, knowledge.absent, tuple(turns)).count == repair.count


def test_no_repair_wins_before_the_last_turn():
    turns = known("012:0H0B", "345:3H0B", "345:0H0B", "012:0H0B")
    assert not turns.count
    found = repairs(turns)
    assert found
    for repair in found:
        wins = [line for line, turn in zip(repair.lines, repair.turns, strict=True) if turn.found]
        assert all(line == len(turns.turns) for line in wins)


def test_last_turn_can_be_repaired_to_a_win():
    last = [repair for repair in repairs(known("012:0H2B", "345:0H1B", "130:0H0B")) if repair.lines == (3,)]
    assert Turn("130", Hint(3, 0)) in [repair.turns[0] for repair in last]


@pytest.mark.parametrize("seed", range(8))
def test_repairs_include_turns_before_a_change_of_the_secret(seed: int):
    """The reference enumerates every code before the change and every code that it can become."""
    random = Random(seed)
    rules, space = GAMES[0]
    change = parse_standard("shuffle" if seed % 2 else "change=low@1")
    guesses = random.sample(space, 5)
    hints = [hint(guess, random.choice(space)) for guess in guesses]
    turns = [Turn(*each) for each in zip(guesses, hints, strict=True)]
    turns = [turn for turn in turns if turn.hint != rules.win]
    knowledge = Knowledge(rules, facts=(*turns[:2], change, parse_standard("off=3@3"), *turns[2:]))
    lines = [1, 2, *range(5, 3 + len(turns))]
    disagreeing: Counter[tuple[int, ...]] = Counter()
    for before in space:
        for after in change.becomes(before, rules):
            if after[2] != "3":
                secrets = [before, before, *[after] * (len(turns) - 2)]
                answers = [hint(turn.guess, secret) for turn, secret in zip(turns, secrets, strict=True)]
                wrong = tuple(line for line, a, turn in zip(lines, answers, turns, strict=True) if a != turn.hint)
                disagreeing[wrong] += 1
    found = repairs(knowledge)
    if knowledge.count:
        assert not found
        return
    fewest = min(map(len, disagreeing))
    named = {repair.lines for repair in found}
    assert {len(each) for each in named} == {fewest}
    assert named <= set(disagreeing)
    assert sum(repair.share for repair in found) == pytest.approx(1)
    for repair in found:
        facts = list(knowledge.facts)
        for line, turn in zip(repair.lines, repair.turns, strict=True):
            facts[line - 1] = turn
        assert Knowledge(rules, facts=tuple(facts)).count == repair.count
    # A wrong answer cannot hide a win before the last turn.
    assert {each for each in disagreeing if len(each) == fewest} - named <= {
        wrong for wrong in disagreeing if any(line < lines[-1] for line in wrong)
    }


def test_repairs_skip_earlier_turns_if_there_are_too_many_ways(monkeypatch):
    knowledge = Knowledge.parse("012:1H1B 345:1H1B 678:0H0B 012:1H0B shuffle 034:1H0B 034:0H0B")
    assert repairs(knowledge) != ()
    monkeypatch.setattr("yomikiri.hitblow.model.corrections._MOST", 10)
    assert repairs(knowledge) == ()
    later = Knowledge.parse("012:1H1B shuffle 034:1H0B 034:0H0B")
    assert {repair.lines for repair in repairs(later)} == {(3,), (4,)}
