"""Facts of every kind (turns, partial answers, statements about symbols), compared with a filter of all codes.

The searches with such facts are compared with a plain recursion.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from tests.examples import before_release
from tests.hitblow.search.by_kernels import by_kernels
from tests.reference.hitblow import every_code, plain_hint

from yomikiri.api.saved import read_game, write_game
from yomikiri.common.errors import InputError, TurnError
from yomikiri.hitblow.advice.review import review
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import read_match
from yomikiri.hitblow.model import facts
from yomikiri.hitblow.model.corrections import repairs
from yomikiri.hitblow.model.facts import FACT_KINDS, Absent
from yomikiri.hitblow.model.game import HitBlowGame, game_pairs
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import parse_fact, parse_words
from yomikiri.hitblow.model.rules import Fact, Hint, Repeats, Rules, Turn
from yomikiri.hitblow.model.space import fits
from yomikiri.hitblow.policies.book import look_up
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.search.plain import PlainSearch
from yomikiri.web.hitblow_address import read as read_address

Plain = Callable[[str], bool]
LETTERS = {"low": "01234", "high": "56789"}


def plain_marks(guess: str, code: str) -> str:
    """Return the answer by places: H (hit), B (blow) or M (miss) for each symbol. The codes have no repeats."""
    return "".join("H" if g == c else "B" if g in code else "M" for g, c in zip(guess, code, strict=True))


def mixture(rules: Rules, secret: str, chance: random.Random) -> list[tuple[str, Plain]]:
    """Return true facts about a secret, of every kind that applies, as (text, function that tests a code).

    The symbols must be digits.
    """
    codes = every_code(rules.symbols, rules.digits, repeats=rules.repeats is Repeats.ALL)
    guess, symbol = chance.choice(codes), chance.choice(rules.symbols)
    place = chance.randrange(rules.digits)
    hits, blows = plain_hint(guess, secret)
    other = chance.choice([s for s in rules.symbols if s != secret[place]])
    high = "".join("H" if s in LETTERS["high"] else "L" for s in secret)
    slash = int(max(secret)) - int(min(secret))
    pairs = [
        (f"{guess}:{hits}H{blows}B", lambda code: plain_hint(guess, code) == (hits, blows)),
        (f"{guess}:{hits}H_", lambda code: plain_hint(guess, code)[0] == hits),
        (f"{guess}:_{blows}B", lambda code: plain_hint(guess, code)[1] == blows),
        (f"{guess}:={hits + blows}", lambda code: sum(plain_hint(guess, code)) == hits + blows),
        (f"{guess}:?", lambda _code: True),
        (f"at={secret[place]}@{place + 1}", lambda code: code[place] == secret[place]),
        (f"off={other}@{place + 1}", lambda code: code[place] != other),
        (f"times={symbol}x{secret.count(symbol)}", lambda code: code.count(symbol) == secret.count(symbol)),
        (f"high={high}", lambda code: all((s > "4") == (h == "H") for s, h in zip(code, high, strict=True))),
        (f"slash={slash}", lambda code: max(map(int, code)) - min(map(int, code)) == slash),
        (f"has={secret[place]}", lambda code: secret[place] in code),
    ]
    if symbol not in secret:
        pairs.append((f"absent={symbol}", lambda code: symbol not in code))
    if rules.repeats is Repeats.NONE:
        marks = plain_marks(guess, secret)
        pairs.append((f"{guess}:{marks}", lambda code: plain_marks(guess, code) == marks))
    return pairs


RULES = [Rules(), Rules(2, "0123456"), Rules(3, "01589"), Rules(3, "1256", Repeats.ALL), Rules(4, "014567")]


def mixtures(rules: Rules, seed: int, most: int) -> tuple[Knowledge, list[str]]:
    """Return the knowledge from random facts, and the codes that satisfy their predicates."""
    chance = random.Random(seed)
    codes = every_code(rules.symbols, rules.digits, repeats=rules.repeats is Repeats.ALL)
    secret = chance.choice(codes)
    drawn = [chance.choice(mixture(rules, secret, chance)) for _ in range(chance.randint(1, most))]
    known = Knowledge(rules, facts=tuple(parse_fact(token, rules) for token, _ in drawn))
    return known, [code for code in codes if all(holds(code) for _, holds in drawn)]


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_candidates_are_the_codes_that_fit_every_fact(rules: Rules):
    for seed in range(400 if before_release() else 100):
        known, expected = mixtures(rules, seed, 5)
        assert known.codes() == expected
        assert known.weights is None
        if known.facts:
            assert known.start.after(known.facts[-1]).count <= known.start.count
        assert all(
            str(parse_fact(str(fact), rules)) == str(fact) == str(facts.parse_standard(str(fact)))
            for fact in known.facts
        )
        assert all(known.is_candidate(code) for code in expected[:3])


def least(codes: tuple[str, ...], guesses: list[str], transpositions: dict[tuple[str, ...], int]) -> int:
    """Return the least total of guesses for some codes by full enumeration."""
    if len(codes) <= 1:
        return len(codes)
    if codes not in transpositions:
        transpositions[codes] = 1 << 30
        for guess in guesses:
            cells: dict[tuple[int, int], list[str]] = {}
            for code in codes:
                cells.setdefault(plain_hint(guess, code), []).append(code)
            if len(cells) > 1:
                rest = sum(
                    least(tuple(cell), guesses, transpositions) for h, cell in cells.items() if h[0] < len(guess)
                )
                transpositions[codes] = min(transpositions[codes], len(codes) + rest)
    return transpositions[codes]


@pytest.mark.parametrize("rules", [Rules(2, "015678"), Rules(3, "0156"), Rules(2, "0167", Repeats.ALL)], ids=str)
def test_plain_search_agrees_with_a_recursion_under_any_facts(rules: Rules):
    guesses = every_code(rules.symbols, rules.digits, repeats=rules.repeats is Repeats.ALL)
    transpositions: dict[tuple[str, ...], int] = {}
    for seed in range(60):
        known, codes = mixtures(rules, seed, 3)
        search = PlainSearch(known)
        assert search.least() == least(tuple(codes), guesses, transpositions)
        for move in search.moves(4):
            cells: dict[tuple[int, int], list[str]] = {}
            for code in codes:
                cells.setdefault(plain_hint(move.guess, code), []).append(code)
            after = sum(least(tuple(cell), guesses, transpositions) for h, cell in cells.items() if h[0] < rules.digits)
            assert move.total_guesses == len(codes) + after


def test_compiled_searches_agree_with_the_plain_one_under_any_facts():
    for seed in range(25):
        known, codes = mixtures(Rules(3, "01567"), seed, 3)
        compiled, plain = by_kernels(known), PlainSearch(known)
        total = plain.least()
        assert compiled.least() == total
        assert compiled.moves(4) == plain.moves(4)
        # With weights 20, 19, 18, ..., a code found at guess k counts 21 - k.
        assert DepthWeightedSearch(known, range(20, 0, -1)).best().payoff == 21 * len(codes) - total


@pytest.mark.parametrize("tokens", ["has=5", "off=5@2", "times=6x1", "high=LHH", "slash=6", "015:=2", "at=0@1 015:?"])
def test_searches_agree_before_the_first_turn(tokens: str):
    """Without turns, the sets are large, and the search cannot hash a set by its turns."""
    rules = Rules(3, "01567")
    known = knowledge_of(tokens, rules)
    compiled = by_kernels(known)
    total = compiled.least()
    assert total == compiled.least() == PlainSearch(known).least()
    assert compiled.best_guesses(total, 4) == PlainSearch(known).best_guesses(total, 4)


def knowledge_of(tokens: str, rules: Rules = Rules()) -> Knowledge:  # noqa: B008 (rules are frozen)
    return Knowledge(rules, facts=tuple(parse_fact(token, rules) for token in tokens.split()))


def test_leading_absent_facts_go_into_absent():
    assert knowledge_of("absent=87") == Knowledge(absent="78") == knowledge_of("absent=7 absent=8")
    later = knowledge_of("012:0H1B absent=7")
    assert (later.absent, str(later.facts[1])) == ("", "absent=7")
    assert Knowledge().after(Absent("7")) == Knowledge(absent="7")
    assert later.start == Knowledge(absent="7")


def test_book_is_used_only_for_absent_symbols_and_turns():
    assert look_up(knowledge_of("012:0H1B"))
    learned = knowledge_of("absent=7 012:0H1B"), knowledge_of("012:0H1B absent=7")
    assert look_up(learned[0]) == look_up(learned[1]) is not None
    for tokens in ("has=3", "012:0H1B has=3", "012:0H_", "012:MBM", "high=LHH 012:0H1B"):
        assert look_up(knowledge_of(tokens)) is None


def test_facts_that_no_secret_fits_are_refused():
    for token in ("times=5x2", "slash=1", "at=5@4", "has=0123", "012:2H1B", "high=LL", "change=middle@1", "012:HHB"):
        with pytest.raises(InputError):
            knowledge_of(token)
    for token in ("high=LHH", "slash=3", "shuffle"):
        with pytest.raises(InputError, match="game of digits"):
            knowledge_of(token, Rules(3, "abcdefgh"))


def plain_change(rules: Rules, token: str, shares: dict[str, Fraction]) -> dict[str, Fraction]:
    """Return the probabilities of codes after a change of the secret."""
    after: dict[str, Fraction] = {}
    for code, share in shares.items():
        if token == "shuffle":
            became = ["".join(order) for order in set(permutations(code))]
        else:
            kind, place = token.removeprefix("change=").split("@")
            at = int(place) - 1
            unused = [s for s in rules.symbols if s in LETTERS[kind] and s not in code]
            became = [code[:at] + s + code[at + 1 :] for s in unused] if code[at] in LETTERS[kind] else []
        for each in became:
            after[each] = after.get(each, Fraction(0)) + share / len(became)
    return after


@pytest.mark.parametrize(
    "rules",
    [pytest.param(Rules(), marks=pytest.mark.exhaustive), Rules(3, "01589"), Rules(2, "1256", Repeats.ALL)],
    ids=str,
)
def test_changes_of_the_secret_update_the_probabilities(rules: Rules):
    for seed in range(150):
        chance = random.Random(seed)
        codes = every_code(rules.symbols, rules.digits, repeats=rules.repeats is Repeats.ALL)
        secret, shares, known = chance.choice(codes), dict.fromkeys(codes, Fraction(1)), Knowledge(rules)
        for _ in range(4):
            if chance.random() < 0.4:
                kind = "high" if secret[1] in LETTERS["high"] else "low"
                token = chance.choice(["shuffle", f"change={kind}@2"])
                became = plain_change(rules, token, {secret: Fraction(1)})
                if not became:
                    continue
                secret = chance.choice(sorted(became))
                shares = plain_change(rules, token, shares)
            else:
                token, holds = chance.choice(mixture(rules, secret, chance))
                shares = {code: share for code, share in shares.items() if holds(code)}
            known = known.after(parse_fact(token, rules))
        total = sum(shares.values())
        assert known.codes() == sorted(shares, key=codes.index)
        assert all(known.probability(code) == pytest.approx(float(share / total)) for code, share in shares.items())
        weights = np.ones(known.count, dtype=np.int64) if known.weights is None else known.weights
        assert [Fraction(int(w), known.total) for w in weights] == [shares[c] / total for c in known.codes()]
        cells: dict[Hint, Fraction] = {}
        for code, share in shares.items():
            answer = Hint(*plain_hint(codes[3], code))
            cells[answer] = cells.get(answer, Fraction(0)) + share / total
        assert {h: Fraction(w, known.total) for h, w in known.cells(codes[3]).items()} == cells
        likeliest = known.likeliest(known.count)
        assert [shares[c] for c in likeliest] == sorted(shares.values(), reverse=True)
        np.testing.assert_allclose(known.table().sum(axis=0), 1)


def test_shuffle_after_a_win_keeps_the_digits():
    known = knowledge_of("012:3H0B shuffle")
    assert not known.solved
    assert known.codes() == ["012", "021", "102", "120", "201", "210"]


def test_repairs_take_other_facts_as_true():
    known = knowledge_of("has=7 012:2H0B high=HHH")
    (repair, *_) = repairs(known)
    assert repair.lines == (2,)
    assert Knowledge(facts=(known.facts[0], repair.turns[0], known.facts[2])).count == repair.count
    assert repairs(knowledge_of("has=3 absent=3")) == ()


def test_review_accepts_partial_answers_and_other_facts():
    judged = review(knowledge_of("012:0H1B has=3 345:_1B"))
    assert [str(each.turn) for each in judged.turns] == ["012:0H1B", "345:_1B"]
    assert judged.turns[1].count == knowledge_of("012:0H1B has=3").count


@pytest.mark.parametrize(
    ("typed", "token"),
    [
        ("absent 7", "absent=7"),
        ("has 3", "has=3"),
        ("at 2 5", "at=5@2"),
        ("at 5@2", "at=5@2"),
        ("at=5@2", "at=5@2"),
        ("off 2 5", "off=5@2"),
        ("times 5 1", "times=5x1"),
        ("high lhh", "high=LHH"),
        ("ハイロー LHH", "high=LHH"),
        ("ＳＬＡＳＨ　６", "slash=6"),
        ("shuffle", "shuffle"),
        ("シャッフル", "shuffle"),
        ("change 2 high", "change=high@2"),
        ("change high 2", "change=high@2"),
        ("チェンジ 2 ロー", "change=low@2"),
        ("チェンジ　高　２", "change=high@2"),
        ("チェンジ 2高", "change=high@2"),
        ("high L H h", "high=LHH"),
        ("ハイロー ローハイハイ", "high=LHH"),
        ("ハイロー 低高高", "high=LHH"),
        ("なし 7", "absent=7"),
    ],
)
def test_parse_words_reads_facts_by_name(typed: str, token: str):
    fact = parse_words(typed, Rules())
    assert str(fact) == token
    assert fact == parse_fact(token, Rules())


def test_invalid_facts_are_refused_with_a_valid_example():
    for typed, example in (
        ("high 55", "high LHHH"),
        ("at two", "at 2 5"),
        ("has", "has 3"),
        ("change 2", "change 2 high"),
        ("at 25", "at 2 5"),
    ):
        with pytest.raises(TurnError) as caught:
            parse_words(typed, Rules(4))
        assert caught.value.data == {"given": typed, "example": example}


def test_target_is_refused_with_the_forms_of_its_answer():
    for typed in ("target 5 2", "ターゲット 5"):
        with pytest.raises(TurnError, match="TARGET") as caught:
            parse_words(typed, Rules(4))
        assert caught.value.data == {"given": typed, "at": "at 2 5", "absent": "absent 5"}


@pytest.mark.parametrize("token", ["double", "pass"])
def test_double_and_pass_are_possible_only_in_a_match(token: str):
    with pytest.raises(InputError, match="only possible in a match"):
        knowledge_of(token)


GUIDE = Path(__file__).parents[3] / "docs/guide"
PAGE = (GUIDE / "what-can-be-known.md").read_text("utf-8")


def test_class_from_the_documentation_adds_a_kind_of_fact():
    (source,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(source[source.index("class ") :].splitlines()) <= 11
    try:
        exec(source, {"__name__": __name__})
        known = knowledge_of("sum=24 012:0H0B")
        assert known.codes() == [c for c in every_code("3456789", 3, repeats=False) if sum(map(int, c)) == 24]
        assert str(parse_words("sum 24", Rules())) == "sum=24"
        assert Exact().choose(known).outlooks
        address = read_address([("fact", "sum=24"), ("turn", "012:0H0B")])
        assert address.game == known
        assert "fact=sum%3D24&turn=012:0H0B" in str(address)
        assert read_game(write_game(known), Knowledge)[0] == known
        assert read_match("me=sum=24 me=012:0H0B").known(Side.ME) == known
    finally:
        FACT_KINDS.pop("sum", None)


@pytest.mark.parametrize("page", ["what-can-be-known.md", "ja/what-can-be-known.md"])
def test_documentation_lists_every_kind_of_fact(page: str):
    text = (GUIDE / page).read_text("utf-8")
    for name, kind in FACT_KINDS.items():
        assert f"| `{kind.example}` | `" in text, name
    for token in re.findall(r"^\| `([^-`][^`]*)` \|", text, re.MULTILINE):
        assert str(parse_fact(token, Rules(repeats=Repeats.ALL))) == token or ":" in token


def test_every_kind_of_fact_parses_its_example():
    for name, kind in FACT_KINDS.items():
        fact = parse_fact(kind.example, Rules(repeats=Repeats.ALL))
        assert isinstance(fact, kind)
        assert str(fact) == kind.example == str(facts.parse_standard(kind.example))
        assert name == kind.name
        assert kind.said


def test_fits_agrees_with_holds_for_each_code():
    fact: Fact = Turn("012", Hint(0, 1))
    known = Knowledge()
    assert fits(known.rules, known.candidates, fact).tolist() == [fact.holds(code) for code in known.codes()]


LEADING = [
    pytest.param(Rules(3, "01567", no_leading="0"), marks=pytest.mark.exhaustive),
    Rules(2, "0156", Repeats.ALL, "01"), Rules(2, "01567", Repeats.GUESS, "0"),
]  # fmt: skip


@pytest.mark.parametrize("rules", LEADING, ids=str)
def test_no_code_starts_with_an_excluded_leading_symbol(rules: Rules):
    every = every_code(rules.symbols, rules.digits, repeats=rules.repeats is not Repeats.NONE)
    guesses = [code for code in every if code[0] not in rules.no_leading]
    codes = [code for code in guesses if rules.repeats is Repeats.ALL or len(set(code)) == rules.digits]
    assert (rules.secret_count, rules.guess_count) == (len(codes), len(guesses))
    assert Knowledge(rules).codes() == list(rules.secrets()) == codes
    with pytest.raises(InputError, match="begins with"):
        rules.check_guess("01" + "5" * (rules.digits - 2))
    transpositions: dict[tuple[str, ...], int] = {}
    chance = random.Random(1)
    spare = [symbol for symbol in rules.symbols if symbol not in rules.no_leading][-1]
    for absent in ("", spare, rules.no_leading[0], rules.no_leading[0] + spare):
        secret = chance.choice([code for code in codes if not set(code) & set(absent)])
        guess = chance.choice(guesses)
        for facts_ in ((), (Turn(guess, Hint(*plain_hint(guess, secret))),)):
            known = Knowledge(rules, absent, facts_)
            total = least(tuple(known.codes()), guesses, transpositions)
            assert PlainSearch(known).least() == by_kernels(known).least() == total
            worth = DepthWeightedSearch(known, range(20, 0, -1)).best().payoff
            assert worth == 21 * known.count - total
            assert by_kernels(known).moves(3) == PlainSearch(known).moves(3)
            assert read_game(write_game(known), Knowledge)[0] == known
            assert (
                read_address(list(game_pairs(HitBlowGame(known.rules, absent=known.absent, facts=facts_)))).game
                == known
            )


def test_no_leading_must_leave_a_code():
    with pytest.raises(InputError, match="leaves no code"):
        Rules(2, "01", no_leading="01")
    assert Rules(2, "0123", no_leading="10").no_leading == "01"
    assert look_up(Knowledge(Rules(no_leading="0"))) is None
