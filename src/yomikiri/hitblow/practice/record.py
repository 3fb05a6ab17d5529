"""What is remembered of a person who learns: the numbers of days, finished and begun, the puzzles that were tried, and
mistakes to come back to, each as the text of its position.

The first result of a day counts, found or given up. A streak counts days whose number was played on that day.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from yomikiri.common.errors import InputError
from yomikiri.hitblow.model.game import Game, game_of, game_pairs, pairs_text
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.practice.puzzles import Puzzle

_KEPT = 50
"""Mistakes that are kept, the newest."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a day's number ended: the number of guesses, found or given up; `late` if it was played after its day."""

    day: date
    guesses: int
    found: bool
    late: bool = False


@dataclass(frozen=True, slots=True)
class Begun:
    """A day's number that is not finished: the guesses made so far, which stand."""

    day: date
    guesses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """The results of daily numbers and whether each puzzle was solved, in order; mistakes, the oldest first; and the
    daily numbers that are begun."""

    daily: tuple[Result, ...] = ()
    solved: tuple[bool, ...] = ()
    mistakes: tuple[str, ...] = ()
    begun: tuple[Begun, ...] = ()

    def has_result(self, day: date) -> bool:
        """Return True if a day's number is finished."""
        return any(result.day == day for result in self.daily)

    def guesses_of(self, day: date) -> tuple[str, ...]:
        """The guesses made so far at a day's number that is begun and has no result."""
        return next((each.guesses for each in self.begun if each.day == day), ())

    def guessed(self, day: date, guesses: tuple[str, ...]) -> Record:
        """With the guesses at a daily number that has no result; of one that has, none are kept."""
        if self.has_result(day):
            return self
        return replace(self, begun=(*(each for each in self.begun if each.day != day), Begun(day, guesses)))

    def finished(self, result: Result) -> Record:
        """With the result of a daily number, unless that day has one."""
        if self.has_result(result.day):
            return self
        begun = tuple(each for each in self.begun if each.day != result.day)
        return replace(self, daily=(*self.daily, result), begun=begun)

    def tried(self, puzzle: Puzzle, solved: bool) -> Record:
        """With a puzzle that was tried; a mistake of one's own that is solved comes back no more."""
        mistakes = tuple(text for text in self.mistakes if not (solved and text == text_of(puzzle)))
        return replace(self, solved=(*self.solved, solved), mistakes=mistakes)

    def with_mistakes(self, puzzles: tuple[Puzzle, ...]) -> Record:
        """With the mistakes of a game on one board; those of a match are weighed by both and are not kept."""
        new = [text_of(puzzle) for puzzle in puzzles if isinstance(puzzle.position, Knowledge)]
        kept = [text for text in self.mistakes if text not in new]
        return replace(self, mistakes=tuple([*kept, *reversed(new)][-_KEPT:]))

    def puzzles(self, rules: Rules) -> tuple[Puzzle, ...]:
        """The mistakes in games of these rules, the newest first."""
        found = (puzzle_of(text) for text in reversed(self.mistakes))
        return tuple(puzzle for puzzle in found if puzzle is not None and puzzle.board.rules == rules)


def text_of(puzzle: Puzzle) -> str:
    """The position of a puzzle on one board as text, with what was played."""
    known = puzzle.board
    pairs = game_pairs(Game(known.rules, absent=known.absent, facts=known.facts))
    return pairs_text([*pairs, ("played", puzzle.played)])


def puzzle_of(text: str) -> Puzzle | None:
    """The inverse; None for what is no such text.

    >>> text_of(puzzle_of("turn=012:0H1B played=371"))
    'turn=012:0H1B played=371'
    """
    pairs = [(name, value) for name, _sign, value in (word.partition("=") for word in text.split())]
    try:
        known = game_of(pairs).known
        return Puzzle(known, known.rules.check_guess(dict(pairs).get("played", "")), len(known.turns) + 1)
    except InputError:
        return None


# --- the numbers of days ----------------------------------------------------------------------------------------------


def counted(results: Iterable[Result]) -> tuple[Result, ...]:
    """The results that count, by day: of each day the first, in the order in which they were finished."""
    first: dict[date, Result] = {}
    for result in results:
        first.setdefault(result.day, result)
    return tuple(first[day] for day in sorted(first))


def histogram(results: Iterable[Result]) -> dict[int, int]:
    """How many days' numbers were found with so many guesses, from 1 to the most; nothing where none was."""
    found = [result.guesses for result in counted(results) if result.found]
    return {guesses: found.count(guesses) for guesses in range(1, max(found, default=0) + 1)}


def streak(results: Iterable[Result], today: date) -> int:
    """Return on how many days in a row the number was found, up to today, or to yesterday while today's is not
    finished. A number found after its day does not count."""
    found = {result.day: result.found for result in counted(results) if not result.late}
    day = today if today in found else today - timedelta(days=1)
    days = 0
    while found.get(day):
        days, day = days + 1, day - timedelta(days=1)
    return days


def longest(results: Iterable[Result]) -> int:
    """The most days in a row on which the number was found."""
    kept = counted(results)
    return max((streak(kept, result.day) for result in kept), default=0)
