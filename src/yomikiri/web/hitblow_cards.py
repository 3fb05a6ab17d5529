"""Cards that the pages of Hit & Blow share, each with its builder: turns, answers, forms, partitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import log2

from yomikiri.common.errors import RulesError
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.suggestion import Figures
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.model.codes import possible_hints
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import write_answer, write_hint
from yomikiri.hitblow.model.rules import Answered, Fact, Hint, Repeats, Rules, Turn, Words
from yomikiri.web.cards import Card, Codes, Pairs, Text
from yomikiri.web.hitblow_address import AssistAddress
from yomikiri.wording import _, ngettext
from yomikiri.wording import web as wording
from yomikiri.wording.hitblow import fact_text, percent
from yomikiri.wording.puzzles import split

_COLOURS = 8  # the most symbols of a game with coloured pegs
_FOLDED_FROM = 4  # turns; all but the last two are folded
_BARS = 8  # of a partition, the largest


# --- turns ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnswerMarks:
    """An answer to a guess: its hits and blows, written (1H2B) and in full words for screen readers."""

    hits: int
    blows: int
    text: str
    spoken: str


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A line of a game: a guess with its answer, or another fact, which has no number and no guess.

    `text` is the answer or the fact in words. `href` opens the line for editing, with `label` for screen readers.
    `left` is the number of candidates after the line. `note` and `share`, the remaining entropy from 0 to 1, are at the
    end of the line. `wrong` marks an answer that was wrong, `suspect` one that may be. `places` contains the class of
    each tile if the answer marks the places of the guess; `text` is this answer in full words then.
    """

    number: int
    guess: str
    answer: AnswerMarks | None
    text: str
    href: str = ""
    label: str = ""
    left: int | None = None
    note: str = ""
    share: float | None = None
    wrong: bool = False
    suspect: bool = False
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnTable(Card):
    """The lines of one side; the `earlier` ones are folded under `earlier_label`."""

    label: str
    rows: tuple[TurnRow, ...]
    earlier: tuple[TurnRow, ...] = ()
    earlier_label: str = ""


def colours(rules: Rules, words: Words) -> str:
    """Return the symbols drawn in colour: those of a game with black and white answers."""
    return rules.symbols if words is Words.BLACK and len(rules.symbols) <= _COLOURS else ""


def answer_marks(hint: Hint, words: Words) -> AnswerMarks:
    """Return the marks and words of an answer."""
    return AnswerMarks(hint.hits, hint.blows, write_hint(hint, words), wording.hint_spoken(hint, words))


def turn_rows(facts: Iterable[Fact], words: Words) -> tuple[TurnRow, ...]:
    """Return the lines of one side, with its guesses numbered from 1."""
    number, rows = 0, []
    for fact in facts:
        if isinstance(fact, Answered):
            number += 1
            marks = answer_marks(fact.hint, words) if isinstance(fact, Turn) else None
            rows.append(TurnRow(number, fact.guess, marks, write_answer(fact, words)))
        else:
            rows.append(TurnRow(0, "", None, fact_text(fact, words)))
    return tuple(rows)


def linked_rows(
    address: AssistAddress, session: Assistant | MatchAssistant, known: Knowledge, side: Side = Side.ME
) -> tuple[TurnRow, ...]:
    """Return the lines of one side with links that edit them. `known` is the knowledge of that side.

    The lines of the most likely correction are suspect. Once the secret is found, the wrong answers are marked.
    """
    suspects = {line for repair in session.repairs[:1] for line in repair.lines}
    wrong = set(session.wrong) if session.finished else set()
    match = None if isinstance(session, Assistant) else session.match
    lines = [line + 1 for line in match.lines(side)] if match else list(range(1, len(session.facts) + 1))
    # Absent symbols that were entered first have rows of their own, although `known` does not store them as facts.
    missing: list[int | None] = [None] * (len(lines) - len(known.facts))
    plain = turn_rows((address.turns[line - 1] for line in lines), address.words)
    return tuple(
        _linked(row, address.opening(edit=line), count, known, wrong=line in wrong, suspect=line in suspects)
        for row, line, count in zip(plain, lines, missing + _counts(known), strict=True)
    )


