"""`solve`: the least cost under an objective from given knowledge, with a proof and a strategy that attains it.

A `ProofTree` contains the proof, and a `WorkerPool` solves its tasks. For weighted secrets, `WeightedCodesSearch` does
the search.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from math import ceil, inf
from os import PathLike
from pathlib import Path
from time import monotonic

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.common.enums import flag, not_such, whole
from yomikiri.common.errors import N_, CheckError, InputError
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import too_heavy
from yomikiri.hitblow.model.rules import Rules, no_code_fits
from yomikiri.hitblow.search.engine import MEMORY, SearchEngine
from yomikiri.hitblow.search.position import HEAVIEST
from yomikiri.hitblow.search.proof.bound_table import NOTHING, BoundKey, BoundTable, CostBounds
from yomikiri.hitblow.search.proof.incumbent import BuiltTree, Incumbent
from yomikiri.hitblow.search.proof.store import ProofStore, game_text
from yomikiri.hitblow.search.proof.tree import ProofTree
from yomikiri.hitblow.search.proof.worker_pool import WorkerPool, Workers
from yomikiri.hitblow.search.solution import Clock, SearchBounds, Solution
from yomikiri.hitblow.search.subproblem import Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns
from yomikiri.hitblow.search.trees import QUICK, optimal_tree
from yomikiri.hitblow.strategy.strategy import Cost, Criterion, Evidence, Node, Objective, Proof, Strategy, Task, cost

# For weighted secrets, the search first tries this number of first guesses, those with the least bounds. Then it
# raises the bounds of all others in rounds. The second constant lists the target of each round, as a fraction of the
# gap between the lower bound and the best known total.
_TRIED, _RAISED = 10, (0.4, 0.7, 0.9, 1.0)
# Limits on the time for improving the best strategy of an unfinished proof: in seconds, and as a part of the time
# limit.
_IMPROVING, _PART = 30.0, 0.1
_AT_ONCE = 0.7  # seconds of computing after which a cancelled proof must have built its best strategy
_MOST_MEMORY, _MOST_WORKERS = 1 << 50, 1024


def solve(
    task: Task | Rules | str,
    *,
    memory: int = MEMORY,
    budget: Budget = UNLIMITED,
    ties: bool = True,
    workers: int | Workers = 1,
    store: str | PathLike[str] | None = None,
    stopped: Callable[[SearchBounds], None] | None = None,
) -> Solution:
    """Return the strategy of least cost for a task, or for a whole game, proven from scratch.

    `task` may also be rules or the name of a preset. Raises `InputError` for other values.

    Costs are compared lexicographically:

    - `Criterion.EXPECTED`: total of guesses, then maximum, then secrets found at that maximum.
    - `Criterion.WORST`: maximum, then total, then secrets found at that maximum.
    - `Criterion.LAST`: maximum, then secrets found at it, then total.

    Without `ties`, the criteria after the total are ignored. `memory` limits the transposition table of each process,
    in bytes, and does not change the result. Threads of one process share the table. `workers` is a number of threads,
    started after ten seconds of search, or a `Workers`. `store` is a file to which all bounds are written, and from
    which the next run continues. Raises `InputError` if the file cannot be used, `CheckError` if results contradict
    each other, and `ContradictionError` if no secret fits the turns.

    If the budget limits the number of states, each search node counts as one. Progress reports contain bounds of the
    total (for `Criterion.LAST`, of the secrets found at the least maximum), nodes, and seconds of CPU time. When the
    budget is exhausted, `stopped` is called with the bounds so far. Then `Stopped` is raised. Its `best` is a Solution
    with the best strategy so far, `Evidence.HEURISTIC`, and a proven bound. `best` is None if no strategy within the
    limit is known. After a cancellation, this strategy is ready in about one second. If the time or the states are
    over, it is first improved for a tenth of the time, at most half a minute.

    >>> solve(Rules(2, "0123")).strategy.proof
    Proof(kind=Evidence.OPTIMAL, lower_bound=30, checked=False)
    """
    task, budget, ties = Task.read(task, "task"), Budget.read(budget, "budget"), flag(ties, "ties")
    memory = whole(memory, "memory", 0, _MOST_MEMORY)
    workers = workers if isinstance(workers, Workers) else Workers(whole(workers, "workers", 1, _MOST_WORKERS))
    if not (store is None or isinstance(store, (str, PathLike))):
        raise not_such("store", store, "'proof.store'")
    if not (stopped is None or callable(stopped)):
        raise not_such("stopped", stopped, "print")
    secrets = tuple(task.secrets())
    if not secrets:
        raise no_code_fits(task.facts)
    if (weights := task.weights()) and (task.prior or len(set(weights.values())) > 1):
        if store is not None:
            raise InputError(N_("a search with weights cannot be saved: leave out the store"))
        return _WeightedSolver(task, weights, budget, stopped or _ignore).solution()
    with ProofStore(Path(store), game_text(task)) if store else nullcontext(BoundTable()) as bound_table:
        resources = _Resources(memory, budget, workers, bound_table)
        return _Solver(task, secrets, ties, resources, stopped or _ignore).solution()


def _ignore(_outcome: SearchBounds) -> None:
    """Ignore the bounds of a search that stops."""


@dataclass(frozen=True, slots=True)
class _Resources:
    """The resources of a proof: bytes of a transposition table, budget, workers and stored bounds."""

    memory: int
    budget: Budget
    workers: Workers
    bound_table: BoundTable


class _Solver:
    """Solver of a task in which all secrets are equally likely."""

    def __init__(
        self,
        task: Task,
        secrets: tuple[str, ...],
        ties: bool,
        resources: _Resources,
        stopped: Callable[[SearchBounds], None],
    ) -> None:
        memory, budget, bound_table = resources.memory, resources.budget, resources.bound_table
        self._stopped = stopped
        self._improving = max(0.0, min(_IMPROVING, _PART * (budget.until - monotonic())))
        self._task, self._secrets, self._ties = task, secrets, ties
        self._budget = replace(budget, until=budget.until - self._improving)
        # Work other than solving tasks visits no nodes and reports no progress, so its budget has only a time limit.
        self._time = Budget(until=self._budget.until, cancelled=budget.cancelled)
        self._clock = Clock()
        consistent = task.objective.consistent
        known = Knowledge(task.rules, task.absent, task.facts)
        absent, facts = known.start.absent, known.start.facts
        self._engine = SearchEngine(task.rules, absent, facts, consistent=consistent, memory=memory)
        self._subproblem = Subproblem(
            task.rules, absent, known.played, consistent, limit=task.objective.within, facts=facts
        )
        self._bound_table, self._pool = bound_table, WorkerPool(self._engine, bound_table, memory, resources.workers)
        self._incumbent = Incumbent(self._engine, self._subproblem, bound_table, task.objective)
        self._proof: ProofTree | None = None
        self._tree: Node | None = None  # tree of the least total, while tie-breaks are searched

    def solution(self) -> Solution:
        try:
            return self._solution(self._proven())
        except Stopped:
            best = self._best_so_far()
            raise Stopped(best and self._solution(best)) from None
        finally:
            self._incumbent.close()
            self._pool.close()

    def _solution(self, strategy: Strategy | None) -> Solution:
        laps = self._clock.laps
        nodes = self._engine.nodes + self._pool.nodes
        return Solution(self._task, strategy, nodes, laps["proof"], laps["tie-break"], laps["tree"], self._ties)

    def _proven(self) -> Strategy | None:
        subproblem = self._subproblem
        kind = self._task.objective.kind
        count = Count.FEWEST if kind is Criterion.LAST else Count.TOTAL
        self._clock.add(self._bound_table.spent(count) + self._bound_table.spent(Count.NOTHING))
        if kind is not Criterion.EXPECTED:
            limit = self._least_maximum()
            if limit is None:
                return None
            subproblem = replace(subproblem, count=count, limit=limit)
        least = self._least(subproblem)
        self._clock.lap("proof")
        if least >= IMPOSSIBLE:
            return None
        tree = self._tree = self._grown(subproblem)
        found = self._cost(tree)
        if (counted := count.cost(found.total_guesses, found.at(subproblem.limit))) != least:
            raise CheckError(
                N_("the strategy costs {found}, but the search returned {least}; a worker returns wrong results"),
                found=counted,
                least=least,
            )
        self._clock.lap("tree")
        if kind is not Criterion.LAST and self._ties:
            self._clock.add(self._bound_table.spent(Count.LAST))
            tree = self._tie_broken(tree)
        return Strategy(self._task, tree, self._cost(tree), Proof(Evidence.OPTIMAL, found.total_guesses))

    def _least_maximum(self) -> int | None:
        """Return the least possible maximum of guesses, or None if it exceeds the limit of the objective."""
        within = self._task.objective.within
        most = len(self._secrets) if within is None else within
        for limit in range(1, most + 1):
            if self._least(replace(self._subproblem, count=Count.NOTHING, limit=limit)) < IMPOSSIBLE:
                return limit
        return None

    def _tie_broken(self, tree: Node) -> Node:
        """Return the best tree with the total of `tree`: the one with the least maximum number of guesses.

        Of several, it is the one in which the fewest secrets take the maximum. The search minimises the number of
        secrets that are found at guess m, where m is the maximum of the best tree so far. If that number can be 0, the
        maximum can be less than m, and the search goes on with it.
        """
        while True:
            best = self._cost(tree)
            upper = Count.LAST.cost(best.total_guesses, best.histogram[-1])
            subproblem = replace(self._subproblem, count=Count.LAST, limit=best.max_guesses, upper=upper)
            found = self._least(subproblem)
            self._clock.lap("tie-break")
            if found >= upper:
                return tree
            tree = self._grown(subproblem)
            self._clock.lap("tree")
            if self._cost(tree).max_guesses == best.max_guesses:
                return tree

    def _least(self, subproblem: Subproblem) -> int:
        proof = self._proof = ProofTree(self._engine, subproblem, self._bound_table, self._time)
        unit = subproblem.count.first

        def tell() -> None:
            best = None if not unit or proof.root.upper >= IMPOSSIBLE else proof.root.upper // unit
            lower = proof.root.lower // unit if unit else 0
            nodes, seconds = self._engine.nodes + self._pool.nodes, self._clock.total() + self._pool.seconds - before
            forecast = self._pool.forecast
            known = Progress(
                lower, best, nodes, seconds, asked=forecast.tasks, share=forecast.share, left=forecast.left
            )
            self._budget.report(known)
            self._incumbent.keep()

        before = self._pool.seconds
        try:
            self._pool.prove(proof, self._budget, tell)
        finally:
            self._clock.add(self._pool.seconds - before)
        return proof.cost

    def _grown(self, subproblem: Subproblem) -> Node:
        """Build a tree that attains the known least cost of a subproblem.

        Its guesses come from the bound table. For cells that the table does not contain, a search finds them.
        """
        return optimal_tree(self._engine, subproblem, self._budget, lambda part: self._known_guess(part, proven=True))

    def _known_guess(self, part: Subproblem, *, proven: bool = False) -> str:
        """Return the guess with the least known cost at a cell, or "" if no cost is known.

        If `proven` is True, the guess is returned only if its cost is proven to be the least.
        """
        known = self._known(part)
        return canonical_turns(part).permutation.back(known.best) if known.best and (known.exact or not proven) else ""

    def _known(self, part: Subproblem) -> CostBounds:
        """Return the stored bounds of a cell. Small cells have none, because solving them is faster than a lookup."""
        if self._engine.count(part) <= QUICK:
            return NOTHING
        return self._bound_table.known(BoundKey.of(part))

    def _best_so_far(self) -> Strategy | None:
        """Return the best strategy when the budget is exhausted, or None if it exceeds the limit of the objective."""
        self._clock.lap("tie-break" if self._tree else "proof")
        outcome = self._outcome()
        self._stopped(outcome)
        grown = self._kept() if self._tree is None else BuiltTree(self._tree, self._cost(self._tree).histogram)
        if grown is None:
            return None
        tree, found, within = grown.tree, grown.cost, self._task.objective.within
        if within is not None and found.max_guesses > within:
            return None
        self._clock.lap("tree")
        # The proven bound can hold only for trees of least maximum, and this tree need not be one. So its total may be
        # below the bound.
        return Strategy(self._task, tree, found, Proof(Evidence.HEURISTIC, min(outcome.lower, found.total_guesses)))

    def _kept(self) -> BuiltTree | None:
        """Return the best strategy so far, after a last attempt to improve it; None if no strategy was completed.

        If the search was cancelled, the attempt takes at most about a second.
        """
        if self._budget.cancelled():
            grown = self._incumbent.finish(_AT_ONCE / 2, _AT_ONCE)
        elif self._budget.until < inf:
            grown = self._incumbent.finish(self._improving, max(self._improving, _AT_ONCE))
        else:
            grown = self._incumbent.finish(self._improving)
        self._clock.add(self._incumbent.seconds)
        return grown

    def _outcome(self) -> SearchBounds:
        """Return the bounds of the least total that are known when the budget is exhausted."""
        if self._tree is not None:
            total = self._cost(self._tree).total_guesses
            return SearchBounds(total, total, self._tree.guess)
        lower = self._engine.ideal(len(self._secrets))
        if self._proof is None or self._proof.root.subproblem.count is not Count.TOTAL:
            return SearchBounds(lower)
        root = self._proof.root
        if root.upper >= IMPOSSIBLE:
            return SearchBounds(max(lower, root.lower))
        return SearchBounds(max(lower, root.lower), root.upper, self._known_guess(root.subproblem))

    def _cost(self, tree: Node) -> Cost:
        return cost(tree, self._secrets)


class _WeightedSolver:
    """Solver for games whose secrets have weights. It finds the least weighted total, and no other objective."""

    def __init__(
        self, task: Task, weights: dict[str, int], budget: Budget, stopped: Callable[[SearchBounds], None]
    ) -> None:
        from yomikiri.hitblow.search.weighted_codes import WeightedCodesSearch

        if task.objective != Objective():
            raise InputError(
                N_("weights allow only the smallest average, with any guess and no limit: leave out the other options")
            )
        if sum(weights.values()) >= HEAVIEST:
            raise too_heavy(HEAVIEST)
        self._task, self._weights, self._budget, self._clock = task, weights, budget, Clock()
        self._lower, self._best, self._first, self._stopped = 0, IMPOSSIBLE, "", stopped
        known = Knowledge(task.rules, task.absent, task.facts, task.prior)
        # Every strategy needs the tables of the search, so they are built even if the budget is exhausted.
        self._search = WeightedCodesSearch(known).with_budget(replace(budget, progress=self._tell))
        self._tree = self._search.quick_tree()
        self._best = self._cost(self._tree).total_guesses

    def solution(self) -> Solution:
        try:
            self._prove()
        except Stopped:
            self._stopped(SearchBounds(self._lower, self._best, self._first or self._tree.guess))
            raise Stopped(self._solution(Evidence.HEURISTIC)) from None
        return self._solution(Evidence.OPTIMAL)

    def _prove(self) -> None:
        """Search the first guesses of least bound, then raise the bounds of all others in rounds, the least first.

        Every strategy costs at least the minimum of two numbers: the best known cost, and the least bound of the
        guesses that are not refuted. In each round, all guesses have the same target, so the proven bound rises from
        the first seconds on. Low targets are reached soon, and the table keeps the bounds found on the way. The last
        target is the best total itself.
        """
        search, guesses = self._search, self._search.guesses()
        self._lower = min((bound for bound, _guess in guesses[:1]), default=self._best)
        for bound, guess in guesses[:_TRIED]:
            if bound < self._best:
                self._found(search.total_after(guess, self._best), guess)
        waiting, begin = guesses[_TRIED:], self._lower
        for part in _RAISED:
            target, raised = begin + ceil((self._best - begin) * part), []
            for bound, guess in waiting:
                target = min(target, self._best)
                self._lower = max(self._lower, min(bound, target))
                self._tell(Progress(states=search.nodes))
                total = bound if bound >= target else search.total_after(guess, target)
                if total < target:
                    self._found(total, guess)
                else:
                    raised.append((total, guess))
            waiting = sorted(raised)
        self._lower = self._best
        self._clock.lap("proof")

    def _found(self, total: int, guess: str) -> None:
        if total < self._best:
            self._best, self._first = total, guess

    def _tell(self, progress: Progress) -> None:
        best = None if self._best >= IMPOSSIBLE else self._best  # While the first tree is built, no total is known.
        self._budget.report(Progress(self._lower, best, progress.states, self._clock.total()))

    def _solution(self, evidence: Evidence) -> Solution:
        self._clock.lap("proof")
        if self._first:
            self._tree = self._search.with_budget(UNLIMITED).tree(self._first)
        self._clock.lap("tree")
        laps, cost = self._clock.laps, self._cost(self._tree)
        strategy = Strategy(self._task, self._tree, cost, Proof(evidence, self._lower))
        return Solution(self._task, strategy, self._search.nodes, laps["proof"], 0.0, laps["tree"])

    def _cost(self, tree: Node) -> Cost:
        return cost(tree, self._weights, self._weights)
