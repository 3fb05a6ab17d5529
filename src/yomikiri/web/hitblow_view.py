"""What the pages of a game and of a match show, as plain values: no game logic, and no sentence that `wording` could
make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from yomikiri.errors import RulesError
from yomikiri.hitblow.advice import Figures
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.codes import possible_hints
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.notation import write_answer, write_hint
from yomikiri.hitblow.race.finish import Pace
from yomikiri.hitblow.repair import Repair
from yomikiri.hitblow.rules import PRESETS, Answered, Fact, Hint, Repeats, Rules, Turn, Words
from yomikiri.web.hitblow_address import Address
from yomikiri.wording import web as wording
from yomikiri.wording.hitblow import cell_size, fact_text


def title(rules: Rules, words: Words) -> str:
    """What a game of these rules is called."""
    return wording.game_name(preset_of(rules, words) or "hitblow")


def preset_of(rules: Rules, words: Words) -> str | None:
    """The preset that these are, if they are one."""
    known = (name for name, each in PRESETS.items() if (each.rules, each.words) == (rules, words))
    return next(known, None)


_COLOURS = 8


def pegs(rules: Rules, words: Words) -> str:
    """The symbols that have a colour: those of a game of pegs, which tells hints in black and white."""
    return rules.symbols if words is Words.BLACK and len(rules.symbols) <= _COLOURS else ""


@dataclass(frozen=True, slots=True)
class HintChoice:
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
        return HintChoice(hint, address.words, now.get(hint, 0), known.total, hint == known.rules.win, href)

    choices = [made(hint) for hint in sorted(possible_hints(known.rules, guess)) if last or hint != known.rules.win]
    return HintChoices(
        guess,
        tuple(choice for choice in choices if choice.hint in now),
        tuple(choice for choice in choices if choice.hint not in now),
    )


@dataclass(frozen=True, slots=True)
class Line:
    """A line on the page: a turn with its hint, where that is whole, or another fact, which has no guess; `suspect`
    says that it is wrong, or may be."""

    number: int
    guess: str
    hint: Hint | None
    text: str
    suspect: str


def lines(address: Address, game: Assistant | MatchAssistant) -> list[Line]:
    """The lines so far; those that may be wrong are marked, and once the secret is found those that were."""
    suspects = dict.fromkeys((line for repair in game.repairs for line in repair.lines), wording.suspect(sure=False))
    if game.finished:
        suspects = dict.fromkeys(game.wrong, wording.suspect(sure=True))
    return [
        Line(number, *_shown(fact, address.words), suspects.get(number, ""))
        for number, fact in enumerate(address.turns, start=1)
    ]


def _shown(fact: Fact, words: Words) -> tuple[str, Hint | None, str]:
    """The guess of a line, its hint, and what it says."""
    if not isinstance(fact, Answered):
        return "", None, fact_text(fact, words)
    return fact.guess, fact.hint if isinstance(fact, Turn) else None, write_answer(fact, words)


@dataclass(frozen=True, slots=True)
class Strip:
    """The lines of one player, with how many candidates are left to them where that is told; no title where there is
    one player."""

    title: str
    count: int | None
    lines: tuple[Line, ...]


def strips(address: Address, played: Sequence[Line]) -> list[Strip]:
    """The lines by player, in a match mine first."""
    if isinstance(address.game, Knowledge):
        return [Strip("", None, tuple(played))]
    return [
        Strip(
            wording.guesses_of(side),
            address.game.known(side).count,
            tuple(line for line in played if address.game.mover(line.number - 1) is side),
        )
        for side in Side
    ]


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
    if address.edit is None:
        return None
    line = address.turns[address.edit - 1]
    own, hint, text = _shown(line, address.words)
    # A match without a turn would be out of turn.
    without = "" if own and isinstance(address.game, Match) else address.without(address.edit)
    hand = hints(address, guess or own, address.edit) if own else None
    return Editor(text, str(line), hand, hint if guess in ("", own) else None, without)


@dataclass(frozen=True, slots=True)
class Change:
    """A line that may be wrong, and what it says."""

    line: int
    guess: str
    was: str


@dataclass(frozen=True, slots=True)
class RepairOption:
    """What the lines may have been, how likely that is, and the game corrected so."""

    could: str
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
    said = [_shown(address.turns[line - 1], address.words) for line in lines]
    changes = (Change(line, guess, text) for line, (guess, _hint, text) in zip(lines, said, strict=True))
    # Of several lines together only the likeliest correction is told: which goes with which could not be seen.
    options = (
        RepairOption(
            " ".join(
                write_hint(turn.hint, address.words) if turn.guess == guess else fact_text(turn, address.words)
                for turn, (guess, *_rest) in zip(repair.turns, said, strict=True)
            ),
            repair.share,
            address.with_turns(dict(zip(lines, repair.turns, strict=True))),
        )
        for repair in repairs[: _REPAIR_OPTIONS if len(lines) == 1 else 1]
    )
    return RepairRow(tuple(changes), tuple(options))


@dataclass(frozen=True, slots=True)
class CellRow:
    """A hint with the size of its cell under each guess, and the size's share of the largest cell shown."""

    text: str
    sizes: tuple[tuple[str, float], ...]


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
        CellRow(
            write_hint(hint, words),
            tuple(
                (cell_size(figures, each.get(hint, 0)), each.get(hint, 0) / largest)
                for figures, each in zip(shown, sizes, strict=True)
            ),
        )
        for hint in hints
    )
    return Cells(tuple(figures.guess for figures in shown), tuple(rows))


