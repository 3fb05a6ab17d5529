"""What is said of a game that is judged, in the language in use."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from yomikiri.hitblow.advice.review import Fortune, Judgement, Review
from yomikiri.hitblow.model.notation import write_answer, write_hint
from yomikiri.hitblow.model.rules import Words
from yomikiri.wording import _, ngettext
from yomikiri.wording.hitblow import fact_text, found, outlook, percent, proposal, unproven


def heads() -> tuple[str, ...]:
    """The heads of the columns of `row`."""
    return _("turn"), _("played"), _("candidates"), _("best"), _("loss"), _("luck"), _("chance")


def row(judged: Judgement, words: Words) -> tuple[str, ...]:
    """A turn in a table: what was played, what it did, what was best, what was given away, and the luck."""
    return (
        str(judged.line),
        fact_text(judged.turn, words) + (f" ({told(judged, words)})" if judged.stated else ""),
        f"{judged.count:,} → {judged.left:,}",
        judged.best.guess,
        _("not proven") if judged.loss is None else guesses(judged.loss),
        luck_told(judged),
        percent(judged.chance),
    )


def told(judged: Judgement, words: Words) -> str:
    """What was told of a wrong turn, nothing of any other."""
    return _("told {hint}").format(hint=write_hint(judged.stated, words)) if judged.stated else ""


def guesses(number: Fraction) -> str:
    """Guesses on average, not negative, as a person reads them; a small number keeps two digits that count."""
    return "0" if not number else f"{float(number):.2f}" if number >= Fraction(1, 100) else f"{float(number):.2g}"


def signed(number: Fraction) -> str:
    """The same with its sign."""
    return guesses(number) if not number else f"{'+' if number > 0 else '−'}{guesses(abs(number))}"


def luck(fortune: Fortune) -> str:
    """How lucky a hint was."""
    return {
        Fortune.CERTAIN: _("certain"),
        Fortune.VERY_LUCKY: _("very lucky"),
        Fortune.LUCKY: _("lucky"),
        Fortune.AVERAGE: _("average"),
        Fortune.UNLUCKY: _("unlucky"),
        Fortune.VERY_UNLUCKY: _("very unlucky"),
    }[fortune]


def luck_told(judged: Judgement) -> str:
    """How lucky a hint was, and the guesses that brought where that is proven."""
    fortune = luck(judged.fortune)
    return fortune if judged.luck is None else f"{fortune} {signed(judged.luck)}"


def scores(judged: Review) -> list[tuple[str, int]]:
    """Skill and luck as numbers up to 100, by name; none where a turn is not proven."""
    if judged.skill is None:
        return []
    return [(_("Skill"), judged.skill), (_("Luck"), judged.luckiness)]


def cost(judged: Judgement) -> str:
    """What a guess cost beside the best one."""
    if judged.loss is None:
        return _("not proven")
    return _("cost {loss} guesses").format(loss=guesses(judged.loss))


def tried(guess: str, better: bool, *, best: bool, saved: Fraction | None) -> str:
    """What another guess does beside the one that was played; the best one is not named."""
    if best and better:
        return _("{guess} is the answer: no guess is better.").format(guess=guess)
    if not better:
        return _("{guess} is no better. Try once more.").format(guess=guess)
    if saved is None:
        return _("{guess} is better, and there is a better one still.").format(guess=guess)
    return _("{guess} is better by {saved} guesses, and there is a better one still.").format(
        guess=guess, saved=guesses(saved)
    )


def summary(judged: Review, words: Words, *, names: bool = True) -> Iterator[str]:
    """The whole game in a few lines: its length, wrong turns, what was given away, and only then the luck; what is not
    proven, what comes next.

    Without `names` no better guess is named, nor the next one, so that it can be looked for.
    """
    if judged.found:
        yield _found(judged)
    yield from _wrong(judged, words)
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


def _wrong(judged: Review, words: Words) -> Iterator[str]:
    """The turns that the secret answers otherwise: the one that was found, else the likeliest."""
    for turn in judged.turns:
        if turn.stated:
            meant, told = write_answer(turn.turn, words), write_hint(turn.stated, words)
            if judged.found:
                yield was_wrong(turn.line, turn.turn.guess, meant, told)
            else:
                message = _("Turn {number} is probably wrong, and judged as {hint}, not {told}.")
                yield message.format(number=turn.line, hint=meant, told=told)


def was_wrong(number: int, guess: str, meant: str, told: str) -> str:
    """That a turn was answered as `told`, where `meant` is right."""
    message = _("Turn {number} was wrong: {guess} is answered {hint}, not {told}.")
    return message.format(number=number, guess=guess, hint=meant, told=told)


def _loss(judged: Review, names: bool) -> Iterator[str]:
    """What was given away: by the guess that found the secret it was a risk that paid."""
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
                "Your choices cost {loss} guesses; turn {number} cost the most: {best} would have saved {most} over "
                "{guess}."
            )
        yield message.format(
            loss=guesses(cost),
            number=turn.line,
            best=turn.best.guess,
            guess=turn.turn.guess,
            most=guesses(turn.loss),
        )
    if risk:
        yield _("{guess} was risky by {risk} guesses, and it paid.").format(
            guess=judged.turns[-1].turn.guess, risk=guesses(risk)
        )


def _luck(saved: Fraction) -> str:
    if abs(saved) < Fraction(1, 20):
        return _("Good and bad luck evened out.")
    if saved > 0:
        return _("Luck saved {guesses} guesses.").format(guesses=guesses(saved))
    return _("Bad luck cost {guesses} guesses.").format(guesses=guesses(-saved))
