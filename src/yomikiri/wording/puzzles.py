"""Sentences for puzzles of every code-guessing game: the question, the clues and the check, in the current language."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from yomikiri.common.enums import Grade
from yomikiri.guessing.puzzle_positions import GuessClues
from yomikiri.wording import _, joined, ngettext, review

_FEW_GROUPS = 4  # up to this number of groups, each size is listed


def question(count: int) -> str:
    """Return the question of a puzzle with a number of candidates."""
    return ngettext("{count} candidate. What do you guess?", "{count} candidates. What do you guess?", count).format(
        count=f"{count:,}"
    )


def clues(given: GuessClues, digits: int) -> tuple[str, str, str]:
    """Return the three clues to a guess with this number of digits: idea, method and digits."""
    idle = ngettext(
        "{count} of its digits is in no candidate.",
        "{count} of its digits are in no candidate.",
        given.idle,
    )
    return _idea(given, digits), _method(given, idle), _("Its digits: {digits}.").format(digits=" ".join(given.digits))


def symbol_clues(given: GuessClues, places: int) -> tuple[str, str, str]:
    """Return the three clues to a guess with this number of places, whose symbols may be letters."""
    idle = ngettext(
        "{count} of its symbols is in no candidate.",
        "{count} of its symbols are in no candidate.",
        given.idle,
    )
    symbols = _("Its symbols: {symbols}.").format(symbols=" ".join(given.digits))
    return _idea(given, places), _method(given, idle), symbols


def _idea(given: GuessClues, digits: int) -> str:
    places = given.places
    if given.inside:
        idea = _("A best guess is among the candidates.")
    else:
        idea = _("No candidate is a best guess. Look for one that separates the candidates.")
    if len(places) == digits:
        return idea
    opened = ngettext("Only place {places} is undecided.", "Only places {places} are undecided.", len(places))
    return joined(opened.format(places=_(", ").join(map(str, places))), idea)


def _method(given: GuessClues, idle: str) -> str:
    """Return the second clue. `idle` is the sentence, with `{count}`, on symbols that are in no candidate."""
    text = ngettext(
        "A best guess leaves the candidates in {groups} group of {largest}.",
        "A best guess splits the candidates into {groups} groups, the largest of {largest}.",
        given.groups,
    ).format(groups=given.groups, largest=given.largest)
    return f"{text} {idle.format(count=given.idle)}" if given.idle else text


def result(guess: str, cost: str, grade: Grade | None) -> str:
    """Return the result of a guess at a puzzle, without naming the best guess.

    `cost` is the cost of the guess in words. It is empty if it is not known.
    """
    if grade is Grade.BEST:
        return _("{guess} is a best guess.").format(guess=guess)
    if not cost:
        return _("The cost of {guess} is not proven.").format(guess=guess)
    if grade is Grade.GOOD:
        return _("{guess} is good: it costs only {amount}. There is a better one.").format(guess=guess, amount=cost)
    return _("{guess} costs {amount}. There is a better one.").format(guess=guess, amount=cost)


def meaning(answer: str, codes: Sequence[str]) -> str:
    """Return the line with an answer to the guess, and the candidates that this answer would leave."""
    return _("{answer} means {codes}").format(answer=answer, codes=_(" or ").join(codes))


def guesses(number: Fraction) -> str:
    """Return a number of guesses, at least 0, with the noun."""
    return ngettext("{number} guess", "{number} guesses", 1 if number == 1 else 2).format(number=review.guesses(number))


def expected_guesses(expected: Fraction) -> str:
    """Return the expected number of guesses that are still needed, in words."""
    return _("{amount} to go on average").format(amount=guesses(expected))


def split(sizes: Sequence[str]) -> str:
    """Return how candidates are split. `sizes` are the sizes of the groups as text, the largest first."""
    if len(sizes) == 1:
        return _("does not split them")
    if len(sizes) <= _FEW_GROUPS:
        return _("splits them {sizes}").format(sizes=" + ".join(sizes))
    return _("{groups} groups, the largest with {largest}").format(groups=len(sizes), largest=sizes[0])


def streak(count: int) -> str:
    """Return the sentence with the number of puzzles that were solved in a row."""
    return ngettext("{count} in a row", "{count} in a row", count).format(count=count)


def score(solved: int, tries: int, in_a_row: int) -> str:
    """Return how many puzzles of this session were solved with the first guess, and how many in a row."""
    text = _("{solved} of {tries} solved at once").format(solved=solved, tries=tries)
    return _("; ").join([text, streak(in_a_row)]) if in_a_row > 1 else text
