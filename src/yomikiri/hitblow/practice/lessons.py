"""A game of mine with a grade for each guess, the one thing to learn from it, and in a match the curve of the chance.

What happened and what was given away are told apart. In a match, before guess k best play wins with chance c(k), the
guess that was played with p(k), and the game ends with e (1 won, 0 lost, one half drawn):

    cost(k) = c(k) - p(k)                     what the guess gave away
    e = c(1) - the sum of costs + luck        luck is all the rest: the hints of both, and how the other played

The curve has the points c(1), c(2), ..., e, luck included; the grades stand at the guesses and know nothing of it.
They go by what was given away, in guesses on average where only the board counts, else in the chance of winning:

    guesses    0 best    < 0.10 good    < 0.25 inaccuracy    mistake from there
    chance     0 best    < 3 % good     < 10 % inaccuracy    mistake from there

`tests/hitblow/practice/test_grades.py` holds the limits against players of different strength.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.enums import Grade, Named
from yomikiri.hitblow.advice.review import LITTLE, Review, expected, review, summed
from yomikiri.hitblow.advice.suggestion import Figures, figures
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.opponents import Consistent
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Answered, Hint, hint
from yomikiri.hitblow.policies.exact import SECONDS, Exact
from yomikiri.hitblow.practice.play import Level, Play, rival

LISTED = 8
"""Up to so many numbers left are listed in a lesson, and in the check of a puzzle with what each hint means."""


class Unit(Named):
    """What a guess is weighed in: the guesses still needed on average, or the chance of winning, draws counted half."""

    GUESSES = "guesses"
    CHANCE = "chance"


# What a good guess and an inaccuracy give away less than.
_LIMITS = {Unit.GUESSES: (LITTLE, Fraction(1, 4)), Unit.CHANCE: (Fraction(3, 100), Fraction(1, 10))}


def grade_of(cost: Fraction, unit: Unit, *, found: bool = False) -> Grade:
    """The grade for what a guess gave away; `found` says that it found the secret.

    >>> grade_of(Fraction(1, 4), Unit.GUESSES)
    Grade.MISTAKE
    """
    good, inaccurate = _LIMITS[unit]
    if not cost:
        return Grade.BEST
    if cost < good:
        return Grade.GOOD
    if found:
        return Grade.RISKY
    return Grade.INACCURACY if cost < inaccurate else Grade.MISTAKE


@dataclass(frozen=True, slots=True)
class Weighed:
    """A guess and the best one, itself where none is better, with what each is worth in that unit: the guesses that it
    still takes, itself included, or the chance of winning with it. None where that is only estimated."""

    unit: Unit
    played: Figures
    best: Figures
    worth: Fraction | None
    best_worth: Fraction | None

    @classmethod
    def in_guesses(cls, played: Figures, best: Figures) -> Weighed:
        """Weighed in guesses, by their figures."""
        return cls(Unit.GUESSES, played, best, expected(played), expected(best))

    @property
    def cost(self) -> Fraction | None:
        """What the guess gave away, never negative; None where that is only estimated."""
        if self.worth is None or self.best_worth is None:
            return None
        return abs(self.best_worth - self.worth)

    @property
    def forced(self) -> bool:
        """Whether there was nothing to decide: the one number left was guessed."""
        return self.played.count == 1 and self.played.is_candidate

    def grade(self, *, found: bool = False) -> Grade | None:
        """The grade; None where the cost is only estimated, or the guess was forced."""
        return None if self.cost is None or self.forced else grade_of(self.cost, self.unit, found=found)


@dataclass(frozen=True, slots=True)
class Marked:
    """One of my turns, weighed: the `number` of the guess, from 1, and the line of the game, from 1.

    `left` is how many numbers there were after it.
    """

    number: int
    line: int
    turn: Answered
    left: int
    weighed: Weighed

    @property
    def grade(self) -> Grade | None:
        """The grade of the guess; None where its cost is only estimated, or it was forced."""
        return self.weighed.grade(found=self.turn.found)

    @property
    def cost(self) -> Fraction | None:
        """What the guess gave away; None where that is only estimated."""
        return self.weighed.cost


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the curve: my chance before guess `number`, with its grade; at the end, without one, what became of
    the game. `estimated` says that the chance is about right at best."""

    chance: Fraction
    number: int | None = None
    grade: Grade | None = None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """The turn to learn from, what was known before it, and the numbers left then if they are few, else none."""

    marked: Marked
    position: Knowledge | Match
    numbers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """My side of a game.

    `positions` are what I knew before each of `turns`: a board, or in a match both. `curve` is that of a match, and
    `wrong` are the turns of one that the number which was found answers otherwise, each with that answer. `review` is
    the judgement in guesses of a board alone, with its skill and luck, and its wrong turns.
    """

    unit: Unit
    turns: tuple[Marked, ...]
    positions: tuple[Knowledge | Match, ...]
    curve: tuple[Point, ...] = ()
    wrong: tuple[tuple[Marked, Hint], ...] = ()
    review: Review | None = None

    @property
    def lost(self) -> Fraction | None:
        """What my guesses gave away together, in the unit of the report; None unless all is proven."""
        return summed(turn.cost for turn in self.turns)

    @property
    def luck(self) -> Fraction | None:
        """What luck brought, in the unit of the report, negative where it was bad; None unless all is proven.

        In a match that is not over there is none to be told yet.
        """
        if self.review:
            return self.review.luck
        if self.lost is None or not self.curve or self.curve[-1].number is not None:
            return None
        return self.curve[-1].chance - self.curve[0].chance + self.lost

    def count(self, grade: Grade) -> int:
        """How many guesses have that grade."""
        return sum(turn.grade is grade for turn in self.turns)

    @property
    def lesson(self) -> Lesson | None:
        """The turn that gave most away, the first of them, but for the one that found the secret; None where none did,
        as far as it is proven."""
        costly = [at for at, turn in enumerate(self.turns) if turn.cost and not turn.turn.found and turn.grade]
        if not costly:
            return None
        at = max(costly, key=lambda at: self.turns[at].cost or 0)
        position = self.positions[at]
        board = board_of(position)
        numbers = tuple(board.codes()) if board.count <= LISTED else ()
        return Lesson(self.turns[at], position, numbers)


