"""What only the page says, in the language in use."""

from __future__ import annotations

from collections.abc import Iterable

from yomikiri.hitblow.advice import Advice, Figures
from yomikiri.hitblow.facts import NamedFact
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.advice import MatchAdvice
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.notation import write_answer
from yomikiri.hitblow.rules import Answered, Fact, Hint, Turn, Words
from yomikiri.wording import _, ngettext
from yomikiri.wording.hitblow import candidates_left, fact_text, mean, name_typed, percent

_DOUBTED = 0.1  # how likely a turn is wrong that is worth naming


def status(code: int) -> str:
    """Why there is no page."""
    return {
        404: _("Page not found: check the address."),
        405: _("This page does not accept such requests: open its address."),
        414: _("The address is too long: start a new game."),
        503: _("The page is busy: try again in a moment. Your game is in the address, so nothing is lost."),
        421: _("Unknown host name: use the address that the program printed."),
    }.get(code, _("An internal error occurred. Your game is in the address, so nothing is lost."))


def game_name(preset: str) -> str:
    """What the game of a preset is called."""
    return {
        "hitblow": _("Hit & Blow"),
        "numeron": _("Numer0n"),
        "bulls": _("Bulls and Cows"),
        "mastermind": _("Mastermind"),
    }[preset]


def hint_spoken(hint: Hint, words: Words) -> str:
    """A hint in full words, as a screen reader should say it."""
    hits, blows = hint.hits, hint.blows
    counted = {
        Words.HIT: (ngettext("{count} hit", "{count} hits", hits), ngettext("{count} blow", "{count} blows", blows)),
        Words.EAT: (ngettext("{count} eat", "{count} eats", hits), ngettext("{count} bite", "{count} bites", blows)),
        Words.BULL: (ngettext("{count} bull", "{count} bulls", hits), ngettext("{count} cow", "{count} cows", blows)),
        Words.BLACK: (
            ngettext("{count} black", "{count} blacks", hits),
            ngettext("{count} white", "{count} whites", blows),
        ),
    }[words]
    return _("{hits}, {blows}").format(hits=counted[0].format(count=hits), blows=counted[1].format(count=blows))


def headline(advice: Advice) -> str:
    """The suggested guess, for screen readers and the title of the page."""
    left = candidates_left(advice.count)
    return _("Guess {guess}: {left}").format(guess=advice.proposed.guess, left=left)


def last(fact: Fact, words: Words, *, mine: bool) -> str:
    """What was answered last, to me or by me, or learned."""
    if not isinstance(fact, Answered):
        return fact_text(fact, words)
    message = _("{guess} was answered {hint}.") if mine else _("You answered {hint} to {guess}.")
    return message.format(guess=fact.guess, hint=write_answer(fact, words))


def guesses_of(side: Side) -> str:
    """Whose guesses follow."""
    return _("Your guesses") if side is Side.ME else _("Their guesses")


def facts_typed(shown: Iterable[NamedFact]) -> str:
    """What a person can type of what was learned besides answers, for example."""
    return _("For example: {facts}").format(facts=_(", ").join(fact.as_typed(name_typed(fact)) for fact in shown))


def missing(count: int) -> str:
    """How many symbols of another guess are still missing."""
    return ngettext("{missing} more digit", "{missing} more digits", count).format(missing=count)


def versus(mine: Figures, proposed: Figures) -> str:
    """Another guess beside the proposed one, in a sentence."""
    if mine.expected_guesses is not None and proposed.expected_guesses is not None:
        ours, theirs = mine.expected_guesses, proposed.expected_guesses
        if abs(ours - theirs) < 1e-9:
            return _("{guess} is as good as {proposed}: {theirs} more guesses on average.").format(
                guess=mine.guess, proposed=proposed.guess, theirs=f"{theirs:.2f}"
            )
        return _("{guess} takes {more} more guesses on average than {proposed}: {ours} against {theirs}.").format(
            guess=mine.guess, proposed=proposed.guess, more=f"{ours - theirs:.2f}", ours=f"{ours:.2f}",
            theirs=f"{theirs:.2f}",
        )  # fmt: skip
    return _("{guess} leaves {ours} candidates on average, against {theirs} for {proposed}.").format(
        guess=mine.guess, proposed=proposed.guess, ours=mean(mine.expected_remaining),
        theirs=mean(proposed.expected_remaining),
    )  # fmt: skip


def contradictory() -> str:
    """The contradiction, for screen readers and the title of the page."""
    return _("These answers contradict each other")


def suspect(*, sure: bool) -> str:
    """Marks a turn that is wrong, or may be."""
    return _("wrong") if sure else _("wrong?")


def unfit(code: str, wrong: int) -> str:
    """Said of a code that was found and does not fit: how many answers would have to be wrong, 0 where none can be."""
    if not wrong:
        return _("{code} does not fit what else you told.").format(code=code)
    return ngettext(
        "{code} fits only if {count} answer is wrong.", "{code} fits only if {count} answers are wrong.", wrong
    ).format(code=code, count=wrong)


def doubted(known: Knowledge) -> str | None:
    """Which turns are most likely wrong, the likeliest first; None where none is to be doubted."""
    if not (known.slips.most and known.count):
        return None
    lines = [
        (1 - known.cells(fact.guess).get(fact.hint, 0) / known.total, number)
        for number, fact in enumerate(known.facts, start=1)
        if fact in known.played and isinstance(fact, Turn)
    ]
    doubts = sorted((doubt for doubt in lines if doubt[0] >= _DOUBTED), key=lambda doubt: (-doubt[0], doubt[1]))
    if not doubts:
        return None
    listed = (_("turn {number} ({share})").format(number=number, share=percent(share)) for share, number in doubts[:3])
    return _("Most likely wrong: {listed}.").format(listed=_(", ").join(listed))


def match_headline(advice: MatchAdvice) -> str:
    """The suggested guess in a match, for screen readers and the title of the page."""
    return _("Guess {guess}: {win} chance of winning").format(
        guess=advice.proposed.guess, win=percent(advice.proposed.win)
    )


def showed(name: str) -> str:
    """Asks for a digit that a side showed: `shown` by me, `absent` by them."""
    return _("A digit you revealed") if name == "shown" else _("A digit they revealed")
