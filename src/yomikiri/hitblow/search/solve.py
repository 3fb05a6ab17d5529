"""`solve`: the least cost under an objective from any knowledge, proven from nothing, with a tree that attains it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import process_time

from yomikiri.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.hitblow.rules import no_code_fits
from yomikiri.hitblow.search.engine import Engine, compile_kernels
from yomikiri.hitblow.search.grow import optimal_tree, quick_tree
from yomikiri.hitblow.search.split import Search
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Count, Effort, Subproblem
from yomikiri.hitblow.strategy.strategy import Evidence, Kind, Proof, Strategy, Task
from yomikiri.hitblow.strategy.tree import Cost, Node, cost

MEMORY = 1 << 28  # bytes of memo


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer of `solve`: a strategy with its proof, or none, which is proven impossible within the limit.

    `cpu_seconds` is what the proof of the least total took (of the least maximum and then the least total, for
    `Kind.WORST`), `tie_break_cpu_seconds` what the tie-breaks took beyond it, `tree_cpu_seconds` the making of the
    tree. Compiling is in none of them.
    """

    task: Task
    strategy: Strategy | None
    effort: Effort
    cpu_seconds: float
    tie_break_cpu_seconds: float
    tree_cpu_seconds: float


def solve(task: Task, *, memory: int = MEMORY, budget: Budget = UNLIMITED) -> Solution:
    """The strategy of least cost, proven from nothing.

    Costs are compared one after the other. `Kind.EXPECTED`: total of guesses, then maximum, then secrets found at that
    maximum; `Kind.WORST`: maximum, then total. `memory` bounds the memo, in bytes, and does not change the answer.

    The states of the budget are nodes; it is told bounds of the total that is sought, nodes, and seconds of CPU time.
    When it is spent, raises `Stopped`, and `best` is a Solution all the same: the best strategy so far,
    `Evidence.HEURISTIC`, with a bound that is proven; None where no strategy within the limit is known. Raises
    `ContradictionError` when no secret fits the turns.

    >>> from yomikiri.hitblow.rules import Rules
    >>> solve(Task(Rules(2, "0123"))).strategy.proof
    Proof(kind=Evidence.OPTIMAL, lower_bound=30)
    """
    secrets = tuple(task.secrets())
    if not secrets:
        raise no_code_fits(task.turns)
    compile_kernels()
    return _Solver(task, secrets, memory, budget).solution()


class _Solver:
    def __init__(self, task: Task, secrets: tuple[str, ...], memory: int, budget: Budget) -> None:
        self._task, self._secrets, self._budget = task, secrets, budget
        self._clock = _Clock()
        consistent = task.objective.consistent
        self._engine = Engine(task.rules, task.absent, consistent=consistent, memory=memory)
        self._subproblem = Subproblem(task.rules, task.absent, task.turns, consistent, limit=task.objective.within)
        self._search: Search | None = None
        self._tree: Node | None = None  # of the least total, while the tie-breaks go on

    def solution(self) -> Solution:
        try:
            return self._solution(self._proven())
        except Stopped:
            best = self._best_so_far()
            raise Stopped(best and self._solution(best)) from None

    def _solution(self, strategy: Strategy | None) -> Solution:
        laps = self._clock.laps
        return Solution(self._task, strategy, self._engine.effort, laps["proof"], laps["tie-break"], laps["tree"])

    def _proven(self) -> Strategy | None:
        subproblem = self._subproblem
        if self._task.objective.kind is Kind.WORST:
            limit = self._least_maximum()
            if limit is None:
                return None
            subproblem = replace(subproblem, limit=limit)
        total = self._least(subproblem)
        self._clock.lap("proof")
        if total >= IMPOSSIBLE:
            return None
        tree = self._tree = optimal_tree(self._engine, subproblem, self._budget)
        self._clock.lap("tree")
        if self._task.objective.kind is Kind.EXPECTED:
            tree = self._tie_broken(tree)
        return Strategy(self._task, tree, self._cost(tree), Proof(Evidence.OPTIMAL, total))

    def _least_maximum(self) -> int | None:
        """The fewest guesses within which all secrets can be found; None where the limit is lower."""
        within = self._task.objective.within
        most = len(self._secrets) if within is None else within
        for limit in range(1, most + 1):
            if self._least(replace(self._subproblem, count=Count.NOTHING, limit=limit)) < IMPOSSIBLE:
                return limit
        return None

    def _tie_broken(self, tree: Node) -> Node:
        """Of the trees with the total of `tree` one of the least maximum, and of those one with the fewest secrets at
        it.

        The fewest secrets at guess m are searched, m being the maximum of the best tree so far. If it can do without
        any, m falls; the least m at which some are needed is the least maximum.
        """
        while True:
            best = self._cost(tree)
            upper = best.total_guesses * Count.LAST.guess + best.histogram[-1]
            subproblem = replace(self._subproblem, count=Count.LAST, limit=best.max_guesses, upper=upper)
            found = self._least(subproblem)
            self._clock.lap("tie-break")
            if found >= upper:
                return tree
            tree = optimal_tree(self._engine, subproblem, self._budget)
            self._clock.lap("tree")
            if Count.LAST.last(found):
                return tree

    def _least(self, subproblem: Subproblem) -> int:
        def tell(progress: Progress) -> None:
            self._budget.report(replace(progress, seconds=self._clock.total()))

        self._search = Search(self._engine, subproblem, replace(self._budget, progress=tell))
        return self._search.run()

    def _best_so_far(self) -> Strategy | None:
        """What is known when the budget is spent; None if that is no strategy within the limit."""
        self._clock.lap("proof")
        tree, first, lower = self._tree, "", self._engine.ideal(len(self._secrets))
        if self._search is not None and self._search.subproblem.count is Count.TOTAL:
            first, lower = self._search.guess, max(lower, self._search.lower)
        if tree is None:
            tree = quick_tree(self._engine, replace(self._subproblem, limit=None), first)
        else:
            lower = self._cost(tree).total_guesses
        found, within = self._cost(tree), self._task.objective.within
        if within is not None and found.max_guesses > within:
            return None
        self._clock.lap("tree")
        return Strategy(self._task, tree, found, Proof(Evidence.HEURISTIC, lower))

    def _cost(self, tree: Node) -> Cost:
        return cost(tree, self._secrets)


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
