"""Record of a player's practice: daily numbers, results of puzzles, and mistakes to repeat.

A *daily number* is a secret for one day, the same for everyone (see `play.number_of`). Mistakes are stored as texts of
their positions. Only the first result for a daily number counts, even if the player gave up. A streak is a row of days
on which the player began that day's secret and found it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from yomikiri.common.errors import InputError
from yomikiri.hitblow.model.game import HitBlowGame, game_of, game_pairs, pairs_text
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.practice.puzzles import GuessPuzzle

_KEPT = 50
"""The number of mistakes kept, the newest."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a daily number, the secret for one day: the guesses used, and whether the player found it.

    - `day`: the day of the secret.
    - `found`: False if the player gave up.
    - `late`: True if the player began after this day.
    """

    day: date
    guesses: int
    found: bool
    late: bool = False


@dataclass(frozen=True, slots=True)
class Begun:
    """The guesses so far at an unfinished daily number, the secret for one day. They cannot be undone."""

    day: date
    guesses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """Record of a player's practice.

    A *daily number* is a secret for one day, the same for everyone.

    - `daily`: the results of daily numbers, in order.
    - `solved`: one value for each puzzle tried, in order: True if the player solved it.
    - `mistakes`: texts of positions in which the player made a mistake, the oldest first.
    - `begun`: unfinished daily numbers.
    """

    daily: tuple[Result, ...] = ()
    solved: tuple[bool, ...] = ()
    mistakes: tuple[str, ...] = ()
    begun: tuple[Begun, ...] = ()

    def has_result(self, day: date) -> bool:
        """Return True if the record has a result for the secret of this day."""
        return any(result.day == day for result in self.daily)

    def guesses_of(self, day: date) -> tuple[str, ...]:
        """Return the guesses so far at the secret of this day; empty if it is finished or not begun."""
        return next((each.guesses for each in self.begun if each.day == day), ())

    def guessed(self, day: date, guesses: tuple[str, ...]) -> Record:
        """Return the record with these guesses at the secret of this day, unless it is finished."""
        if self.has_result(day):
            return self
        return replace(self, begun=(*(each for each in self.begun if each.day != day), Begun(day, guesses)))

    def finished(self, result: Result) -> Record:
        """Return the record with the result for the secret of a day, unless that day has one."""
        if self.has_result(result.day):
            return self
        begun = tuple(each for each in self.begun if each.day != result.day)
        return replace(self, daily=(*self.daily, result), begun=begun)

    def tried(self, puzzle: GuessPuzzle, solved: bool) -> Record:
        """Return the record after an attempt at a puzzle.

        A puzzle made from the player's own mistake is removed once it is solved.
        """
        mistakes = tuple(text for text in self.mistakes if not (solved and text == text_of(puzzle)))
        return replace(self, solved=(*self.solved, solved), mistakes=mistakes)

    def with_mistakes(self, puzzles: tuple[GuessPuzzle, ...]) -> Record:
        """Return the record with the mistakes of a game on one board added.

        Mistakes in a match depend on both boards, and are not kept.
        """
        new = [text_of(puzzle) for puzzle in puzzles if isinstance(puzzle.position, Knowledge)]
        kept = [text for text in self.mistakes if text not in new]
        return replace(self, mistakes=tuple([*kept, *reversed(new)][-_KEPT:]))

    def puzzles(self, rules: Rules) -> tuple[GuessPuzzle, ...]:
        """Return puzzles from the player's recorded mistakes in games with these rules, the newest first."""
        found = (puzzle_of(text) for text in reversed(self.mistakes))
        return tuple(puzzle for puzzle in found if puzzle is not None and puzzle.board.rules == rules)


def text_of(puzzle: GuessPuzzle) -> str:
    """Return the position of a puzzle on one board as text, with the guess played."""
    known = puzzle.board
    pairs = game_pairs(HitBlowGame(known.rules, absent=known.absent, facts=known.facts))
    return pairs_text([*pairs, ("played", puzzle.played)])


def puzzle_of(text: str) -> GuessPuzzle | None:
    """Parse the text of a puzzle. Returns None for other text.

    >>> text_of(puzzle_of("turn=012:0H1B played=371"))
    'turn=012:0H1B played=371'
    """
    pairs = [(name, value) for name, _sign, value in (word.partition("=") for word in text.split())]
    try:
        known = game_of(pairs).known
        return GuessPuzzle(known, known.rules.check_guess(dict(pairs).get("played", "")), len(known.turns) + 1)
    except InputError:
        return None


# --- daily secrets ----------------------------------------------------------------------------------------------------


def counted(results: Iterable[Result]) -> tuple[Result, ...]:
    """Return the results that count, by day: for each day the first one entered."""
    first: dict[date, Result] = {}
    for result in results:
        first.setdefault(result.day, result)
    return tuple(first[day] for day in sorted(first))


def histogram(results: Iterable[Result]) -> dict[int, int]:
    """Return how many secrets of the day the player found with each number of guesses.

    The keys are the numbers of guesses from 1 to the largest. The result is empty if the player found no secret.
    """
    found = [result.guesses for result in counted(results) if result.found]
    return {guesses: found.count(guesses) for guesses in range(1, max(found, default=0) + 1)}


def streak(results: Iterable[Result], today: date) -> int:
    """Return the length of the row of days, up to today, for which the player found the secret of the day.

    If there is no result for today's secret yet, the row ends yesterday. A secret that the player began after its day
    does not count.
    """
    found = {result.day: result.found for result in counted(results) if not result.late}
    day = today if today in found else today - timedelta(days=1)
    days = 0
    while found.get(day):
        days, day = days + 1, day - timedelta(days=1)
    return days


def longest(results: Iterable[Result]) -> int:
    """Return the length of the longest row of consecutive days for which the player found the secret of the day."""
    kept = counted(results)
    return max((streak(kept, result.day) for result in kept), default=0)
