"""What the page of Hit & Blow shows, as plain values: no game logic, and no sentence that `wording` could make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

from yomikiri.errors import RulesError
from yomikiri.hitblow.advice import Figures
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.codes import possible_hints
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import write_hint
from yomikiri.hitblow.rules import Hint, Repeats, Rules, Turn, Words
from yomikiri.web.hitblow_address import Address
from yomikiri.wording import web as wording


@dataclass(frozen=True, slots=True)
class Answer:
    """A hint that can be tapped: how many codes would be left, of how many, and the game after it."""

    hint: Hint
    words: Words
    count: int
    of: int
    wins: bool
    href: str

    @property
    def text(self) -> str:
        """The hint in short."""
        return write_hint(self.hint, self.words)

    @property
    def spoken(self) -> str:
        """The hint in full."""
        return wording.hint_spoken(self.hint, self.words)

    @property
    def share(self) -> float:
        """How likely it is."""
        return self.count / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True)
class Answers:
    """The hints that a guess can be answered with now, the others that the rules know, and the guess."""

    guess: str
    possible: tuple[Answer, ...]
    others: tuple[Answer, ...]


def answers(known: Knowledge, guess: str, words: Words, leads: Callable[[Hint], str]) -> Answers:
    """The hints for `guess`; `leads` tells where each leads to."""
    now = known.cells(guess) if known.count else {}

    def made(hint: Hint) -> Answer:
        return Answer(hint, words, now.get(hint, 0), known.count, hint == known.rules.win, leads(hint))

    hints = sorted(possible_hints(known.rules, guess))
    return Answers(guess, tuple(made(h) for h in hints if h in now), tuple(made(h) for h in hints if h not in now))


def next_answers(address: Address, known: Knowledge, guess: str) -> Answers:
    """The hints for the guess in hand."""
    return answers(known, guess, address.words, lambda hint: str(address.after(Turn(guess, hint))))


def other_answers(address: Address, line: int, guess: str) -> Answers:
    """The hints for line `line`, if its guess was `guess`; how likely they are follows from the other lines."""
    others = tuple(turn for number, turn in enumerate(address.turns, start=1) if number != line)
    known = Knowledge(address.rules, address.absent, others)

    def leads(hint: Hint) -> str:
        turns = list(address.turns)
        turns[line - 1] = Turn(guess, hint)
        return str(address.mended(turns))

    return answers(known, guess, address.words, leads)


@dataclass(frozen=True, slots=True)
class Line:
    """A turn on the page."""

    number: int
    turn: Turn
    text: str
    suspect: bool


def lines(address: Address, assistant: Assistant) -> list[Line]:
    """The turns so far; those that may be wrong are marked."""
    suspects = {line for repair in assistant.repairs for line in repair.lines}
    return [
        Line(number, turn, write_hint(turn.hint, address.words), number in suspects)
        for number, turn in enumerate(address.turns, start=1)
    ]


@dataclass(frozen=True, slots=True)
class Change:
    """One line of a mend: what it says, and what it could have been."""

    line: int
    guess: str
    was: str
    could: str


@dataclass(frozen=True, slots=True)
class MendChoice:
    """A mend that can be tapped: its changes, and how many codes then fit."""

    changes: tuple[Change, ...]
    count: int
    href: str


def mends(address: Address, assistant: Assistant, most: int) -> Iterator[MendChoice]:
    """The mends of a contradiction, the likeliest lines first, at most `most`."""
    choices = ((repair, mend) for repair in assistant.repairs for mend in repair.mends)
    for _number, (repair, mend) in zip(range(most), choices, strict=False):
        turns = list(address.turns)
        changes = []
        for line, hint in zip(repair.lines, mend.hints, strict=True):
            turn = turns[line - 1]
            changes.append(
                Change(line, turn.guess, write_hint(turn.hint, address.words), write_hint(hint, address.words))
            )
            turns[line - 1] = replace(turn, hint=hint)
        yield MendChoice(tuple(changes), mend.count, str(address.mended(turns)))


@dataclass(frozen=True, slots=True)
class CellRow:
    """A hint with the size of its cell under each guess, and the size's share of the largest cell shown."""

    text: str
    sizes: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of one guess, or of two beside each other."""

    heads: tuple[str, ...]
    rows: tuple[CellRow, ...]


def cells(shown: Sequence[Figures], words: Words) -> Cells:
    """The picture of what guesses do to the candidates."""
    sizes = [dict(figures.cells) for figures in shown]
    largest = max(max(each.values()) for each in sizes)
    hints = sorted({hint for each in sizes for hint in each})
    rows = (
        CellRow(write_hint(hint, words), tuple((each.get(hint, 0), each.get(hint, 0) / largest) for each in sizes))
        for hint in hints
    )
    return Cells(tuple(figures.guess for figures in shown), tuple(rows))


# So many candidates are listed at most, and so many with a link to what guessing them would do.
_LISTED = 1_000
_LINKED = 40


class Game(Protocol):
    """An address of any game that can have a guess in hand."""

    @property
    def closed(self) -> Self:
        """The game with nothing open."""

    def with_guess(self, guess: str) -> Self:
        """The page with a guess in hand."""


def listed(address: Game, known: Knowledge) -> list[tuple[str, str]]:
    """The candidates, each with the page that has it in hand, or nothing where there are too many."""
    linked = known.count <= _LINKED
    return [(code, str(address.closed.with_guess(code)) if linked else "") for code in known.codes(_LISTED)]


@dataclass(frozen=True, slots=True)
class Row:
    """A symbol with how likely it stands at each place."""

    symbol: str
    shares: tuple[float, ...]
    absent: bool


def table(known: Knowledge) -> list[Row]:
    """How likely each symbol stands at each place; those known to be absent are marked."""
    shares = known.table().tolist()
    return [
        Row(symbol, tuple(row), symbol in known.absent) for symbol, row in zip(known.rules.symbols, shares, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Pad:
    """What is typed of another guess, and the symbols that can follow."""

    typed: str
    digits: int
    numeric: bool
    once: bool
    missing: str
    symbols: tuple[tuple[str, bool], ...]


def pad(rules: Rules, typed: str) -> Pad:
    """The digit pad: a symbol that cannot follow is there and cannot be tapped."""
    full = len(typed) >= rules.digits
    once = rules.repeats is Repeats.NONE
    free = ((symbol, not full and not (once and symbol in typed)) for symbol in rules.symbols)
    begun = 0 < len(typed) < rules.digits
    missing = wording.missing(rules.digits - len(typed)) if begun else ""
    return Pad(typed, rules.digits, rules.symbols.isdecimal(), once, missing, tuple(free))


def absent(address: Address) -> list[tuple[str, str]]:
    """Every symbol with the game in which it is known to be absent, or no longer is; one that cannot be is left out."""
    choices = []
    for symbol in address.rules.symbols:
        told = address.absent.replace(symbol, "") if symbol in address.absent else address.absent + symbol
        try:
            choices.append((symbol, str(address.telling_absent(address.rules.check_absent(told)))))
        except RulesError:
            continue
    return choices
