from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.hitblow import every_code, plain_hint, plain_slips

from yomikiri.hitblow.model.facts import parse_standard
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import weighed
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn, hint
from yomikiri.hitblow.model.wrong_answers import Slips

GAMES = (
    (Rules(3, "01234"), every_code("01234", 3, repeats=False)),
    (Rules(3, "012", Repeats.ALL), every_code("012", 3, repeats=True)),
    (Rules(2, "0123", Repeats.GUESS), every_code("0123", 2, repeats=False)),
)
OTHERS = tuple(map(parse_standard, ("has=1", "off=0@1", "absent=2", "shuffle")))


def likely(turns: list[Turn], code: str, most: int, guesses: list[str]) -> tuple[int, int]:
    """Return the number of turns that a code contradicts, and the weight of the code.

    The weight is a product over the turns: 1900 for a turn that the code fits, otherwise the points of its slips
    (docs/guide/what-can-be-known.md). It is 0 if the code contradicts more than `most` turns.
    """
    wrong, weight = 0, 1
    for turn in turns:
        answer = turn.hint.hits, turn.hint.blows
        if plain_hint(turn.guess, code) == answer:
            weight *= 1900
        else:
            wrong += 1
            weight *= sum(plain_slips(turn.guess, answer, code, guesses).values())
    return wrong, weight if wrong <= most else 0


@settings(max_examples=40)
@given(st.data(), st.sampled_from(GAMES), st.integers(1, 3))
def test_candidates_contradict_at_most_the_allowed_number_of_turns(data, game, most):
    """The reference weighs every code. Only turns can be wrong, no other facts.

    A change of the secret divides the weight of a code equally among the codes that it can become.
    """
    rules, space = game
    codes = st.sampled_from(space)
    pairs = data.draw(st.lists(st.tuples(codes, codes), max_size=4))
    turns = [Turn(guess, hint(guess, secret)) for guess, secret in pairs]
    fact = data.draw(st.sampled_from((None, *OTHERS)))
    at = data.draw(st.integers(0, len(turns)))
    facts = [*turns[:at], *([fact] if fact else []), *turns[at:]]
    known = Knowledge(rules, facts=tuple(facts), slips=Slips(most))
    guesses = every_code(rules.symbols, rules.digits, repeats=rules.repeats is not Repeats.NONE)
    expected: defaultdict[str, Fraction] = defaultdict(Fraction)
    least: dict[str, int] = {}
    for before in space:
        became = weighed(rules, "", (fact,), ((before, 1),)) if fact else {before: 1}
        for code in became:
            wrong, weight = likely(turns[:at], before, most, guesses)
            more, other = likely(turns[at:], code, most, guesses)
            if wrong + more <= most:
                expected[code] += Fraction(weight * other, len(became))
                least[code] = min(wrong + more, least.get(code, most))
    assert known.codes() == [code for code in space if code in expected]
    total = sum(expected.values())
    assert all(known.share(code) == Fraction(expected[code]) / total for code in expected)
    assert known.by_slips == tuple(list(least.values()).count(wrong) for wrong in range(most + 1))
    stepwise = Knowledge(rules, slips=Slips(most))
    for each in facts:
        stepwise = stepwise.after(each)
    assert stepwise == known
    assert stepwise.chances().tolist() == known.chances().tolist()


def test_zero_slips_equals_no_slips():
    plain, longer = Knowledge.parse("012:0H1B 345:1H0B"), Knowledge.parse("012:0H1B 345:1H0B has=3")
    assert plain.slips == Slips()
    assert (plain.by_slips, longer.by_slips) == ((plain.count,), (longer.count,))


def test_prior_weights_and_slips_are_combined():
    prior = (("012", 1), ("013", 3))
    known = Knowledge(facts=(Turn.parse("012:2H0B"),), prior=prior, slips=Slips(1, 0.5))
    # The answer fits 013, with weight 100 at this rate. If the secret is 012, the turn was a slip with 5 points: 1 for
    # any slip, and 2 for each guess that can be mistyped as 012 (013 and 912, on neighbouring keys).
    assert known.share("012") == Fraction(5, 5 + 3 * 100)


def test_likelihoods_of_many_slips_fit_into_integers():
    turns = tuple(map(Turn.parse, ("012:0H0B", "345:0H0B", "678:0H0B", "129:3H0B", "456:3H0B", "780:1H1B")))
    known = Knowledge(facts=turns, slips=Slips(6, 0.001))
    assert known.count == 720
    assert known.total < 1 << 53
    assert sum(map(known.probability, known.codes())) == pytest.approx(1)
    assert min(map(known.share, known.codes())) > 0
