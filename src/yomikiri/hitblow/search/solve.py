"""`solve`: the least cost under an objective from any knowledge, proven from nothing, with a tree that attains it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import process_time

from yomikiri.errors import ContradictionError
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Rules
from yomikiri.hitblow.search.engine import Engine, compile_kernels
from yomikiri.hitblow.search.grow import optimal_tree, quick_tree
from yomikiri.hitblow.search.objectives import Kind, Objective, Proof
from yomikiri.hitblow.search.pieces import IMPOSSIBLE, Count, Effort, Piece
from yomikiri.hitblow.search.split import Search
from yomikiri.hitblow.strategy.tree import Cost, Node, cost

MEMORY = 1 << 28  # bytes of memo


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: the best total found and what no total goes below, as far as known; work and CPU time."""

    best: int | None
    lower: int
    effort: Effort
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer of `solve`.

    `optimal`: `tree` attains the objective's least cost, and `lower_bound` is its total. `heuristic`: the search was
    interrupted; `tree` is the best found, and no strategy has a total below `lower_bound`. `impossible`: no strategy
    stays within the limit; there is no tree. `cpu_seconds` is what the proof of the least total took (of the least
    maximum and then the least total, for `worst`), `tie_break_cpu_seconds` what the tie-breaks took beyond it, and
    `tree_cpu_seconds` the making of the tree; compiling is in none of them.
    """

    known: Knowledge
    objective: Objective
    proof: Proof
    lower_bound: int | None
    tree: Node | None
    cost: Cost | None
    effort: Effort
    cpu_seconds: float
    tie_break_cpu_seconds: float
    tree_cpu_seconds: float


def no_report(_: Progress) -> None:
    """What to do with progress that nobody asked for."""


def solve(
    known: Knowledge | Rules,
    objective: Objective | None = None,
    *,
    memory: int = MEMORY,
    report: Callable[[Progress], None] = no_report,
) -> Solution:
    """The least cost of any strategy from what is known, under an objective (least expected guesses by default).

    `report` hears of progress several times a second. If it raises KeyboardInterrupt, or the user does, the answer is
    the best found so far, with a proven bound. `memory` bounds the memo, in bytes, and never changes the answer. Raises
    `ContradictionError` when nothing fits the turns.
    """
    known = known if isinstance(known, Knowledge) else Knowledge(known)
    if not known.count:
        raise ContradictionError(" ".join(map(str, known.turns)))
    compile_kernels()
    return _Solver(known, objective or Objective(), memory, report).solution()


class _Solver:
    def __init__(self, known: Knowledge, objective: Objective, memory: int, report: Callable[[Progress], None]) -> None:
        self._known, self._objective, self._report = known, objective, report
        self._clock = _Clock()
        self._engine = Engine(known.rules, known.absent, consistent=objective.consistent, memory=memory)
        self._piece = Piece(known.rules, known.absent, known.turns, objective.consistent)
        self._search: Search | None = None

    def solution(self) -> Solution:
        try:
            return self._proven()
        except KeyboardInterrupt:
            return self._interrupted()

    def _proven(self) -> Solution:
        limit = self._objective.limit
        if self._objective.kind is Kind.WORST:
            limit = self._least_maximum()
        piece = replace(self._piece, limit=limit)
        total = self._least(piece)
        self._clock.lap("proof")
        if total >= IMPOSSIBLE:
            return self._solution(Proof.IMPOSSIBLE, None, None)
        tree = optimal_tree(self._engine, piece)
        self._clock.lap("tree")
        if self._objective.kind is Kind.EXPECTED:
            tree = self._tie_broken(tree)
        return self._solution(Proof.OPTIMAL, tree, total)

    def _least_maximum(self) -> int:
        """The fewest guesses within which all secrets can be found."""
        limit = 1
        while self._least(replace(self._piece, count=Count.NOTHING, limit=limit)) >= IMPOSSIBLE:
            limit += 1
        return limit

    def _tie_broken(self, tree: Node) -> Node:
        """Of the trees with the total of `tree` one of the least maximum, and of those one with the fewest secrets at
        it.

        The fewest secrets at guess m are searched, m being the maximum of the best tree so far. If it can do without
        any, m falls; the least m at which some are needed is the least maximum.
        """
        while True:
            best = self._cost(tree)
            limit, last = best.max_guesses, best.histogram[-1]
            upper = best.total_guesses * Count.LAST.guess + last
            piece = replace(self._piece, count=Count.LAST, limit=limit, upper=upper)
            found = self._least(piece)
            self._clock.lap("tie-break")
            if found >= upper:
                return tree
            tree = optimal_tree(self._engine, piece)
            self._clock.lap("tree")
            if Count.LAST.last(found):
                return tree

    def _least(self, piece: Piece) -> int:
        self._search = Search(self._engine, piece, self._look)
        return self._search.run()

    def _look(self, search: Search) -> None:
        unit = search.piece.count.guess
        best = None if not unit or search.best >= IMPOSSIBLE else search.best // unit
        lower = search.lower // unit if unit else 0
        self._report(Progress(best, lower, self._engine.effort, self._clock.total()))

    def _interrupted(self) -> Solution:
        """The best found so far."""
        self._clock.lap("proof")
        search = self._search
        total_known = search is not None and search.piece.count is Count.TOTAL
        tree = quick_tree(self._engine, self._piece, search.guess if search is not None and total_known else "")
        lower = search.lower if search is not None and total_known else self._engine.ideal(self._known.count)
        return self._solution(Proof.HEURISTIC, tree, lower)

    def _solution(self, proof: Proof, tree: Node | None, lower: int | None) -> Solution:
        return Solution(
            known=self._known,
            objective=self._objective,
            proof=proof,
            lower_bound=lower,
            tree=tree,
            cost=None if tree is None else self._cost(tree),
            effort=self._engine.effort,
            cpu_seconds=self._clock.laps["proof"],
            tie_break_cpu_seconds=self._clock.laps["tie-break"],
            tree_cpu_seconds=self._clock.laps["tree"],
        )

    def _cost(self, tree: Node) -> Cost:
        return cost(tree, self._known.codes())


class _Clock:
    """CPU time of this process, kept by what it was spent on."""

    def __init__(self) -> None:
        self.laps = {"proof": 0.0, "tie-break": 0.0, "tree": 0.0}
        self._last = process_time()

    def lap(self, name: str) -> None:
        """Count the time since the last lap."""
        now = process_time()
        self.laps[name] += now - self._last
        self._last = now

    def total(self) -> float:
        """All time so far."""
        return sum(self.laps.values()) + process_time() - self._last
