"""Kinds of answers to a guess, such as hits and blows or the marks of Wordle.

A hit is a symbol in its place; a blow is a symbol of the guess that the secret has elsewhere. If symbols repeat, each
symbol of the secret counts once: hits first, then blows from left to right.

An answer is a string in one standard form (`1H1B`, `01020`). `parse` also reads the forms that players use.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from typing import ClassVar

from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, Choices, HintError, InputError

Values = tuple[tuple[int, ...], tuple[int, ...]]


def marks_of(guess: str, secret: str) -> tuple[int, ...]:
    """Return a mark for each place: 2 for a hit, 1 for a blow, 0 for neither.

    >>> marks_of("erase", "speed")
    (1, 0, 0, 1, 1)
    """
    left = Counter(own for symbol, own in zip(guess, secret, strict=True) if symbol != own)
    marks = []
    for symbol, own in zip(guess, secret, strict=True):
        blow = symbol != own and left[symbol] > 0
        left[symbol] -= blow
        marks.append(2 if symbol == own else int(blow))
    return tuple(marks)


class AnswerKind(ABC):
    """A rule that gives each guess an answer: hits and blows, marks, or others.

    Each answer has a number: the sum of one value for each hit and another value for each blow. `values` returns these
    values, which may differ from place to place. Equal answers must have equal numbers, and different answers different
    ones, because positions and searches compare only the numbers. An answer must not change if symbols are renamed.
    """

    NAME: ClassVar[str]

    @abstractmethod
    def values(self, places: int) -> Values:
        """Return (values of hits, values of blows): what each adds to an answer number, with one value per place."""

    @abstractmethod
    def text(self, number: int, places: int) -> str:
        """Return the answer with this number as text in the standard form, such as `1H1B`."""

    @abstractmethod
    def number_of(self, folded: str, places: int) -> int | None:
        """Return the answer number of a text in any accepted form, or None if the text is not an answer.

        `folded` is the text in lower case, without blanks at its ends (see `fold`).
        """

    @abstractmethod
    def fault(self, text: str, folded: str, places: int) -> HintError:
        """Return the error for a text that is not an answer. It says what is wrong and what may be typed.

        `text` is the text as typed, and `folded` is the same text in lower case, without blanks at its ends (see
        `fold`).
        """

    @abstractmethod
    def example(self, places: int) -> str:
        """Return an answer as an example, for messages that say what may be typed."""

    def shown(self, answer: str) -> str:
        """Return an answer in the form that people read. `parse` accepts this form."""
        return answer

    def answer(self, guess: str, secret: str) -> str:
        """Return the answer to a guess.

        >>> MARKS.answer("erase", "speed"), HITS_BLOWS.answer("012", "120")
        ('10011', '0H3B')
        """
        hits, blows = self.values(len(guess))
        marks = marks_of(guess, secret)
        number = sum((0, blow, hit)[mark] for mark, hit, blow in zip(marks, hits, blows, strict=True))
        return self.text(number, len(guess))

    def win(self, places: int) -> str:
        """Return the answer to a guess that is the secret, in a game whose codes have this number of places."""
        return self.text(sum(self.values(places)[0]), places)

    def parse(self, text: str, places: int) -> str:
        """Return the standard form of an answer in any accepted form. Raises a `HintError` for other text.

        >>> MARKS.parse("🟩⬛🟨⬛⬛", 5), MARKS.parse("g-y--", 5), HITS_BLOWS.parse("1 1", 3)
        ('20100', '20100', '1H1B')
        """
        folded = fold(text)
        number = self.number_of(folded, places)
        if number is None:
            raise self._only_of_sum(text, places) if folded in _WINS else self.fault(text, folded, places)
        return self.text(number, places)

    def _only_of_sum(self, text: str, places: int) -> HintError:
        return HintError(
            N_("answer {given!r}: only answers of the kind 'sum' have it; for the secret itself, type {win}"),
            given=text,
            win=self.win(places),
        )


_WINS = ("win", "won", "!")

_SIGNS = {sign: mark for mark, signs in enumerate(("0-.x_b⬛⬜⚫⚪", "1y🟨🟦🟡", "2g🟩🟧🟢")) for sign in signs}


class Marks(AnswerKind):
    """The kind of answers that contain a mark for each place, as in Wordle: `20100`, `GBYBB`, `🟩⬛🟨⬛⬛`."""

    NAME = "marks"

    def values(self, places: int) -> Values:
        ones = tuple(3**place for place in reversed(range(places)))
        return tuple(2 * one for one in ones), ones

    def text(self, number: int, places: int) -> str:
        return "".join(str(number // 3**place % 3) for place in reversed(range(places)))

    def number_of(self, folded: str, places: int) -> int | None:
        signs = self._signs(folded)
        if len(signs) != places or not all(sign in _SIGNS for sign in signs):
            return None
        found: int = sum(_SIGNS[sign] * 3**place for sign, place in zip(signs, reversed(range(places)), strict=True))
        return found

    def _signs(self, folded: str) -> list[str]:
        return [sign for sign in folded if not sign.isspace() and sign != "\ufe0f"]

    def fault(self, text: str, folded: str, places: int) -> HintError:
        signs = self._signs(folded)
        unknown = next((sign for sign in text if self._signs(fold(sign)) and fold(sign) not in _SIGNS), None)
        if unknown:
            return HintError(
                N_(
                    "answer {given!r}: {sign!r} is not a mark: expected 2 (right place), 1 (another place) or 0 "
                    "(absent) for each symbol, such as {example}"
                ),
                given=text, sign=unknown, example=self.example(places),
            )  # fmt: skip
        return HintError(N_("answer {given!r}: it has {count:mark|marks}: expected {places}, such as {example}"),
                         given=text, count=len(signs), places=places, example=self.example(places))  # fmt: skip

    def shown(self, answer: str) -> str:
        return "".join("⬛🟨🟩"[int(mark)] for mark in answer)

    def example(self, places: int) -> str:
        return self.text(2 * 3 ** (places - 1) + 1, places)


class HitsBlows(AnswerKind):
    """The kind of answers that contain the number of hits and the number of blows: `1H1B`, `1A1B`, `1 1`."""

    NAME = "hits-blows"

    def values(self, places: int) -> Values:
        return (places + 1,) * places, (1,) * places

    def text(self, number: int, places: int) -> str:
        return "{}H{}B".format(*divmod(number, places + 1))

    def number_of(self, folded: str, places: int) -> int | None:
        if (counts := self._counts(folded)) is None:
            return None
        hits, blows = counts
        return hits * (places + 1) + blows if hits + blows <= places else None

    def _counts(self, folded: str) -> tuple[int, int] | None:
        found = re.fullmatch(r"(\d{1,4})\s*(?:[ha]\s*(\d{1,4})\s*[bc]?|[\s,.]+(\d{1,4}))", folded)
        return (int(found[1]), int(found[2] or found[3] or 0)) if found else None

    def fault(self, text: str, folded: str, places: int) -> HintError:
        counts, example = self._counts(folded), self.example(places)
        if counts is None:
            return HintError(N_("answer {given!r}: expected the numbers of hits and blows, such as {example}"),
                             given=text, example=example)  # fmt: skip
        return HintError(
            N_("answer {given!r}: hits and blows together are {count}: expected at most {places}, such as {example}"),
            given=text, count=sum(counts), places=places, example=example,
        )  # fmt: skip

    def example(self, places: int) -> str:
        return "1H1B" if places > 1 else "0H0B"


class Hits(AnswerKind):
    """The kind of answers that contain only the number of hits."""

    NAME = "hits"

    def values(self, places: int) -> Values:
        return (1,) * places, (0,) * places

    def text(self, number: int, places: int) -> str:
        return str(number)

    def number_of(self, folded: str, places: int) -> int | None:
        return int(folded) if re.fullmatch(r"\d{1,2}", folded) and int(folded) <= places else None

    def fault(self, text: str, folded: str, places: int) -> HintError:
        return HintError(N_("answer {given!r}: expected the number of symbols in the right place, from 0 to {places}"),
                         given=text, places=places)  # fmt: skip

    def example(self, places: int) -> str:
        return "1"


class Sum(AnswerKind):
    """The kind of answers that contain the number of hits plus the number of blows, as in Jotto.

    The answer is `win` if the guess is the secret.
    """

    NAME = "sum"

    def values(self, places: int) -> Values:
        return (1,) * places, (1,) * places

    def text(self, number: int, places: int) -> str:
        return "win" if number > places else str(number)

    def answer(self, guess: str, secret: str) -> str:
        return self.win(len(guess)) if guess == secret else super().answer(guess, secret)

    def win(self, places: int) -> str:
        return "win"

    def number_of(self, folded: str, places: int) -> int | None:
        if folded in _WINS:
            return places + 1
        return int(folded) if re.fullmatch(r"\d{1,2}", folded) and int(folded) <= places else None

    def fault(self, text: str, folded: str, places: int) -> HintError:
        return HintError(
            N_("answer {given!r}: expected the number of hits and blows together, from 0 to {places}, or win"),
            given=text, places=places,
        )  # fmt: skip

    def example(self, places: int) -> str:
        return "1"


MARKS, HITS_BLOWS, HITS, SUM = Marks(), HitsBlows(), Hits(), Sum()

ANSWER_KINDS: dict[str, AnswerKind] = {kind.NAME: kind for kind in (HITS_BLOWS, MARKS, HITS, SUM)}
"""The kinds of answers by name."""


def kind_named(name: str) -> AnswerKind:
    """Return the kind of answers with this name. Raises an `InputError` for an unknown name."""
    if name not in ANSWER_KINDS:
        raise InputError(
            N_("answers {given!r}: expected one of {known}"), given=name, known=Choices(", ".join(ANSWER_KINDS))
        )
    return ANSWER_KINDS[name]


def all_answers(kind: AnswerKind, places: int) -> list[str]:
    """Return every answer of a kind other than marks, from no hits and no blows up to the win."""
    numbers = range(sum(kind.values(places)[0]) + 1)
    numbers = range(numbers.stop + 1) if kind.win(places) == "win" else numbers
    return [text for number in numbers if kind.number_of(text := kind.text(number, places).lower(), places) == number]
