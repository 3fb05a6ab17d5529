"""Replies to fixed strategies, between which the value lies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.race.public.forms import Forms, Option
from yomikiri.hitblow.race.public.kernels.bounds import CLOSING, OPENING, SUDDEN
from yomikiri.hitblow.race.public.race import PublicRace
from yomikiri.hitblow.race.weighted import Weighing
from yomikiri.hitblow.rules import Rules, hint
from yomikiri.hitblow.strategy.tree import Node

KNOWN = Knowledge(Rules(3, "012345"))
AFTER = {SUDDEN: SUDDEN, OPENING: CLOSING, CLOSING: OPENING}


@dataclass(frozen=True)
class Step:
    """What is left of a fixed strategy: the secrets it still has to find, whether its guess is one, what follows."""

    secrets: int
    hit: bool
    below: tuple[Step, ...]


def followed(node: Node, codes: frozenset[str]) -> Step:
    parts = [(below, frozenset(c for c in codes if hint(node.guess, c) == answer)) for answer, below in node.branches]
    return Step(len(codes), node.guess in codes, tuple(followed(below, part) for below, part in parts))


class Reply:
    """The most that a side makes of the race against one that follows a strategy whatever happens on the other board.

    The side that replies sees both boards. Worths are halves of pairs of secrets.
    """

    def __init__(self) -> None:
        self.forms = Forms(KNOWN.rules, lambda: None)
        self.start = self.forms.form(self.forms.numbers(KNOWN.candidates))
        self.options = cache(self._options)
        self.moving = cache(self._moving)

    def _options(self, form: int) -> list[Option]:
        if form > self.forms.game.hints:
            return self.forms.options_of(form)
        return [Option(-1, 1, np.ones(form - 1, dtype=np.int32))]  # perfect: a hit, or one code is left

    def _moving(self, kind: int, form: int, step: Step) -> int:
        """The reply's worth when it is to move."""
        size = self.forms.size
        best = 0
        for option in self.options(form):
            worth = option.hit * (2 * step.secrets - (kind == OPENING))
            worth += sum(self.waiting(AFTER[kind], cell, step) for cell in option.cells.tolist())
            best = max(best, worth)
        assert best <= 2 * size(form) * step.secrets
        return best

    def waiting(self, kind: int, form: int, step: Step) -> int:
        """The reply's worth when the fixed strategy is to move: hit by it, the reply may still draw one pair."""
        drawn = int(step.hit and kind == OPENING)
        return drawn + sum(self.moving(AFTER[kind], form, below) for below in step.below)


@pytest.mark.parametrize("equal", [False, True])
def test_the_best_replies_to_fixed_strategies_enclose_the_value(equal):
    value = PublicRace(KNOWN.rules, equal_turns=equal).win(KNOWN.candidates, KNOWN.candidates)
    reply, whole = Reply(), 2 * KNOWN.count**2
    kind = OPENING if equal else SUDDEN
    gaps = []
    for worths in ((9, 8, 7, 6, 5, 4, 3, 2, 1), (81, 27, 9, 3, 1), (4, 4, 4, 1), (5, 5, 5, 5, 1)):
        step = followed(Weighing(KNOWN, worths).tree(), frozenset(KNOWN.codes()))
        low = 1 - Fraction(reply.waiting(kind, reply.start, step), whole)
        high = Fraction(reply.moving(kind, reply.start, step), whole)
        assert low < value < high
        gaps.append(high - low)
    assert min(gaps) < Fraction(1, 10)
