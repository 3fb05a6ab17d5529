"""The cards of a finished game of Hit & Blow, each with its builder: result, grades, lesson and review."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce

from yomikiri.common.enums import Grade
from yomikiri.common.errors import ContradictionError
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Unit
from yomikiri.hitblow.model.notation import write_answer
from yomikiri.hitblow.model.rules import Turn, Words
from yomikiri.hitblow.model.wrong_answers import MOST
from yomikiri.hitblow.practice.lessons import Marked, Point, Report
from yomikiri.hitblow.practice.puzzles import from_report
from yomikiri.web.cards import Button, Buttons, Card, Mark, Section, Text
from yomikiri.web.hitblow_cards import (
    AnswerMarks,
    CodeRow,
    OwnNumber,
    SplitCharts,
    answer_marks,
    count_charts,
    listed_codes,
)
from yomikiri.wording import _, joined, learning, ngettext
from yomikiri.wording.hitblow import candidate_count, percent

_LISTED = 20  # the most candidates at the end of a lost game that are listed
# Geometry of the curve of chances in units of its picture: x of its first point, its width, y of the chance 0, and the
# height of the scale from 0 to 1.
_LEFT, _WIDTH, _BOTTOM, _HEIGHT = 16, 288, 104, 96


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A finished game. `report` is the evaluation of its guesses.

    `report` is None if the code reported as found contradicts the known facts. Then `unfit` is this code, and `slips`
    is the number of answers that must be wrong for it to fit. `slips` is 0 if there are too many of them, or if the
    game already tolerates this number of wrong answers.
    """

    report: Report | None = None
    unfit: str = ""
    slips: int = 0


def judge_game(known: Knowledge, report: Callable[[], Report]) -> JudgedGame:
    """Evaluate a finished game with the function `report`.

    If `report` raises a `ContradictionError`, the code reported as found does not fit the answers.
    """
    try:
        return JudgedGame(report())
    except ContradictionError:
        wrong = len(known.wrong)
        return JudgedGame(None, known.found, wrong if known.slips.most < wrong <= MOST else 0)


@dataclass(frozen=True, slots=True)
class ResultCard(Card):
    """The result of a game with its secret. `ending` is the CSS class: won, lost or given-up. `notes` are sentences.

    `label` says whose code it is, and `own` is the player's own code. A game on one board has neither.
    """

    title: str
    code: str
    notes: tuple[str, ...]
    ending: str
    label: str = ""
    own: OwnNumber | None = None


@dataclass(frozen=True, slots=True)
class GradedTurn:
    """A guess at the end of a game with its answer and its grade."""

    mark: Mark
    guess: str
    answer: AnswerMarks | None
    text: str
    grade: str


