"""The search of given first guesses, while other threads lower its target, the cost that it has to beat."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest

from yomikiri.common.budget import Budget
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search import engine as engines
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.machine import running


def engine(rules: Rules, *, memory: int = 1 << 24) -> SearchEngine:
    return SearchEngine(rules, "", consistent=False, memory=memory)


FALLING = [
    (Rules(3, "01234567"), ("012:0H1B", "012:1H1B", "012:0H0B")),
    (Rules(4, "012345"), ("0123:0H2B", "0123:1H1B", "0123:1H2B")),
    (Rules(4, "0123456"), ("0123:0H2B", "0123:1H1B")),
]


@pytest.mark.slow
@pytest.mark.parametrize("runs", [300, pytest.param(2000, marks=pytest.mark.release)])
def test_refutations_hold_while_other_threads_lower_the_target(runs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No guess whose search was completed costs less than the result, whatever the targets.

    Each target is between the bound of a guess and one more than its cost. So the running total of the current guess
    often equals a target, or just misses it. Each target replaces the one before after some nodes, and at any time
    between two nodes, because the waiting thread polls as often as it can. In the next test, the target changes at
    every access.
    """
    chance = Random(runs)
    for name in ("_FIRST_WAIT", "_LONGEST_WAIT"):
        monkeypatch.setattr(running, name, 0.0)
    monkeypatch.setattr(engines, "_SHORT", 0)
    cells = [Subproblem(rules, turns=(Turn.parse(turn),)) for rules, turns in FALLING for turn in turns]
    costs, bounds = {}, {}
    for cell in cells:
        alone = engine(cell.rules)
        listed = alone.guesses(cell)
        best, others = listed[:20], listed[20:]
        bounds[cell] = {guess: bound for bound, guess in best + chance.sample(others, min(len(others), 20))}
        costs[cell] = {guess: alone.least_of(cell, [guess]).cost for guess in bounds[cell]}
    fallen = found = refused = left = 0
    for _ in range(runs):
        cell = chance.choice(cells)
        own = costs[cell]
        given = chance.sample(list(own), min(len(own), chance.randrange(1, 9)))
        asked = engine(cell.rules, memory=0)
        target = upper = min(IMPOSSIBLE, chance.choice((IMPOSSIBLE, max(own.values()) + 1, own[given[0]] + 1)))
        last = chance.choice((2, 10, 40))
        due = sorted((chance.randrange(last), chance.randrange(30)) for _ in range(chance.randrange(1, 6)))

        def attained(
            given: list[str] = given,
            cell: Subproblem = cell,
            asked: SearchEngine = asked,
            due: list[tuple[int, int]] = due,
        ) -> int:
            nonlocal target
            if due and asked.nodes >= due[0][0]:
                nodes, looks = due.pop(0)
                if looks:
                    due.insert(0, (nodes, looks - 1))
                else:
                    guess = chance.choice(given)
                    target = min(target, chance.randint(bounds[cell][guess], costs[cell][guess] + 1))
            return target

        budget = Budget(states=chance.choice((chance.randrange(1, 25), 10**9)))
        tried = asked.least_of(replace(cell, upper=upper), given, budget, attained)
        done = set(given) - set(tried.left)
        assert all(own[guess] >= tried.cost for guess in done), "a guess that was refused costs less"
        assert target <= tried.cost <= upper or tried.guess
        if tried.guess:
            assert tried.cost == own[tried.guess] < upper
            assert tried.guess in done
        fallen += target < upper
        found += bool(tried.guess)
        refused += not tried.guess and not tried.left
        left += bool(tried.left)
    assert min(fallen, found, refused, left) > runs // 50, "every kind of ending is seen"


# Kernels run as plain Python, so that the target can change exactly when they read it for the n-th time.
FALLING_AT_EACH = """
import sys, warnings
from random import Random
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search import engine as engines
from yomikiri.hitblow.search.kernels import recursion
from yomikiri.hitblow.search.engine import FirstGuessResult, SearchEngine
from yomikiri.guessing.kernels.transposition_table import TranspositionTable
from yomikiri.guessing.growing_table import GrowingTable
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.machine.kernel import Entry
Entry.uncompiled = True
warnings.filterwarnings("ignore", "overflow encountered")  # words of 64 bits wrap around, as they should
chance, most = Random(1), int(sys.argv[1])
engines._SHORT = 1 << 40  # in this thread
read, falls, fallen, reads = recursion.shared_target, -1, 0, 0
def falling(work):
    global reads
    reads += 1
    return fallen if reads > falls >= 0 else IMPOSSIBLE
recursion.shared_target = falling
runs = found = refused = 0
for digits, symbols, turn in ((3, "012345", "012:0H1B"), (3, "0123456", "012:0H1B"), (4, "01234", "0123:1H2B")):
    rules = Rules(digits, symbols)
    cell = Subproblem(rules, turns=(Turn.parse(turn),))
    alone = SearchEngine(rules, "", consistent=False, memory=1 << 20)
    listed = alone.guesses(cell)
    given = [guess for _, guess in listed[:3] + listed[len(listed) // 2 :][:1]]
    falls = -1
    cost = {guess: alone.least_of(cell, [guess]).cost for guess in given}
    bound = {guess: total for total, guess in listed}
    asked = SearchEngine(rules, "", consistent=False, memory=0)
    reads = 0
    asked.least_of(cell, given)
    every = [
        (at, target)
        for at in range(reads)
        for guess in given
        for target in range(bound[guess], min(cost[guess], bound[guess] + 20) + 2)
    ]
    for falls, fallen in chance.sample(every, min(len(every), most)):
        asked, reads = SearchEngine(rules, "", consistent=False, memory=0), 0
        tried = asked.least_of(cell, given)
        runs, found, refused = runs + 1, found + bool(tried.guess), refused + (not tried.guess)
        assert not tried.left
        assert all(cost[guess] >= tried.cost for guess in given), (rules, falls, fallen, tried, cost)
        assert cost[tried.guess] == tried.cost if tried.guess else tried.cost == fallen, (rules, falls, fallen, tried)
print(runs, found, refused)
"""


@pytest.mark.slow
@pytest.mark.parametrize("most", [30, pytest.param(250, marks=pytest.mark.release)])
def test_refutations_hold_wherever_the_target_falls(most: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FALLING_AT_EACH, str(most)], capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr
    runs, found, refused = map(int, done.stdout.split())
    assert runs >= 3 * most
    assert min(found, refused) > runs // 20
