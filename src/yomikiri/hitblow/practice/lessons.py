"""Report on a game: a grade for each guess, the most useful lesson, and in a match the curve of the winning chance.

The result of a game and the quality of its guesses are separate. In a match, let c(k) be the chance of winning by best
play before guess k. Let p(k) be the chance of winning after the guess played, and e the result (1 won, 0 lost, one half
drawn):

    cost(k) = c(k) - p(k)                     cost of the guess
    e = c(1) - the sum of costs + luck        luck is the rest: the answers on both boards, and the opponent's play

The curve has the points c(1), c(2), ..., e. It includes luck. The grades do not include luck: they depend only on the
cost of a guess. The unit of the cost is the expected number of guesses on a single board, and the chance of winning in
a match:

    guesses    0 best    < 0.10 good    < 0.25 inaccuracy    from 0.25 on mistake
    chance     0 best    < 3 % good     < 10 % inaccuracy    from 10 % on mistake

`tests/hitblow/practice/test_grades.py` checks these limits against players of different strength.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.enums import Grade
from yomikiri.guessing.grades import IN_GUESSES, GradeLimits, grade_of
from yomikiri.hitblow.advice.review import Review, expected, review, summed
from yomikiri.hitblow.advice.suggestion import Figures, figures
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.opponents import Consistent
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Level, Unit
from yomikiri.hitblow.model.rules import Answered, Hint, Turn, hint
from yomikiri.hitblow.policies.exact import SECONDS, Exact
from yomikiri.hitblow.practice.play import Play, rival

LISTED = 8
"""Largest number of candidates that a lesson or the check of a puzzle lists."""

LIMITS = {Unit.GUESSES: IN_GUESSES, Unit.CHANCE: GradeLimits(Fraction(3, 100), Fraction(1, 10))}
"""The limits of the grades, by the unit in which the cost of a guess is measured."""


@dataclass(frozen=True, slots=True)
class ComparedGuess:
    """A guess and the best guess in the same position, with their values in one unit.

    A value is the expected number of guesses, including this one, or the chance of winning. `value` and `best_value`
    are None if the values are only estimates. `best` equals `played` if no guess is better.
    """

    unit: Unit
    played: Figures
    best: Figures
    value: Fraction | None
    best_value: Fraction | None

    @classmethod
    def in_guesses(cls, played: Figures, best: Figures) -> ComparedGuess:
        """Return the comparison of a guess with the best guess. The unit is the expected number of guesses.

        The arguments describe the two guesses: the sizes of their cells and the expected numbers of guesses.
        """
        return cls(Unit.GUESSES, played, best, expected(played), expected(best))

    @property
    def cost(self) -> Fraction | None:
        """The difference between the values of the guess and of the best guess, in `unit`, never negative.

        It is None if the values are only estimates.
        """
        if self.value is None or self.best_value is None:
            return None
        return abs(self.best_value - self.value)

    @property
    def forced(self) -> bool:
        """True if there was no choice, because the only candidate was guessed."""
        return self.played.count == 1 and self.played.is_candidate

    def grade(self, *, found: bool = False) -> Grade | None:
        """Return the grade of the guess; None if the values are only estimates, or if the guess was the only candidate.

        `found` is True if the guess found the secret. Its grade is then RISKY instead of INACCURACY or MISTAKE.
        """
        return None if self.cost is None or self.forced else grade_of(self.cost, LIMITS[self.unit], found=found)


@dataclass(frozen=True, slots=True)
class Marked:
    """A turn of the player with its evaluation.

    - `number`: number of the guess among the player's guesses, from 1.
    - `line`: number of the turn among all turns and other facts of the game, from 1.
    - `left`: number of candidates after the turn.
    - `is_own`: False if the guess was not the player's own choice, because a hint showed it. It then gets no grade.
    """

    number: int
    line: int
    turn: Answered
    left: int
    weighed: ComparedGuess
    is_own: bool = True

    @property
    def grade(self) -> Grade | None:
        """The grade of the guess, or None.

        It is None if the value of the guess is only an estimate, if the guess was the only candidate, or if a hint
        showed the guess.
        """
        return self.weighed.grade(found=self.turn.found) if self.is_own else None

    @property
    def cost(self) -> Fraction | None:
        """The difference between the values of the guess and of the best guess, never negative.

        It is None if the values are only estimates.
        """
        return self.weighed.cost


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the curve of a match: the player's chance of winning before a guess, and the grade of that guess.

    `number` is the number of the guess among the player's guesses, from 1. The last point of a finished game is its
    result and has no number. `estimated` is True if the chance is only an estimate.
    """

    chance: Fraction
    number: int | None = None
    grade: Grade | None = None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Shortfall:
    """The reasons why a guess was worse than the best one.

    - `repeats`: the number (from 1, as in `Marked`) of an earlier guess with the same code, or 0. The earlier
      guess counts only if its answer is complete and the secret has not changed since. Guessing the code again
      then gives no information.
    - `ruled_out`: symbols of the guess that no candidate contained, if the best guess had fewer of them;
      otherwise empty.
    - `impossible`: True if the guess was not a candidate, and the best guess was one.
    - `with_equal_answers`: at most `LISTED` candidates with equal answers to the guess. Their answers to the
      best guess are all different, so the best guess would have distinguished these candidates.
    - `largest`: the largest number of candidates that the guess can leave, if the best guess leaves fewer;
      otherwise 0.
    """

    repeats: int
    ruled_out: str
    impossible: bool
    with_equal_answers: tuple[str, ...]
    largest: int


