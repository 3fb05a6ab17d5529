"""What the page for a phone without a network says, in the language in use."""

from __future__ import annotations

from yomikiri.hitblow.strategy.strategy import Evidence, Strategy
from yomikiri.wording import strategy as wording
from yomikiri.wording.hitblow import proven
from yomikiri.wording.language import _, ngettext


def title(strategy: Strategy) -> str:
    """The name of the game."""
    digits = strategy.task.rules.digits
    return ngettext("Hit & Blow, {digits} digit", "Hit & Blow, {digits} digits", digits).format(digits=digits)


def known(strategy: Strategy) -> str:
    """What is known before the first guess."""
    task = strategy.task
    if task.turns:
        return _("After: {turns}").format(turns=" ".join(map(str, task.turns)))
    if not task.absent:
        return _("Nothing is known yet")
    return ngettext(
        "One digit is known not to be used", "{count} digits are known not to be used", len(task.absent)
    ).format(count=len(task.absent))


def sure(strategy: Strategy) -> str:
    """What the strategy takes, and whether that is proven to be least."""
    if strategy.proof.kind is Evidence.OPTIMAL:
        return proven(strategy.cost.mean, strategy.cost.max_guesses)
    return wording.unproven(strategy)


def task(strategy: Strategy) -> list[str]:
    """The rules, what is known, and the objective, a line each."""
    return list(wording.task_lines(strategy.task))


def total(strategy: Strategy) -> str:
    """The cost in a line."""
    return wording.total(strategy.cost)


def distribution(strategy: Strategy) -> str:
    """How many secrets are found at each guess."""
    return wording.distribution(strategy.cost)
