"""The search without a compiler against the kernels, and both against a slow and simple recursion."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from tests.examples import before_release
from tests.hitblow.search.by_kernels import by_kernels
from tests.reference.search import Reference

from yomikiri.common.budget import Budget, Stopped
from yomikiri.hitblow.model.codes import all_guesses, all_secrets, decode_all
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import PRESETS, Hint, Repeats, Rules, Turn, hint
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.plain import PlainSearch
from yomikiri.hitblow.search.position import best_move
from yomikiri.hitblow.search.subproblem import Subproblem

SMALL = [
    Rules(1, "012"),
    Rules(2, "0123"),
    Rules(2, "012", Repeats.GUESS),
    Rules(2, "0123", Repeats.ALL),
    Rules(3, "0123"),
]
LARGER = [
    Rules(3, "01234567"),
    Rules(3, "012345", Repeats.GUESS),
    Rules(3, "012345", Repeats.ALL),
    Rules(4, "0123456"),
    PRESETS["mastermind"].rules,
]


def positions(rules: Rules, count: int, absent: int, seed: int = 5) -> list[Knowledge]:
    """Yield some positions after one to three turns, with absent symbols if the secret leaves enough."""
    draw = random.Random(seed)
    secrets, guesses = decode_all(rules, all_secrets(rules)), decode_all(rules, all_guesses(rules))
    found = []
    for _ in range(count):
        secret = draw.choice(secrets)
        spare = [symbol for symbol in rules.symbols if symbol not in secret]
        gone = "".join(draw.sample(spare, min(absent, len(spare))))
        made = [draw.choice(guesses) for _ in range(draw.randint(1, 3))]
        found.append(Knowledge(rules, gone, tuple(Turn(guess, hint(guess, secret)) for guess in made)))
    return found


@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_totals_agree_with_a_plain_recursion(rules: Rules):
    reference = Reference(rules)
    start = Knowledge(rules)
    asked = [start, *(start.after(Turn(guess, answer)) for guess in reference.guesses for answer in start.cells(guess))]
    for known in asked:
        numbers = reference.numbers(known.codes())
        assert PlainSearch(known).least() == reference.least(numbers, len(numbers))[0]


@pytest.mark.slow
@pytest.mark.parametrize("absent", [0, 1, 2])
@pytest.mark.parametrize("rules", LARGER, ids=str)
def test_totals_and_guesses_are_those_of_the_kernels(rules: Rules, absent: int):
    for known in positions(rules, 8 if before_release() else 4, absent):
        engine = SearchEngine(rules, known.absent, consistent=False, memory=1 << 24)
        least = engine.run(Subproblem(rules, known.absent, known.played))
        search = PlainSearch(known)
        assert search.least() == least, known
        if 2 < known.count <= 200:
            compiled = by_kernels(known)
            assert search.moves(6) == compiled.moves(6), known
            assert best_move(search, known) == best_move(compiled, known), known


@pytest.mark.parametrize("rules", LARGER[:3], ids=str)
def test_next_best_guesses_are_sorted_and_complete(rules: Rules):
    known = next(known for known in positions(rules, 20, 0) if 5 < known.count < 40)
    search = PlainSearch(known)
    totals = [move.total_guesses for move in search.moves(6)]
    every = sorted(search.total_after(guess) for guess in decode_all(rules, all_guesses(rules)))
    assert totals == sorted(totals)
    assert totals[0] == every[0]
    assert all(total in every for total in totals)
    # Equivalent guesses are omitted, so the list may lack totals, but never a better one.
    assert totals[-1] >= every[min(5, len(every) - 1)]


@pytest.mark.slow
@pytest.mark.parametrize(("known", "total"), [(Knowledge(), 3575), (Knowledge(absent="7"), 2337)])
def test_the_standard_game_has_its_known_totals(known: Knowledge, total: int):
    assert PlainSearch(known).moves(1)[0].total_guesses == total


def test_search_stops_when_the_budget_is_exhausted():
    with pytest.raises(Stopped):
        PlainSearch(Knowledge(), Budget(states=10)).least()


def test_search_loads_no_compiler():
    program = (
        "import sys; from yomikiri.hitblow import Knowledge;"
        "from yomikiri.hitblow.search.plain import PlainSearch; PlainSearch(Knowledge(absent='6789')).least();"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_two_candidates_take_three_guesses():
    known = Knowledge(facts=(Turn("012", Hint(0, 3)),))
    assert known.count == 2
    assert [move.total_guesses for move in PlainSearch(known).moves(1)] == [3]