@dataclass(frozen=True, slots=True)
class GradedTurns(Card):
    """The guesses of a finished game with their grades."""

    turns: tuple[GradedTurn, ...]


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of a curve of chances, in units of the picture.

    `label` is the number of the guess, or says that it is the end. `mark` is the grade of an inaccuracy or a mistake,
    otherwise empty.
    """

    x: int
    y: int
    radius: int
    label: str
    mark: str


@dataclass(frozen=True, slots=True)
class ChanceCurve(Card):
    """The curve of the chance to win: before each guess, and at the end of the match.

    `spoken` lists the chances for screen readers, and `mistakes` is the number of mistakes in words. `note` describes
    the costliest guess and the assumed opponent.
    """

    spoken: str
    points: tuple[CurvePoint, ...]
    mistakes: str
    note: str


@dataclass(frozen=True, slots=True)
class NoLesson(Card):
    """The message that there is no guess from which the player can learn.

    No guess has a proven cost, apart from the guess that found the secret and guesses that were not the player's own
    choice.
    """


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """A turn in a review. `says` is its cost in words, `puzzle` the address of its position as a puzzle, or empty.

    `splits` compares the partitions by the guess and by a better guess, if there was one. If the answer marks each
    place of the guess, `places` contains the CSS class of each tile, and `text` is for screen readers.
    """

    mark: Mark
    grade: str
    guess: str
    answer: AnswerMarks | None
    text: str
    says: str
    splits: SplitCharts | None
    puzzle: str
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnReview(Card):
    """Every turn of a game with its grade.

    `skill` and `luck` are scores from 0 to 100 as text, or empty if they are not known.
    """

    skill: str
    luck: str
    summary: tuple[str, ...]
    turns: tuple[ReviewedTurn, ...]


def grade_mark(grade: Grade | None) -> Mark:
    """Return the sign of a grade. Without a grade, the sign is empty."""
    return Mark(grade or "none", learning.SIGNS[grade] if grade else "")


def curve_points(chances: list[float], step: float, left: int, bottom: int, height: int) -> list[tuple[int, int]]:
    """Return the points of a curve of chances from 0 to 1, in units of its picture.

    `step` is the distance between two points, `left` the x of the first point, `bottom` the y of the chance 0, and
    `height` the height of the scale.
    """
    return [(round(left + step * at), round(bottom - height * chance)) for at, chance in enumerate(chances)]


def spoken_chances(chances: Sequence[float | Fraction]) -> str:
    """Return the chances of a curve in words, for screen readers."""
    return _("You:") + " " + ", ".join(map(percent, chances))


def end_buttons(again: Button, review: str, more: Sequence[Button] = ()) -> Buttons:
    """Return the buttons after the end of a game: first `again`, then `more`, then the link to the review.

    If the address `review` is empty, there is no link to the review.
    """
    learn = [Button(_("Learn from this game"), review)] if review else []
    return Buttons((replace(again, style="btn go wide"), *more, *learn))


def _grade_text(turn: Marked, reason: str) -> str:
    """Return the name of the grade of a guess. It is empty if the cost of the guess is only an estimate.

    If the guess was not the player's own choice, return `reason`. If it was the only candidate, say so.
    """
    if not turn.is_own:
        return reason
    return _("The only candidate.") if turn.weighed.forced else learning.grade(turn.grade)


def graded_turns(report: Report, words: Words, reason: str = "") -> GradedTurns:
    """Return the guesses of a finished game with their grades.

    `reason` is shown instead of a grade for guesses that were not the player's own choice.
    """
    return GradedTurns(
        tuple(
            GradedTurn(
                grade_mark(turn.grade),
                turn.turn.guess,
                answer_marks(turn.turn.hint, words) if isinstance(turn.turn, Turn) else None,
                write_answer(turn.turn, words),
                _grade_text(turn, reason),
            )
            for turn in report.turns
        )
    )


def chance_curve(report: Report, model: Sequence[str]) -> ChanceCurve | None:
    """Return the curve of the chance to win a match, or None if it has fewer than two points.

    `model` contains one or two sentences: one that names the assumed opponent, and one that names the opponent assumed
    in estimates.
    """
    points = report.curve
    if len(points) < 2:
        return None
    places = curve_points(
        [float(point.chance) for point in points], _WIDTH / (len(points) - 1), _LEFT, _BOTTOM, _HEIGHT
    )
    mistakes = sum(turn.grade is Grade.MISTAKE for turn in report.turns)
    lesson = report.lesson
    return ChanceCurve(
        spoken_chances([point.chance for point in points]),
        tuple(_curve_point(point, place, point is points[-1]) for point, place in zip(points, places, strict=True)),
        ngettext("{count} mistake", "{count} mistakes", mistakes).format(count=mistakes) if mistakes else "",
        reduce(joined, [*([_("Guess {number} {cost}.").format(number=lesson.marked.number,
                                                              cost=learning.cost(lesson.marked.weighed))]
                          if lesson else []),
                        *_assumed(report, model)]),
    )  # fmt: skip


def _assumed(report: Report, model: Sequence[str]) -> Sequence[str]:
    """Return the sentences of `model`, about the assumed opponent, that apply to a report.

    The report of a game on one board has no opponent and counts costs in guesses, so the result is empty. In the report
    of a match, costs are chances of winning. The second sentence of `model` applies only if some chance is an estimate.
    """
    if report.unit is Unit.GUESSES:
        return ()
    return model if any(point.estimated for point in report.curve) else model[:1]


def _curve_point(point: Point, place: tuple[int, int], is_last: bool) -> CurvePoint:
    label = str(point.number or _("end"))
    mark = point.grade if point.grade in (Grade.MISTAKE, Grade.INACCURACY) else None
    return CurvePoint(*place, 5 if is_last else 4, label, mark or "")


def lesson_card(report: Report, words: Words, puzzle_link: Callable[[int], object], model: Sequence[str] = ()) -> Card:
    """Return the card that compares the costliest guess with the best one, or `NoLesson` if no guess has a cost.

    `puzzle_link` returns the address of the position before a guess as a puzzle, given the number of the guess. `model`
    contains sentences about the assumed opponent.
    """
    lesson = report.lesson
    if lesson is None:
        return NoLesson()
    marked = lesson.marked
    cost = learning.amount(marked.cost or Fraction(0), marked.weighed.unit)
    puzzle = str(puzzle_link(marked.number)) if marked.number in puzzle_numbers(report) else ""
    parts = (
        Text(next(learning.lesson(lesson)), style=""),
        *(Text(reason, style="") for reason in learning.reasons(lesson)),
        *([CodeRow(lesson.numbers)] if lesson.numbers else []),
        *([_compared(marked, words), Text(learning.legend())] if _differ(marked) else []),
        *(Text(each, style="tiny") for each in _assumed(report, model[:1])),
        Buttons(
            (*([Button(_("Try it yourself"), puzzle, "btn go")] if puzzle else []), Button(_("All turns"), "#all"))
        ),
    )
    return Section("now", _("A lesson from this game"), parts, is_main=True, tag=_("cost {amount}").format(amount=cost))


def puzzle_numbers(report: Report) -> set[int]:
    """Return the numbers (from 1) of the guesses whose positions are suitable for puzzles."""
    return {puzzle.number for puzzle in from_report(report)}


def _differ(turn: Marked) -> bool:
    """Return True if the partitions by the guess and by the best one have different sizes."""
    sizes = [sorted(size for _hint, size in shown.groups) for shown in (turn.weighed.played, turn.weighed.best)]
    return sizes[0] != sizes[1]


def _compared(turn: Marked, words: Words) -> SplitCharts:
    labels = ((_("You"), "you"), (_("Best"), "best"))
    return count_charts([turn.weighed.played, turn.weighed.best], words, labels)


def turn_review(
    report: Report,
    words: Words,
    puzzle_link: Callable[[int], object],
    reason: str = "",
    model: Sequence[str] = (),
) -> TurnReview:
    """Return the card with every turn of a game and its grade.

    `puzzle_link` returns the address of the position before a guess as a puzzle, given the number of the guess.
    `reason` is shown instead of a grade for guesses that were not the player's own choice. A game with such guesses has
    no scores for skill and luck. `model` contains sentences about the assumed opponent.
    """
    review = report.review
    is_own = all(turn.is_own for turn in report.turns)
    rated = review is not None and review.skill is not None and is_own
    puzzles = puzzle_numbers(report)
    return TurnReview(
        str(review.skill) if review and rated else "",
        str(review.luckiness) if review and rated else "",
        (*learning.summary(report, words), *_assumed(report, model)),
        tuple(
            _judged_turn(turn, words, str(puzzle_link(turn.number)) if turn.number in puzzles else "", reason)
            for turn in report.turns
        ),
    )


def _judged_turn(turn: Marked, words: Words, puzzle: str, reason: str) -> ReviewedTurn:
    better = turn.is_own and turn.cost and turn.weighed.best.guess != turn.turn.guess
    return ReviewedTurn(
        grade_mark(turn.grade),
        _grade_text(turn, reason),
        turn.turn.guess,
        answer_marks(turn.turn.hint, words) if isinstance(turn.turn, Turn) else None,
        write_answer(turn.turn, words),
        learning.turn(turn),
        _compared(turn, words) if better else None,
        puzzle,
    )


def possible_codes(known: Knowledge) -> Section:
    """Return the number of candidates left after a lost game, and a list of some of them."""
    parts = (Text(candidate_count(known.count)), *listed_codes(known, _LISTED))
    return Section("possible", _("Candidates at the end"), parts)
