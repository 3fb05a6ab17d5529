"""Parts of the screens of Hit & Blow: the title, the turns, the suggestion, corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from yomikiri.cli.text import beside, columns_of, heading, styled, width, window
from yomikiri.hitblow.match.match import Learned, Match, Side
from yomikiri.hitblow.model.corrections import Repair
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import write_answer, write_hint
from yomikiri.hitblow.model.rules import Answered, Fact, Hint, Rules, Turn, Words
from yomikiri.wording import _
from yomikiri.wording import hitblow as wording
from yomikiri.wording import screens as words_of_screens

MOST_CORRECTIONS = 5
"""The largest number of corrections on a screen."""

_NUMBER = 5  # width of the column of line numbers
_MOST_COUNTED = 100_000  # in a game with more codes, the candidates after each turn are not counted
_LISTED = 8  # maximum number of candidates in the list


def title(name: str, known: Knowledge, commands: Sequence[str] = ("help", "undo", "quit")) -> list[str]:
    """Return the head of the screen.

    It contains the name of the game, the rules, a few commands, the symbols known to be absent before the first turn,
    and the likeliest secrets if the secrets have weights.
    """
    head = heading(name, words_of_screens.rules(known.rules), *commands)
    weighted = [wording.weighted(known.prior)] if known.prior else []
    return [*head, *wording.absent_symbols(known.absent), *weighted]


def turns(known: Knowledge, words: Words, *, counted: bool = True) -> Iterator[str]:
    """Yield the headings, then a row for each turn or other fact. Yield nothing if there are no turns or facts yet.

    If `counted`, each row contains the number of candidates after its turn or fact.
    """
    if not known.facts:
        return
    widths = _column_widths(known.rules, words)
    heads = words_of_screens.heads()
    yield styled(
        columns_of([(" #", _NUMBER), (heads[0], widths[0]), (heads[1], widths[1]), (heads[2] if counted else "", 0)]),
        dim=True,
    )
    for number, fact in enumerate(known.facts, start=1):
        yield _row(number, fact, _count_in_column(known, number) if counted else "", widths, words)


def _row(number: int, fact: Fact, count_text: str, widths: tuple[int, int], words: Words) -> str:
    """Return the row of a fact, with its number and the number of candidates as text.

    A guess and its answer are in two columns with these widths. Any other fact spans both.
    """
    if isinstance(fact, Answered):
        cells = [(fact.guess, widths[0]), (write_answer(fact, words), widths[1])]
    else:
        cells = [(wording.fact_text(fact, words), sum(widths))]
    return columns_of([(f"{number:>2}", _NUMBER), *cells, (count_text, 0)])


def boards(match: Match, words: Words, me: Side, heads: tuple[str, str], *, counted: bool = True) -> Iterator[str]:
    """Yield the turns of both sides side by side, those of `me` on the left. `heads` are the headings, in this order.

    In a window that is too narrow, the turns of the other side come below.
    """
    if not match.facts:
        return
    sides = [[head, *_lines_of(match, side, words, counted)] for side, head in zip((me, me.other), heads, strict=True)]
    both = [*beside(*sides)]
    if max(map(width, both)) <= window():
        head, *lines = both
        yield styled(head, dim=True)
        yield from lines
    else:
        yield from (line for side in sides if len(side) > 1 for line in side)


def _lines_of(match: Match, side: Side, words: Words, counted: bool) -> Iterator[str]:
    known = match.known(side)
    widths = _column_widths(known.rules, words)
    # A match may begin with absent symbols. These facts have rows of their own, but their symbols are in
    # `known.absent`, not in `known.facts`. So no candidates are counted in these rows.
    before = len(match.lines(side)) - len(known.facts)
    for number, line in enumerate(match.lines(side), start=1):
        fact = match.facts[line]
        count_text = _count_in_column(known, number - before) if counted and number > before else ""
        yield _row(line + 1, fact.fact if isinstance(fact, Learned) else fact, count_text, widths, words)


def proposed(number: int, guess: str, guess_label: str, sure: str) -> Iterator[str]:
    """Yield the suggested guess with the label `guess_label` and the remark `sure`.

    The remark has a line of its own if it does not fit beside the guess.
    """
    row = f"{number:>2}".ljust(_NUMBER) + f"{styled(guess, bold=True, fg='green')}  <- {guess_label}"
    beside = f"{row}      {styled(sure, dim=True)}"
    if not sure or width(beside) <= window():
        yield beside.rstrip() if sure else row
    else:
        yield row
        yield " " * _NUMBER + styled(sure, dim=True)


def candidates_row(known: Knowledge) -> Iterator[str]:
    """Yield a line with the first candidates, the number of the others, and the chance of each code.

    The line contains at most 8 candidates, and only as many as fit in the window. If the codes have weights, it
    contains the likeliest candidates instead of the first.
    """
    if known.weights is not None:
        yield wording.likeliest(known)
        return
    count, codes = known.count, known.likeliest(_LISTED)
    for listed in range(len(codes), 0, -1):
        line = "   ".join(words_of_screens.some_candidates(" ".join(codes[:listed]), count - listed, 1 / count))
        if width(line) < window():
            break
    yield " " + styled(line, dim=True)


def corrections(facts: Sequence[Fact], found: Sequence[Repair], words: Words) -> Iterator[str]:
    """Yield the message that no code fits the answers, and rows with corrections, the most probable first."""
    yield " " * _NUMBER + styled(words_of_screens.nothing_fits(len(found)), fg="red", bold=True)
    for number, repair in enumerate(found[:MOST_CORRECTIONS], start=1):
        changed = zip(repair.lines, repair.turns, strict=True)
        changes = (_change(facts[line - 1], turn, line, words) for line, turn in changed)
        share, remaining = wording.percent(repair.share), wording.candidate_count(repair.count)
        yield f"  {number}  {', '.join(changes)}   {share:>4}   {remaining}"


def _change(before: Fact, after: Turn, line: int, words: Words) -> str:
    """Return the text of a correction: the turn before it and after it.

    `line` is the number of the turn, from 1.
    """
    name = _("turn {number}").format(number=line)
    if isinstance(before, Turn) and before.guess == after.guess:
        return f"{name}  {before.guess}  {write_hint(before.hint, words)} -> {write_hint(after.hint, words)}"
    return f"{name}  {wording.fact_text(before, words)} -> {wording.fact_text(after, words)}"


def _column_widths(rules: Rules, words: Words) -> tuple[int, int]:
    """Return the widths of the columns of guesses and answers, in this order."""
    heads = words_of_screens.heads()
    answer = write_hint(Hint(0, rules.digits), words)
    return max(rules.digits, width(heads[0])) + 3, max(width(answer), width(heads[1])) + 3


def _count_in_column(known: Knowledge, lines: int) -> str:
    """Return the number of candidates after the first `lines` facts; "" for a game with too many codes."""
    return f"{_candidate_count(known, lines):>6,}" if known.rules.secret_count <= _MOST_COUNTED else ""


@lru_cache(maxsize=256)
def _candidate_count(known: Knowledge, lines: int) -> int:
    return replace(known, facts=known.facts[:lines]).count
