"""A board with one move to find: one made to order, or one out of a game that is over.

    /tictactoe/practise?v=1&seed=k3x9&difficulty=easy&clues=1&move=b2

Out of a game comes `puzzle=3` in the address of that game, its third move.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from yomikiri.budget import Budget, Stopped
from yomikiri.enums import choice, number
from yomikiri.grades import Difficulty
from yomikiri.tictactoe.position import Player, Position
from yomikiri.tictactoe.puzzles import Checked, Puzzle, check, clues, from_game, generated
from yomikiri.web.link import SEE_OTHER, VERSION, Link, check_version, language_in, with_values
from yomikiri.web.pages import begin, page
from yomikiri.web.puzzle_page import Practised, clues_shown
from yomikiri.web.tictactoe_address import Address
from yomikiri.wording import tictactoe as wording
from yomikiri.wording import tictactoe_puzzles as puzzle_wording

PATH = "/tictactoe/practise"


def practised(request: Request) -> Response:
    """The puzzle in the address."""
    begin(request)
    told = dict(with_values(request.query_params.multi_items()))
    check_version(told)
    difficulty = choice(told, "difficulty", Difficulty, Difficulty.EASY)
    asked = Link.of(PATH, [("v", VERSION), ("difficulty", str(difficulty)), ("lang", language_in(told) or "")])
    if "seed" not in told:
        return RedirectResponse(str(asked.but(seed=secrets.token_hex(4))), SEE_OTHER)
    puzzle = generated(told["seed"], difficulty)
    return page(request, BoardPuzzlePage(asked.but(seed=told["seed"]), puzzle, clues_shown(told), told.get("move", "")))


def of_game(request: Request, address: Address, budget: Budget) -> BoardPuzzlePage | None:
    """The puzzle that the address of a game that is over asks for; None where it asks for none, or there is none."""
    told = dict(with_values(request.query_params.multi_items()))
    asked = number(told, "puzzle", 0)
    if not asked or not address.position.outcome:
        return None
    found = next((each for each in lapses(address, budget) if each.number == asked), None)
    if found is None:
        return None
    game = Link.of(*address.parts)
    return BoardPuzzlePage(game.but(puzzle=str(asked)), found, clues_shown(told), told.get("move", ""), game)


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
    """A cell by its name, with its weight: who holds it, or where a tap on it leads."""

    name: str
    weight: int
    owner: Player | None
    href: Link | None
    kind: str = ""
    best: bool = False
    last: bool = False
    in_line: bool = False
    move: None = None


@dataclass(frozen=True)
class BoardPuzzlePage(Practised):
    """A puzzle as its page shows it: the link to it, how many clues are shown, the move that was tapped, and the game
    that it comes from, if it does."""

    template: ClassVar[str] = "practise_board.html"
    played_alone: ClassVar[bool] = True
    long: ClassVar[bool] = False

    link: Link
    puzzle: Puzzle
    shown: int
    tapped: str
    game: Link | None = None

    @property
    def position(self) -> Position:
        """The position."""
        return self.puzzle.position

    def name(self, player: Player) -> str:
        """What a player of the contest is called."""
        return wording.player_name(player)

    @property
    def question(self) -> str:
        """What is asked."""
        return puzzle_wording.question(self.puzzle)

    @property
    def here(self) -> Link:
        """The page as it is, without the move."""
        return self.link.but(clues=str(self.shown or ""))

    @property
    def grid(self) -> list[list[Cell]]:
        """The board, row by row; every free cell can be tapped."""
        position = self.position
        board = position.board
        cells = [
            Cell(board.name(cell), board.flat[cell], owner, None if owner else self.here.but(move=board.name(cell)),
                 last=board.name(cell) == self.tapped)
            for cell in range(board.size) for owner in (position.owner(cell),)
        ]  # fmt: skip
        return [cells[start : start + board.columns] for start in range(0, board.size, board.columns)]

    @cached_property
    def checked(self) -> Checked | None:
        """What the move that was tapped does."""
        return check(self.puzzle, self.position.board.cell(self.tapped)) if self.tapped else None

    @property
    def said(self) -> str:
        """What there is to say of it."""
        return puzzle_wording.checked(self.checked, self.tapped) if self.checked else ""

    @property
    def clues(self) -> tuple[str, ...]:
        """The clues that are shown."""
        return puzzle_wording.clues(clues(self.puzzle))[: self.shown] if self.shown else ()

    def of_difficulty(self, difficulty: Difficulty) -> Link:
        """Another puzzle, as hard as that."""
        return Link.of(PATH, [("v", VERSION), ("difficulty", str(difficulty)), ("lang", self.lang)])

    @property
    def another(self) -> Link:
        """Another puzzle, as hard as this one."""
        return self.of_difficulty(Difficulty(self.difficulty or Difficulty.EASY))
