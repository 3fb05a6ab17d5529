"""A finished game of Hit & Blow as the page shows it: each guess with its grade, the lesson, the curve; and a position
to try again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from yomikiri.errors import ContradictionError
from yomikiri.hitblow.advice import Figures
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.judgement import expected
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.learning.puzzles import from_report
from yomikiri.hitblow.learning.report import Marked, Report
from yomikiri.hitblow.notation import write_hint
from yomikiri.hitblow.rules import Words
from yomikiri.hitblow.slips import MOST
from yomikiri.web import hitblow_view as view
from yomikiri.wording import learning
from yomikiri.wording import review as wording


@dataclass(frozen=True, slots=True)
class Judged:
    """A game in review. `unfit` is a code that was found and cannot be the secret, with how many more answers have to
    be wrong for it, 0 where none can be; then there is no report."""

    words: Words
    report: Report | None = None
    unfit: str = ""
    slips: int = 0

    @property
    def summary(self) -> list[str]:
        """What was given away, and then what luck did."""
        return list(learning.summary(self.report, self.words)) if self.report else []

    @property
    def puzzles(self) -> list[int]:
        """The numbers of the guesses that come back as puzzles, the costliest first."""
        return [puzzle.number for puzzle in from_report(self.report)] if self.report else []

    def splits(self, turn: Marked) -> list[view.Split]:
        """What the guess of a turn did to the numbers left, and what the best one does, on one scale."""
        return drawn((turn.weighed.played, turn.weighed.best), self.words)

    def text(self, turn: Marked) -> str:
        """What a turn was answered, as it is written."""
        return view.shown(turn.turn, self.words)[2]


def drawn(guesses: Sequence[Figures], words: Words) -> list[view.Split]:
    """What guesses did to the numbers left, as bars on one scale."""
    scale = max(max(shown.left) for shown in guesses)
    return [_drawn(shown, scale, words) for shown in guesses]


def _drawn(shown: Figures, scale: int, words: Words) -> view.Split:
    parts = tuple(view.Part(hint, write_hint(hint, words), f"{size:,}", size / scale)
                  for hint, size in shown.groups)  # fmt: skip
    return view.Split(shown.guess, parts, f"{max(shown.left):,}")


def judged(known: Knowledge, words: Words, report: Callable[[], Report]) -> Judged:
    """A game that is over, with the report that is made of it."""
    try:
        return Judged(words, report())
    except ContradictionError:
        wrong = len(known.wrong)
        return Judged(words, None, known.found, wrong if known.slips.most < wrong <= MOST else 0)


def attempted(game: Assistant, attempt: str, guess: str) -> str | None:
    """What there is to say of another guess for the one that was played, without naming the best; None before it."""
    if not guess:
        return None
    before, now, best = game.compare(attempt), game.compare(guess), game.advice.proposed
    needed = [expected(each) for each in (before, now, best)]
    if None in needed:
        return wording.tried(guess, now.bits < before.bits, best=now.bits <= best.bits, saved=None)
    played, tried, least = (each for each in needed if each is not None)
    return wording.tried(guess, tried < played, best=tried == least, saved=played - tried)
