"""Questions asked in the middle of a game: the best guess, what any guess costs, and the next best ones.

One engine is kept, so that the next question of the same game finds what the last one learned. The states of a budget
are nodes; where it is spent, the question raises `Stopped` with nothing, and what was learned is kept.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from yomikiri.budget import UNLIMITED, Budget, Progress
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Rules
from yomikiri.hitblow.search.engine import Engine, compile_kernels
from yomikiri.hitblow.search.grow import optimal_tree
from yomikiri.hitblow.search.solve import MEMORY
from yomikiri.hitblow.search.split import cells_of
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Move, Subproblem
from yomikiri.hitblow.strategy.tree import Node, cost

# Up to so many candidates the whole tree is made, to tell the most guesses it takes.
_GROWN = 200
_TIES = 4  # guesses of equal total that are compared further


@lru_cache(maxsize=1)
def _engine(rules: Rules, absent: str) -> Engine:
    compile_kernels()
    return Engine(rules, absent, consistent=False, memory=MEMORY)


def _spending(engine: Engine, budget: Budget) -> Budget:
    """The budget of one question: what the engine did before it does not count."""
    before = engine.effort.nodes
    return budget.part(lambda: Progress(states=engine.effort.nodes - before))


def best_move(known: Knowledge, budget: Budget = UNLIMITED) -> Move:
    """The guess of least total. Needs at least one candidate.

    Of several, while candidates are few, one whose worst case is shortest, then one that could be right; else, and
    beyond that, the first by its bound and then in code order.
    """
    engine, subproblem = _engine(known.rules, known.absent), _subproblem(known)
    budget = _spending(engine, budget)
    total = engine.run(subproblem, budget).lower
    if known.count > _GROWN:
        return Move(engine.best_guess(subproblem, total, budget), total)
    ties = [move.guess for move in best_moves(known, _TIES, budget) if move.total_guesses == total]
    worst = {guess: _max_guesses(known, guess, budget) for guess in ties}
    best = min(ties, key=lambda guess: (worst[guess], not known.is_candidate(guess)))
    return Move(best, total, worst[best])


def _max_guesses(known: Knowledge, guess: str, budget: Budget) -> int:
    """The most guesses that any candidate takes when `guess` is followed by play of least total."""
    engine, subproblem = _engine(known.rules, known.absent), _subproblem(known)
    cells = cells_of(engine, subproblem, guess)
    branches = ((cell.turns[-1].hint, optimal_tree(engine, cell, budget)) for cell in cells)
    return cost(Node(guess, tuple(branches)), known.codes()).max_guesses


def total_after(known: Knowledge, guess: str, below: int = IMPOSSIBLE, budget: Budget = UNLIMITED) -> int:
    """The least total of play that begins with `guess`, if it is below `below`; else a bound that is not.

    The total is one guess a candidate and the least totals of the cells; a guess that tells
    nothing leaves all candidates in one cell.
    """
    engine, subproblem = _engine(known.rules, known.absent), _subproblem(known)
    budget = _spending(engine, budget)
    cells = cells_of(engine, subproblem, guess)
    lowers = [engine.ideal(len(engine.codes(cell.turns))) for cell in cells]
    total = known.count + sum(lowers)
    for cell, lower in zip(cells, lowers, strict=True):
        if total >= below:
            break
        upper = IMPOSSIBLE if below == IMPOSSIBLE else below - (total - lower)
        total += max(engine.run(replace(cell, upper=upper), budget).lower, lower) - lower
    return total


def best_moves(known: Knowledge, most: int, budget: Budget = UNLIMITED) -> list[Move]:
    """The `most` guesses of least total, best first; guesses that are mirror images of another are left out.

    Guesses are taken by their bound, so once the bound reaches the worst of the best, no better one is left.
    """
    engine, found = _engine(known.rules, known.absent), list[Move]()
    budget = _spending(engine, budget)
    for bound, guess in engine.guesses(_subproblem(known)):
        below = found[-1].total_guesses if len(found) == most else IMPOSSIBLE
        if bound >= below:
            break
        total = total_after(known, guess, below, budget)
        if total < below:
            found = sorted([*found, Move(guess, total)], key=lambda move: move.total_guesses)[:most]
    return found


def _subproblem(known: Knowledge) -> Subproblem:
    return Subproblem(known.rules, known.absent, known.turns)
