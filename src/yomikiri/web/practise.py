"""A game of Hit & Blow that is over, as its page shows it: each guess with its grade, and the lesson. And a position
with a guess to find: one made to order, or one out of such a game.

    /practise?v=1&preset=numeron&seed=k3x9&difficulty=easy&clues=1&guess=067

`clues=` is how many of the three clues are shown, `guess=` the guess that is checked, perhaps not all of it yet. An
address without a seed leads to one with a fresh seed. Out of a game comes `puzzle=3` in the address of that game.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.enums import Difficulty, choice, number
from yomikiri.common.errors import CodeError, ContradictionError
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.model.game import rules_of, rules_pairs, words_of
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules, Words
from yomikiri.hitblow.model.wrong_answers import MOST
from yomikiri.hitblow.practice.lessons import Marked, Report
from yomikiri.hitblow.practice.puzzles import Checked, Puzzle, check, clues, from_report, generated
from yomikiri.web import hitblow_view as view
from yomikiri.web.hitblow_address import typed
from yomikiri.web.limits import POLICY, check_rules
from yomikiri.web.link import VERSION, Link, check_version, language_in
from yomikiri.web.pages import begin, page, query_of, see_other
from yomikiri.wording import learning, sentence

PATH = "/practise"
_LISTED = 8  # numbers that are shown as tiles


# --- a game in review -------------------------------------------------------------------------------------------------


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
        return view.grouped([turn.weighed.played, turn.weighed.best], self.words)

    def text(self, turn: Marked) -> str:
        """What a turn was answered, as it is written."""
        return view.shown(turn.turn, self.words)[2]


def judged(known: Knowledge, words: Words, report: Callable[[], Report]) -> Judged:
    """A game that is over, with the report that is made of it."""
    try:
        return Judged(words, report())
    except ContradictionError:
        wrong = len(known.wrong)
        return Judged(words, None, known.found, wrong if known.slips.most < wrong <= MOST else 0)


# --- what the puzzles of both games share -----------------------------------------------------------------------------

_CLUES = 3


def clues_shown(told: dict[str, str]) -> int:
    """How many of the clues an address asks for."""
    return min(_CLUES, number(told, "clues", 0))


@dataclass(frozen=True)
class Practised:
    """The page of a puzzle: the link to it, and how many of its clues are shown."""

    link: Link
    shown: int

    difficulties: ClassVar[tuple[Difficulty, ...]] = tuple(Difficulty)

    @property
    def next_clue(self) -> Link | None:
        """The page with one clue more."""
        return self.link.but(clues=str(self.shown + 1)) if self.shown < _CLUES else None

    @property
    def difficulty(self) -> str:
        """How hard it is asked to be."""
        return dict(self.link.pairs).get("difficulty", "")

    @property
    def lang(self) -> str:
        """The language that the address asks for, if it does."""
        return dict(self.link.pairs).get("lang", "")


# --- a puzzle ---------------------------------------------------------------------------------------------------------


class _Game(Protocol):
    """The address of a game that a puzzle comes from."""

    @property
    def words(self) -> Words: ...

    @property
    def link(self) -> Link: ...


def practised(request: Request) -> Response:
    """The puzzle in the address."""
    budget = begin(request)
    told = dict(query_of(request))
    check_version(told)
    rules, words = check_rules(rules_of(told)), words_of(told)
    difficulty = choice(told, "difficulty", Difficulty, Difficulty.EASY)
    lang = ("lang", language_in(told) or "")
    asked = [("v", VERSION), *rules_pairs(rules, words), ("difficulty", str(difficulty)), lang]
    if "seed" not in told:
        return see_other(Link.of(PATH, [*asked, ("seed", secrets.token_hex(4))]))
    link = Link.of(PATH, [*asked, ("seed", told["seed"])])
    try:
        puzzle = generated(rules, told["seed"], difficulty, budget)
    except Stopped:
        puzzle = None
    return practise(request, PuzzlePage(link, clues_shown(told), puzzle, words, typed(told, rules), budget))


def of_game(
    request: Request, address: _Game, asked: int, report: Report, budget: Budget, advisor: Advisor | None = None
) -> Response | None:
    """The page of the puzzle that is the position before guess `asked` of a game; None where it is none."""
    puzzle = next((each for each in from_report(report) if each.number == asked), None)
    if puzzle is None:
        return None
    told, link = dict(query_of(request)), address.link
    guess, shown = typed(told, puzzle.board.rules), clues_shown(told)
    link, game = link.but(puzzle=str(asked)), link.but(review="1")
    return practise(request, PuzzlePage(link, shown, puzzle, address.words, guess, budget, game, advisor))


def practise(request: Request, shown: PuzzlePage) -> Response:
    """The page of a puzzle."""
    return page(request, shown, status=400 if shown.wrong else 200)


@dataclass(frozen=True)
class PuzzlePage(Practised, view.Ruled):
    """A puzzle as its page shows it: what is typed of a guess, and the game that it comes from, if it does. There is no
    puzzle where the time was not enough to make one."""

    template: ClassVar[str] = "practise.html"

    puzzle: Puzzle | None
    words: Words
    typed: str
    budget: Budget
    game: Link | None = None
    advisor: Advisor | None = None

    @property
    def here(self) -> str:
        """The path that forms ask for."""
        return self.link.path

    @property
    def kept(self) -> list[tuple[str, str]]:
        """What forms send along."""
        return [*self.link.pairs, *([("clues", str(self.shown))] if self.shown else [])]

    @property
    def rules(self) -> Rules:
        """The rules of the number that is sought."""
        return self.puzzle.board.rules if self.puzzle else Rules()

    def of_difficulty(self, difficulty: Difficulty) -> Link:
        """Another puzzle, as hard as that."""
        return self.link.without("seed").but(difficulty=str(difficulty))

    @property
    def another(self) -> Link:
        """Another puzzle; after one out of a game, the first of those made to order."""
        if self.game is None:
            return self.link.without("seed")
        return Link.of(PATH, [("v", VERSION), *rules_pairs(self.rules, self.words), ("lang", self.lang)])

    @property
    def rows(self) -> list[view.Row]:
        """What was answered before."""
        return view.lines(self.puzzle.board.facts, self.words) if self.puzzle else []

    @property
    def numbers(self) -> list[str]:
        """The numbers that are left, if they are few."""
        return self.puzzle.board.codes() if self.puzzle and self.puzzle.board.count <= _LISTED else []

    @property
    def opened(self) -> set[int]:
        """The places where they differ, from 0."""
        return {place for place, symbols in enumerate(zip(*self.numbers, strict=True)) if len(set(symbols)) > 1}

    @cached_property
    def checked(self) -> Checked | None:
        """What the guess does, once it is all there and can be made."""
        if not self.puzzle or len(self.typed) < self.rules.digits or self._error:
            return None
        return check(self.puzzle, self.typed, POLICY, self.advisor, self.budget)

    @cached_property
    def _error(self) -> CodeError | None:
        try:
            self.rules.check_guess(self.typed)
        except CodeError as error:
            return error
        return None

    @property
    def wrong(self) -> str:
        """What is wrong with the guess."""
        return sentence(self._error) if self._error and len(self.typed) >= self.rules.digits else ""

    @property
    def pad(self) -> view.Pad:
        """The keys for a guess, empty again once one was checked and another is better."""
        tried = self.checked is not None and not self.checked.solved
        return view.pad(self.rules, "" if tried else self.typed)

    @cached_property
    def clues(self) -> tuple[str, ...]:
        """The clues that are shown."""
        if not self.puzzle or not self.shown:
            return ()
        told = clues(self.puzzle, POLICY, self.advisor, self.budget)
        return learning.clues(told, self.rules.digits)[: self.shown]

    @property
    def splits(self) -> list[view.Split]:
        """What the checked guess does, after what was played in the game."""
        if not self.checked:
            return []
        both = self.checked.before, self.checked.weighed
        return view.grouped([each.played for each in both if each], self.words)

    @property
    def meanings(self) -> list[str]:
        """What each answer would mean, where few numbers are left."""
        return list(learning.meanings(self.checked, self.words)) if self.checked else []
