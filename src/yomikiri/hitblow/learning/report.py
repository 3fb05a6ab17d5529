"""A game of mine with a grade for each guess, the one thing to learn from it, and in a match the curve of the chance.

What happened and what was given away are told apart. In a match, before guess k best play wins with chance c(k), the
guess that was played with p(k), and the game ends with e (1 won, 0 lost, one half drawn):

    cost(k) = c(k) - p(k)                     what the guess gave away
    e = c(1) - the sum of costs + luck        luck is all the rest: the hints of both, and how the other played

The curve has the points c(1), c(2), ..., e, luck included; the grades stand at the guesses and know nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from yomikiri.budget import UNLIMITED, Budget, Stopped
from yomikiri.enums import Grade
from yomikiri.hitblow.advice import figures
from yomikiri.hitblow.facts import Change
from yomikiri.hitblow.judgement import Judgement, Review, expected, review
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.learning.marked import Marked, Unit, Weighed
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.match import Learned, Match, Side
from yomikiri.hitblow.match.opponents import Consistent
from yomikiri.hitblow.play import Level, Play, rival
from yomikiri.hitblow.policies.exact import SECONDS, Exact
from yomikiri.hitblow.rules import Answered, Hint, hint

LISTED = 8
"""Up to so many numbers left are listed in a lesson."""


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
        costs = [turn.cost for turn in self.turns]
        proven = [cost for cost in costs if cost is not None]
        return sum(proven, Fraction(0)) if len(proven) == len(costs) else None

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
        board = position.known(Side.ME) if isinstance(position, Match) else position
        numbers = tuple(board.codes()) if board.count <= LISTED else ()
        return Lesson(self.turns[at], position, numbers)


def report(
    known: Knowledge,
    exact: Exact | None = None,
    budget: Budget = UNLIMITED,
    line_of: Callable[[int], int] = int,
) -> Report:
    """The report of a board alone, in guesses; raises `ContradictionError` when no code fits the hints.

    `line_of` numbers the lines otherwise, as those of a match.

    >>> from yomikiri.hitblow.rules import Turn
    >>> found = report(Knowledge(facts=tuple(map(Turn.parse, "345:1H0B 123:0H2B 012:0H1B 371:3H0B".split()))))
    >>> [turn.grade.value for turn in found.turns]
    ['best', 'good', 'inaccuracy', 'risky']
    >>> found.lesson.marked.number, [(split.groups, split.largest) for split in found.lesson.marked.weighed.splits]
    (3, [(4, 8), (5, 6)])
    """
    judged = review(known, exact, budget)
    turns = tuple(_marked(turn, number, line_of) for number, turn in enumerate(judged.turns, start=1))
    positions = tuple(replace(known, facts=known.facts[: turn.line - 1]) for turn in judged.turns)
    return Report(Unit.GUESSES, turns, positions, review=judged)


def _marked(judged: Judgement, number: int, line_of: Callable[[int], int]) -> Marked:
    weighed = Weighed(
        Unit.GUESSES, judged.played, judged.best, expected(judged.played), expected(judged.best)
    )  # fmt: skip
    return Marked(number, line_of(judged.line), judged.turn, judged.left, weighed)


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
        before = _until(match, line)
        weighed = weigh_in_match(before, fact.guess, advisor, budget)
        left = _until(match, line + 1).known(Side.ME).count
        marked = Marked(len(turns) + 1, line + 1, fact, left, weighed.weighed)
        turns.append(marked)
        positions.append(before)
        curve.append(Point(weighed.chance, marked.number, marked.grade, marked.cost is None))
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


@dataclass(frozen=True, slots=True)
class WeighedInMatch:
    """A guess weighed in a match, and the chance before it, which may be an estimate."""

    weighed: Weighed
    chance: Fraction


def weigh_in_match(match: Match, guess: str, advisor: Advisor, budget: Budget = UNLIMITED) -> WeighedInMatch:
    """Weigh a guess of mine, whose turn it is; raises a `CodeError` and `ContradictionError`.

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
    return WeighedInMatch(weighed, best.win)


def exchanged(match: Match) -> Match | None:
    """The match as the other side sees it, no secret told; None where a secret was changed meanwhile."""
    if any(isinstance(fact, Learned) and isinstance(fact.fact, Change) for fact in match.facts):
        return None
    facts = tuple(Learned(f.side.other, f.fact) if isinstance(f, Learned) else f for f in match.facts)
    return Match(
        match.own_rules, match.rules, match.first.other, match.shown, match.absent, "", match.equal_turns, facts
    )


def _until(match: Match, lines: int) -> Match:
    """The match as it was after so many lines."""
    return replace(match, facts=match.facts[:lines], secret=match.secret_at(lines))