def _linked(
    row: TurnRow, address: AssistAddress, left: int | None, known: Knowledge, *, wrong: bool, suspect: bool
) -> TurnRow:
    counted = left is not None and not wrong and not suspect
    note = _("wrong") if wrong else _("check this") if suspect else ""
    return replace(
        row,
        href=str(address),
        label=_("Edit") + f": {row.guess} {row.answer.spoken if row.answer else row.text}",
        left=left,
        note=_("{count} left").format(count=f"{left:,}") if counted else note,
        share=_entropy_share(left, known) if counted else None,
        wrong=wrong,
        suspect=suspect,
    )


def _counts(known: Knowledge) -> list[int | None]:
    """Return the number of candidates after each fact; None if answers may be wrong, so that facts rule out no code."""
    if known.slips.most:
        return [None] * len(known.facts)
    return [Knowledge(known.rules, known.absent, known.facts[: end + 1], known.prior).count
            for end in range(len(known.facts))]  # fmt: skip


def _entropy_share(count: int | None, known: Knowledge) -> float:
    """Return the entropy of `count` equally likely candidates as a share of the entropy at the start."""
    most = known.start.count
    return log2(count) / log2(most) if count and most > 1 else 0.0


def turn_table(rows: tuple[TurnRow, ...], label: str, *, whole: bool = False) -> TurnTable:
    """Return a table of turns in which all but the last two are folded from the fourth on, unless it is `whole`."""
    if whole or len(rows) < _FOLDED_FROM:
        return TurnTable(label, rows)
    earlier = rows[:-2]
    folded = ngettext("{count} earlier turn", "{count} earlier turns", len(earlier)).format(count=len(earlier))
    return TurnTable(label, rows[-2:], earlier, folded)


@dataclass(frozen=True, slots=True)
class OwnNumber(Card):
    """The player's own code. Unless it `is_up`, it is face down, because the opponent may see the screen.

    One tap turns it over.
    """

    code: str
    is_up: bool = False


# --- answers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnswerLegend(Card):
    """The meaning of the marks of answers. `is_different`: no symbol repeats in a number."""

    is_different: bool


def answer_legend(rules: Rules) -> AnswerLegend:
    """Return the legend of the marks of answers."""
    return AnswerLegend(rules.repeats is Repeats.NONE)


@dataclass(frozen=True, slots=True)
class AnswerLink:
    """An answer to tap: its place in the grid, counted from 1, its key on the keyboard, and the game after it.

    `share` is its probability; None if it is impossible or already recorded. `now` marks the recorded answer.
    """

    row: int
    column: int
    key: str
    href: str
    answer: AnswerMarks
    note: str
    share: float | None
    wins: bool
    now: bool


@dataclass(frozen=True, slots=True)
class AnswerGrid:
    """Answers as a grid: hits downwards, blows to the right. `shape` is its class in the stylesheet."""

    shape: str
    links: tuple[AnswerLink, ...]


@dataclass(frozen=True, slots=True)
class AnswerChoices(Card):
    """The answers that some candidate gives, and the `others`, folded unless `others_open`."""

    possible: AnswerGrid | None
    others: AnswerGrid | None
    others_open: bool


