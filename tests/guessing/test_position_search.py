"""Least costs on tables, against an oracle that tries every guess and against published totals.

Also tests `guessing/search.py`, `guessing/table.py`, `guessing/position_table.py`, `guessing/kernels/answer_table.py`,
`guessing/kernels/scan.py` and `guessing/kernels/table_recursion.py`: their only use.
"""

import random
from itertools import permutations, product

import numpy as np
import pytest
from tests.reference import guessing as reference

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.errors import InputError, StrategyFault
from yomikiri.guessing import position_search
from yomikiri.guessing.answers import ANSWER_KINDS, HITS, HITS_BLOWS, MARKS, AnswerKind
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.game import Game, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.kernels.scan import scan
from yomikiri.guessing.position_search import Best, PositionSearch
from yomikiri.guessing.search import TableSearch
from yomikiri.guessing.strategy import DecisionNode, replay
from yomikiri.machine.kernel import as_python


def distinct(places: int, symbols: int) -> list[str]:
    return ["".join(code) for code in permutations("0123456789"[:symbols], places)]


def repeated(places: int, symbols: int) -> list[str]:
    return ["".join(code) for code in product("0123456789"[:symbols], repeat=places)]


def random_game(seed: int) -> Game:
    chance = random.Random(seed)
    places, symbols = chance.randint(2, 4), chance.randint(2, 4)
    codes = repeated(places, symbols)
    chance.shuffle(codes)
    secrets = codes[: chance.randint(1, 9)]
    guesses = codes[len(secrets) :][: chance.randint(0, 12)]
    weights = [chance.choice((1, 1, 1, 2, 5, 30)) if seed % 3 == 0 else 1 for _ in secrets]
    if seed % 6 == 3:  # sums exceed 16 bits
        weights = [30_000 * weight + chance.randint(0, 2) for weight in weights]
    rule = [*GuessRule][seed % 3 if seed % 2 else 0]
    kind = MARKS if rule is GuessRule.HARD else chance.choice([*ANSWER_KINDS.values()])
    limit = chance.choice((1, 2, 3, 3, 4)) if seed % 5 < 2 else None
    return Game(dict(zip(secrets, weights, strict=True)), guesses, kind, rule, limit)


def check_rules(game: Game, node: DecisionNode, position: Position) -> None:
    """Check that the guess rule and the limit allow every guess of a strategy."""
    position.require_allowed(node.guess)
    assert position.guesses_left != 0
    for answer, branch in node.branches:
        check_rules(game, branch, position.after(f"{node.guess}:{answer}"))


def least_cost(game: Game) -> int | None:
    """Return the least cost of a game by the oracle, None if no strategy finds every secret within the limit."""
    return reference.least_cost(
        dict(zip(game.secrets, game.weights, strict=True)),
        game.guesses,
        game.answers.answer,
        consistent=game.guess_rule is GuessRule.CONSISTENT,
        hard=game.guess_rule is GuessRule.HARD,
        limit=game.guess_limit or 99,
    )


def check_random_games(seeds: range) -> None:
    for seed in seeds:
        game = random_game(seed)
        least = least_cost(game)
        search = PositionSearch(game.start)
        best = search.best()
        if least is None:
            assert best == Best(best.guess, IMPOSSIBLE, IMPOSSIBLE), seed
            continue
        assert best == Best(best.guess, least, least), seed
        check_rules(game, search.strategy(best.guess), game.start)
        found = replay(search.strategy(best.guess), game.start)
        assert sum(guesses * weight for guesses, weight in enumerate(found, start=1)) == least, seed


def test_least_costs_of_random_games_equal_those_of_the_oracle():
    check_random_games(range(150))


@pytest.mark.exhaustive
def test_least_costs_of_2000_random_games_equal_those_of_the_oracle():
    check_random_games(range(150, 2150))


def test_uncompiled_kernels_agree_with_the_oracle():
    with as_python():
        check_random_games(range(12))


@pytest.mark.parametrize("large", [False, True])
def test_search_guess_by_guess_gives_the_same_cost(large: bool, monkeypatch: pytest.MonkeyPatch):
    """Large positions are searched guess by guess, with classes of secrets."""
    monkeypatch.setattr(position_search, "_SMALL", 0 if large else 1 << 40)
    monkeypatch.setattr(position_search, "_CLASSES_FROM", 1)
    monkeypatch.setattr(position_search, "_BEFORE_CLASSES", 3)
    search = PositionSearch(Game(distinct(3, 6), answers=HITS_BLOWS).start)
    assert search.best().cost == 436
    check_random_games(range(40))


@pytest.mark.parametrize(
    ("codes", "total"),
    [(distinct(2, 4), 30), (distinct(3, 5), 196), (repeated(3, 3), 73), (distinct(2, 7), 161)],
    ids=["2 of 4", "3 of 5", "3 of 3 with repeats", "2 of 7"],
)
def test_totals_of_full_code_spaces(codes: list[str], total: int):
    assert PositionSearch(Game(codes, answers=HITS_BLOWS).start).best().cost == total


