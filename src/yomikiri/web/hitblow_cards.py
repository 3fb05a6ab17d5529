"""Cards that the pages of Hit & Blow share, each with its builder: turns, answers, forms, partitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import log2

from yomikiri.common.errors import InputError, RulesError
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.suggestion import Figures
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
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

_COLOURS = 8  # the symbols of a game with more symbols than this are not drawn in colour
_FOLDED_FROM = 4  # with this number of turns or more, all but the last two are folded
_BARS = 8  # the most bars in the chart of a partition


# --- turns ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnswerMarks:
    """An answer to a guess: the numbers of hits and blows, and the answer as `text` (1H2B).

    `spoken` is the answer in words, for screen readers.
    """

    hits: int
    blows: int
    text: str
    spoken: str


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A turn or another fact of a game. A fact without a guess has no number.

    `text` is the answer or the fact as text. `href` opens the row for editing, with `label` for screen readers. `left`
    is the number of candidates after the turn or fact. `note` is shown at the end of the row, above a bar of length
    `share`: the remaining entropy as a fraction of the entropy at the start. `wrong` marks an answer that was wrong,
    `suspect` one that may be wrong. If the answer marks each place of the guess, `places` contains the CSS class of
    each tile, and `text` is the answer in words.
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
    """The turns and other facts of one side. The `earlier` rows are folded under `earlier_label`."""

    label: str
    rows: tuple[TurnRow, ...]
    earlier: tuple[TurnRow, ...] = ()
    earlier_label: str = ""


def colours(rules: Rules, words: Words) -> str:
    """Return the symbols drawn in colour: all symbols of a game with black and white answers, if they are few enough.

    For any other game, return an empty string.
    """
    return rules.symbols if words is Words.BLACK and len(rules.symbols) <= _COLOURS else ""


def answer_marks(hint: Hint, words: Words) -> AnswerMarks:
    """Return an answer as numbers, as text and in words. `words` are the game's words for hits and blows."""
    return AnswerMarks(hint.hits, hint.blows, write_hint(hint, words), wording.hint_spoken(hint, words))


