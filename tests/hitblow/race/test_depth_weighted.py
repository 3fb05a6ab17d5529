"""The depth-weighted search, compared with the slow search and proven totals, and its pruning rules."""

import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.examples import before_release
from tests.reference.race import SlowGame

from yomikiri.common.budget import Budget, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.growing_table import new_table
from yomikiri.guessing.kernels.transposition_table import find
from yomikiri.guessing.search import SearchStage
from yomikiri.hitblow.model.codes import all_guesses
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.strategy.strategy import Node, cost
from yomikiri.machine import running
from yomikiri.machine.shared_words import STOP, STOP_REQUESTED


def rules(digits: int, symbols: int, repeats: str = "none") -> Rules:
    return Rules(digits, "0123456789"[:symbols], Repeats(repeats))


def known(of: Rules, *turns: str, absent: str = "") -> Knowledge:
    return Knowledge(of, absent, tuple(map(Turn.parse, turns)))


SMALL = [
    known(rules(1, 5)),
    known(rules(2, 3)),
    known(rules(2, 4)),
    known(rules(2, 5)),
    known(rules(3, 4)),
    known(rules(2, 3, "all")),
    known(rules(2, 4, "guess")),
    known(rules(4, 4), "0123:0H4B"),
    known(rules(2, 5), absent="1"),
    known(rules(2, 6, "guess"), absent="25"),
    known(rules(2, 7), "01:0H0B"),
    known(rules(3, 5), "012:0H2B"),
    known(rules(3, 6), "012:0H2B", "130:0H1B"),
    known(rules(3, 6), "012:0H1B", "340:0H1B"),
]


def some_weights(random: random.Random) -> list[int]:
    """Return random non-increasing weights of different lengths and slopes."""
    top = random.choice([3, 50, 10**6])
    return sorted((random.randint(0, top) for _ in range(random.randint(1, 7))), reverse=True)


slow = cache(SlowGame)


@pytest.mark.parametrize("known", SMALL[:-2], ids=lambda known: position_name(known))
def test_weighted_codes_agree_with_the_slow_search(known: Knowledge):
    chance = random.Random(position_name(known))
    for _ in range(40 if before_release() else 2):
        prior = {code: chance.choice((0, 1, 1, 2, 3, 50, 10**4)) for code in known.codes()}
        prior[chance.choice(known.codes())] = 7
        uneven = replace(known, prior=tuple(prior.items()))
        codes, weights = tuple(uneven.codes()), some_weights(chance)
        reference = SlowGame(known.rules, uneven.weighted)
        weighing = DepthWeightedSearch(uneven, weights)
        best = weighing.best()
        assert best.payoff == reference.greatest_payoff(codes, weights), (prior, weights)
        assert weighing.of(best.guess).payoff == best.payoff
        histogram = cost(weighing.tree(), codes, uneven.weighted).histogram
        assert sum(map(int.__mul__, histogram, weights)) == best.payoff
        guess = chance.choice(reference.guesses)
        if len(uneven.cells(guess)) > 1:
            assert weighing.of(guess).payoff == reference.worth_of(guess, codes, weights)


def worth_of(tree: Node, known: Knowledge, weights: list[int]) -> int:
    """Return the payoff of a strategy by playing it against every candidate."""
    taken = [sum(1 for _ in tree.guesses(code)) for code in known.codes()]
    return sum(weights[guesses - 1] for guesses in taken if guesses <= len(weights))


def position_name(known: Knowledge) -> str:
    return " ".join([f"{known.rules.digits}of{known.rules.symbols}", known.rules.repeats, *map(str, known.turns)])


@pytest.mark.slow
@pytest.mark.parametrize("known", SMALL, ids=position_name)
def test_best_payoff_agrees_with_the_slow_search(known: Knowledge):
    chance = random.Random(position_name(known))
    codes = tuple(known.codes())
    for _ in range(150 if before_release() else 15):
        weights = some_weights(chance)
        weighing = DepthWeightedSearch(known, weights)
        best = weighing.best()
        assert best.payoff == slow(known.rules).greatest_payoff(codes, weights), weights
        assert weighing.of(best.guess).payoff == best.payoff
        assert worth_of(weighing.tree(), known, weights) == best.payoff


