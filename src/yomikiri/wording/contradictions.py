"""Sentences for contradictory answers and their corrections, in the current language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from yomikiri.hitblow.model.notation import write_hint
from yomikiri.hitblow.model.rules import Turn
from yomikiri.wording import _, ngettext
from yomikiri.wording.hitblow import candidate_count, fact_text, percent

if TYPE_CHECKING:
    from yomikiri.hitblow.model.corrections import Repair
    from yomikiri.hitblow.model.rules import Fact, Words

_REPAIRS_SHOWN = 5


def contradiction(lines: Sequence[Fact], repairs: Sequence[Repair], words: Words) -> Iterator[str]:
    """Yield the lines to print if no code fits the answers.

    They contain the possible corrections, the likeliest first, and what the player can type.
    """
    if not repairs:
        yield _("No code fits all of this. Type 'undo' to remove your last entry.")
        return
    yield _("These answers contradict each other: no code fits them all. Possible corrections, the likeliest first:")
    for number, repair in enumerate(repairs[:_REPAIRS_SHOWN], start=1):
        yield f"  {number}. {_repair(lines, repair, words)}"
    first = f"edit {repairs[0].lines[0]} {_corrected_text(repairs[0].turns[0], lines[repairs[0].lines[0] - 1], words)}"
    made = (
        _("Type 'fix' for the first correction, 'fix 2' for the second")
        if len(repairs) > 1
        else _("Type 'fix' for this correction")
    )
    yield _("{made}, '{example}' for another, or 'undo' to remove your last entry.").format(made=made, example=first)


def question(lines: Sequence[Fact], repair: Repair, words: Words) -> str:
    """Return the question that asks the player if a correction is right."""
    line, turn = repair.lines[0], repair.turns[0]
    if len(repair.lines) > 1:
        turns = _(" and ").join(fact_text(turn, words) for turn in repair.turns)
        return _("Could the turns be {turns}?").format(turns=turns)
    corrected = _corrected_text(turn, lines[line - 1], words)
    if corrected == write_hint(turn.hint, words):
        return _("Could the answer to {guess} be {answer}?").format(guess=turn.guess, answer=corrected)
    return _("Could turn {number} be {turn}?").format(number=line, turn=corrected)


def slips_hint(repair: Repair) -> str:
    """Return the note on what to type to continue a game without a correction."""
    return _("To continue without a correction, type 'slips {count}': {count} of the answers may be wrong.").format(
        count=len(repair.lines)
    )


def slips_label(slips: int) -> str:
    """Return the label of the option to continue without a correction, with at most `slips` wrong answers."""
    return ngettext("Continue: one answer may be wrong", "Continue: {count} answers may be wrong", slips).format(
        count=slips
    )


def likeliest_correction(lines: Sequence[Fact], repair: Repair, words: Words) -> str:
    """Return the sentence that suggests `repair`, the likeliest correction. It becomes the hint of an error."""
    return _("Maybe {repair}").format(repair=_repair(lines, repair, words))


def _repair(lines: Sequence[Fact], repair: Repair, words: Words) -> str:
    changes = _(" and ").join(
        _("turn {number} ({turn}) was {answer}").format(
            number=line, turn=fact_text(lines[line - 1], words), answer=_corrected_text(turn, lines[line - 1], words)
        )
        for line, turn in zip(repair.lines, repair.turns, strict=True)
    )
    return _("{changes} ({share}, {left})").format(
        changes=changes, share=percent(repair.share), left=candidate_count(repair.count)
    )


def _corrected_text(turn: Turn, before: Fact, words: Words) -> str:
    """Return the corrected answer, or the whole corrected turn if the guess changes as well."""
    same = isinstance(before, Turn) and before.guess == turn.guess
    return write_hint(turn.hint, words) if same else fact_text(turn, words)
