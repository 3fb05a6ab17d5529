"""The strategy that is worth most when finding the secret sooner is worth more: the race's own objective.

A player who knows how likely the opponent is still unfinished before each of their own guesses wins most by the
strategy of greatest worth, where a secret found at guess k counts `weights[k - 1]` (see `finish.weights`). With
weights 10, 9, 8, ... it is the strategy of least total: of n secrets it is worth 11 n less that total. Where some
secrets are likelier than others, each counts as often as its own weight says.

The search is exact; race.md proves its bounds. Whole numbers only: no float decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from yomikiri.budget import UNLIMITED, Budget
from yomikiri.hitblow.codes import all_guesses, decode, encode
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.race.depth_weighted_kernels import (
    ASKED,
    GUESS,
    Position,
    Workspace,
    in_order,
    worth,
)
from yomikiri.hitblow.rules import Hint, Rules
from yomikiri.hitblow.search.alike import alike_in
from yomikiri.hitblow.search.memo import new_memo
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.hitblow.search.table import Members, blocks, tabled
from yomikiri.hitblow.strategy.strategy import Node
from yomikiri.machine.arrays import allocated, random_words
from yomikiri.machine.running import Runner

_ENTRIES = 1 << 16  # of the memo
MOST_BITS = IMPOSSIBLE.bit_length() - 1  # of weights[0] times the total of the candidates
_NOBODY = -1  # asked of no depth
# A search begins in the thread that asks for so many looks that, each at all guesses for all codes, they divide so many
# codes: some ten milliseconds.
_SHORT = 1 << 23


@dataclass(frozen=True, slots=True)
class Worth:
    """A guess and the most that any strategy is worth that begins with it, summed over all candidates, each as often as
    it is likely."""

    guess: str
    worth: int


class DepthWeightedSearch:
    """One position and one choice of weights: the worth of guesses, and the strategy of greatest worth.

    `weights[k - 1]` is what it is worth to find the secret with guess k from now; after the last it is worth nothing.
    They are whole numbers, none negative, and never rise; weights[0] times the total of the candidates has at most
    MOST_BITS bits. Raises ValueError for others and for a position without candidates. All questions share the budget,
    whose states are sets searched; when it is spent they raise `Stopped` with nothing, and so does the making of the
    tables when its time is over.
    """

    def __init__(self, known: Knowledge, weights: Sequence[int], budget: Budget = UNLIMITED) -> None:
        falling = all(a >= b for a, b in pairwise((*weights, 0)))
        if not weights or not falling or weights[0] * known.total >= IMPOSSIBLE:
            raise ValueError(f"not weights: {weights}")
        if not known.count:
            raise ValueError("no candidates")
        self.known = known
        self.weights = tuple(weights)
        self._budget = budget
        self._position, self._hints = _packed(known, replace(budget, states=None))
        self._guesses = all_guesses(known.rules)
        self._runner = Runner()
        self._work = _new_work(self._position, self.weights)._replace(shared=self._runner.words)
        self._memo = new_memo(_ENTRIES)
        turns = _symbols(known.rules, "".join(turn.guess for turn in known.played))
        self._used = turns | (1 << 16) - 1 & ~alike_in(known.start).fresh
        self._all: Members = np.arange(known.count, dtype=np.int32)

    @property
    def nodes(self) -> int:
        """Sets searched so far."""
        return self._runner.nodes

    def best(self) -> Worth:
        """The guess of greatest worth; of several the first by its one-step bound, then a candidate, then in order."""
        total, guess = self._ask(self._all, 0, self._used)
        return Worth(self._code(guess), total)

    def of(self, guess: str) -> Worth:
        """The worth of a guess that the rules allow, followed by the best play."""
        number = _number(self.known.rules, guess)
        used = self._used | _symbols(self.known.rules, guess)
        total = 0
        for slot, cell in self._cells(self._all, number):
            total += self.weights[0] * self._cases(cell) if slot == self._win else self._worth(cell, 1, used)
        return Worth(guess, total)

    def tree(self, guess: str = "") -> Node:
        """A strategy of greatest worth that finds every candidate, those that are worth nothing too.

        Of those that begin with a guess, if one is given, which the rules allow.
        """
        first = _number(self.known.rules, guess) if guess else self._ask(self._all, 0, self._used)[1]
        return self._grown(self._all, first, 0, self._used)

    def _grown(self, codes: Members, guess: int, depth: int, used: int) -> Node:
        code = self._code(guess)
        later = used | _symbols(self.known.rules, code)
        below = min(depth + 1, len(self.weights))  # where weights are zero, they stay so
        cells = [(slot, cell) for slot, cell in self._cells(codes, guess) if slot != self._win]
        branches = (
            (self._hints[slot], self._grown(cell, self._ask(cell, below, later)[1], below, later))
            for slot, cell in cells
        )
        return Node(code, tuple(sorted(branches, key=lambda branch: branch[0])))

    @property
    def _win(self) -> int:
        return self._position.slots - 1

    def _cases(self, codes: Members) -> int:
        cases = self._position.cases
        return int(cases[codes].sum()) if len(cases) else len(codes)

    def _code(self, number: int) -> str:
        return decode(self.known.rules, self._guesses[number])

    def _lay(self, codes: Members) -> None:
        self._work.members[: len(codes)] = codes

    def _cells(self, codes: Members, guess: int) -> list[tuple[int, Members]]:
        """The cells of a guess that are not empty, by slot."""
        slots = self._position.answers[guess, codes]
        return [(int(slot), codes[slots == slot]) for slot in np.flatnonzero(np.bincount(slots))]

    def _ask(self, codes: Members, depth: int, used: int) -> tuple[int, int]:
        """The worth of a set at a depth, and the guess that attains it."""
        self._work.state[ASKED] = depth
        total = self._search(codes, depth, used)
        return total, int(self._work.state[GUESS])

    def _worth(self, codes: Members, depth: int, used: int) -> int:
        self._work.state[ASKED] = _NOBODY
        return self._search(codes, depth, used)

    def _search(self, codes: Members, depth: int, used: int) -> int:
        n = len(codes)
        key, check = self._position.keys[codes].sum(axis=0, dtype=np.uint64)
        self._lay(codes)
        ask = partial(worth, self._position, self._memo, self._work, depth, 0, n, n, used, key, check, -1)
        total, _ = self._runner.run(ask, self._budget, _SHORT // (n * len(self._guesses)))
        return int(total)


def _symbols(rules: Rules, code: str) -> int:
    """The symbols of a text, a bit each."""
    return sum(1 << rules.symbols.index(symbol) for symbol in set(code))


def _number(rules: Rules, guess: str) -> int:
    return int(np.flatnonzero((all_guesses(rules) == encode(rules, guess)).all(axis=1))[0])


@lru_cache(maxsize=4)
def _packed(known: Knowledge, budget: Budget) -> tuple[Position, tuple[Hint, ...]]:
    """A position for the kernels, and the hints of its slots."""
    candidates, cases = known.candidates, np.zeros(0, dtype=np.int64)
    if known.weights is not None:
        likeliest = np.argsort(-known.weights, kind="stable")
        candidates, cases = candidates[likeliest], known.weights[likeliest]
    table, hints = tabled(known.rules, candidates, budget)
    gone = alike_in(known.start).gone
    apart = np.array([bool(gone) and not in_order(code, gone) for code in table.codes])
    by_code = np.empty(table.answers.shape[::-1], dtype=np.uint8)
    for rows in blocks(len(candidates), len(table.codes)):
        budget.check()
        by_code[rows] = table.answers[:, rows].T
    return Position(table.slots, table.answers, by_code, table.codes, table.between, table.keys, apart, cases), hints


def _new_work(position: Position, weights: tuple[int, ...]) -> Workspace:
    """Room for a search that begins at most as deep as there are weights, and looks three further."""
    guesses, candidates = position.answers.shape
    padded = np.array([*weights, 0, 0, 0, 0], dtype=np.int64)
    depths, slots = len(padded), position.slots
    room = candidates * (depths + 1)
    work = allocated(Workspace, members=room, depths=depths, guesses=guesses, candidates=candidates, slots=slots)
    work.weights[:], work.ideal[:] = padded, _ideal(padded, candidates, slots - 1)
    work.level[:] = _levels(candidates, slots - 1)
    work.salt[:] = random_words("depths", depths)
    work.fresh[:] = -1
    return work


def _levels(codes: int, branches: int) -> NDArray[np.int64]:
    """How many guesses any tree takes at least before the first, second, ... code that it finds: shape (codes,)."""
    widths = [1]
    while sum(widths) < codes:
        widths.append(widths[-1] * branches)
    return np.repeat(np.arange(len(widths)), widths)[:codes]


def _ideal(weights: NDArray[np.int64], codes: int, branches: int) -> NDArray[np.int64]:
    """The most that so many codes can be worth at each depth: shape (depths, codes + 1).

    One code is found at the first guess, and each guess leads to at most `branches` others: level j of any tree finds
    at most branches ** j codes. Since weights never rise, filling the levels from the top is worth most.
    """
    ideal = np.zeros((len(weights), codes + 1), dtype=np.int64)
    for depth in range(len(weights)):
        left, width = np.arange(codes + 1), 1
        for weight in weights[depth:]:
            level = np.minimum(left, width)
            ideal[depth] += level * weight
            left, width = left - level, min(width * branches, codes)
    return ideal