@pytest.mark.parametrize("known", SMALL[2:], ids=position_name)
def test_payoff_of_any_guess_agrees_with_the_slow_search(known: Knowledge):
    chance = random.Random(position_name(known))
    codes = tuple(known.codes())
    weights = some_weights(chance)
    weighing, reference = DepthWeightedSearch(known, weights), slow(known.rules)
    for guess in chance.sample(reference.guesses, min(12, len(reference.guesses))):
        if len(known.cells(guess)) > 1:
            assert weighing.of(guess).payoff == reference.worth_of(guess, codes, weights)


@pytest.mark.parametrize(("known", "total"), [(known(rules(3, 10)), 3575), (known(rules(3, 10), absent="7"), 2337)])
def test_linear_weights_give_the_proven_totals(known: Knowledge, total: int):
    weights = range(10, 0, -1)
    weighing = DepthWeightedSearch(known, weights)
    assert 11 * known.count - weighing.best().payoff == total
    assert cost(weighing.tree(), known.codes()).total_guesses == total


@pytest.mark.parametrize("known", [known(rules(3, 10)), known(rules(3, 9), "012:0H1B")], ids=position_name)
def test_best_strategies_for_other_weights_are_not_better(known: Knowledge):
    """These games are too large for the slow search, so the test evaluates each strategy with all weights."""
    chance = random.Random(4)
    tails = [(720, 719, 715, 691, 518, 205, 19, 1), (719, 715, 697, 559, 163, 5), (482, 465, 378, 185, 89, 5, 3)]
    choices = [*tails, *(sorted(chance.sample(range(1000), 7), reverse=True) for _ in range(7))]
    best, histograms = [], []
    for weights in choices:
        weighing = DepthWeightedSearch(known, weights)
        best.append(weighing.best().payoff)
        histograms.append(cost(weighing.tree(), known.codes()).histogram)
    for weights, most in zip(choices, best, strict=True):
        worths = [sum(map(int.__mul__, histogram, weights)) for histogram in histograms]
        assert most == max(worths)


def without_memo(weighing: DepthWeightedSearch) -> None:
    transpositions = weighing._search.transpositions
    transpositions.table, transpositions._memory = new_table(4), 0


def without_symmetry(weighing: DepthWeightedSearch) -> None:
    """Treat every symbol as used, so that no symbols are interchangeable."""
    weighing._start = SearchStage(0, 0)


@pytest.mark.parametrize("switch_off", [without_memo, without_symmetry])
def test_pruning_rules_change_the_work_but_not_the_result(switch_off):
    position = known(rules(3, 7), "012:0H1B")
    for weights in ([9, 8, 7, 6, 5], [40, 39, 30, 9, 1], [5, 5, 5, 2]):
        plain, without = DepthWeightedSearch(position, weights), DepthWeightedSearch(position, weights)
        switch_off(without)
        assert without.best().payoff == plain.best().payoff
        assert without.nodes > plain.nodes or switch_off is without_symmetry


def test_invalid_bound_changes_the_result():
    weighing = DepthWeightedSearch(SMALL[13], [9, 7, 4, 1])
    weighing._search._table = weighing._table._replace(answer_bits=np.zeros_like(weighing._table.answer_bits))
    right = slow(SMALL[13].rules).greatest_payoff(tuple(SMALL[13].codes()), (9, 7, 4, 1))
    assert weighing.best().payoff != right


def test_tree_finds_every_secret_even_at_depths_of_weight_zero():
    position = known(rules(3, 7))
    assert cost(DepthWeightedSearch(position, [2, 1]).tree(), position.codes()).secrets == position.count


