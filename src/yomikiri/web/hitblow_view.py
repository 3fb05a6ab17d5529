"""What the pages of Hit & Blow show, as plain values: no game logic, and no sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import log2
from typing import Protocol

from yomikiri.common.errors import RulesError
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.suggestion import Figures
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.model.codes import possible_hints
from yomikiri.hitblow.model.corrections import Repair
from yomikiri.hitblow.model.facts import At, Has
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import write_answer, write_hint
from yomikiri.hitblow.model.rules import Answered, Fact, Hint, Repeats, Rules, Turn, Words, preset_of
from yomikiri.web.hitblow_address import Address
from yomikiri.wording.hitblow import fact_text

_COLOURS = 8


def pegs(rules: Rules, words: Words) -> str:
    """The symbols that have a colour: those of a game of pegs, which tells hints in black and white."""
    return rules.symbols if words is Words.BLACK and len(rules.symbols) <= _COLOURS else ""


class _WithRules(Protocol):
    @property
    def rules(self) -> Rules: ...

    @property
    def words(self) -> Words: ...


class Ruled:
    """A page of a game with its `rules`, in which hints are told in `words`."""

    @property
    def pegs(self: _WithRules) -> str:
        """The symbols that have a colour."""
        return pegs(self.rules, self.words)

    @property
    def preset(self: _WithRules) -> str | None:
        """Which of the known games it is."""
        return preset_of(self.rules, self.words)


# --- answers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HintChoice:
    """A hint that can be tapped: how many codes would be left, of how many, and the game after it."""

    hint: Hint
    text: str
    count: int
    of: int
    wins: bool
    href: str

    @property
    def share(self) -> float:
        """How likely it is."""
        return self.count / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True)
class HintChoices:
    """The hints that a guess can be answered with now, the others that the rules know, and the guess."""

    guess: str
    possible: tuple[HintChoice, ...]
    others: tuple[HintChoice, ...]


def hints(address: Address, guess: str, line: int | None = None) -> HintChoices:
    """The hints for line `line`, by default the next one, if its guess is `guess`.

    How likely they are follows from the other lines. A hit ends a game, so only the last line can win.
    """
    known = address.board(line)
    now = known.cells(guess) if known.count else {}
    last = line is None or line == len(address.turns)

    def made(hint: Hint) -> HintChoice:
        href = address.with_turns({line or len(address.turns) + 1: Turn(guess, hint)})
        text = write_hint(hint, address.words)
        return HintChoice(hint, text, now.get(hint, 0), known.total, hint == known.rules.win, href)

    choices = [made(hint) for hint in sorted(possible_hints(known.rules, guess)) if last or hint != known.rules.win]
    return HintChoices(
        guess,
        tuple(choice for choice in choices if choice.hint in now),
        tuple(choice for choice in choices if choice.hint not in now),
    )


# --- turns ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """A line of one player: a turn with its number among their guesses and its hint where that is whole, or a fact,
    which has no number and no guess; where it is edited, how many codes were left after it and what share of all bits
    of doubt that is, and whether it is `wrong`, or may be (`suspect`)."""

    number: int
    guess: str
    hint: Hint | None
    text: str
    href: str = ""
    left: int | None = None
    share: float = 0.0
    wrong: bool = False
    suspect: bool = False


def lines(facts: Iterable[Fact], words: Words) -> list[Row]:
    """The lines of one player, as they were told."""
    number, found = 0, []
    for fact in facts:
        guess, hint, text = shown(fact, words)
        number += bool(guess)
        found.append(Row(number if guess else 0, guess, hint, text))
    return found


def rows(address: Address, game: Assistant | MatchAssistant, side: Side = Side.ME) -> list[Row]:
    """The lines of one side; those most likely wrong are marked, and once the secret is found those that were."""
    suspects = {line for repair in game.repairs[:1] for line in repair.lines}
    wrong = set(game.wrong) if game.finished else set()
    if isinstance(game, Assistant):
        known, own = game.known, list(range(1, len(game.facts) + 1))
    else:
        known, own = game.match.known(side), [line + 1 for line in game.match.lines(side)]
    told = counts(known)
    left = [None] * (len(own) - len(told)) + told  # what is absent before everything else may be told in lines
    found = lines((address.turns[line - 1] for line in own), address.words)
    return [
        replace(row, href=str(address.opening(edit=line)), left=count, share=_bits(count, known),
                wrong=line in wrong, suspect=line in suspects)
        for row, line, count in zip(found, own, left, strict=True)
    ]  # fmt: skip


def counts(known: Knowledge) -> list[int | None]:
    """How many codes were left after each fact; nothing where answers may be wrong, as then none is ruled out."""
    if known.slips.most:
        return [None] * len(known.facts)
    return [Knowledge(known.rules, known.absent, known.facts[: end + 1], known.prior).count
            for end in range(len(known.facts))]  # fmt: skip


def _bits(count: int | None, known: Knowledge) -> float:
    """The share of the doubt at the start, in bits, that so many codes are."""
    most = known.start.count
    return log2(count) / log2(most) if count and most > 1 else 0.0


def shown(fact: Fact, words: Words) -> tuple[str, Hint | None, str]:
    """The guess of a line, its hint, and what it says."""
    if not isinstance(fact, Answered):
        return "", None, fact_text(fact, words)
    return fact.guess, fact.hint if isinstance(fact, Turn) else None, write_answer(fact, words)


@dataclass(frozen=True, slots=True)
class Editor:
    """A line that is being edited: what it says, in words and as it can be typed, and could say if it is a turn, its
    recorded hint while its guess is the recorded one, and the game without it, which a match cannot be."""

    text: str
    typed: str
    hand: HintChoices | None
    now: Hint | None
    without: str


def editor(address: Address, guess: str) -> Editor | None:
    """The line that is being edited, with `guess` in place of its own if one is given; None where none is."""
    edit = address.opened.edit
    if edit is None:
        return None
    line = address.turns[edit - 1]
    own, hint, text = shown(line, address.words)
    # A match without a turn would be out of turn.
    without = "" if own and isinstance(address.game, Match) else address.without(edit)
    hand = hints(address, guess or own, edit) if own else None
    return Editor(text, str(line), hand, hint if guess in ("", own) else None, without)


# --- repairs ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """A line that may be wrong, and what it says."""

    line: int
    guess: str
    hint: Hint | None
    was: str


@dataclass(frozen=True, slots=True)
class RepairOption:
    """What the lines may have been, how likely that is, and the game corrected so; the hint if it is of one line."""

    could: str
    hint: Hint | None
    share: float
    href: str


@dataclass(frozen=True, slots=True)
class RepairRow:
    """Lines that may be wrong together, and what can be tapped to correct them, the likeliest first."""

    changes: tuple[Change, ...]
    options: tuple[RepairOption, ...]


# A contradiction is shown in so many rows, with so many ways to correct a line.
_REPAIR_ROWS, _REPAIR_OPTIONS = 3, 3


def repairs(address: Address, game: Assistant | MatchAssistant) -> list[RepairRow]:
    """The corrections of a contradiction by line, in the order of the likeliest of each."""
    rows: dict[tuple[int, ...], list[Repair]] = {}
    for repair in game.repairs:
        rows.setdefault(repair.lines, []).append(repair)
    return [_repair_row(address, row) for row in list(rows.values())[:_REPAIR_ROWS]]


def _repair_row(address: Address, repairs: Sequence[Repair]) -> RepairRow:
    lines = repairs[0].lines
    said = [shown(address.turns[line - 1], address.words) for line in lines]
    changes = (Change(line, *each) for line, each in zip(lines, said, strict=True))
    # Of several lines together only the likeliest correction is told: which goes with which could not be seen.
    options = (
        RepairOption(
            " ".join(
                write_hint(turn.hint, address.words) if turn.guess == guess else fact_text(turn, address.words)
                for turn, (guess, *_rest) in zip(repair.turns, said, strict=True)
            ),
            repair.turns[0].hint if len(lines) == 1 and repair.turns[0].guess == said[0][0] else None,
            repair.share,
            address.with_turns(dict(zip(lines, repair.turns, strict=True))),
        )
        for repair in repairs[: _REPAIR_OPTIONS if len(lines) == 1 else 1]
    )
    return RepairRow(tuple(changes), tuple(options))


# --- what a guess does ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """Codes that give the same hint: the hint, how many they are or their share, and the length of their bar."""

    hint: Hint
    text: str
    size: str
    length: float


@dataclass(frozen=True, slots=True)
class Split:
    """What a guess does to the codes that are left: its parts, the largest first."""

    guess: str
    parts: tuple[Part, ...]
    expected: float | None = None

    @property
    def largest(self) -> str:
        """The size of the largest part."""
        return self.parts[0].size


def splits(guesses: Sequence[Figures], words: Words) -> list[Split]:
    """What guesses do, on one scale."""
    longest = max(max(size for _hint, size in figures.cells) / figures.total for figures in guesses)
    return [
        replace(
            _drawn(figures.guess, sorted(figures.cells, key=lambda cell: (-cell[1], cell[0])), longest * figures.total,
                  words, None if figures.even else figures.total),
            expected=figures.expected_guesses,
        )
        for figures in guesses
    ]  # fmt: skip


def grouped(guesses: Sequence[Figures], words: Words) -> list[Split]:
    """The same by how many codes each answer leaves, however likely they are."""
    most = max(max(figures.left) for figures in guesses)
    return [_drawn(figures.guess, figures.groups, most, words) for figures in guesses]


def _drawn(
    guess: str, cells: Iterable[tuple[Hint, int]], scale: float, words: Words, whole: int | None = None
) -> Split:
    """What a guess does, as bars on a scale; sizes are shares of a `whole` if one is given."""
    parts = (
        Part(hint, write_hint(hint, words), f"{100 * size / whole:.0f}%" if whole else f"{size:,}", size / scale)
        for hint, size in cells
    )
    return Split(guess, tuple(parts))


# --- what is known of symbols -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Key:
    """A symbol and what is known of it: `state` is `sure` where every code that is left has it, `out` where none has,
    else nothing. `facts` are what can be told of it, each as it is written in an address; `told` is the game in which
    it is told to be absent before everything else, or no longer is, where that can be."""

    symbol: str
    state: str
    facts: tuple[tuple[str, str, int], ...] = ()
    told: str | None = None


def keys(address: Address, known: Knowledge) -> list[Key]:
    """Every symbol with what is known of it."""
    chances = known.table()
    told = {}
    if isinstance(address.game, Knowledge) and not address.turns:
        told = dict(absent(address, "absent", known.rules, known.absent))
    found = []
    for number, symbol in enumerate(known.rules.symbols):
        with_it = (known.candidates == number).any(axis=1)
        state = "sure" if with_it.all() else "" if with_it.any() else "out"
        facts = [] if state else [("in", str(Has(symbol)), 0), ("out", f"absent={symbol}", 0)]
        facts += [("here", str(At(symbol, place)), place)
                  for place, share in enumerate(chances[number].tolist(), start=1) if 0 < share < 1]  # fmt: skip
        untold = told.get(symbol) if symbol in known.absent or not state else None
        found.append(Key(symbol, state, tuple(facts) if state != "out" else (), untold))
    return found


@dataclass(frozen=True, slots=True)
class Pad:
    """What is typed of another guess, and the symbols that can follow."""

    typed: str
    digits: int
    numeric: bool
    once: bool
    symbols: tuple[tuple[str, bool], ...]

    @property
    def missing(self) -> int:
        """How many symbols are still missing of what was begun."""
        return self.digits - len(self.typed) if 0 < len(self.typed) < self.digits else 0


def pad(rules: Rules, typed: str) -> Pad:
    """The digit pad: a symbol that cannot follow is there and cannot be tapped."""
    full = len(typed) >= rules.digits
    once = rules.repeats is Repeats.NONE
    free = ((symbol, not full and not (once and symbol in typed)) for symbol in rules.symbols)
    return Pad(typed, rules.digits, rules.symbols.isdecimal(), once, tuple(free))


def absent(address: Address, name: str, rules: Rules, told: str, secret: str = "") -> tuple[tuple[str, str], ...]:
    """Every symbol with the game in which it is among those that `name` tells to be absent, or no longer is.

    One that cannot be is left out.
    """
    choices = []
    for symbol in rules.symbols:
        if symbol in secret:
            continue
        try:
            after = rules.check_absent(told.replace(symbol, "") if symbol in told else told + symbol)
        except RulesError:
            continue
        choices.append((symbol, address.with_term(name, after)))
    return tuple(choices)