@dataclass(frozen=True, slots=True)
class Lesson:
    """The turn to learn from, and the position before it.

    `numbers` contains the candidates in this position if there are only a few; otherwise it is empty.
    """

    marked: Marked
    position: Knowledge | Match
    numbers: tuple[str, ...]

    @property
    def shortfall(self) -> Shortfall:
        """The reasons why the guess of this turn was worse than the best guess."""
        board, weighed = board_of(self.position), self.marked.weighed
        played, best = weighed.played, weighed.best
        numbered = [(number, turn) for number, turn in enumerate(board.turns, start=1) if isinstance(turn, Turn)]
        since_change = numbered[len(numbered) - len(board.played) :]
        codes = board.codes()
        possible = set("".join(codes))
        ruled_out = "".join(symbol for symbol in dict.fromkeys(played.guess) if symbol not in possible)
        fewer = len(ruled_out) > len(set(best.guess) - possible)
        most = max(played.left)
        return Shortfall(
            next((number for number, turn in since_change if turn.guess == played.guess), 0),
            ruled_out if fewer else "",
            best.is_candidate and not played.is_candidate,
            _with_equal_answers(codes, played.guess, best.guess),
            most if most > max(best.left) else 0,
        )


@dataclass(frozen=True, slots=True)
class Report:
    """The evaluation of the player's guesses in a game.

    - `unit`: the unit in which guesses are valued: the expected number of guesses, or the chance of winning.
    - `positions`: the knowledge (or match) before each of `turns`.
    - `curve`: the winning chance over a match.
    - `wrong`: turns of a match that contradict the found secret, with the true answer.
    - `review`: more figures about a game on a single board, such as the player's skill and the luck of each answer. It
      measures cost and luck in guesses. None for a match.
    """

    unit: Unit
    turns: tuple[Marked, ...]
    positions: tuple[Knowledge | Match, ...]
    curve: tuple[Point, ...] = ()
    wrong: tuple[tuple[Marked, Hint], ...] = ()
    review: Review | None = None

    @property
    def cost(self) -> Fraction | None:
        """The total cost of the guesses, in `unit`: how much worse they were than the best guesses.

        It is None if this is not proven for some guess.
        """
        return summed(turn.cost for turn in self.turns)

    @property
    def luck(self) -> Fraction | None:
        """The total luck, in `unit`: the part of the result that the guesses do not explain. Negative for bad luck.

        It is None if the cost of a guess is not proven, and for a match in progress.
        """
        if self.review:
            return self.review.luck
        if self.cost is None or not self.curve or self.curve[-1].number is not None:
            return None
        return self.curve[-1].chance - self.curve[0].chance + self.cost

    def without(self, numbers: Collection[int]) -> Report:
        """Return the report without grades for the guesses with these numbers, which the player did not choose."""
        turns = tuple(replace(turn, is_own=turn.number not in numbers) for turn in self.turns)
        curve = tuple(replace(point, grade=None) if point.number in numbers else point for point in self.curve)
        return replace(self, turns=turns, curve=curve)

    def count(self, grade: Grade) -> int:
        """Return the number of guesses that have the grade `grade`."""
        return sum(turn.grade is grade for turn in self.turns)

    @property
    def lesson(self) -> Lesson | None:
        """The first turn with the greatest proven cost, except the guess that hit the secret.

        It is None if no graded guess has a cost.
        """
        costly = [at for at, turn in enumerate(self.turns) if turn.cost and not turn.turn.found and turn.grade]
        if not costly:
            return None
        at = max(costly, key=lambda at: self.turns[at].cost or 0)
        position = self.positions[at]
        board = board_of(position)
        numbers = tuple(board.codes()) if board.count <= LISTED else ()
        return Lesson(self.turns[at], position, numbers)