def turn_rows(facts: Iterable[Fact], words: Words) -> tuple[TurnRow, ...]:
    """Return the turns and other facts of one side as rows. The guesses are numbered from 1."""
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
    """Return the turns and other facts of one side as rows with links to edit them.

    `known` is the knowledge of that side. If answers contradict each other, the turns that the most likely correction
    changes are marked as suspect. After the end of the game, the wrong answers are marked as wrong.
    """
    suspects = {line for repair in session.repairs[:1] for line in repair.lines}
    wrong = set(session.wrong) if session.finished else set()
    match = None if isinstance(session, Assistant) else session.match
    lines = [line + 1 for line in match.lines(side)] if match else list(range(1, len(session.facts) + 1))
    # Symbols that were entered as absent before every other fact have rows of their own, although `known` does not
    # store them as facts.
    missing: list[int | None] = [None] * (len(lines) - len(known.facts))
    plain = turn_rows((address.entries[line - 1] for line in lines), address.words)
    return tuple(
        _linked(row, address.with_parts(edit=line), count, known, wrong=line in wrong, suspect=line in suspects)
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
    """Return the number of candidates after each fact, or None for each if answers may be wrong.

    A fact that may be wrong does not rule out any code.
    """
    if known.slips.most:
        return [None] * len(known.facts)
    return [Knowledge(known.rules, known.absent, known.facts[: end + 1], known.prior).count
            for end in range(len(known.facts))]  # fmt: skip


def _entropy_share(count: int | None, known: Knowledge) -> float:
    """Return the entropy of `count` equally likely candidates as a fraction of the entropy at the start."""
    most = known.start.count
    return log2(count) / log2(most) if count and most > 1 else 0.0


def turn_table(rows: tuple[TurnRow, ...], label: str, *, whole: bool = False) -> TurnTable:
    """Return a table of turns. From four turns on, all but the last two are folded, unless `whole` is True."""
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
    """The meaning of the marks in answers. `is_different` adds the note that no symbol repeats in a code."""

    is_different: bool


def answer_legend(rules: Rules) -> AnswerLegend:
    """Return the legend that explains the marks in answers."""
    return AnswerLegend(rules.repeats is Repeats.NONE)


@dataclass(frozen=True, slots=True)
class AnswerLink:
    """A possible answer as a link to the game after it.

    `row` and `column` are its place in the grid, counted from 1. Typing the digits in `key` follows the link. `share`
    is the probability of the answer, or None if it is impossible or already recorded. `wins` marks the answer to
    the right guess, `now` the recorded answer.
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
    """Answers in a grid: hits increase downwards, blows to the right. `shape` is the CSS class of the grid."""

    shape: str
    links: tuple[AnswerLink, ...]


@dataclass(frozen=True, slots=True)
class AnswerChoices(Card):
    """The answers that some candidate gives, and the `others`, which are folded unless `others_open`."""

    possible: AnswerGrid | None
    others: AnswerGrid | None
    others_open: bool


def answer_choices(
    address: AssistAddress, guess: str, line: int | None = None, now: Hint | None = None
) -> AnswerChoices:
    """Return the possible answers to `guess` as links to the game in which turn `line` (from 1) has that answer.

    By default, the answer makes a new turn. `now` is the answer that the turn has so far. The probabilities follow from
    all other turns and facts. The winning answer is left out if the game could not go on after it as it did.
    """
    known = address.board(line)
    cells = known.cells(guess) if known.count else {}
    may_win = line is None or _may_win(address.game, guess, line)
    hints = [hint for hint in sorted(possible_hints(known.rules, guess)) if may_win or hint != known.rules.win]
    place = line or len(address.entries) + 1

    def link(hint: Hint) -> AnswerLink:
        href = address.link_with_entries({place: Turn(guess, hint)})
        share = cells[hint] / known.total if hint in cells and hint != now else None
        note = _("now") if hint == now else "" if share is None else percent(share)
        # The winning answer is put at the end of the row above, because it needs no row of its own.
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


def _may_win(game: Knowledge | Match, guess: str, line: int) -> bool:
    """Return True if the game stays valid when `guess` finds the code in turn `line`, counted from 1.

    Turns after a win are usually invalid. But in a match with equal turns, the other side may make one more guess.
    """
    if isinstance(game, Knowledge):
        fact = game.facts[line - 1]
        return line == len(game.facts) or (isinstance(fact, Answered) and fact.found)
    try:
        game.edit(line, Turn(guess, Hint(len(guess), 0)))
    except InputError:
        return False
    return True


def _grid(links: Sequence[AnswerLink], size: int) -> AnswerGrid | None:
    """Return a grid of answers to a guess with `size` symbols, or None if there are no answers."""
    return AnswerGrid("single" if len(links) == 1 else f"n{size}", tuple(links)) if links else None


# --- forms ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FormLink:
    """A link next to the buttons of a form."""

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
    """Symbols to tap. Each element contains a symbol, the address of its link, and True if the symbol is chosen."""

    keys: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class FormChoice:
    """One of several values that a form offers: the value, its name, a note, and True if it is chosen."""

    value: str
    text: str
    note: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class FormChoices:
    """The values that a form offers for parameter `name`, under a title. The script remembers the last choice."""

    title: str
    name: str
    options: tuple[FormChoice, ...]


@dataclass(frozen=True, slots=True)
class PadForm(Card):
    """The form for a guess: tiles that show it, a field, and a key for each symbol.

    Each element of `keys` contains a symbol, True if it can be typed next, and True if it is typed already. `hidden`
    are (name, value) pairs that the form also sends. `is_distinct` means that no symbol repeats. `waits` means that the
    script does not submit a complete guess by itself. `missing` says how many symbols are still to be typed. The keys
    of the `absent` symbols are crossed out. `notes` adds a button for notes: with it, the player marks keys as ruled
    out or certain. `link` is a link next to the buttons. `choices` are shown above the guess, and `settings` are
    further choices, folded. With `choices`, the guess has `label` as a heading.
    """

    action: str
    hidden: Pairs
    label: str
    button: str
    typed: str
    digits: int
    keys: tuple[tuple[str, bool, bool], ...]
    input_mode: str
    is_distinct: bool
    error: str
    missing: str
    absent: str = ""
    size: str = "xl"
    waits: bool = False
    notes: bool = False
    link: FormLink | None = None
    choices: FormChoices | None = None
    settings: tuple[FormChoices, ...] = ()


def guess_pad(
    rules: Rules, typed: str, action: str, hidden: Iterable[tuple[str, str]], label: str, button: str, error: str = ""
) -> PadForm:
    """Return the form for a guess. The keys of symbols that cannot be typed next are disabled.

    `typed` is the guess so far. The form sends the guess and the pairs in `hidden` to the path `action`.
    """
    full = len(typed) >= rules.digits
    is_distinct = rules.repeats is Repeats.NONE
    missing = rules.digits - len(typed) if typed and not full and not error else 0
    return PadForm(
        action,
        tuple(hidden),
        label,
        button,
        typed,
        rules.digits,
        tuple((each, not full and not (is_distinct and each in typed), each in typed) for each in rules.symbols),
        "numeric" if rules.symbols.isdecimal() else "text",
        is_distinct,
        error,
        ngettext("{missing} more digit", "{missing} more digits", missing).format(missing=missing) if missing else "",
    )


def symbol_keys(address: AssistAddress, name: str, rules: Rules, absent: str, secret: str = "") -> SymbolKeys:
    """Return the keys with which the player says which symbols a code does not contain.

    Each key is a link to the game with the parameter `name` changed: the key of a symbol in `absent` removes the symbol
    from it, and any other key adds its symbol. Symbols of `secret` have no key.
    """
    keys = []
    for symbol in rules.symbols:
        if symbol in secret:
            continue
        chosen = symbol in absent
        try:
            after = rules.check_absent(absent.replace(symbol, "") if chosen else absent + symbol)
        except RulesError:
            continue
        keys.append((symbol, address.link_with_term(name, after), chosen))
    return SymbolKeys(tuple(keys))


# --- partitions and chances -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SplitBar:
    """The candidates that give one answer. `hits`, `blows` and `text` are the answer.

    `size` is their number or share as text, and `length` the length of the bar, from 0 to 1.
    """

    hits: int
    blows: int
    text: str
    size: str
    length: float


@dataclass(frozen=True, slots=True)
class SplitChart:
    """The partition of the candidates by a guess: bars for at most 8 answers, the longest first.

    `kind` is the CSS class of the chart. `note` describes the partition in words. `expected` is the number of guesses
    still needed on average, as text.
    """

    title: str
    kind: str
    guess: str
    bars: tuple[SplitBar, ...]
    note: str
    expected: str


@dataclass(frozen=True, slots=True)
class SplitCharts(Card):
    """The partitions of the candidates by several guesses, side by side on the same scale."""

    charts: tuple[SplitChart, ...]


@dataclass(frozen=True, slots=True)
class ChanceBar:
    """The chances of both sides to win, as text.

    `share` is the player's chance, from 0 to 1. `model` is a sentence that names the assumed opponent.
    """

    mine: str
    theirs: str
    share: float
    model: str


def split_charts(guesses: Sequence[Figures], words: Words, labels: Sequence[tuple[str, str]]) -> SplitCharts:
    """Return a chart for each guess that shows how it divides the candidates, all on one scale.

    If candidates differ in probability, the bars are shares of the total weight. `labels` contains the title and the
    CSS class of each chart.
    """
    longest = max(max(size for _hint, size in figures.cells) / figures.total for figures in guesses)
    charts = [
        _chart(figures, sorted(figures.cells, key=lambda cell: (-cell[1], cell[0])), longest * figures.total, words,
               label, None if figures.even else figures.total)
        for figures, label in zip(guesses, labels, strict=True)
    ]  # fmt: skip
    return SplitCharts(tuple(charts))


def count_charts(guesses: Sequence[Figures], words: Words, labels: Sequence[tuple[str, str]]) -> SplitCharts:
    """Return a chart for each guess with the number of candidates for each answer, all on one scale.

    `labels` contains the title and the CSS class of each chart.
    """
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
    """Return both sides' chances to win, given the player's from 0 to 1.

    Without `exact`, the text calls the chances approximate.
    """
    return ChanceBar(
        _("You {chance}").format(chance=percent(mine, exact=exact)),
        _("They {chance}").format(chance=percent(1 - mine, exact=exact)),
        mine,
        model,
    )


def listed_codes(known: Knowledge, limit: int, link: Callable[[str], object] | None = None) -> tuple[Card, ...]:
    """Return a list of at most `limit` candidates, and a note on how many more there are.

    `link` returns the address for a candidate. Without it, the candidates are not links.
    """
    codes = known.codes(limit)
    listed = Codes(tuple((code, str(link(code)) if link else "", "") for code in codes))
    more = known.count - len(codes)
    return (listed, Text(_("and {more} more").format(more=more))) if more else (listed,)
