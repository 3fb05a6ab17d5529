"""Sentences for game reviews, in the current language."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from yomikiri.hitblow.model.labels import Fortune
from yomikiri.hitblow.model.notation import write_answer, write_hint
from yomikiri.wording import _, ngettext
from yomikiri.wording.hitblow import fact_text, found, outlook, percent, proposal, unproven

if TYPE_CHECKING:
    from yomikiri.hitblow.advice.review import Judgement, Review
    from yomikiri.hitblow.model.rules import Words


def heads() -> tuple[str, ...]:
    """Return the heads of the columns of a review in the order in which `row` returns the cells."""
    return _("turn"), _("played"), _("candidates"), _("best"), _("loss"), _("luck"), _("chance")


def row(judged: Judgement, words: Words) -> tuple[str, ...]:
    """Return a turn as a row of a table with the columns of `heads`."""
    return (
        str(judged.line),
        fact_text(judged.turn, words) + (f" ({entered(judged, words)})" if judged.stated else ""),
        f"{judged.count:,} → {judged.left:,}",
        judged.best.guess,
        _("not proven") if judged.loss is None else guesses(judged.loss),
        luck_text(judged),
        percent(judged.chance),
    )


def entered(judged: Judgement, words: Words) -> str:
    """Return the answer as entered if it was wrong, otherwise an empty string."""
    return _("entered {hint}").format(hint=write_hint(judged.stated, words)) if judged.stated else ""


def guesses(number: Fraction) -> str:
    """Return a number of guesses, at least 0, for a reader; a small number keeps two significant digits."""
    return "0" if not number else f"{float(number):.2f}" if number >= Fraction(1, 100) else f"{float(number):.2g}"


def signed(number: Fraction) -> str:
    """Return a number of guesses with its sign."""
    return guesses(number) if not number else f"{'+' if number > 0 else '−'}{guesses(abs(number))}"


def luck(fortune: Fortune) -> str:
    """Return the luck of an answer in words."""
    return {
        Fortune.CERTAIN: _("certain"),
        Fortune.VERY_LUCKY: _("very lucky"),
        Fortune.LUCKY: _("lucky"),
        Fortune.AVERAGE: _("average"),
        Fortune.UNLUCKY: _("unlucky"),
        Fortune.VERY_UNLUCKY: _("very unlucky"),
    }[fortune]


def luck_text(judged: Judgement) -> str:
    """Return the luck of an answer in words, with the guesses that the answer saved if their number is proven."""
    fortune = luck(judged.fortune)
    return fortune if judged.luck is None else f"{fortune} {signed(judged.luck)}"


def scores(judged: Review) -> list[tuple[str, int]]:
    """Return (name, number) pairs for skill and luck, from 0 to 100.

    The list is empty if the cost or the luck of some turn is not proven.
    """
    if judged.skill is None:
        return []
    return [(_("Skill"), judged.skill), (_("Luck"), judged.luckiness)]


def cost(judged: Judgement) -> str:
    """Return the cost of a guess, in guesses on average compared with the best guess, or "not proven"."""
    if judged.loss is None:
        return _("not proven")
    return _("cost {loss} guesses").format(loss=guesses(judged.loss))


def tried(guess: str, better: bool, *, best: bool, saved: Fraction | None) -> str:
    """Return the comparison of another guess with the guess played, without naming the best one.

    `better` is True if the other guess is better, and `best` if no guess is better than it. `saved` is the number of
    guesses that it saves, None if that is not known.
    """
    if best and better:
        return _("{guess} is the answer: no guess is better.").format(guess=guess)
    if not better:
        return _("{guess} is no better. Try again.").format(guess=guess)
    if saved is None:
        return _("{guess} is better, and there is a better one still.").format(guess=guess)
    return _("{guess} is better by {saved} guesses, and there is a better one still.").format(
        guess=guess, saved=guesses(saved)
    )


def summary(judged: Review, words: Words, *, names: bool = True) -> Iterator[str]:
    """Yield the summary of a game: its length, wrong turns, the cost of the guesses, the luck, and missing proofs.

    If `names` is False, neither a better guess nor the next suggestion is named, so that the player can look for it.
    """
    if judged.found:
        yield _found(judged)
    yield from wrong(judged, words)
    if judged.loss is not None:
        yield from _loss(judged, names)
    if judged.luck is not None:
        yield _luck(judged.luck)
    for reason in dict.fromkeys(turn.unproven for turn in judged.turns if turn.unproven):
        numbers = [turn.line for turn in judged.turns if turn.unproven is reason]
        yield ngettext("Turn {numbers}: {reason}", "Turns {numbers}: {reason}", len(numbers)).format(
            numbers=_(", ").join(map(str, numbers)), reason=unproven(reason)
        )
    if judged.later:
        yield ngettext(
            "{count} turn after the end is not reviewed.",
            "{count} turns after the end are not reviewed.",
            len(judged.later),
        ).format(count=len(judged.later))
    if judged.next and names:
        yield proposal(judged.next, judged.lines + 1)
        if sure := outlook(judged.next):
            yield sure


def _found(judged: Review) -> str:
    turns = [judgement.turn for judgement in judged.turns]
    if judged.start is None:
        return found(turns)
    count = len(turns)
    return ngettext(
        "Found {code} in {count} guess; best play takes {expected} on average.",
        "Found {code} in {count} guesses; best play takes {expected} on average.",
        count,
    ).format(code=turns[-1].guess, count=count, expected=guesses(judged.start))


def wrong(judged: Review, words: Words) -> Iterator[str]:
    """Yield a sentence for each turn whose answer was wrong.

    The answers are compared with the secret, or with the likeliest code if the secret was not found.
    """
    for turn in judged.turns:
        if turn.stated:
            meant, stated = write_answer(turn.turn, words), write_hint(turn.stated, words)
            if judged.found:
                yield was_wrong(turn.line, turn.turn.guess, meant, stated)
            else:
                message = _("The answer in turn {number} is probably wrong. The review uses {hint}, not {entered}.")
                yield message.format(number=turn.line, hint=meant, entered=stated)


def was_wrong(number: int, guess: str, meant: str, entered: str) -> str:
    """Return the sentence on a turn whose answer was entered as `entered`, although it is `meant`."""
    message = _("The answer in turn {number} was wrong: {guess} gives {hint}, not {entered}.")
    return message.format(number=number, guess=guess, hint=meant, entered=entered)


def _loss(judged: Review, names: bool) -> Iterator[str]:
    """Yield the sentences on the cost of the guesses.

    The cost of the guess that found the secret is called a risk.
    """
    assert judged.loss is not None
    assert judged.risk is not None
    risk, turn = judged.risk, judged.greatest_loss
    cost = judged.loss - risk
    if not judged.loss:
        yield _("No guess could have been better.")
    elif turn is None and cost:
        yield _("Your choices cost {loss} guesses.").format(loss=guesses(cost))
    elif turn is not None:
        assert turn.loss is not None
        message = _("Your choices cost {loss} guesses; turn {number} cost the most.")
        if names:
            message = _(
                "Your choices cost {loss} guesses; turn {number} cost the most: {best} would have saved {most} "
                "compared with {guess}."
            )
        yield message.format(
            loss=guesses(cost),
            number=turn.line,
            best=turn.best.guess,
            guess=turn.turn.guess,
            most=guesses(turn.loss),
        )
    if risk:
        yield _("{guess} risked {risk} guesses, and the risk paid off.").format(
            guess=judged.turns[-1].turn.guess, risk=guesses(risk)
        )


def _luck(saved: Fraction) -> str:
    if abs(saved) < Fraction(1, 20):
        return _("Good and bad luck evened out.")
    if saved > 0:
        return _("Luck saved {guesses} guesses.").format(guesses=guesses(saved))
    return _("Bad luck cost {guesses} guesses.").format(guesses=guesses(-saved))