def _with_equal_answers(codes: Sequence[str], guess: str, best: str) -> tuple[str, ...]:
    """Return the largest group of codes that all give the same answer to `guess`, and all different answers to `best`.

    Groups of more than `LISTED` codes do not count. Returns an empty tuple if there is no group.
    """
    groups: dict[Hint, list[str]] = {}
    for code in codes:
        groups.setdefault(hint(guess, code), []).append(code)
    separated = [tuple(group) for group in groups.values() if 1 < len(group) <= LISTED
                 and len({hint(best, code) for code in group}) == len(group)]  # fmt: skip
    return max(separated, key=lambda group: len(group), default=())


def board_of(position: Knowledge | Match) -> Knowledge:
    """Return the player's knowledge in a position."""
    return position.known(Side.ME) if isinstance(position, Match) else position


def report(
    known: Knowledge,
    exact: Exact | None = None,
    budget: Budget = UNLIMITED,
    line_of: Callable[[int], int] = int,
) -> Report:
    """Return the report on a game on a single board. Its unit is the expected number of guesses.

    `exact` is the policy that finds the best guesses; None means `Exact()`. `line_of` maps the number of a turn on the
    board to another number, such as its number in a match. Raises a `ContradictionError` if no code fits the answers.

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
        Marked(number, line_of(turn.line), turn.turn, turn.left, ComparedGuess.in_guesses(turn.played, turn.best))
        for number, turn in enumerate(judged.turns, start=1)
    )
    positions = tuple(replace(known, facts=known.facts[: turn.line - 1]) for turn in judged.turns)
    return Report(Unit.GUESSES, turns, positions, review=judged)


def match_report(match: Match, advisor: Advisor, budget: Budget = UNLIMITED) -> Report:
    """Return the report on the player's guesses in a match, which are valued by the chance of winning.

    `Advisor.weigh` evaluates each guess. The time limit of the advisor applies to all guesses together. Results that
    are only estimates get no grade, and their points on the curve are marked. Raises `ContradictionError`.
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
    """Return the player's turns that contradict the found secret, with the true answers."""
    board = match.known(Side.ME)
    lines = {match.line_of(Side.ME, line) for line in board.wrong}
    return tuple((turn, hint(turn.turn.guess, board.found)) for turn in turns if turn.line in lines)


def play_report(play: Play, exact: Exact, budget: Budget = UNLIMITED, seconds: float = SECONDS) -> Report:
    """Return the report on a game against the program.

    Guesses are valued by the chance of winning if both sides guess and the program does not guess at random. Otherwise
    only the player's own guesses matter, and they are valued by the expected number of guesses.
    """
    model = rival(play.level, exact)
    if not play.race or model is None:
        return report(play.board, exact, budget)
    match = play.match
    # At this level, the program's guesses follow from the player's secret without randomness. Leave the secret out, so
    # that guesses are not valued as if the player had known from the start when the program will find it.
    if play.level is Level.FEWEST:
        match = replace(match, secret="")
    return match_report(match, Advisor(model, exact, seconds), budget)


def weigh_in_match(
    match: Match, guess: str, advisor: Advisor, budget: Budget = UNLIMITED
) -> tuple[ComparedGuess, Fraction]:
    """Evaluate a guess on the player's turn. Returns the evaluation, and the chance of winning after the best guess.

    If there is no time to simulate the opponent, a substitute model is used, and the chances are estimates. Raises
    `CodeError` and `ContradictionError`.
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
    weighed = ComparedGuess(
        Unit.CHANCE,
        figures(board, guess),
        figures(board, best.guess),
        played.win if proven else None,
        best.win if proven else None,
    )
    return weighed, best.win