def answer_choices(
    address: AssistAddress, guess: str, line: int | None = None, now: Hint | None = None
) -> AnswerChoices:
    """Return the answers to `guess` as links, for line `line`, by default the next one. `now` is the recorded answer.

    The probabilities follow from the other lines. Only the last line can win, because a win ends the game.
    """
    known = address.board(line)
    cells = known.cells(guess) if known.count else {}
    last = line is None or line == len(address.turns)
    hints = [hint for hint in sorted(possible_hints(known.rules, guess)) if last or hint != known.rules.win]
    place = line or len(address.turns) + 1

    def link(hint: Hint) -> AnswerLink:
        href = address.with_turns({place: Turn(guess, hint)})
        share = cells[hint] / known.total if hint in cells and hint != now else None
        note = _("now") if hint == now else "" if share is None else percent(share)
        row = min(hint.hits + 1, len(guess))
        column = (len(guess) if hint.hits == len(guess) else hint.blows) + 1
        marks = answer_marks(hint, address.words)
        wins = hint == known.rules.win
        return AnswerLink(row, column, f"{hint.hits}{hint.blows}", href, marks, note, share, wins, hint == now)

    possible = [hint for hint in hints if hint in cells]
    others = [hint for hint in hints if hint not in cells]
    return AnswerChoices(
        _grid([link(hint) for hint in possible], len(guess)),
        _grid([link(hint) for hint in others], len(guess)),
        not possible or now in others,
    )


def _grid(links: Sequence[AnswerLink], size: int) -> AnswerGrid | None:
    """Arrange answers; the winning one is beside the row before it, so that it needs no row of its own."""
    return AnswerGrid("single" if len(links) == 1 else f"n{size}", tuple(links)) if links else None


# --- forms ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PadHint:
    """A link beside the buttons of a pad."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class CodeTiles(Card):
    """A code in large tiles."""

    code: str


@dataclass(frozen=True, slots=True)
class CodeRow(Card):
    """Codes in a row of small tiles."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SymbolKeys(Card):
    """Symbols to tap: each with its link, and whether it is chosen."""

    keys: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class FormChoice:
    """One of several values of a form: the value, its name, a note, and whether it is chosen."""

    value: str
    text: str
    note: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class FormChoices:
    """The values of parameter `name` of a form, under a title. The script remembers the last choice."""

    title: str
    name: str
    options: tuple[FormChoice, ...]


@dataclass(frozen=True, slots=True)
class PadForm(Card):
    """The form for a guess: tiles, a field, and a key for each symbol.

    Each of `keys` is a symbol, whether it can follow, and whether it is typed. `hidden` are the pairs sent along.
    `once`: no symbol repeats. `waits`: the script does not submit a complete guess by itself. `missing` is the number
    of symbols to come, in words. The keys of the `absent` symbols are struck. `notes` adds the button for the player's
    notes on keys. `choices` are to decide before the guess, which has the title `label` then. Those in `settings` are
    folded.
    """

    action: str
    hidden: Pairs
    label: str
    button: str
    typed: str
    digits: int
    keys: tuple[tuple[str, bool, bool], ...]
    input_mode: str
    once: bool
    error: str
    missing: str
    absent: str = ""
    size: str = "xl"
    waits: bool = False
    notes: bool = False
    hint: PadHint | None = None
    choices: FormChoices | None = None
    settings: tuple[FormChoices, ...] = ()


def guess_pad(
    rules: Rules, typed: str, action: str, hidden: Iterable[tuple[str, str]], label: str, button: str, error: str = ""
) -> PadForm:
    """Return the form for a guess. Keys of symbols that cannot follow are disabled."""
    full = len(typed) >= rules.digits
    once = rules.repeats is Repeats.NONE
    missing = rules.digits - len(typed) if typed and not full and not error else 0
    return PadForm(
        action,
        tuple(hidden),
        label,
        button,
        typed,
        rules.digits,
        tuple((each, not full and not (once and each in typed), each in typed) for each in rules.symbols),
        "numeric" if rules.symbols.isdecimal() else "text",
        once,
        error,
        ngettext("{missing} more digit", "{missing} more digits", missing).format(missing=missing) if missing else "",
    )


