"""Reviews of games against sums over all codes, by the slow search and by the plain rules.

Also tests `hitblow/model/labels.py`: the luck of hints, and the reasons for results without a proof.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import gcd, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.hitblow.search.test_weighted_codes import Plain
from tests.reference.hitblow import every_code, plain_hint
from tests.reference.search import Reference

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import ContradictionError
from yomikiri.hitblow.advice.review import Judgement, Review, review
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Fortune, Unproven
from yomikiri.hitblow.model.partial_answers import PartTurn, SumTurn
from yomikiri.hitblow.model.rules import PRESETS, Answered, Hint, Repeats, Rules, Turn, hint
from yomikiri.hitblow.model.wrong_answers import Slips
from yomikiri.hitblow.policies import exact
from yomikiri.hitblow.policies.exact import Exact

GAMES = [Rules(2, "01234"), Rules(3, "01234"), Rules(2, "0123", Repeats.ALL)]
PLAIN = {rules: Reference(rules) for rules in GAMES}


def game(rules: Rules, secret: str, guesses: list[str]) -> Knowledge:
    return Knowledge(rules, "", tuple(Turn(guess, hint(guess, secret)) for guess in guesses))


def judged(*turns: str, rules: Rules | None = None, absent: str = "") -> Review:
    return review(Knowledge(rules or Rules(), absent, tuple(map(Turn.parse, turns))))


def least(rules: Rules, codes: list[str]) -> Fraction:
    """Return the average number of guesses of best play by the slow search."""
    plain = PLAIN[rules]
    return Fraction(plain.least(plain.numbers(codes), len(codes))[0], len(codes))


@settings(max_examples=30)
@given(st.data())
def test_loss_and_luck_agree_with_the_slow_search(data):
    rules = data.draw(st.sampled_from(GAMES))
    every = every_code(rules.symbols, rules.digits, repeats=rules.repeats is Repeats.ALL)
    secret = data.draw(st.sampled_from(every))
    guesses = data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=3))
    if secret in guesses:
        guesses = guesses[: guesses.index(secret) + 1]
    result = review(game(rules, secret, guesses))
    assert result.start == least(rules, every)
    left = every
    for turn, guess in zip(result.turns, guesses, strict=True):
        cells = Counter(plain_hint(guess, code) for code in left)
        after = [code for code in left if plain_hint(guess, code) == plain_hint(guess, secret)]
        needed = 1 + sum(
            least(rules, cell) * Fraction(len(cell), len(left))
            for answer in cells
            if answer != (rules.digits, 0) and (cell := [c for c in left if plain_hint(guess, c) == answer])
        )
        assert (turn.count, turn.left) == (len(left), len(after))
        assert turn.loss == needed - least(rules, left) >= 0
        assert turn.luck == needed - 1 - (0 if guess == secret else least(rules, after))
        ours = 0 if guess == secret else len(after)
        fewer = [size for answer, size in cells.items() if (0 if answer == (rules.digits, 0) else size) <= ours]
        assert turn.chance == Fraction(sum(fewer), len(left))
        assert turn.bits == pytest.approx(log2(len(left) / len(after)))
        assert turn.expected_bits == pytest.approx(sum(n / len(left) * log2(len(left) / n) for n in cells.values()))
        assert (turn.best.guess == guess) == (turn.loss == 0)
        left = after


@pytest.mark.parametrize("guesses", [["345", "123", "012", "371"], ["371"], ["345", "345", "345", "371"]])
def test_length_of_a_game_is_start_plus_losses_minus_luck(guesses):
    result = review(game(Rules(), "371", guesses))
    assert result.found
    assert result.start is not None
    assert result.loss is not None
    assert result.luck is not None
    assert len(guesses) == result.start + result.loss - result.luck


def test_start_is_the_proven_average():
    assert judged("012:0H0B").start == Fraction(3575, 720)
    assert judged("012:0H0B", absent="7").start == Fraction(2337, 504)


def test_repeated_guess_loses_one_guess():
    assert [turn.loss for turn in judged("012:0H1B", "012:0H1B").turns] == [0, 1]


def test_average_rank_of_answers_is_one_half():
    cells = Knowledge().cells("012")
    ranks = [judged(f"012:{answer}").turns[0].rank * size for answer, size in cells.items()]
    assert sum(ranks) == Fraction(720, 2)


def test_finding_the_secret_has_the_best_rank():
    turn = judged("012:0H3B", "120:3H0B").turns[1]
    assert (turn.chance, turn.rank, turn.luck) == (Fraction(1, 2), Fraction(1, 4), Fraction(1, 2))
    assert judged("012:0H3B", "120:0H3B").turns[1].rank == Fraction(3, 4)


def test_turns_after_the_end_are_not_reviewed():
    result = judged("012:3H0B", "345:0H0B")
    assert (len(result.turns), result.later) == (1, (Turn.parse("345:0H0B"),))


def test_unfinished_game_has_a_next_guess():
    result = judged("012:0H1B")
    assert (result.found, result.next and result.next.proposed.guess) == (False, "134")
    assert judged("012:3H0B").next is None


def test_contradicting_game_is_refused():
    with pytest.raises(ContradictionError):
        judged("012:3H0B", "345:3H0B")


def test_review_without_machine_code_is_the_same(request):
    turns = ("012:0H1B", "345:1H0B", "678:0H0B")
    game = Knowledge(Rules(), "", tuple(map(Turn.parse, turns)))
    warm = review(game, Exact())
    request.getfixturevalue("no_machine_code")
    assert review(game, Exact()) == warm
    assert warm.turns[0].loss == 0, "the first guess is the book's"


FAULT = ("012:0H2B", "013:0H1B", "014:0H1B", "015:0H1B", "016:0H1B", "017:0H1B")


@pytest.mark.parametrize("turns", [FAULT, FAULT[:1], ("345:1H0B", "371:3H0B"), ("012:0H1B", "012:0H1B")])
def test_luckiness_agrees_with_the_sign_of_luck(turns):
    result = judged(*turns)
    assert result.luck is not None
    assert (result.luckiness > 50, result.luckiness < 50) == (result.luck > 0.01, result.luck < -0.01)


def test_half_a_guess_saved_gives_luckiness_67():
    result = judged("012:0H3B", "120:3H0B")
    assert replace(result, turns=result.turns[1:]).luck == Fraction(1, 2)
    assert replace(result, turns=result.turns[1:]).luckiness == 67


@pytest.mark.exhaustive
@pytest.mark.usefixtures("no_machine_code")
def test_large_review_without_machine_code_is_unproven():
    turns = tuple(map(Turn.parse, ("9876:0H1B", "0123:1H2B", "0132:1H2B")))
    result = review(Knowledge(PRESETS["bulls"].rules, "", turns), Exact())
    assert result.turns[0].loss == 0, "the first guess is the book's, its digits renamed"
    assert result.turns[1].unproven is Unproven.NO_MACHINE_CODE
    assert (result.turns[1].loss, result.loss, result.luck) == (None, None, None)


def test_unproven_best_guess_has_at_least_as_much_information(monkeypatch):
    monkeypatch.setattr(exact, "_MOST_CANDIDATES", 10)
    first, again = judged("765:0H0B", "765:0H0B", rules=Rules(3, "01234567")).turns
    assert (first.best.guess, first.loss, first.unproven) == ("765", None, Unproven.TOO_LARGE)
    assert (again.best.guess != "765", again.loss, again.bits) == (True, None, 0)


def test_review_uses_the_true_answer_of_a_wrong_turn():
    stated, real = "012:0H1B 134:2H0B 156:3H0B", "012:0H1B 134:1H0B 156:3H0B"
    assert not Knowledge.parse(stated).count
    wary = replace(Knowledge.parse(stated), slips=Slips(1))
    result = review(wary)
    assert [turn.stated for turn in result.turns] == [None, Hint(2, 0), None]
    unmarked = tuple(replace(turn, stated=None) for turn in result.turns)
    assert replace(result, turns=unmarked) == review(Knowledge.parse(real))
    with pytest.raises(ContradictionError, match="no code fits 012:0H1B 134:2H0B 375:3H0B"):
        review(replace(Knowledge.parse("012:0H1B 134:2H0B 375:3H0B"), slips=Slips(1)))
    unfinished = replace(Knowledge.parse("012:0H1B 134:1H0B"), slips=Slips(1))
    assert review(unfinished) == review(Knowledge.parse("012:0H1B 134:1H0B"))


# --- where some secrets are likelier than others ----------------------------------------------------------------------

RARE = Knowledge(Rules(2, "1234"), prior=(("12", 10), ("13", 1), ("41", 1)))


def test_rare_answer_that_costs_guesses_is_unlucky():
    (turn,) = review(RARE.after(Turn.parse("34:0H1B"))).turns
    assert turn.luck == Fraction(13, 12) - Fraction(3, 2), "13 and 41 are left, where 12 was ten times as likely"
    assert turn.fortune is Fortune.UNLUCKY
    assert turn.chance == 1, "no answer leaves more doubt"


def test_unproven_luck_is_worded_by_the_estimated_saving(monkeypatch):
    monkeypatch.setattr(exact, "_MOST_UNEVEN", 0)
    rare, usual = (review(RARE.after(Turn.parse(f"34:{answer}"))).turns[0] for answer in ("0H1B", "0H0B"))
    assert rare.luck is None
    assert (rare.fortune, usual.fortune) == (Fortune.UNLUCKY, Fortune.AVERAGE)
    won = review(RARE.after(Turn.parse("13:2H0B"))).turns[0]
    assert (won.luck, won.fortune) == (None, Fortune.VERY_LUCKY)


def doubt(weights: list[int]) -> float:
    """Return the entropy of these weights in bits."""
    return sum(weight / sum(weights) * log2(sum(weights) / weight) for weight in weights)


def word(saved: Fraction, cells: int) -> Fortune:
    if cells == 1:
        return Fortune.CERTAIN
    if abs(saved) <= Fraction(1, 5):
        return Fortune.AVERAGE
    if saved > 0:
        return Fortune.VERY_LUCKY if saved > Fraction(1, 2) else Fortune.LUCKY
    return Fortune.VERY_UNLUCKY if saved < Fraction(-1, 2) else Fortune.UNLUCKY


def check_judged(turn: Judgement, plain: Plain, left: list[str], after: list[str]) -> None:
    """Check every figure of a turn from the candidates before and after it."""
    weigh, guess = plain.weights, turn.turn.guess
    whole = sum(map(weigh.__getitem__, left))
    cells: dict[tuple[int, int], list[str]] = {}
    for code in left:
        cells.setdefault(plain_hint(guess, code), []).append(code)

    def needs(codes: list[str]) -> Fraction:
        return Fraction(plain.least(frozenset(codes)), sum(map(weigh.__getitem__, codes))) if codes else Fraction(0)

    def rest(codes: list[str]) -> list[str]:
        return [] if codes == [guess] else codes

    def share(codes: list[str]) -> Fraction:
        return Fraction(sum(map(weigh.__getitem__, codes)), whole)

    def order(codes: list[str]) -> float:
        return round(doubt([weigh[code] for code in codes]), 9) if rest(codes) else -1

    needed = 1 + sum(share(cell) * needs(rest(cell)) for cell in cells.values())
    assert (turn.count, turn.left) == (len(left), len(after))
    assert turn.loss == needed - needs(left) >= 0
    assert (turn.best.guess == guess) == (turn.loss == 0)
    best = plain.after(turn.best.guess, frozenset(left))
    assert best is not None
    assert Fraction(best, whole) == needs(left)
    assert turn.luck == needed - 1 - needs(rest(after))
    assert turn.fortune is word(turn.luck, len(cells))
    better = sum((share(cell) for cell in cells.values() if order(cell) < order(after)), Fraction(0))
    alike = sum((share(cell) for cell in cells.values() if order(cell) == order(after)), Fraction(0))
    assert (turn.chance, turn.rank) == (better + alike, better + alike / 2)
    assert turn.bits == pytest.approx(log2(1 / share(after)), abs=1e-9)
    expected = doubt([weigh[code] for code in left]) - sum(
        float(share(cell)) * doubt([weigh[code] for code in cell]) for cell in cells.values()
    )
    assert turn.expected_bits == pytest.approx(expected, abs=1e-9)
    remaining = sum(share(cell) * len(cell) for cell in cells.values())
    assert turn.played.expected_remaining == pytest.approx(float(remaining))
    assert turn.played.left == tuple(len(cells[hint.hits, hint.blows]) for hint, _size in turn.played.cells)
    assert [Fraction(size, turn.played.total) for _hint, size in turn.played.cells] == [
        share(cells[hint.hits, hint.blows]) for hint, _size in turn.played.cells
    ]


@examples(200)
@given(st.data())
def test_weighted_review_agrees_with_enumeration(data):
    rules = data.draw(st.sampled_from([Rules(2, "01234"), Rules(2, "0123", Repeats.ALL), Rules(3, "0123")]))
    codes = every_code(rules.symbols, rules.digits, repeats=rules.repeats is Repeats.ALL)
    weight = st.integers(1, data.draw(st.sampled_from([1, 3, 1000])))
    weights = {code: data.draw(weight) for code in data.draw(st.sets(st.sampled_from(codes), min_size=2, max_size=9))}
    secret = data.draw(st.sampled_from(sorted(weights)))
    facts: list[Answered] = []
    for guess in data.draw(st.lists(st.sampled_from(codes), min_size=1, max_size=3)):
        answer = hint(guess, secret)
        parts = [
            PartTurn(guess, answer.hits),
            PartTurn(guess, blows=answer.blows),
            SumTurn(guess, answer.hits + answer.blows),
        ]
        facts.append(data.draw(st.sampled_from([Turn(guess, answer)] * 3 + ([] if guess == secret else parts))))
        if guess == secret:
            break
    result = review(Knowledge(rules, facts=tuple(facts), prior=tuple(weights.items())))
    plain, left = Plain(rules, weights), sorted(weights)
    start = Fraction(plain.least(frozenset(left)), sum(weights.values()))
    for turn, fact in zip(result.turns, facts, strict=True):
        after = [code for code in left if fact.holds(code)]
        check_judged(turn, plain, left, after)
        left = after
    assert result.start == start
    assert result.counts == [result.turns[0].count, *(turn.left for turn in result.turns)]
    assert result.loss is not None
    assert result.luck is not None
    rest = (
        0 if facts[-1].guess == secret else Fraction(plain.least(frozenset(left)), sum(weights[code] for code in left))
    )
    assert len(facts) + rest == start + result.loss - result.luck
    assert result.skill == round(100 * start / (start + result.loss))
    assert result.luckiness == round(100 / (1 + 4 ** -float(result.luck)))
    assert result.found == (facts[-1].guess == secret)
    if result.next:
        last = [weights[code] for code in left]
        assert result.next.proposed.total == sum(last) // gcd(*last)


def test_all_turns_of_a_review_share_one_deadline(monkeypatch: pytest.MonkeyPatch):
    """The clock of this test advances during searches only, and no search ends by itself."""
    now = 100.0

    def endless(_exact: Exact, known: Knowledge, budget: Budget, _ask: object) -> None:
        nonlocal now
        now = max(now, _exact._allowed(known, budget).until)
        raise Stopped

    monkeypatch.setattr("yomikiri.common.budget.monotonic", lambda: now)
    monkeypatch.setattr(Exact, "_with_search", endless)
    turns = map(Turn.parse, ("012:0H1B", "134:0H1B", "250:1H0B"))
    found = review(Knowledge(Rules(3, "01234567"), facts=tuple(turns)), Exact(2.0))
    assert {turn.unproven for turn in found.turns} == {Unproven.TIME}
    assert now == 102.0
