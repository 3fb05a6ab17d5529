"""The value of a race with some pruning rules disabled; test_pruning runs it with the kernels as plain Python.

    python unpruned.py DIGITS SYMBOLS KIND RULE ...

KIND is `sudden` (the first hit wins) or `opening` (equal turns). A RULE is the name of a rule to disable: `perfect`
(separable sets), `dominance`, `bounds`, `symmetry`, `repetition` (of partitions) or `sketches` (partial forms). With
`minimax`, a plain recursion evaluates all pairs of forms, without alpha-beta; a side can pass unless the other side has
just passed.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import numpy as np

from yomikiri.hitblow.model.codes import all_secrets
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.race.kernels import forms as form_kernels
from yomikiri.hitblow.race.kernels import pairs as pair_kernels
from yomikiri.hitblow.race.kernels.pairs import OPENING, SUDDEN
from yomikiri.hitblow.race.kernels.pairs import bounds as bound_pair
from yomikiri.hitblow.race.public import payoffs
from yomikiri.hitblow.race.public.forms import Forms
from yomikiri.machine.kernel import Entry


def keep_all(_game: Any, work: Any, first: int, end: int) -> None:
    work.option_kept[first:end] = 1


def tells(game: Any, work: Any, depth: int, start: int, n: int, guess: int) -> bool:
    return int(form_kernels.measure_cells(game, work, depth, start, n, guess)) < n


def nothing_known(own: Any, their: Any, kind: int, mine: int, other: int) -> tuple[int, int]:
    if mine <= own.max_separable:
        exact: tuple[int, int] = bound_pair(own, their, kind, mine, other)
        return exact
    return 0, 2 * int(own.size[mine]) * int(their.size[other])


OFF: dict[str, list[tuple[Any, str, Any]]] = {
    "perfect": [(form_kernels, "is_separable", lambda *_: False)],
    "dominance": [(form_kernels, "is_dominated", lambda *_: False), (form_kernels, "keep_undominated", keep_all)],
    "bounds": [(pair_kernels, "bounds", nothing_known)],
    "symmetry": [(form_kernels, "is_representative", lambda *_: True)],
    "repetition": [(form_kernels, "is_new_partition", tells)],
}


def minimax(found: Forms, kind: int, form: int) -> int:
    """Return the value of a pair of equal forms by a plain recursion."""
    perfect = found.game.hints

    def size(form: int) -> int:
        return found.size(form)

    @cache
    def options(mine: int) -> list[tuple[int, list[int]]]:
        if mine <= perfect:
            return [(1, [1] * (mine - 1))]
        return [(option.hit, option.cells.tolist()) for option in found.options_of(mine)]

    @cache
    def worth(kind: int, mine: int, other: int, passed: bool) -> int:
        after = 0 if kind == SUDDEN else 3 - kind
        hit = 2 * size(other) - (kind == OPENING)
        chances: list[int] = [] if passed else [2 * size(mine) * size(other) - worth(after, other, mine, True)]
        for can_hit, cells in options(mine):
            left = sum(2 * size(cell) * size(other) - worth(after, other, cell, False) for cell in cells)
            chances.append(can_hit * hit + int(left))
        return max(chances)

    return int(worth(kind, form, form, False))


def main() -> None:
    Entry.uncompiled = True
    digits, symbols, kind, *switched_off = sys.argv[1:]
    for rule in switched_off:
        for module, name, plain in OFF.get(rule, []):
            assert hasattr(module, name)
            setattr(module, name, plain)
    np.seterr(over="ignore")  # hashes are sums of words and wrap around
    rules = Rules(int(digits), "0123456789"[: int(symbols)])
    codes = all_secrets(rules)
    found = Forms(rules, expand_limit=len(codes) if "sketches" in switched_off else None)
    known = payoffs.Payoffs(found, found)
    form = found.form(found.numbers(codes))
    number = {"sudden": SUDDEN, "opening": OPENING}[kind]
    worth = minimax(found, number, form) if "minimax" in switched_off else known.payoff(number, form, form)
    print(worth, 2 * found.size(form) ** 2, *found.counts)


if __name__ == "__main__":
    main()
