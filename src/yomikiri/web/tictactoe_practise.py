"""A board with one move to find: one made to order, or one out of a game that is over.

    /tictactoe/practise?v=1&seed=k3x9&difficulty=easy&clues=1&move=b2

Out of a game comes `puzzle=3` in the address of that game, its third move.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.enums import Difficulty, choice, number
from yomikiri.tictactoe.advice import MoveAdvice
from yomikiri.tictactoe.position import Player, Position
from yomikiri.tictactoe.puzzles import Checked, Puzzle, check, clues, from_game, generated
from yomikiri.web.link import VERSION, Link, check_version, language_in
from yomikiri.web.pages import begin, page, query_of, see_other
from yomikiri.web.practise import Practised, clues_shown
from yomikiri.web.tictactoe_address import Address
from yomikiri.wording import tictactoe_puzzles as wording

PATH = "/tictactoe/practise"
_LONG_WEIGHT = 4


def practised(request: Request) -> Response:
    """The puzzle in the address."""
    begin(request)
    told = dict(query_of(request))
    check_version(told)
    difficulty = choice(told, "difficulty", Difficulty, Difficulty.EASY)
    asked = Link.of(PATH, [("v", VERSION), ("difficulty", str(difficulty)), ("lang", language_in(told) or "")])
    if "seed" not in told:
        return see_other(asked.but(seed=secrets.token_hex(4)))
    puzzle = generated(told["seed"], difficulty)
    return page(request, BoardPuzzlePage(asked.but(seed=told["seed"]), clues_shown(told), puzzle, told.get("move", "")))


def of_game(request: Request, address: Address, budget: Budget) -> BoardPuzzlePage | None:
    """The puzzle that the address of a game that is over asks for; None where it asks for none, or there is none."""
    told = dict(query_of(request))
    asked = number(told, "puzzle", 0)
    if not asked or not address.position.outcome:
        return None
    found = next((each for each in lapses(address, budget) if each.number == asked), None)
    if found is None:
        return None
    game = address.link
    return BoardPuzzlePage(game.but(puzzle=str(asked)), clues_shown(told), found, told.get("move", ""), game)


def lapses(address: Address, budget: Budget) -> list[Puzzle]:
    """The moves of a game that threw the result away, those of the person or of both, as far as they are read in
    time."""
    found = list[Puzzle]()
    for player in Player if address.me is None else (address.me,):
        try:
            found += from_game(address.board, address.moves, player, budget)
        except Stopped:
            return []
    return sorted(found, key=lambda puzzle: puzzle.number)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the board by its name, with its weight: who holds it, or where a tap on it leads and what is known of
    the move.

    `kind` is `win`, `draw` or `loss` by who wins, as the one sees it who looks at the board, `unread` where that is not
    known, else nothing; `best` says that no move is better.
    """

    name: str
    weight: int
    owner: Player | None = None
    href: str | None = None
    move: MoveAdvice | None = None
    kind: str = ""
    best: bool = False
    last: bool = False
    in_line: bool = False

    @property
    def long(self) -> bool:
        """Whether the numbers need smaller letters."""
        margin = self.move.margin if self.move else None
        return len(str(self.weight)) > _LONG_WEIGHT or len(str(margin or "")) > _LONG_WEIGHT


@dataclass(frozen=True)
class BoardPuzzlePage(Practised):
    """A puzzle as its page shows it: the move that was tapped, and the game that it comes from, if it does."""

    template: ClassVar[str] = "practise_board.html"
    played_alone: ClassVar[bool] = True
    long: ClassVar[bool] = False

    puzzle: Puzzle
    tapped: str
    game: Link | None = None

    @property
    def position(self) -> Position:
        """The position."""
        return self.puzzle.position

    @property
    def question(self) -> str:
        """What is asked."""
        return wording.question(self.puzzle)

    @property
    def here(self) -> Link:
        """The page as it is, without the move."""
        return self.link.but(clues=str(self.shown or ""))

    @property
    def grid(self) -> list[Sequence[Cell]]:
        """The board, row by row; every free cell can be tapped."""
        position = self.position
        board = position.board
        cells = [
            Cell(name, board.flat[cell], owner, None if owner else str(self.here.but(move=name)),
                 last=name == self.tapped)
            for cell in range(board.size) for name, owner in ((board.name(cell), position.owner(cell)),)
        ]  # fmt: skip
        return board.by_row(cells)

    @cached_property
    def checked(self) -> Checked | None:
        """What the move that was tapped does."""
        return check(self.puzzle, self.position.board.cell(self.tapped)) if self.tapped else None

    @property
    def said(self) -> str:
        """What there is to say of it."""
        return wording.checked(self.checked, self.tapped) if self.checked else ""

    @property
    def clues(self) -> tuple[str, ...]:
        """The clues that are shown."""
        return wording.clues(clues(self.puzzle))[: self.shown] if self.shown else ()

    def of_difficulty(self, difficulty: Difficulty) -> Link:
        """Another puzzle, as hard as that."""
        return Link.of(PATH, [("v", VERSION), ("difficulty", str(difficulty)), ("lang", self.lang)])

    @property
    def another(self) -> Link:
        """Another puzzle, as hard as this one."""
        return self.of_difficulty(Difficulty(self.difficulty or Difficulty.EASY))
