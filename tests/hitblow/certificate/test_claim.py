"""The claim of a certificate, and false claims that unsupported tasks would allow."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from tests.reference.search import Reference

from yomikiri.common.errors import InputError
from yomikiri.hitblow.certificate.check import head
from yomikiri.hitblow.certificate.checker import CertificateGame, Rejected
from yomikiri.hitblow.model.facts import parse_standard
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.strategy.strategy import Criterion, Objective, Task

REFUSED = {
    "within": Task(Rules(3, "01234"), objective=Objective(within=5)),
    "consistent": Task(Rules(3, "01234"), objective=Objective(consistent=True)),
    "worst": Task(Rules(3, "01234"), objective=Objective(Criterion.WORST)),
    "last": Task(Rules(3, "01234"), objective=Objective(Criterion.LAST)),
    "weights": Task(Rules(2, "0123"), prior=(("01", 3), ("12", 1))),
    "no leading": Task(Rules(3, "01234", no_leading="0")),
    "facts": Task(Rules(3, "01234"), facts=(parse_standard("has=3"),)),
    "a single symbol": Task(Rules(1, "0")),
}


@pytest.mark.parametrize("task", REFUSED.values(), ids=list(REFUSED))
def test_unsupported_tasks_are_refused(task: Task):
    with pytest.raises(InputError, match="certificates do not support"):
        head(task, 9)


def test_claim_contains_game_start_and_total():
    task = Task(Rules(3, "abcde"), "e", (Turn.parse("abc:0H1B"), Turn.parse("cda:1H0B")))
    assert head(task, 17) == "certificate 1 3 5 none 4 17 012:0H1B 230:1H0B"
    assert head(Task(), 3575) == "certificate 1 3 10 none - 3575"


def test_consistent_subset_can_cost_more_than_the_set():
    """Therefore a reference to a subset, which the checker accepts, would prove a false bound."""
    rules, rng = Rules(3, "012345"), Random(1)
    slow, game = Reference(rules, consistent=True), CertificateGame("certificate 1 3 6 none - 9")
    codes = range(len(slow.guesses))
    for _ in range(20000):
        whole = tuple(sorted(rng.sample(codes, 5)))
        for part in combinations(whole, 4):
            if (more := slow.least(part, 4)[0]) > (less := slow.least(whole, 5)[0]):
                game.proven, game.lines = [(np.array(part), more)], iter(["@0/012/012345"])
                game.lemma(np.array(whole), more)
                assert more > less
                return
    raise AssertionError("no such sets were met")


def test_bound_within_a_limit_does_not_hold_without_it():
    engine = SearchEngine(Rules(), "", consistent=False, memory=1 << 24)
    assert engine.run(Subproblem(Rules(), limit=6)) == 3576 > engine.run(Subproblem(Rules())) == 3575


def test_renaming_changes_the_cost_of_weighted_sets():
    """With two codes of weights 2 and 1, the total depends on the order of the guesses."""
    game = CertificateGame("certificate 1 1 2 none - 3")
    assert game.renamed("0/10", game.own).tolist() == [1, 0]
    weights = {"0": 2, "1": 1}
    assert weights["0"] + 2 * weights["1"] < 2 * weights["0"] + weights["1"]


def test_renaming_does_not_respect_excluded_leading_symbols():
    game = CertificateGame("certificate 1 2 3 none - 13")
    leads = [code for code in game.codes.tolist() if code[0] != 0]
    swapped = game.codes[game.renamed("01/102", np.arange(len(game.codes)))].tolist()
    moved = [swapped[game.codes.tolist().index(code)] for code in leads]
    assert sorted(moved) != sorted(leads)


def test_head_with_contradicting_turns_is_rejected():
    with pytest.raises(Rejected):
        CertificateGame("certificate 1 3 5 none - 9 012:0H1B 012:3H0B")
