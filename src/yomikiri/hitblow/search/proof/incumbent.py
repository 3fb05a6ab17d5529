"""The incumbent: the best strategy known while a proof runs. A thread of its own improves it.

A *pass* builds one complete strategy from the bounds known at that time.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from math import inf
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.host import threads
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Turn, hint
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.proof.bound_table import NOTHING, BoundKey, BoundTable, CostBounds
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns
from yomikiri.hitblow.search.trees import QUICK
from yomikiri.hitblow.strategy.strategy import Cost, Criterion, Node, Objective
from yomikiri.machine.running import computing

SOON = 1.0  # The thread starts when the proof has run for this number of seconds.
# After building a strategy with searches for better guesses, the thread pauses for _REST times the building time. Every
# pause takes at least _LEAST_REST seconds.
_REST, _LEAST_REST = 9.0, 2.0
# A search for a better guess is made only at cells of at most this number of codes, if the cost is not known.
_SEARCHED = 600
# limit on the searches for better guesses for one strategy, as a fraction of the time since the proof began
_PART = 0.01
_LONGEST = 30.0  # limit on the searches for better guesses for one strategy, in seconds
# If the time of a pass is over, it is completed with the first candidate at each remaining cell. But this is done only
# if no earlier strategy exists, and the game has at most this number of secrets. At this number, completing the pass
# takes about a second.
_MOST = 50_000


class BuiltTree(NamedTuple):
    """A strategy tree, and the number of secrets that it finds with guess 1, 2, 3, ..."""

    tree: Node
    histogram: tuple[int, ...]

    @property
    def cost(self) -> Cost:
        """The cost of the tree: its total and its greatest number of guesses, which follow from `histogram`."""
        return Cost(self.histogram)


class Incumbent:
    """The best strategy known for a subproblem, improved by repeated *passes*, each of which builds a whole strategy.

    At each cell, a pass uses the best guess in the bound table. If the table has no guess for a cell, the pass solves a
    small cell, and uses the guess of the least one-step bound at a larger one. The trees of small cells are kept, so
    later passes take a small part of the time of the first one. While the proof runs, passes run in a thread with its
    own engine, which shares the transposition table of `engine`.
    """

    def __init__(
        self, engine: SearchEngine, subproblem: Subproblem, bound_table: BoundTable, objective: Objective
    ) -> None:
        self._engine, self._subproblem, self._bound_table = engine, subproblem, bound_table
        self._objective = objective
        self._best: BuiltTree | None = None
        # bounds found while strategies are built; they are kept apart, because only the proof writes to the bound table
        self._found: dict[BoundKey, CostBounds] = {}
        self._solved: dict[tuple[Turn, ...], BuiltTree] = {}
        self._likely: dict[tuple[Turn, ...], str] = {}
        self._used: set[tuple[Turn, ...]] = set()  # keys of `_solved` that are used by the strategy being built
        self._begun = monotonic()
        self._thread: Thread | None = None
        self._over = Event()
        self._searching = self._cheap = Budget()
        self._may_give_up = False
        self._below_proven: set[tuple[Turn, ...]] = set()
        self.seconds = 0.0  # CPU time of the thread, in seconds

    def keep(self) -> None:
        """Start the thread that improves the incumbent, if the proof has run for at least `SOON` seconds.

        The proof calls this method several times a second. A call before that time, or after the thread has started,
        does nothing.
        """
        if self._thread is None and monotonic() - self._begun >= SOON and threads():
            self._engine = self._engine.twin()
            self._thread = Thread(target=self._keep_current, name="yomikiri-incumbent", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop the thread that improves the incumbent, and wait for it."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def finish(self, searching: float, within: float = inf) -> BuiltTree | None:
        """Build one last strategy, and return the best of all strategies built, or None if none was completed.

        This last pass spends at most `searching` seconds of CPU time on searches for better guesses. After `within`
        seconds of CPU time, it ends without a result if an earlier strategy exists or the game has more than `_MOST`
        secrets. Otherwise it completes its strategy with the first candidate at every remaining cell.
        """
        self.close()
        self._over.clear()
        with suppress(Stopped):
            self._pass(searching, within)
        for subject, known in self._found.items():
            self._bound_table.learn(subject, known)
        return self._best

    def _keep_current(self) -> None:
        # The first strategy is built without searches for better guesses, because building it takes the longest anyway.
        searching = pause = 0.0
        while not self._over.wait(pause):
            begun = computing()
            with suppress(Stopped):
                self._pass(searching)
            took = computing() - begun
            self.seconds += took
            pause = max(_LEAST_REST, _REST * took if searching else 0.0)
            searching = min(_LONGEST, _PART * (monotonic() - self._begun))

    def _pass(self, searching: float, within: float = inf) -> None:
        """Build a strategy, and keep it if it is the best so far.

        Raises `Stopped` if the thread has to end. Also raises it if the time is over and the strategy is not needed:
        there is an earlier one, or the game is too large to complete it (`_may_give_up`).
        """
        begun = computing()
        self._cheap = Budget(cancelled=lambda: self._over.is_set() or computing() - begun >= within)
        self._searching = Budget(cancelled=lambda: computing() - begun >= searching or self._cheap.spent())
        self._may_give_up = self._best is not None or self._engine.count(self._subproblem) > _MOST
        self._used.clear()
        self._below_proven.clear()
        grown = self._grown(self._subproblem)
        self._solved = {turns: self._solved[turns] for turns in self._used}
        if self._best is None or self._rank(grown) < self._rank(self._best):
            self._best = grown

    def _rank(self, grown: BuiltTree) -> tuple[int, ...]:
        """Return the numbers by which strategies are compared, the most important first; smaller is better.

        The first one is True if the strategy exceeds the limit on guesses. The others depend on the objective.
        """
        cost, within = grown.cost, self._objective.within
        too_long = within is not None and cost.max_guesses > within
        match self._objective.kind:
            case Criterion.EXPECTED:
                return too_long, cost.total_guesses, cost.max_guesses
            case Criterion.WORST:
                return too_long, cost.max_guesses, cost.total_guesses
            case Criterion.LAST:
                return too_long, cost.max_guesses, cost.histogram[-1], cost.total_guesses

    def _grown(self, part: Subproblem) -> BuiltTree:
        if self._over.is_set() or (self._may_give_up and self._cheap.spent()):
            raise Stopped
        codes = self._engine.codes(part.turns)
        if len(codes) <= 2:
            return _one_by_one([self._engine.code(code) for code in codes])
        if kept := self._solved.get(part.turns):
            self._used.add(part.turns)
            return kept
        guess = self._guess(part, len(codes))
        win = self._engine.rules.win
        cells = self._engine.cells(part.turns, guess)
        below = [(answer, self._grown(part.after(Turn(guess, answer)))) for answer in cells if answer != win]
        tree = Node(guess, tuple((answer, grown.tree) for answer, grown in below))
        grown = BuiltTree(tree, (int(win in cells), *_added(each.histogram for _answer, each in below)))
        if len(codes) <= QUICK and not self._cheap.spent():
            self._solved[part.turns] = grown
            self._used.add(part.turns)
        return grown

    def _guess(self, part: Subproblem, count: int) -> str:
        engine = self._engine
        if guess := self._known_guess(part):
            return guess
        try:
            self._cheap.check()
            if count <= QUICK:
                if (cost := engine.run(part, self._cheap)) >= IMPOSSIBLE:
                    part = replace(part, limit=None)
                    cost = engine.run(part, self._cheap)
                return engine.best_guess(part, cost, self._cheap)
            if part.turns not in self._likely:
                self._likely[part.turns] = engine.guesses(part, 1, self._cheap)[0][1]
            return self._likely[part.turns]
        except Stopped:
            return engine.code(int(engine.codes(part.turns)[0]))

    def _known_guess(self, part: Subproblem) -> str:
        """Return a guess for a cell, or "" if none is known and a search finds none.

        The result of a task contains only the first guess at its cell, so the bound table may have no guess for the
        cells below that guess. There are three cases:

        - The table has a guess: return it.
        - The table has a cost but no guess: search for a guess of this cost.
        - The table has no cost, and the cell is small: search for the best guess.

        In a cell of proven cost, and in all cells below it, the guesses should have the least cost. A stored guess that
        is not proven to have it is returned only if the searches find no other.
        """
        known, engine = self._known(part), self._engine
        if known.exact or part.turns[:-1] in self._below_proven:
            self._below_proven.add(part.turns)
        attained = known.exact or part.turns not in self._below_proven
        if known.best and attained:
            return canonical_turns(part).permutation.back(known.best)
        try:
            self._searching.check()
            if known.upper < IMPOSSIBLE and attained:
                return self._searched(part, known)
            if QUICK < engine.count(part) <= _SEARCHED:
                least = engine.run(replace(part, upper=min(known.upper + 1, IMPOSSIBLE)), self._searching)
                if least < IMPOSSIBLE:
                    return self._searched(part, CostBounds(least, least))
        except Stopped:
            pass
        return known.best and canonical_turns(part).permutation.back(known.best)

    def _searched(self, part: Subproblem, known: CostBounds) -> str:
        best = self._engine.best_guess(part, known.upper, self._searching)
        self._found[BoundKey.of(part)] = replace(known, best=canonical_turns(part).permutation.of(best))
        return best

    def _known(self, part: Subproblem) -> CostBounds:
        """Return the stored bounds of a cell. Small cells have none, because solving them is faster than a lookup."""
        if self._engine.count(part) <= QUICK:
            return NOTHING
        subject = BoundKey.of(part)
        return self._bound_table.known(subject).tightened_by(self._found.get(subject, NOTHING))


def _one_by_one(codes: list[str]) -> BuiltTree:
    """Return the tree that guesses one or two codes in their order."""
    first, *others = codes
    return BuiltTree(Node(first, tuple((hint(first, other), Node(other)) for other in others)), (1,) * len(codes))


def _added(histograms: Iterable[tuple[int, ...]]) -> list[int]:
    total: list[int] = []
    for histogram in histograms:
        total += [0] * (len(histogram) - len(total))
        for guess, count in enumerate(histogram):
            total[guess] += count
    return total