def symbol_keys(address: AssistAddress, name: str, rules: Rules, absent: str, secret: str = "") -> SymbolKeys:
    """Return a key for each symbol that term `name` can declare absent, or no longer: those in `absent` are chosen."""
    keys = []
    for symbol in rules.symbols:
        if symbol in secret:
            continue
        chosen = symbol in absent
        try:
            after = rules.check_absent(absent.replace(symbol, "") if chosen else absent + symbol)
        except RulesError:
            continue
        keys.append((symbol, address.with_term(name, after), chosen))
    return SymbolKeys(tuple(keys))


# --- partitions and chances -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SplitBar:
    """The candidates that give one answer: their number or share as text, and the length of the bar from 0 to 1."""

    hits: int
    blows: int
    text: str
    size: str
    length: float


@dataclass(frozen=True, slots=True)
class SplitChart:
    """The partition of the candidates by a guess, the largest cells first. `kind` is its class in the stylesheet."""

    title: str
    kind: str
    guess: str
    bars: tuple[SplitBar, ...]
    note: str
    expected: str


@dataclass(frozen=True, slots=True)
class SplitCharts(Card):
    """Partitions by guesses, side by side on one scale."""

    charts: tuple[SplitChart, ...]


@dataclass(frozen=True, slots=True)
class ChanceBar:
    """The chances of both sides to win: as text, and mine between 0 and 1. `model` names the assumed opponent."""

    mine: str
    theirs: str
    share: float
    model: str


def split_charts(guesses: Sequence[Figures], words: Words, labels: Sequence[tuple[str, str]]) -> SplitCharts:
    """Return a chart for each guess of how it divides the candidates, all on one scale.

    If candidates differ in probability, bars are shares of the weight. `labels` has the title and the CSS class of each
    chart.
    """
    longest = max(max(size for _hint, size in figures.cells) / figures.total for figures in guesses)
    charts = [
        _chart(figures, sorted(figures.cells, key=lambda cell: (-cell[1], cell[0])), longest * figures.total, words,
               label, None if figures.even else figures.total)
        for figures, label in zip(guesses, labels, strict=True)
    ]  # fmt: skip
    return SplitCharts(tuple(charts))


def count_charts(guesses: Sequence[Figures], words: Words, labels: Sequence[tuple[str, str]]) -> SplitCharts:
    """Return the partitions by guesses on one scale, as numbers of candidates."""
    most = max(max(figures.left) for figures in guesses)
    charts = [replace(_chart(figures, figures.groups, most, words, label), expected="")
              for figures, label in zip(guesses, labels, strict=True)]  # fmt: skip
    return SplitCharts(tuple(charts))


def _chart(
    figures: Figures,
    cells: Sequence[tuple[Hint, int]],
    scale: float,
    words: Words,
    label: tuple[str, str],
    whole: int | None = None,
) -> SplitChart:
    sizes = [f"{100 * size / whole:.0f}%" if whole else f"{size:,}" for _hint, size in cells]
    bars = tuple(
        SplitBar(hint.hits, hint.blows, write_hint(hint, words), text, size / scale)
        for (hint, size), text in zip(cells[:_BARS], sizes, strict=False)
    )
    expected = figures.expected_guesses
    to_go = _("{guesses} more guesses on average").format(guesses=f"{expected:.2f}") if expected else ""
    return SplitChart(*label, figures.guess, bars, split(sizes), to_go)


def chance_bar(mine: float, exact: bool, model: str) -> ChanceBar:
    """Return the chances of both sides to win. Without `exact`, the text says that they are about right."""
    return ChanceBar(
        _("You {chance}").format(chance=percent(mine, exact=exact)),
        _("They {chance}").format(chance=percent(1 - mine, exact=exact)),
        mine,
        model,
    )


def listed_codes(known: Knowledge, limit: int, link: Callable[[str], object] | None = None) -> tuple[Card, ...]:
    """Return the candidates by name, at most `limit`, each with the link for it, and a note on the number of others."""
    codes = known.codes(limit)
    listed = Codes(tuple((code, str(link(code)) if link else "", "") for code in codes))
    more = known.count - len(codes)
    return (listed, Text(_("and {more} more").format(more=more))) if more else (listed,)
