"""What the page of a game against the program says, in the language in use."""

from __future__ import annotations

from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.play import Level, Play
from yomikiri.wording import _, ngettext
from yomikiri.wording.web import guesses_of as my_guesses_of


def level(level: Level) -> str:
    """How well the program guesses."""
    return {
        Level.RANDOM: _("any code at random"),
        Level.CONSISTENT: _("any code that fits"),
        Level.FEWEST: _("fewest guesses"),
        Level.PERFECT: _("perfect play"),
    }[level]


def first(side: Side) -> str:
    """Who goes first."""
    return _("You") if side is Side.ME else _("The program")


def handicap(asked: bool) -> str:
    """Whether the first player reveals a digit."""
    return _("the first player reveals a digit") if asked else _("nobody reveals a digit")


def guesses_of(side: Side) -> str:
    """Whose guesses follow."""
    return my_guesses_of(side) if side is Side.ME else _("The program's guesses")


def answered(side: Side, guess: str) -> str:
    """Introduces the hint of a guess."""
    return (_("Your guess {guess}:") if side is Side.ME else _("The program guessed {guess}:")).format(guess=guess)


def headline(play: Play, turn: int, *, given_up: bool) -> str:
    """What is to be done, or how it ended."""
    if play.over or given_up:
        return _("You found it") if play.won else _("The secret was {secret}").format(secret=play.kept)
    if play.waits_for == "secret":
        return _("Choose your secret")
    if play.waits_for == "shown":
        return _("Reveal a digit that your secret does not use")
    return _("Your guess {number}").format(number=turn)


def note(play: Play, day: str) -> str:
    """What game it is, in a line."""
    if day:
        return _("The number of {day} (UTC), the same for everyone.").format(day=day)
    if play.race:
        return _("A race: both keep a secret, and whoever finds the other's first wins.")
    return _("The program keeps a secret. Find it.")


def ended(play: Play, hints: int) -> str:
    """The result in a line."""
    count = len(play.board.played)
    if play.won:
        text = ngettext("{count} guess", "{count} guesses", count).format(count=count)
    else:
        text = (
            _("lost after {count}")
            .format(count=ngettext("{count} guess", "{count} guesses", count))
            .format(count=count)
        )
    if not hints:
        return text
    helped = ngettext("{count} hint", "{count} hints", hints).format(count=hints)
    return _("{text}, {helped}").format(text=text, helped=helped)