def test_stopped_search_can_be_resumed():
    position, total = known(rules(3, 10)), 0
    weighing = DepthWeightedSearch(position, range(10, 0, -1))
    for states in (int(1.4**step) for step in range(-1, 60)):
        before, weighing._budget = weighing.nodes, Budget(states=weighing.nodes + states)
        with suppress(Stopped):
            total = weighing.best().payoff
            break
        assert weighing.nodes - before == states, "a budget of states is kept exactly"
    assert states > 100
    assert total == 11 * 720 - 3575


def stopped_at_once(kernel: Callable[[], object], words: NDArray[np.uint64], *_: object) -> tuple[object, bool]:
    """Replace `run`: request a stop before the kernel starts."""
    words[0, STOP] = STOP_REQUESTED
    return kernel(), True


@pytest.mark.parametrize("likelier", [False, True])
def test_search_stopped_at_any_poll_keeps_valid_results(likelier: bool, monkeypatch: pytest.MonkeyPatch):
    """Stored results of cells must equal those of separate searches, even if a scan was interrupted."""
    position, worths = known(rules(3, 6)), [9, 7, 4, 1]
    if likelier:
        position = replace(position, prior=tuple((code, 1 + i % 5) for i, code in enumerate(position.codes())))
    total = DepthWeightedSearch(position, worths).best().payoff
    monkeypatch.setattr(running, "run", stopped_at_once)
    own, met = dict[tuple[int, int], int](), 0
    for polls in [*range(1, 60), *range(60, 1500, 71)]:
        weighing = DepthWeightedSearch(position, worths)
        monkeypatch.setattr(weighing._search, "_poll_limit", lambda _n, polls=polls: polls)
        with suppress(Stopped):
            assert weighing.best().payoff == total
        for guess in range(0, len(all_guesses(position.rules)), 7):
            at, indices = weighing._later(weighing._start, guess), weighing._answers[:, guess]
            for index in set(indices.tolist()) - {weighing._table.answer_count - 1}:
                cell = weighing._all[indices == index]
                key, seal = weighing._table.keys[cell].sum(axis=0, dtype=np.uint64) + weighing._search._hashes[1]
                lower, upper = find(weighing._search.transpositions.table, key, seal)
                if lower or upper < IMPOSSIBLE:
                    if (guess, index) not in own:
                        alone = DepthWeightedSearch(position, worths)
                        monkeypatch.setattr(alone._search, "_poll_limit", lambda _n: 1 << 40)
                        own[guess, index] = alone._least(cell, at)
                    assert lower <= own[guess, index] <= upper
                    met += 1
    assert met > 100


def test_construction_respects_the_budget():
    for spent in (Budget.within(0.0), Budget(cancelled=lambda: True)):
        with pytest.raises(Stopped):
            DepthWeightedSearch(known(rules(4, 10)), [3, 2, 1], spent)
    DepthWeightedSearch(SMALL[1], [3, 2, 1], Budget(states=0))


@pytest.mark.parametrize("weights", [[], [1, 2], [2, -1], [1 << 42]])
def test_invalid_weights_are_refused(weights: list[int]):
    with pytest.raises(ValueError, match="not weights"):
        DepthWeightedSearch(SMALL[2], weights)


def test_position_without_candidates_is_refused():
    with pytest.raises(ValueError, match="no candidates"):
        DepthWeightedSearch(known(rules(2, 5), "01:2H0B", "01:0H0B"), [1])


AS_PYTHON = "from yomikiri.machine.kernel import Entry; Entry.uncompiled = True\n"


def printed(program: str) -> str:
    """Return the output of a program."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True)
    return done.stdout


UNCOMPILED = """
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.model.rules import Rules, Turn
for weights in ([9, 7, 4, 1], [5, 5, 5, 2], [6, 5, 4, 3, 2, 1]):
    weighing = DepthWeightedSearch(Knowledge(Rules(3, "012345"), "", (Turn.parse("012:0H1B"),)), weights)
    print(weighing.best(), weighing.of("345"), weighing.tree())
"""


def test_uncompiled_kernels_agree_with_compiled_ones():
    assert printed(AS_PYTHON + UNCOMPILED) == printed(UNCOMPILED) != ""
