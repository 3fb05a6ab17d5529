"""The review of a game with the user's own lists of codes: each guess with its grade, its cost, and a better guess."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from yomikiri.guessing.answers import MARKS
from yomikiri.guessing.game import Position
from yomikiri.guessing.results import JudgedTurn
from yomikiri.web.guess_cards import turn_row
from yomikiri.web.review_cards import ReviewedTurn, TurnReview, grade_mark
from yomikiri.wording import _, learning, puzzles
from yomikiri.wording import guessing as wording


def guess_review(position: Position, judged: Sequence[JudgedTurn], hinted: Collection[int] = ()) -> TurnReview:
    """Return the card with every turn of a game and its grade.

    `judged` contains the evaluation of each turn. `hinted` contains the numbers (from 1) of the turns for which the
    person got a hint. These turns have no grade.
    """
    numbered = [*enumerate(judged, start=1)]
    own = [turn for number, turn in numbered if number not in hinted]
    turns = tuple(_reviewed(position, number, turn, is_own=number not in hinted) for number, turn in numbered)
    return TurnReview("", "", _summary(own), turns)


def _summary(turns: Sequence[JudgedTurn]) -> tuple[str, ...]:
    """Return sentences on the total cost of the turns in guesses. One of them says if some costs are not proven."""
    costs = [turn.cost for turn in turns if turn.is_proven and turn.cost is not None]
    parts = []
    if len(costs) < len(turns):
        parts.append(_("Some guesses could not be compared in the time of this page."))
    if lost := sum(costs, Fraction(0)):
        parts.append(_("Your choices cost {amount}.").format(amount=puzzles.guesses(lost)))
    elif turns and len(costs) == len(turns):
        parts.append(_("No guess could have been better."))
    return tuple(parts)


def _reviewed(position: Position, number: int, judged: JudgedTurn, *, is_own: bool) -> ReviewedTurn:
    row = turn_row(number, judged.turn, position.game.answers)
    grade = judged.grade if is_own else None
    name = learning.grade(grade) if is_own else _("With a hint")
    if is_own and judged.is_forced:
        name = _("The only candidate.")
    elif is_own and not judged.is_proven:
        name = _("not proven")
    return ReviewedTurn(
        grade_mark(grade),
        name,
        judged.turn.guess,
        row.answer,
        row.text,
        " · ".join(_details(judged, is_limited=position.game.guess_limit is not None)),
        None,
        "",
        row.places if position.game.answers is MARKS else (),
    )


def _details(judged: JudgedTurn, *, is_limited: bool) -> list[str]:
    """Return short notes on a turn.

    They contain its cost and the best guess if these are proven, and the candidates before and after the turn. If the
    number of guesses is limited, a note warns unless the limit surely suffices for every candidate.
    """
    details = []
    if judged.cost and judged.is_proven:
        details.append(_("cost {amount}").format(amount=puzzles.guesses(judged.cost)))
        details.append(_("best {guess}").format(guess=judged.best))
    details.append(_("found") if judged.is_win else f"{judged.before:,} → {judged.after:,}")
    if is_limited and not judged.finds_all:
        details.append(f"{_('in time')}: {wording.finds_all(judged)}")
    return details
