"""An adversary who answers guesses without a secret: every answer leaves the one who guesses as much work as it can."""

from __future__ import annotations

from yomikiri.budget import UNLIMITED, Budget, Stopped
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies.base import require_candidates
from yomikiri.hitblow.rules import Hint, Turn
from yomikiri.hitblow.strategy.strategy import Criterion, Objective, Task
from yomikiri.machine.library import available


def hardest_answer(known: Knowledge, guess: str, budget: Budget = UNLIMITED) -> Hint:
    """The answer to `guess` after which the worst case needs most guesses, and of those the one that leaves most codes.

    It fits some candidate, and is no win while another answer does. Where the budget is spent before all worst cases
    are proven, or there is no machine code, it is the answer that leaves most codes. Raises a
    `CodeError`, and `ContradictionError` when no candidate is left.

    >>> hardest_answer(Knowledge(), "012", Budget(states=0))
    Hint(hits=0, blows=1)
    """
    known.rules.check_guess(guess)
    require_candidates(known)
    sizes = {hint: size for hint, size in known.cells(guess).items() if hint != known.rules.win}
    if not sizes:
        return known.rules.win
    # Those that leave most come first: an answer with fewer codes is preferred for a longer worst case alone.
    hints = sorted(sizes, key=lambda hint: (-sizes[hint], hint))
    if not available():
        return hints[0]
    best, longest = hints[0], 0
    try:
        for hint in hints:
            # No set of so few codes takes longer: they can be guessed one after the other.
            if sizes[hint] <= longest:
                break
            worst = _worst_case(known.after(Turn(guess, hint)), budget)
            if worst > longest:
                best, longest = hint, worst
    except Stopped:
        return hints[0]
    return best


def _worst_case(known: Knowledge, budget: Budget) -> int:
    """How many guesses the worst of the candidates needs; raises `Stopped`."""
    from yomikiri.hitblow.search.solve import solve

    task = Task(known.rules, known.absent, known.facts, Objective(Criterion.WORST))
    strategy = solve(task, budget=budget, ties=False).strategy
    assert strategy, "without a limit there is one"
    return strategy.cost.max_guesses
