"""Sentences about strategies and searches, in the current language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from yomikiri.hitblow.strategy.strategy import Criterion, Evidence
from yomikiri.wording import _, ngettext
from yomikiri.wording.hitblow import proven, rules_text

if TYPE_CHECKING:
    from yomikiri.common.budget import Progress
    from yomikiri.hitblow.strategy.strategy import Cost, Objective, Proof, Strategy, Task


def task_lines(task: Task) -> Iterator[str]:
    """Yield a task, one line each: the rules, the knowledge at the start, the objective."""
    yield _("Game: {rules}").format(rules=rules_text(task.rules))
    if task.absent:
        yield _("Not in the secret: {symbols}").format(symbols=task.absent)
    if task.facts:
        yield _("After: {turns}").format(turns=" ".join(map(str, task.facts)))
    yield _("Objective: {objective}").format(objective=_objective(task.objective))


def _objective(objective: Objective) -> str:
    text = {
        Criterion.EXPECTED: _("fewest guesses on average"),
        Criterion.WORST: _("fewest guesses in the worst case, then on average"),
        Criterion.LAST: _(
            "fewest guesses in the worst case, then fewest secrets with that worst case, then fewest on average"
        ),
    }[objective.kind]
    if objective.within is not None:
        text = _("{objective}, at most {within}").format(objective=text, within=objective.within)
    if objective.consistent:
        text = _("{objective}, guessing only candidates").format(objective=text)
    return text


def total(cost: Cost) -> str:
    """Return the cost on one line: total, mean and maximum."""
    text = ngettext(
        "{total} guess for {secrets} secret: mean {mean}, at most {most}",
        "{total} guesses for {secrets} secrets: mean {mean}, at most {most}",
        cost.total_guesses,
    )
    return text.format(total=cost.total_guesses, secrets=cost.secrets, mean=f"{cost.mean:.4f}", most=cost.max_guesses)


def distribution(cost: Cost) -> str:
    """Return the numbers of secrets that are found at guess 1, 2, 3, ..., in words."""
    return _("Found at guess 1, 2, 3, ...: {counts}").format(counts=" ".join(map(str, cost.histogram)))


def verified(strategy: Strategy, cost: Cost, *, checked: bool = False) -> Iterator[str]:
    """Yield the results of checking a strategy file: what is correct, and what was not checked.

    `checked` is True if a certificate proved that no strategy has a smaller total.
    """
    yield from task_lines(strategy.task)
    yield _("Correct: every secret was replayed, and the cost is as the file states.")
    yield total(cost)
    yield distribution(cost)
    if checked:
        yield _("Checked: the certificate proves that no strategy takes fewer guesses in total.")
    elif strategy.proof.kind is Evidence.OPTIMAL:
        yield _("Not checked: the file claims that this total is proven optimal.")
    else:
        yield _("Not checked: the file claims that no total is below {bound}.").format(bound=strategy.proof.lower_bound)


def solved(task: Task, strategy: Strategy | None, *, ties: bool = True) -> Iterator[str]:
    """Yield the result of a search: the task, the proven part and the cost.

    `ties` is True if tie-breaks were requested. For an interrupted search, yield only the cost, because the task and
    the sentences of `stopped` are already printed.
    """
    if strategy is None:
        yield from task_lines(task)
        within = task.objective.within or 0
        text = ngettext(
            "Proven impossible: no strategy finds every secret within {within} guess.",
            "Proven impossible: no strategy finds every secret within {within} guesses.",
            within,
        )
        yield text.format(within=within)
        return
    if strategy.proof.kind is Evidence.OPTIMAL:
        yield from task_lines(task)
        yield _proof(task, ties)
        yield _evidence(strategy.proof)
    yield total(strategy.cost)
    yield distribution(strategy.cost)


def _proof(task: Task, ties: bool) -> str:
    if ties:
        return _("Proven optimal: no strategy does better.")
    if task.objective.kind is Criterion.WORST:
        return _(
            "Proven: no strategy with this maximum takes fewer guesses in total. Another may need the maximum "
            "for fewer secrets."
        )
    return _("Proven: no strategy takes fewer guesses in total. Another with this total may have a smaller maximum.")


def _evidence(proof: Proof) -> str:
    """Return the sentence that names the evidence for a proven total: a checked certificate, or a search."""
    if proof.checked:
        return _("Evidence: a checked certificate proves that no strategy takes fewer guesses in total.")
    return _("Evidence: proven by a search, without a certificate.")


def stopped(lower: int, upper: int | None, guess: str) -> Iterator[str]:
    """Yield sentences on the bounds that a search has proven when it stops, before it builds its strategy.

    `upper` is None and `guess` is empty if the search has not found a strategy.
    """
    yield _(
        "Interrupted, not proven optimal: no strategy for this objective takes fewer than {bound} guesses in total."
    ).format(bound=lower)
    if upper is not None and guess:
        yield _("{total} guesses are enough, beginning with {guess}.").format(total=upper, guess=guess)


def not_played(policies: Iterable[str]) -> str:
    """Return the sentence on policies that were interrupted before they had found every secret."""
    return _("Interrupted. Not finished: {policies}").format(policies=_(", ").join(policies))


def unproven(strategy: Strategy) -> str:
    """Return the sentence that says that the strategy of an interrupted search is the best one found so far.

    It also contains the proven lower bound.
    """
    return _(
        "Interrupted, not proven optimal: the best found so far. No strategy for this objective takes fewer than "
        "{bound} guesses in total."
    ).format(bound=strategy.proof.lower_bound)


def effort(nodes: int, seconds: float, tie_break_seconds: float) -> str:
    """Return the sentence on the effort of a search: nodes, seconds, and seconds for tie-breaks."""
    return _("{nodes} nodes; {seconds} s for the smallest total, {tie_break} s for the tie-break").format(
        nodes=f"{nodes:,}", seconds=f"{seconds:.2f}", tie_break=f"{tie_break_seconds:.2f}"
    )


def starting() -> str:
    """Return the sentence shown until a search has progress to report."""
    return _("The search begins.")


def progress(known: Progress) -> str:
    """Return the progress of a search, most important first, because a narrow terminal cuts off the rest."""
    lower, best = known.lower or 0, known.upper
    parts = [_("at least {lower}").format(lower=lower) if best is None else _("gap {gap}").format(gap=best - lower)]
    if known.share is not None:
        subproblems = ngettext("{count} subproblem", "{count} subproblems", known.asked).format(count=known.asked)
        parts += [remains(known.share, known.left), subproblems]
    if best is not None:
        parts.append(_("{lower} to {upper}").format(lower=lower, upper=best))
    parts.append(_("{seconds} s, {nodes} nodes").format(seconds=f"{known.seconds:.0f}", nodes=f"{known.states:,}"))
    return _("; ").join(parts)


def remains(share: float, left: float | None) -> str:
    """Return the estimated fraction of a proof that is done, and the remaining seconds."""
    if left is None:
        return _("{done} done, time left unknown").format(done=_done(share))
    return _("{done} done, about {time} left").format(done=_done(share), time=duration(left))


def remains_of_computing(share: float, left: float | None) -> str:
    """Return the text on the progress of a proof: the part that is done, and the computing time that remains."""
    if left is None:
        return _("{done} done, time left unknown").format(done=_done(share))
    return _("{done} done, about {time} of computing left").format(done=_done(share), time=duration(left))


def _done(share: float) -> str:
    return f"{100 * share:.0f}%"


def duration(seconds: float) -> str:
    """Return a duration in seconds, minutes or hours."""
    if seconds < 100:
        return _("{count} s").format(count=round(seconds))
    if seconds < 6000:
        return _("{count} min").format(count=round(seconds / 60))
    return _("{count} h").format(count=f"{round(seconds / 3600):,}")


def race_forms(name: str, size: int) -> str:
    """Return the line on the file `name` with tables for solving matches that comes with the program.

    `size` is the size of the file in bytes.
    """
    return _("{name}: tables for solving matches, {size} bytes").format(name=name, size=f"{size:,}")


def volume(name: str, cost: Cost) -> str:
    """Return the line on the file `name` with a proven strategy that comes with the program: its name and its cost."""
    return f"{name}: {total(cost)}"


def known_at_start(strategy: Strategy) -> str:
    """Return the text on how many digits a player knows to be absent from the secret before the first guess."""
    task = strategy.task
    if not task.absent:
        return _("From the first guess")
    return ngettext("You know one unused digit", "You know {count} unused digits", len(task.absent)).format(
        count=len(task.absent)
    )


def sure(strategy: Strategy) -> str:
    """Return the guesses that a strategy needs, and whether that is proven to be optimal."""
    if strategy.proof.kind is Evidence.OPTIMAL:
        return proven(strategy.cost.mean, strategy.cost.max_guesses)
    return unproven(strategy)