def board_of(position: Knowledge | Match) -> Knowledge:
    """What I know in a position of the number that I seek."""
    return position.known(Side.ME) if isinstance(position, Match) else position


def report(
    known: Knowledge,
    exact: Exact | None = None,
    budget: Budget = UNLIMITED,
    line_of: Callable[[int], int] = int,
) -> Report:
    """The report of a board alone, in guesses; raises `ContradictionError` when no code fits the hints.

    `line_of` numbers the lines otherwise, as those of a match.

    >>> from yomikiri.hitblow.model.rules import Turn
    >>> found = report(Knowledge(facts=tuple(map(Turn.parse, "345:1H0B 123:0H2B 012:0H1B 371:3H0B".split()))))
    >>> [turn.grade.value for turn in found.turns]
    ['best', 'good', 'inaccuracy', 'risky']
    >>> played, best = found.lesson.marked.weighed.played, found.lesson.marked.weighed.best
    >>> found.lesson.marked.number, [(shown.parts, max(shown.left)) for shown in (played, best)]
    (3, [(4, 8), (5, 6)])
    """
    judged = review(known, exact, budget)
    turns = tuple(
        Marked(number, line_of(turn.line), turn.turn, turn.left, Weighed.in_guesses(turn.played, turn.best))
        for number, turn in enumerate(judged.turns, start=1)
    )
    positions = tuple(replace(known, facts=known.facts[: turn.line - 1]) for turn in judged.turns)
    return Report(Unit.GUESSES, turns, positions, review=judged)


def match_report(match: Match, advisor: Advisor, budget: Budget = UNLIMITED) -> Report:
    """The report of my side of a match, in the chance of winning; raises `ContradictionError`.

    Each guess is weighed as `Advisor.weigh` does, all of them within the time of the advisor; what is then only
    estimated has no grade, and makes a point of the curve that says so.
    """
    budget = budget.begin().in_all(advisor.seconds)
    turns: list[Marked] = []
    positions: list[Match] = []
    curve: list[Point] = []
    for line, fact in enumerate(match.facts):
        if not isinstance(fact, Answered) or match.mover(line) is not Side.ME:
            continue
        before = match.until(line)
        weighed, chance = weigh_in_match(before, fact.guess, advisor, budget)
        left = match.until(line + 1).known(Side.ME).count
        marked = Marked(len(turns) + 1, line + 1, fact, left, weighed)
        turns.append(marked)
        positions.append(before)
        curve.append(Point(chance, marked.number, marked.grade, marked.cost is None))
    if outcome := match.outcome:
        end = {Side.ME: Fraction(1), Side.OPPONENT: Fraction(0), None: Fraction(1, 2)}[outcome.winner]
        curve.append(Point(end))
    return Report(Unit.CHANCE, tuple(turns), tuple(positions), tuple(curve), _wrong(match, turns))


def _wrong(match: Match, turns: list[Marked]) -> tuple[tuple[Marked, Hint], ...]:
    """My turns that the secret which was found answers otherwise, each with that answer."""
    board = match.known(Side.ME)
    lines = {match.line_of(Side.ME, line) for line in board.wrong}
    return tuple((turn, hint(turn.turn.guess, board.found)) for turn in turns if turn.line in lines)


def play_report(play: Play, exact: Exact, budget: Budget = UNLIMITED, seconds: float = SECONDS) -> Report:
    """The report of a game against the program, in the chance of winning where it is a race.

    Against a program that guesses at random only the guesses count.
    """
    model = rival(play.level, exact)
    if not play.race or model is None:
        return report(play.board, exact, budget)
    match = play.match
    if play.level is Level.FEWEST:  # by my secret all that it will guess would be known from the start
        match = replace(match, secret="")
    return match_report(match, Advisor(model, exact, seconds), budget)


def weigh_in_match(match: Match, guess: str, advisor: Advisor, budget: Budget = UNLIMITED) -> tuple[Weighed, Fraction]:
    """Weigh a guess of mine, whose turn it is, and tell the chance before it; raises a `CodeError` and
    `ContradictionError`.

    Where there is no time to work out how the opponent plays, another stands in, and the chances are estimates.
    """
    known = True
    try:
        best, played = advisor.weigh(match, guess, budget)
    except Stopped:
        best, played = replace(advisor, opponent=Consistent()).weigh(match, guess, budget)
        known = False
    if played.win >= best.win:
        best = played
    proven = known and best.exact and played.exact
    board = match.known(Side.ME)
    weighed = Weighed(
        Unit.CHANCE,
        figures(board, guess),
        figures(board, best.guess),
        played.win if proven else None,
        best.win if proven else None,
    )
    return weighed, best.win
