"""Sentences used on several pages, in the current language. A label of one card is in its module in `web`."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from yomikiri.common.errors import N_, CodeError
from yomikiri.hitblow.model.labels import Item, Level
from yomikiri.hitblow.model.rules import Repeats, Rules, Words
from yomikiri.wording import _, ngettext, sentence
from yomikiri.wording.hitblow import rules_text

if TYPE_CHECKING:
    from yomikiri.hitblow.model.rules import Hint


def with_minus(text: int | str) -> str:
    """Return a number, or a sentence with numbers, with minus signs (−) instead of hyphens."""
    return re.sub(r"(?<!\w)-(?=\d)", "−", f"{text}")


HIDDEN = N_(
    "The number depends on this page’s address. You cannot read it there, but anyone with the program can work it out."
)
# Messages of games with pegs, whose secret is a code. Those of other games call it a number.
_OF_CODES = {
    N_("Find the number"): N_("Find the code"),
    N_("Find the program’s number"): N_("Find the program’s code"),
    N_("The number was"): N_("The code was"),
    N_("The program has chosen a number. Find it."): N_("The program has chosen a code. Find it."),
    HIDDEN: N_(
        "The code depends on this page’s address. You cannot read it there, but anyone with the program can work it"
        " out."
    ),
}


def of_secret(message: str, words: Words) -> str:
    """Return the translation of a message about the number to find. Mastermind calls the number a code."""
    return _(_OF_CODES[message] if words is Words.BLACK else message)


def status(code: int) -> str:
    """Return the message for an HTTP error status."""
    return {
        404: _("Page not found: check the address."),
        405: _("This page does not accept such requests: open its address."),
        414: _("The address is too long: start a new game."),
        503: _("The page is busy: try again in a moment. Your game is safe: it is in the address."),
        421: _("Unknown host name: use the address that the program printed."),
    }.get(code, _("Something went wrong in the program. Your game is safe: it is in the address."))


def code_error(error: CodeError) -> str:
    """Return the message for an error in a typed code. For a repeated symbol, it is shorter than elsewhere."""
    if error.data.keys() >= {"symbol", "digits"}:
        message = _("{symbol} is there more than once. Use {digits} different symbols.")
        return message.format(symbol=error.data["symbol"], digits=error.data["digits"])
    return sentence(error)


def rules_short(rules: Rules, pegs: str) -> str:
    """Return the rules in a few words, leaving out the usual rules. `pegs` are the symbols drawn as coloured pegs."""
    if pegs and rules.repeats is Repeats.ALL and not rules.no_leading:
        return _("{pegs} pegs of {colours} colours").format(pegs=rules.digits, colours=len(rules.symbols))
    if rules == Rules(rules.digits):
        return ngettext("{digits} digit", "{digits} digits", rules.digits).format(digits=rules.digits)
    return rules_text(rules)


def short_day(day: date) -> str:
    """Return a day with its month in short, without the year."""
    months = (_("Jan"), _("Feb"), _("Mar"), _("Apr"), _("May"), _("Jun"), _("Jul"), _("Aug"), _("Sep"), _("Oct"),
              _("Nov"), _("Dec"))  # fmt: skip
    return _("{day} {month}").format(day=day.day, month=months[day.month - 1])


def hint_spoken(hint: Hint, words: Words) -> str:
    """Return an answer to a guess in full words, for screen readers."""
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


def level_name(level: Level) -> str:
    """Return the name of a level of the program."""
    return {
        Level.RANDOM: _("Easy"),
        Level.CONSISTENT: _("Medium"),
        Level.FEWEST: _("Hard"),
        Level.PERFECT: _("Unbeatable"),
    }[level]


def level_note(level: Level) -> str:
    """Return the sentence that describes how the program guesses at a level."""
    return {
        Level.RANDOM: _("guesses at random"),
        Level.CONSISTENT: _("guesses any candidate"),
        Level.FEWEST: _("aims for the fewest guesses"),
        Level.PERFECT: _("plays perfectly"),
    }[level]


def chances_against(level: Level) -> str:
    """Return the sentence that says which level of the program the displayed chances of winning assume."""
    return _("Chances against level {level}.").format(level=level_name(level))


def item_name(item: Item) -> str:
    """Return the name of an item as players use it."""
    return "HIGH & LOW" if item is Item.HIGH else item.upper()
