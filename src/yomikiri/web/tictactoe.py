"""The page of weighted tic-tac-toe: what every cell is worth, and why; a finished game judged; what was read lately is
remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import InputError
from yomikiri.tictactoe.advice import Advice, MoveAdvice, PartialAdvice, analyze
from yomikiri.tictactoe.explanations import explain
from yomikiri.tictactoe.position import Player, Position
from yomikiri.web.link import Link, language_in
from yomikiri.web.pages import begin, page, see_other
from yomikiri.web.tictactoe_address import KINDS, NAMED, PATH, Address, made, read, typed
from yomikiri.web.tictactoe_practise import Cell, lapses, of_game
from yomikiri.wording import sentence
from yomikiri.wording import tictactoe as wording

_REMEMBERED = 512


def tictactoe(request: Request) -> Response:
    """The board in the address, or where to get one."""
    budget = begin(request)
    query = request.query_params.multi_items()
    if (address := read(query)) is not None:
        return _game(request, address, budget)
    try:
        board = made(query)
    except InputError as error:
        return page(request, BoardsPage(language_in(dict(query)), typed(query), sentence(error)), status=400)
    if board is not None:
        return see_other(board)
    return page(request, BoardsPage(language_in(dict(query)), typed(query)))


def _game(request: Request, address: Address, budget: Budget) -> Response:
    position = address.position
    if puzzle := of_game(request, address, budget):
        return page(request, puzzle)
    found = None if position.outcome else read_in_time(position, budget)
    if address.me not in (None, position.to_move) and found and found.best:
        return see_other(address.after(found.best.move))
    return page(request, BoardPage(address, found, budget))


# --- what is read -----------------------------------------------------------------------------------------------------


def read_in_time(position: Position, budget: Budget) -> Advice | PartialAdvice:
    """The advice on a position, or what has been read of it when the budget is spent; raises a `BoardError`."""
    try:
        return _read(position, budget)
    except Stopped as stopped:
        found: PartialAdvice = stopped.best
        return found


# Only what is whole is remembered: what was cut short has raised.
@lru_cache(_REMEMBERED)
def _read(position: Position, budget: Budget) -> Advice:
    return analyze(position, budget)


@dataclass(frozen=True, slots=True)
class Step:
    """A move by its name, who makes it, and the game after it."""

    name: str
    player: Player
    after: Address


def steps(address: Address, moves: tuple[int, ...], start: int) -> list[Step]:
    """These moves, of which the first is move `start` of the game counted from 0."""
    board = address.board
    whole = (*address.moves[:start], *moves)
    return [
        Step(board.name(move), _mover(start + number), replace(address, moves=whole[: start + number + 1]))
        for number, move in enumerate(moves)
    ]


def _mover(number: int) -> Player:
    return Player.SECOND if number % 2 else Player.FIRST


@dataclass(frozen=True, slots=True)
class Judged:
    """A move of a finished game beside the best one: the address before it, and whether it was the turning point."""

    step: Step
    before: Address
    played: MoveAdvice
    best: MoveAdvice
    best_name: str
    turning: bool = False

    @property
    def good(self) -> bool:
        """Whether no move was better."""
        return self.played.is_as_good_as(self.best)


@dataclass(frozen=True, slots=True)
class Argument:
    """A sentence that says why, and small boards to look at with it: rows of marks."""

    sentence: str
    pictures: list[list[Sequence[str]]]


# --- the pages --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoardsPage:
    """Boards to choose from: what was typed stands as it was, with what is wrong with it."""

    template: ClassVar[str] = "tictactoe_start.html"
    here: ClassVar[str] = PATH
    kinds: ClassVar[tuple[str, ...]] = KINDS

    lang: str | None
    typed: dict[str, str]
    wrong: str = ""

    @property
    def named(self) -> list[tuple[str, Address]]:
        """The boards with a name."""
        return [(key, Address(board, lang=self.lang)) for key, board in NAMED.items()]


@dataclass(frozen=True)
class BoardPage:
    """A board: what every cell is worth, and why; or a finished game judged. `found` is what was read in time."""

    template: ClassVar[str] = "tictactoe.html"
    here: ClassVar[str] = PATH

    address: Address
    found: Advice | PartialAdvice | None
    budget: Budget

    @cached_property
    def position(self) -> Position:
        """The position."""
        return self.address.position

    @property
    def told(self) -> Advice | PartialAdvice | None:
        """What is shown of what was read: all to one who moves for both, to who plays a side where they ask for it, and
        where the program could not find a move."""
        asked = self.address.show or self.address.me not in (None, self.position.to_move)
        return self.found if self.address.me is None or asked else None

    @property
    def advice(self) -> Advice | None:
        """The same where it is whole."""
        return self.told if isinstance(self.told, Advice) else None

    @property
    def partial(self) -> PartialAdvice | None:
        """The same where it was cut short."""
        return self.told if isinstance(self.told, PartialAdvice) else None

    @property
    def so_far(self) -> str:
        """What is certain of a position that was not read to the end."""
        return wording.so_far(self.partial) if self.partial else ""

    @property
    def viewer(self) -> Player:
        """Who looks at the board: the person, or whoever is to move."""
        return self.address.me or self.position.to_move

    @property
    def played_alone(self) -> bool:
        """Whether the person moves for both."""
        return self.address.me is None

    @cached_property
    def grid(self) -> list[Sequence[Cell]]:
        """The board, row by row."""
        board = self.position.board
        return board.by_row([self._cell(cell) for cell in range(board.size)])

    @property
    def long(self) -> bool:
        """Whether numbers need smaller letters."""
        return any(cell.long for row in self.grid for cell in row)

    def _cell(self, cell: int) -> Cell:
        position, address = self.position, self.address
        board, outcome = position.board, position.outcome
        name, weight = board.name(cell), board.flat[cell]
        if owner := position.owner(cell):
            last = bool(address.moves) and cell == address.moves[-1]
            return Cell(name, weight, owner, last=last, in_line=outcome is not None and cell in outcome.line)
        href = None if outcome else str(address.after(cell))
        moves = {move.move: move for move in self.told.moves} if self.told else {}
        move = moves.get(cell)
        if move is None or not self.told or not self.told.best:
            return Cell(name, weight, None, href, kind="unread" if moves else "")
        kind = "draw" if move.winner is None else "win" if move.winner is self.viewer else "loss"
        return Cell(name, weight, None, href, move, kind, move.is_as_good_as(self.told.best))

    @property
    def best(self) -> list[str]:
        """The names of the moves that no other is better than."""
        return [cell.name for row in self.grid for cell in row if cell.best]

    @cached_property
    def judged(self) -> list[Judged]:
        """The moves of a finished game, each beside the best one, as far as the positions are read in time; the turning
        point is the last move that changed who wins, after which nobody did."""
        if not self.position.outcome:
            return []
        address, board, changed, found = self.address, self.address.board, None, list[Judged]()
        for number, (move, step) in enumerate(zip(address.moves, self.played, strict=True)):
            advice = read_in_time(Position.after(board, address.moves[:number]), self.budget)
            if not isinstance(advice, Advice):
                continue
            played = advice.of(move)
            if played.winner is not advice.best.winner:
                changed = len(found)
            found.append(Judged(step, address.back_to(number), played, advice.best, board.name(advice.best.move)))
        return [replace(each, turning=number == changed) for number, each in enumerate(found)]

    @cached_property
    def puzzles(self) -> dict[int, Link]:
        """The moves of a finished game that come back as puzzles, by number, with their pages."""
        if not self.position.outcome:
            return {}
        return {puzzle.number: self.address.link.but(puzzle=str(puzzle.number))
                for puzzle in lapses(self.address, self.budget)}  # fmt: skip

    @property
    def reasons(self) -> list[Argument]:
        """Why the position ends as it does."""
        advice = self.advice
        if advice is None:
            return []
        why = explain(advice)
        found = [Argument(wording.must_stop(advice, why), [])] if why.block else []
        return found + [
            Argument(wording.because(advice, each), wording.pictures(advice.position, each)) for each in why.guarantees
        ]

    @property
    def played(self) -> list[Step]:
        """The moves so far."""
        return steps(self.address, self.address.moves, 0)

    @property
    def to_come(self) -> list[Step]:
        """Best play from here, where it is shown."""
        return steps(self.address, self.advice.line_of_play, len(self.address.moves)) if self.advice else []

    @property
    def result(self) -> str:
        """How the game ended, or ends with best play, in the words of the contest."""
        outcome = self.position.outcome or (self.advice.outcome if self.advice else None)
        return wording.result(outcome, self.position.board) if outcome else ""

    @property
    def sums(self) -> list[tuple[Player, int, float]]:
        """The sums of both, with the share of each in a bar; a person who plays comes first.

        The lead is measured by all that the cells weigh, of either sign, so that it looks the same throughout a game,
        and only who holds every weight there is has the whole bar.
        """
        first, second = self.position.sums
        share = 0.5 + (first - second) / (2 * sum(map(abs, self.position.board.flat)) or 1)
        both = [(Player.FIRST, first, share), (Player.SECOND, second, 1 - share)]
        return both[::-1] if self.address.me is Player.SECOND else both

    @property
    def as_first(self) -> Address:
        """The game in which the person goes first."""
        return self.address.playing(Player.FIRST)

    @property
    def as_second(self) -> Address:
        """The game in which the program does."""
        return self.address.playing(Player.SECOND)
