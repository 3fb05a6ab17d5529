"""`solve`: the least cost under an objective from any knowledge, proven from scratch, with a tree that attains it.

Large subproblems are split into the cells of their guesses. These are independent, and what joins them is one number:
what is left of the best cost known when the lower bounds of all the others are taken off. It only falls, so a
subproblem sent out with an old one is still right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import process_time

from yomikiri.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.errors import N_, InputError
from yomikiri.hitblow.facts import too_heavy
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Rules, no_code_fits
from yomikiri.hitblow.search.engine import MEMORY, Engine, compile_kernels
from yomikiri.hitblow.search.position import HEAVIEST
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Count, Subproblem
from yomikiri.hitblow.strategy.strategy import Cost, Evidence, Kind, Node, Objective, Proof, Strategy, Task, cost

SPLIT = 2000  # subproblems of more codes are split


class Search:
    """The least cost of a subproblem, with bounds that can be read while it is worked on.

    `lower` and `best` are costs, `guess` the first guess of a tree that costs `best` where it is known. The budget is
    told of them as totals of guesses, and of the nodes of the engine.
    """

    def __init__(self, engine: Engine, subproblem: Subproblem, budget: Budget) -> None:
        self.lower, self.best, self.guess = 0, subproblem.upper, ""
        self.subproblem, self._engine = subproblem, engine
        self._budget, self._slices = budget, replace(budget, progress=self._heard)

    def run(self) -> int:
        """The least cost, if below the subproblem's upper bound; else a lower bound that is at least that.

        Raises `Stopped`; the bounds then say what is certain.
        """
        return self._least(self.subproblem)

    def _least(self, subproblem: Subproblem) -> int:
        few = len(self._engine.codes(subproblem.turns)) <= SPLIT
        if few or subproblem.count is Count.NOTHING or (subproblem.limit is not None and subproblem.limit <= 2):
            return self._engine.run(subproblem, self._slices)
        best = subproblem.upper
        unit = subproblem.count.guess
        guesses = self._engine.guesses(subproblem)
        for place, (bound, guess) in enumerate(guesses):
            if bound * unit >= best:
                break
            others = guesses[place + 1][0] * unit if place + 1 < len(guesses) else IMPOSSIBLE
            cost = self._cost(subproblem, guess, best, others)
            if cost < best:
                best = cost
                if subproblem is self.subproblem:
                    self.best, self.guess = best, guess
        return best

    def _cost(self, subproblem: Subproblem, guess: str, best: int, others: int) -> int:
        """The cost of a subproblem if `guess` comes first, if below `best`; else a bound that is not.

        `others` bounds the guesses still to come. Large cells are first asked only whether they take their share of
        what is left, which shows more cheaply that there is not enough.
        """
        subproblems = self._engine.divided(subproblem, guess)
        sizes = [len(self._engine.codes(cell.turns)) for cell in subproblems]
        lowers = [self._engine.ideal(size) * subproblem.count.guess for size in sizes]
        total = len(self._engine.codes(subproblem.turns)) * subproblem.count.guess + sum(lowers)
        spare = best - total
        for sharing in (True, False) if best < IMPOSSIBLE else (False,):
            for i, cell in enumerate(subproblems):
                upper = best - (total - lowers[i])
                if sharing:
                    upper = min(upper, lowers[i] + 1 + spare * sizes[i] // sum(sizes))
                lower = max(lowers[i], self._least(replace(cell, upper=upper)))
                total, lowers[i] = total + lower - lowers[i], lower
                if subproblem is self.subproblem:
                    self.lower = max(self.lower, min(total, best, others))
                    self._tell(self._engine.nodes)
                if total >= best:
                    return total
        return total

    def _heard(self, progress: Progress) -> None:
        """A slice of work is done. A subproblem that is not split has its bounds in the memo alone."""
        lower, best = self._engine.known(self.subproblem)
        self.lower, self.best = max(self.lower, lower), min(self.best, best)
        self._tell(progress.states)

    def _tell(self, nodes: int) -> None:
        unit = self.subproblem.count.guess
        best = None if not unit or self.best >= IMPOSSIBLE else self.best // unit
        self._budget.report(Progress(self.lower // unit if unit else 0, best, nodes))


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer of `solve`: a strategy with its proof, or none, which is proven impossible within the limit.

    `cpu_seconds` is what the proof of the least total took (of the least maximum and then the least total, for
    `Kind.WORST`), `tie_break_cpu_seconds` what the tie-breaks took beyond it, `tree_cpu_seconds` the making of the
    tree. Compiling is in none of them.
    """

    task: Task
    strategy: Strategy | None
    nodes: int
    cpu_seconds: float
    tie_break_cpu_seconds: float
    tree_cpu_seconds: float


