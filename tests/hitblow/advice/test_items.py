"""Advice on items: the search against a plain recursion, and scores against their definition."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache, partial
from itertools import count
from math import log2
from random import Random

import pytest

from yomikiri.common.budget import Budget
from yomikiri.common.errors import InputError, RulesError
from yomikiri.hitblow.advice import items as module
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.items import ASKING, Items, Use, advise, answer, answers
from yomikiri.hitblow.model.codes import all_guesses, decode_all
from yomikiri.hitblow.model.facts import parse_standard
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Item, UseMeasure
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, hint

Set = frozenset[str]


class Plain:
    """Reference search of the least weighted total over every guess and every item."""

    def __init__(self, rules: Rules, weights: dict[str, int], takes_turn: bool) -> None:
        self.rules, self.weights, self.takes_turn = rules, weights, takes_turn
        self.guesses = decode_all(rules, all_guesses(rules))
        self.turn, self.call = cache(self._turn), cache(self._call)

    def parts(self, answer_of: Callable[[str], object], codes: Set) -> dict[object, set[str]]:
        found = defaultdict(set)
        for code in codes:
            found[answer_of(code)].add(code)
        return found

    def used(self, codes: Set, use: Use, rest: frozenset[Item]) -> int:
        parts = map(frozenset, self.parts(lambda code: answer(use, code), codes).values())
        if self.takes_turn:
            return self.weight(codes) + sum(self.turn(part, rest) for part in parts)
        return sum(self.call(part, rest) for part in parts)

    def weight(self, codes: Set) -> int:
        return sum(self.weights[code] for code in codes)

    def tells(self, codes: Set, use: Use) -> bool:
        return len({answer(use, code) for code in codes}) > 1

    def uses(self, item: Item) -> list[Use]:
        return [Use(item, symbol) for symbol in self.rules.symbols] if item is Item.TARGET else [Use(item)]

    def _turn(self, codes: Set, items: frozenset[Item]) -> int:
        worth = [self.call(codes, items)]
        for item in items:
            worth += [self.used(codes, use, items - {item}) for use in self.uses(item) if self.tells(codes, use)]
        return min(worth)

    def _call(self, codes: Set, items: frozenset[Item]) -> int:
        totals = []
        for guess in self.guesses:
            parts = self.parts(partial(hint, guess), codes)
            if len(parts) > 1 or guess in codes:
                later = sum(self.turn(frozenset(part), items) for part in parts.values() if part != {guess})
                totals.append(self.weight(codes) + later)
        return min(totals)


@pytest.mark.parametrize("seed", range(12))
def test_item_advice_agrees_with_a_plain_recursion(seed: int):
    random = Random(seed)
    rules = random.choice([Rules(2, "01289"), Rules(3, "01678"), Rules(2, "0123456")])
    codes = random.sample([*rules.secrets()], random.randint(2, 7))
    known = Knowledge(rules, prior=tuple((code, random.choice((1, 1, 2, 5))) for code in codes))
    left = random.sample(ASKING, random.randint(1, 3))
    items = Items(tuple(item for item in Item if item in left), takes_turn=random.random() < 0.3)
    found = advise(known, items)
    assert found is not None
    plain = Plain(rules, known.weighted or dict.fromkeys(codes, 1), items.takes_turn)
    everything, whole = frozenset(codes), frozenset(items.left)
    assert found.measure is UseMeasure.GUESSES
    assert round(found.without * known.total) == plain.call(everything, whole)
    assert round(found.value * known.total) == plain.turn(everything, whole)
    for use, value in found.others:
        assert round(value * known.total) == plain.used(everything, use, whole - {use.item})


@pytest.mark.parametrize("item", ASKING)
def test_equal_item_answers_have_equal_numbers(item: Item):
    rules = Rules(3, "0234789")
    known, use = Knowledge(rules), Use(item, "7" if item is Item.TARGET else "")
    numbers = answers(use, rules, known.candidates).tolist()
    facts = [str(answer(use, code)) for code in known.codes()]
    assert len({*numbers}) == len({*facts}) == len({*zip(numbers, facts, strict=True)})
    for code, fact in zip(known.codes(), facts, strict=True):
        assert parse_standard(fact).holds(code)


def test_large_games_compare_items_by_remaining_bits(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "_SEARCHED", 0)
    rules = Rules(2, "01289")
    known = Knowledge(rules)
    guesses = decode_all(rules, all_guesses(rules))

    def bits(codes: list[str]) -> float:
        def left(guess: str) -> float:
            sizes: Counter[Hint] = Counter()
            for code in codes:
                sizes[hint(guess, code)] += 1
            return sum((size * log2(size) for size in sizes.values()), 0.0)

        return min(map(left, guesses)) / known.count

    found = advise(known, Items(ASKING))
    assert found is not None
    assert found.use is not None
    assert found.measure is UseMeasure.BITS
    assert found.without == pytest.approx(bits(known.codes()))
    for use, value in ((found.use, found.value), *found.others):
        cells = defaultdict(list)
        for code in known.codes():
            cells[answer(use, code)].append(code)
        assert value == pytest.approx(sum(map(bits, cells.values())))
    assert [value for _use, value in found.others] == sorted(value for _use, value in found.others)
    taking = advise(known, Items(ASKING, takes_turn=True))
    assert taking is not None
    assert taking.value <= taking.without == found.without


def test_spent_budget_falls_back_to_bits():
    known = Knowledge.parse("012:0H1B 345:1H1B")
    found, late = advise(known, Items(ASKING)), advise(known, Items(ASKING), Budget(states=0))
    assert found is not None
    assert late is not None
    assert (found.measure, late.measure) == (UseMeasure.GUESSES, UseMeasure.BITS)
    assert (found.late, late.late) == (False, True)


def test_items_are_used_once_and_one_per_turn():
    game = Assistant(items=Items(ASKING))
    game = game.learn(parse_standard("absent=7"))
    assert game.items_now.left == (Item.HIGH, Item.SLASH)
    assert game.items_now.playable == ()
    assert game.item_advice is None
    game = game.answer(Hint(0, 1), "012")
    assert game.items_now.playable == (Item.HIGH, Item.SLASH)
    game = game.learn(parse_standard("slash=6"))
    assert (game.items_now.left, game.items_now.playable) == ((Item.HIGH,), ())
    assert game.undo().items_now.left == (Item.HIGH, Item.SLASH)
    assert game.put(2, parse_standard("high=LHH")).items_now.left == (Item.SLASH,)
    assert game.restart().items == Items(ASKING)
    taking = Assistant(items=Items(ASKING, takes_turn=True)).learn(parse_standard("high=LHH"))
    assert taking.items_now.playable == (Item.SLASH, Item.TARGET)


def test_suggested_guess_takes_the_unused_items_into_account():
    for facts in ("012:0H1B 345:1H1B 135:0H1B",):
        game = Assistant(Knowledge.parse(facts), items=Items((Item.HIGH,), played=True))
        assert game.item_advice is not None
        assert game.advice.proposed.guess == game.item_advice.guess


@pytest.mark.parametrize("text", ["x", "high,high", "", "shuffle"])
def test_items_are_parsed_by_name(text: str):
    assert Items.parse("ターゲット、ハイロー", Rules()) == Items((Item.HIGH, Item.TARGET))
    with pytest.raises(InputError, match="expected items from high, slash, target"):
        Items.parse(text, Rules(), known=ASKING)


def test_items_need_digits_and_target_needs_distinct_ones():
    with pytest.raises(RulesError, match="a game of digits"):
        Items.parse("high", Rules(symbols="abcdef"))
    with pytest.raises(RulesError, match="TARGET needs"):
        Items.parse("high,target", Rules(repeats=Repeats.ALL))


def test_many_guesses_are_sampled_and_equivalent_symbols_scored_once(monkeypatch: pytest.MonkeyPatch):
    known = Knowledge(facts=(parse_standard("012:0H1B"),))
    exact = advise(known, Items(ASKING))
    monkeypatch.setattr(module, "_EVALUATED", 1 << 16)
    found = advise(known, Items(ASKING))
    assert exact is not None
    assert found is not None
    assert found.value >= exact.value
    assert (found.use, found.without < 8) == (exact.use, True)
    assert [use.symbol for use, _value in found.others if use.symbol > "2"] == ["3"]
    monkeypatch.setattr(module, "_EVALUATED", 100)
    assert advise(known, Items(ASKING)) is None


def test_amount_of_work_not_time_decides_between_search_and_score(monkeypatch: pytest.MonkeyPatch):
    known, items = (
        Knowledge(facts=tuple(map(parse_standard, ["012:0H1B", "134:0H2B", "345:1H1B"]))),
        Items((Item.HIGH,)),
    )
    monkeypatch.setattr("yomikiri.common.budget.monotonic", count(step=3600).__next__)
    searched = advise(known, items)
    assert searched
    assert searched.measure is UseMeasure.GUESSES
    monkeypatch.setattr(module, "_COMPARED", 0)
    scored = advise(known, items)
    assert scored
    assert (scored.measure, scored.late) == (UseMeasure.BITS, False)