@pytest.mark.parametrize("top", [1, 3, 100_000])
def test_both_ways_to_count_savings_agree(top: int):
    """Up to 32 different answers are collected as bits, more in an array of stamps.

    Weights above 16 bits are rounded up.
    """
    chance = random.Random(top)
    for kind in (HITS_BLOWS, MARKS):
        game = Game({code: chance.randint(1, top) for code in distinct(4, 5)}, answers=kind)
        position = PositionSearch(game.start)
        assert (len(position.table.answer_bits) > 0) == (kind is HITS_BLOWS)
        search = TableSearch(position.table, UNLIMITED)
        members = np.array(sorted(chance.sample(range(120), 40)), dtype=np.int32)
        current = search._write_set(members)
        expected = []
        for guess in position.guesses:
            heaviest: dict[str, int] = {}
            for i in members.tolist():
                heaviest.setdefault(kind.answer(guess, position.secrets[i]), position.weights[i])
            expected.append(sum(heaviest.values()))
        assert search.savings(members).tolist() == expected
        work = search._work
        scan(search._table, work, current, -1, False)
        rounded = work.saving[1] - expected
        assert rounded.min() >= 0
        assert rounded.max() <= (sum(position.weights) >> 10 if top > 1000 else 0)


def test_kernels_that_are_called_again_return_the_same_cost(monkeypatch: pytest.MonkeyPatch):
    """A kernel that takes long is called again in a thread of its own."""
    game = Game(distinct(3, 5), answers=HITS_BLOWS)
    costs = {guess: PositionSearch(game.start).cost_after(guess, UNLIMITED) for guess in game.guesses[::7]}
    for polls in (1, 2, 5, 20):
        monkeypatch.setattr("yomikiri.guessing.search._SHORT", polls * (60 * 60 + 1))
        for guess, cost in costs.items():
            assert PositionSearch(game.start).cost_after(guess, UNLIMITED) == cost, (guess, polls)


def test_likelier_secrets_are_found_sooner():
    weights = dict.fromkeys(distinct(2, 4), 1) | {"01": 8}
    search = PositionSearch(Game(weights, answers=HITS_BLOWS).start)
    assert search.best() == Best("01", 37, 37)
    assert replay(search.strategy("01"), Game(weights, answers=HITS_BLOWS).start)[0] == 8


@pytest.mark.slow
def test_more_answers_than_bits_of_a_vector():
    """Codes of seven places have more than 512 different answers: too many for the bits of a vector."""
    chance = random.Random(1)
    codes = sorted({"".join(chance.choices("abcdef", k=7)) for _ in range(700)})
    game = Game(codes[:10], codes[10:], MARKS)
    table = PositionSearch(Game(codes, (), MARKS).start).table
    assert table.answer_count > 512
    assert len(table.bits) == 0
    least = reference.least_cost(dict.fromkeys(game.secrets, 1), game.guesses, MARKS.answer)
    assert PositionSearch(game.start).best().cost == least


@pytest.mark.parametrize("kind", ANSWER_KINDS.values(), ids=ANSWER_KINDS)
def test_parts_contain_every_candidate(kind: AnswerKind):
    parts = Game(distinct(3, 5), answers=kind).start.parts("012")
    assert sum(parts.values()) == 60
    assert parts[kind.win(3)] == 1


def test_stopped_search_returns_the_best_guess_so_far():
    search = PositionSearch(Game(distinct(3, 7), answers=HITS_BLOWS).start, Budget(states=0))
    best = search.best()
    assert best.cost is None
    assert not best.is_proven
    assert best.guess in search.guesses


def test_search_continues_with_a_new_budget():
    game = Game(distinct(3, 5), answers=HITS)
    search = PositionSearch(game.start, Budget(states=5))
    assert search.best().cost is None
    whole = PositionSearch(game.start).best()
    assert search.cost_after(whole.guess, Budget()) == whole.cost


def test_guesses_are_sampled_if_the_table_would_be_too_large():
    game = Game(distinct(2, 5), distinct(2, 10), HITS_BLOWS)
    assert PositionSearch(game.start, most_answers=8000).is_complete
    search = PositionSearch(game.start, most_answers=4000)
    assert not search.is_complete
    assert set(distinct(2, 5)) <= set(search.guesses)
    assert not search.best().is_proven
    assert search.best().bound <= PositionSearch(Game(distinct(2, 5), answers=HITS_BLOWS).start).best().bound
    left_out = next(guess for guess in distinct(2, 10) if guess not in search.guesses)
    search = PositionSearch(game.start, needed=left_out, most_answers=4000)
    assert left_out in search.guesses
    assert search.bound_of(search.cost_after(left_out, UNLIMITED)) <= PositionSearch(game.start).best().bound


def test_too_many_candidates_are_refused():
    with pytest.raises(InputError, match="20 candidates are too many for a search: give turns until at most 19"):
        PositionSearch(Game(distinct(2, 5)).start, most_answers=399)


def test_classes_hold_the_savings_of_heavy_secrets():
    """Sums of weights exceed 16 bits."""
    game = Game({code: 90_000 + k for k, code in enumerate(distinct(3, 6))}, answers=HITS_BLOWS)
    search = TableSearch(PositionSearch(game.start).table, UNLIMITED)
    inside = np.arange(120) % 3 > 0
    savings = search.savings(np.flatnonzero(inside).astype(np.int32))
    assert savings.max() > 1 << 16
    search.add_classes(inside[None, :])
    assert np.array_equal(search._table.class_saving[0], savings)


def test_verifier_refuses_a_strategy_that_misses_a_secret():
    game = Game(["ab", "cd"], answers=HITS)
    with pytest.raises(StrategyFault, match="does not find cd"):
        replay(DecisionNode("ab"), game.start)


def test_marks_by_the_oracle_equal_the_table():
    words = ["abbey", "babes", "kebab", "abyss", "sassy"]
    search = PositionSearch(Game(words).start)
    answers = search.table.answers.reshape(len(words), -1)[:, : len(words)]
    for one, other in product(range(len(words)), repeat=2):
        same = [reference.marks(words[k], words[one]) == reference.marks(words[k], words[other]) for k in range(5)]
        assert np.array_equal(answers[one] == answers[other], same)