def solve(task: Task | Rules, *, memory: int = MEMORY, budget: Budget = UNLIMITED) -> Solution:
    """Return the strategy of least cost for a task, or from the start of a game, proven from scratch.

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
    task = Task(task) if isinstance(task, Rules) else task
    secrets = tuple(task.secrets())
    if not secrets:
        raise no_code_fits(task.facts)
    if (weights := task.weights()) and (task.prior or len(set(weights.values())) > 1):
        return _UnevenSolver(task, weights, budget).solution()
    compile_kernels()
    return _Solver(task, secrets, memory, budget).solution()


class _Solver:
    def __init__(self, task: Task, secrets: tuple[str, ...], memory: int, budget: Budget) -> None:
        self._task, self._secrets, self._budget = task, secrets, budget
        self._clock = _Clock()
        consistent = task.objective.consistent
        known = Knowledge(task.rules, task.absent, task.facts)
        absent, facts = known.start.absent, known.start.facts
        self._engine = Engine(task.rules, absent, facts, consistent=consistent, memory=memory)
        self._subproblem = Subproblem(
            task.rules, absent, known.played, consistent, limit=task.objective.within, facts=facts
        )
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
        return Solution(self._task, strategy, self._engine.nodes, laps["proof"], laps["tie-break"], laps["tree"])

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
        tree = self._tree = self._engine.optimal_tree(subproblem, self._budget)
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
            tree = self._engine.optimal_tree(subproblem, self._budget)
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
            tree = self._engine.quick_tree(replace(self._subproblem, limit=None), first)
        else:
            lower = self._cost(tree).total_guesses
        found, within = self._cost(tree), self._task.objective.within
        if within is not None and found.max_guesses > within:
            return None
        self._clock.lap("tree")
        return Strategy(self._task, tree, found, Proof(Evidence.HEURISTIC, lower))

    def _cost(self, tree: Node) -> Cost:
        return cost(tree, self._secrets)


class _UnevenSolver:
    """Solves a task in which some secrets are likelier than others: the least weighted total, and nothing besides."""

    def __init__(self, task: Task, weights: dict[str, int], budget: Budget) -> None:
        from yomikiri.hitblow.search.uneven import UnevenSearch, compile_kernels

        if task.objective != Objective():
            raise InputError(
                N_("some secrets are likelier than others: expected the least average, any guess and no limit")
            )
        if sum(weights.values()) >= HEAVIEST:
            raise too_heavy(HEAVIEST)
        compile_kernels()
        self._task, self._weights, self._budget, self._clock = task, weights, budget, _Clock()
        self._lower, self._first = 0, ""
        known = Knowledge(task.rules, task.absent, task.facts, task.prior)
        self._search = UnevenSearch(known, replace(budget, progress=self._tell))
        self._tree = self._search.quick_tree()
        self._best = self._cost(self._tree).total_guesses

    def solution(self) -> Solution:
        try:
            self._prove()
        except Stopped:
            raise Stopped(self._solution(Evidence.HEURISTIC)) from None
        return self._solution(Evidence.OPTIMAL)

    def _prove(self) -> None:
        """Try the guesses by their bounds: no strategy costs less than the bound of those that are still to come."""
        guesses = self._search.guesses()
        for bound, guess in guesses:
            self._lower = min(bound, self._best)
            if bound >= self._best:
                break
            total = self._search.total_after(guess, self._best)
            if total < self._best:
                self._best, self._first = total, guess
        self._lower = self._best
        self._clock.lap("proof")

    def _tell(self, progress: Progress) -> None:
        self._budget.report(Progress(self._lower, self._best, progress.states, self._clock.total()))

    def _solution(self, evidence: Evidence) -> Solution:
        self._clock.lap("proof")
        if self._first:
            self._tree = self._search.ask(UNLIMITED).tree(self._first)
        self._clock.lap("tree")
        laps, cost = self._clock.laps, self._cost(self._tree)
        strategy = Strategy(self._task, self._tree, cost, Proof(evidence, self._lower))
        return Solution(self._task, strategy, self._search.nodes, laps["proof"], 0.0, laps["tree"])

    def _cost(self, tree: Node) -> Cost:
        return cost(tree, self._weights, self._weights)


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