# So many candidates are listed at most, and so many with a link to what guessing them would do.
_LISTED = 1_000
_LINKED = 40


def listed(address: Address, known: Knowledge) -> list[tuple[str, str]]:
    """The candidates, each with the page that has it in hand, or nothing where there are too many."""
    linked = known.count <= _LINKED
    return [(code, str(address.closed.with_guess(code)) if linked else "") for code in known.codes(_LISTED)]


@dataclass(frozen=True, slots=True)
class Row:
    """A symbol with its chance in each place; a tap on it says that it is not used, or is after all."""

    symbol: str
    shares: tuple[float, ...]
    absent: bool
    href: str | None


def table(address: Address, known: Knowledge) -> list[Row]:
    """The chance of each symbol in each place; those known to be absent are marked."""
    shares = known.table().tolist()
    taps = {}
    if isinstance(address.game, Knowledge):
        taps = dict(absent(address, "absent", known.rules, known.absent))
    return [
        Row(symbol, tuple(row), symbol in known.absent, taps.get(symbol))
        for symbol, row in zip(known.rules.symbols, shares, strict=True)
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


@dataclass(frozen=True, slots=True)
class Showing:
    """What one side showed: every symbol that can be shown, with the match in which it was, or no longer was."""

    title: str
    choices: tuple[tuple[str, str], ...]
    told: str


def showed(address: Address, match: Match) -> list[Showing]:
    """What the sides showed, first what whoever begins did, who usually has to."""
    mine = absent(address, "shown", match.own_rules, match.shown, match.secret)
    theirs = absent(address, "absent", match.rules, match.absent)
    sides = [
        Showing(wording.showed("shown"), mine, match.shown),
        Showing(wording.showed("absent"), theirs, match.absent),
    ]
    return sides if match.first is Side.ME else sides[::-1]


# What is this certain need not be looked beyond.
_SURE = 0.9995


def soon(pace: Pace) -> list[tuple[int, float]]:
    """How likely they find my secret within 1, 2, ... guesses from now, until it is certain."""
    chances: list[tuple[int, float]] = []
    for guesses in range(1, len(pace.finish.counts) + 1):
        chances.append((guesses, pace.within(guesses)))
        if chances[-1][1] >= _SURE:
            break
    return chances
