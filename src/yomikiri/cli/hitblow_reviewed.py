"""The review of a Hit & Blow game, at a terminal and in pipes.

At a terminal, each guess has a grade, and a match also has the curve of the winning chance.
"""

from __future__ import annotations

from collections.abc import Iterator

from yomikiri.cli.text import columns_of, styled, width, window
from yomikiri.common.enums import Grade
from yomikiri.hitblow.model.labels import Unit
from yomikiri.hitblow.model.rules import Words
from yomikiri.hitblow.practice.lessons import Report
from yomikiri.wording import _
from yomikiri.wording import learning as wording
from yomikiri.wording.hitblow import fact_text
from yomikiri.wording.review import luck_text

_BLOCKS = "▁▂▃▄▅▆▇█"
_COLOUR = {Grade.MISTAKE: "red", Grade.INACCURACY: "yellow"}


def review_lines(report: Report, words: Words, who: str = "") -> Iterator[str]:
    """Yield the review for a terminal: a row for each guess, and for a match the curve of the winning chance.

    The columns are the sign of the grade, the line number, the turn, the candidates before and after it, a better
    guess, and the cost of the played guess. A single board also has the luck of the answer. A window of less than 70
    columns leaves out the candidates and the luck. `who` is the heading of the turns.
    """
    alone = report.unit is Unit.GUESSES
    wide = window() >= 70
    turn_columns = max(8, *(width(fact_text(turn.turn, words)) for turn in report.turns), width(who)) + 2
    head = wording.heads(report.unit)
    cells = [
        ("", 4),
        (" #", 4),
        (who or head[0], turn_columns),
        *([(head[1], 15)] if wide else []),
        (head[2], 8),
        (head[3], 8),
    ]
    yield styled(columns_of([*cells, *([(head[4], 0)] if alone and wide else [])]), dim=True)
    lucks = report.review.turns if report.review else ()
    for at, turn in enumerate(report.turns):
        sign = wording.SIGNS[turn.grade] if turn.grade else ""
        fell = f"{turn.weighed.played.count:>5,} -> {turn.left:,}"
        better = turn.weighed.best.guess if turn.cost else "-"
        cost = wording.cost_in_column(turn.cost, report.unit)
        cells = [(f" {sign}", 4), (f"{turn.line:>2}", 4), (fact_text(turn.turn, words), turn_columns)]
        cells += [(fell, 15)] if wide else []
        cells += [(better, 8), (styled(cost, fg=_COLOUR.get(turn.grade or Grade.BEST)), 8)]
        yield columns_of([*cells, *([(luck_text(lucks[at]), 0)] if alone and wide else [])])
    if report.curve:
        chances = [point.chance for point in report.curve]
        blocks = "".join(_BLOCKS[min(7, int(chance * 8))] for chance in chances)
        yield wording.curve(blocks, chances[0], chances[-1])


def legend(*reports: Report) -> str:
    """Return the signs in the reviews and the grades that they mean."""
    given = {turn.grade for report in reports for turn in report.turns if turn.grade}
    names: dict[str, list[str]] = {}
    for grade in sorted(given, key=[*wording.SIGNS].index):
        names.setdefault(wording.SIGNS[grade], []).append(wording.grade(grade))
    return styled("   ".join(f"{sign} {_(', ').join(each)}" for sign, each in names.items()), dim=True)


def review_rows(report: Report, words: Words, who: str = "") -> Iterator[str]:
    """Yield the review for programs, with tabs between the columns. `who` is the heading of the turns."""
    head = wording.heads(report.unit)
    yield "\t".join(("#", who or head[0], *head[1:4]))
    for turn in report.turns:
        fell, better = f"{turn.weighed.played.count} -> {turn.left}", turn.weighed.best.guess
        played = fact_text(turn.turn, words)
        yield "\t".join((str(turn.line), played, fell, better, wording.cost_in_column(turn.cost, report.unit)))
