"""A position with a guess to find: one made to order, or one out of a game that is over.

    /practise?v=1&preset=numeron&seed=k3x9&difficulty=easy&clues=1&guess=067

`clues=` is how many of the three clues are shown, `guess=` the guess that is checked, perhaps not all of it yet. An
address without a seed leads to one with a fresh seed. Out of a game comes `puzzle=3` in the address of that game.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from yomikiri.budget import Budget, Stopped
from yomikiri.enums import choice
from yomikiri.errors import CodeError
from yomikiri.grades import Difficulty
from yomikiri.hitblow.game import rules_of, rules_pairs, words_of
from yomikiri.hitblow.learning.puzzles import Checked, Puzzle, check, clues, from_report, generated
from yomikiri.hitblow.learning.report import Report
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.rules import Rules, Words
from yomikiri.web import hitblow_view as view
from yomikiri.web.hitblow_address import typed
from yomikiri.web.judged import drawn
from yomikiri.web.limits import POLICY, check_rules
from yomikiri.web.link import SEE_OTHER, VERSION, Link, check_version, language_in, with_values
from yomikiri.web.pages import begin, page
from yomikiri.web.puzzle_page import Practised, clues_shown
from yomikiri.wording import learning, sentence

PATH = "/practise"


class Played(Protocol):
    """The address of a game that a puzzle comes from."""

    @property
    def link(self) -> Link:
        """The game with nothing open."""


def of_report(report: Report, asked: int) -> Puzzle | None:
    """The puzzle that is the position before guess `asked` of a game; None where it is none."""
    return next((puzzle for puzzle in from_report(report) if puzzle.number == asked), None)


def practised(request: Request) -> Response:
    """The puzzle in the address."""
    budget = begin(request)
    told = dict(with_values(request.query_params.multi_items()))
    check_version(told)
    rules, words = check_rules(rules_of(told)), words_of(told)
    difficulty = choice(told, "difficulty", Difficulty, Difficulty.EASY)
    lang = ("lang", language_in(told) or "")
    asked = [("v", VERSION), *rules_pairs(rules, words), ("difficulty", str(difficulty)), lang]
    if "seed" not in told:
        return RedirectResponse(str(Link.of(PATH, [*asked, ("seed", secrets.token_hex(4))])), SEE_OTHER)
    link = Link.of(PATH, [*asked, ("seed", told["seed"])])
    try:
        puzzle = generated(rules, told["seed"], difficulty, budget)
    except Stopped:
        puzzle = None
    return practise(request, PuzzlePage(link, puzzle, words, typed(told, rules), clues_shown(told), budget))


def practise(request: Request, shown: PuzzlePage) -> Response:
    """The page of a puzzle."""
    return page(request, shown, status=400 if shown.wrong else 200)


@dataclass(frozen=True)
class PuzzlePage(Practised, view.Ruled):
    """A puzzle as its page shows it: the link to it, what is typed of a guess, how many clues are shown; the game that
    it comes from, if it does. There is no puzzle where the time was not enough to make one."""

    template: ClassVar[str] = "practise.html"

    link: Link
    puzzle: Puzzle | None
    words: Words
    typed: str
    shown: int
    budget: Budget
    game: Link | None = None
    advisor: Advisor | None = None

    @classmethod
    def of(
        cls,
        request: Request,
        puzzle: Puzzle,
        address: Played,
        words: Words,
        budget: Budget,
        advisor: Advisor | None = None,
    ) -> PuzzlePage:
        """The page of a puzzle out of a game."""
        told = dict(with_values(request.query_params.multi_items()))
        link = address.link.but(puzzle=str(puzzle.number))
        guess = typed(told, puzzle.board.rules)
        return cls(link, puzzle, words, guess, clues_shown(told), budget, address.link.but(review="1"), advisor)

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
        board = self.puzzle.board if self.puzzle else None
        found, count = [], 0
        for fact in board.facts if board else ():
            guess, hint, text = view.shown(fact, self.words)
            count += bool(guess)
            found.append(view.Row(count if guess else 0, guess, hint, text))
        return found

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
        return drawn([each.played for each in both if each], self.words)

    @property
    def meanings(self) -> list[str]:
        """What each answer would mean, where few numbers are left."""
        return list(learning.meanings(self.checked, self.words)) if self.checked else []


_LISTED = 8  # numbers that are shown as tiles
