"""What a certificate claims, of a task and a total: its first line."""

from __future__ import annotations

from yomikiri.errors import N_, InputError
from yomikiri.hitblow.rules import Turn
from yomikiri.hitblow.strategy.strategy import Criterion, Objective, Task

_DIGITS = "0123456789abcdef"


def head(task: Task, total: int) -> str:
    """The first line of a certificate that no strategy for a task takes less than so many guesses in total.

    Symbols are written by their places among those of the rules, since no total depends on their names. Raises an
    `InputError` for tasks that the argument of the checker does not hold for.
    """
    _check(task)
    rules = task.rules
    absent = "".join(sorted(_DIGITS[rules.symbols.index(symbol)] for symbol in task.absent)) or "-"
    game = f"certificate 1 {rules.digits} {len(rules.symbols)} {rules.repeats.value} {absent} {total}"
    return " ".join([game, *(_turn(task, fact) for fact in task.facts if isinstance(fact, Turn))])


def _turn(task: Task, turn: Turn) -> str:
    return f"{''.join(_DIGITS[task.rules.symbols.index(symbol)] for symbol in turn.guess)}:{turn.hint}"


def _check(task: Task) -> None:
    """Refuse what would need another argument.

    Where only candidates are guessed, a part of a set may cost more than the set; where some secrets are likelier,
    bounds and renamings have to keep the weights; within a limit a bound holds for fewer guesses, never for more, and
    of other objectives the least total is one among some strategies only. A symbol that may not lead is not exchanged
    for another, and other facts are not of the codes that fit some turns.
    """
    why = None
    if task.prior:
        why = N_("weights")
    elif task.objective.within is not None:
        why = N_("--within")
    elif task.objective.consistent:
        why = N_("--consistent")
    elif task.objective.kind is not Criterion.EXPECTED:
        why = N_("another objective than the average")
    elif task.rules.no_leading:
        why = N_("--no-leading")
    elif len(task.rules.symbols) < 2:
        why = N_("a single symbol")
    elif not all(isinstance(fact, Turn) for fact in task.facts):
        why = N_("facts other than turns and absent symbols")
    if why:
        raise InputError(
            N_("there are no certificates with {why}: expected the least total with any guess, from a start or turns"),
            why=why,
        )
    assert task.objective == Objective()
