"""Best replies to fixed strategies, which bound the value."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from tests.hitblow.race.public.played import Played
from tests.reference.forms import Forms
from tests.reference.replay import best_result_against

from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules, hint
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.strategy.strategy import Node

WORTHS = [(9, 8, 7, 6, 5, 4, 3, 2, 1), (81, 27, 9, 3, 1), (4, 4, 4, 1), (5, 5, 5, 5, 1)]


def with_strategy(forms: Forms, node: Node, codes: frozenset[str]) -> tuple[Forms, int]:
    """Add the positions of a strategy as forms whose only option is the strategy's guess.

    Returns the enlarged forms, and the number of the form of the strategy's root.
    """
    sizes, hits, cells = [], [], []

    def add(node: Node, codes: frozenset[str]) -> int:
        parts = [
            (below, frozenset(c for c in codes if hint(node.guess, c) == answer)) for answer, below in node.branches
        ]
        below = [add(*part) for part in parts]
        sizes.append(len(codes))
        hits.append(node.guess in codes)
        cells.append(below)
        return len(forms.size) + len(sizes) - 1

    first = add(node, codes)
    ends = accumulate(map(len, cells), initial=len(forms.cell))
    next(ends)
    options = len(forms.hit) + 1 + np.arange(len(sizes))
    return replace(
        forms,
        size=np.append(forms.size, sizes),
        first=np.append(forms.first, options),
        hit=np.append(forms.hit, hits),
        begin=np.append(forms.begin, list(ends)),
        cell=np.append(forms.cell, np.concatenate(cells).astype(int)),
    ), first


def no_choice(_kind: int, _held: int, _other: int) -> int:
    raise AssertionError


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "equal", "worths"),
    [
        pytest.param(Rules(3, "012345"), False, WORTHS, marks=pytest.mark.exhaustive),
        (Rules(3, "012345"), True, WORTHS),
        pytest.param(Rules(3, "01234567"), False, WORTHS[:2], marks=pytest.mark.release),
    ],
    ids=["3 of 6", "3 of 6, turns completed", "3 of 8"],
)
def test_best_replies_to_fixed_strategies_bound_the_value(rules, equal, worths):
    played, known = Played(rules, equal_turns=equal), Knowledge(rules)
    value, every = played.race.win(known.candidates, known.candidates), played.every
    whole = 2 * known.count**2
    gaps = []
    for worth in worths:
        forms, start = with_strategy(played.forms, DepthWeightedSearch(known, worth).tree(), frozenset(known.codes()))
        low = 1 - Fraction(best_result_against(forms, no_choice, played.begins, start, every, replies=False), whole)
        high = Fraction(best_result_against(forms, no_choice, played.begins, start, every, replies=True), whole)
        assert low < value < high
        gaps.append(high - low)
    assert min(gaps) < Fraction(1, 10)
