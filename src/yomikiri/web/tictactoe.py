"""The page of weighted tic-tac-toe: what every cell is worth, and why; a finished game judged; what was read lately is
remembered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from yomikiri.budget import Budget, Stopped
from yomikiri.errors import InputError
from yomikiri.tictactoe.advice import Advice, MoveAdvice, PartialAdvice, analyze
from yomikiri.tictactoe.board import cells_of
from yomikiri.tictactoe.position import Player, Position
from yomikiri.tictactoe.why import explain
from yomikiri.web.pages import begin, language_in, page
from yomikiri.web.tictactoe_address import KINDS, NAMED, PATH, Address, made, read, typed
from yomikiri.wording import sentence
from yomikiri.wording import tictactoe as wording
from yomikiri.wording import web_tictactoe as web_wording

# What a form has sent leads on to the address of the board, so that only that stays in the history.
_SEE_OTHER = 303
_LONG_WEIGHT, _LONG_NOTE = 4, 9
_REMEMBERED = 512


def tictactoe(request: Request) -> Response:
    """The board in the address, or where to get one."""
    budget = begin(request)
    query = request.query_params.multi_items()
    address = read(query)
    if address is not None:
        return _game(request, address, budget)
    try:
        board = made(query)
    except InputError as error:
        return _start(request, status=400, wrong=sentence(error))
    return _start(request) if board is None else RedirectResponse(str(board), _SEE_OTHER)


def _start(request: Request, status: int = 200, wrong: str | None = None) -> Response:
    """Boards to choose from; with `wrong`, what was typed stands as it was."""
    shown = _new(language_in(request), typed(request.query_params.multi_items()))
    return page(request, "tictactoe_start.html", status=status, wrong=wrong, **shown)


def _new(lang: str | None, typed: dict[str, str]) -> dict[str, Any]:
    """What the ways to a new board show."""
    return {
        "typed": typed,
        "here": PATH,
        "named": [(web_wording.named(key), str(Address(board, lang=lang))) for key, board in NAMED.items()],
        "kinds": [(key, web_wording.kind(key)) for key in KINDS],
    }


def _game(request: Request, address: Address, budget: Budget) -> Response:
    position = address.position
    found = None if position.outcome else read_in_time(position, budget)
    programs_move = address.me not in (None, position.to_move)
    if programs_move and found and found.best:
        return RedirectResponse(str(address.after(found.best.move)), _SEE_OTHER)
    told = found if address.me is None or address.show or programs_move else None
    shown = told if isinstance(told, Advice) else None
    partial = told if isinstance(told, PartialAdvice) else None
    return page(
        request,
        "tictactoe.html",
        address=address,
        position=position,
        headline=web_wording.headline(position, address.moves, address.me),
        verdict=wording.verdict(shown) if shown else None,
        unread=web_wording.unread(partial) if partial else None,
        grid=grid(address, position, told),
        legend=web_wording.legend(told) if told and told.moves else None,
        judged=judged(address, budget) if position.outcome else [],
        reasons=reasons(shown) if shown else [],
        best=steps(address, shown.line_of_play, len(address.moves)) if shown else [],
        end=wording.result(shown.outcome, position.board) if shown else None,
        played=steps(address, address.moves, 0),
        sums=list(zip(map(web_wording.side, Player), position.sums, strict=True)),
        sides=[(web_wording.side(player), str(address.playing(player))) for player in Player],
        **_new(address.lang, typed([])),
    )


# --- what it shows ----------------------------------------------------------------------------------------------------


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
class Cell:
    """A cell of the board: what it shows and says, and where a tap on it leads, None where it is taken.

    `kind` is `first`, `second` or `draw` for whoever wins by a move whose worth is shown, and whoever holds a taken
    cell; else `free`. `rank` is `best`, `good` (it leads to the same end), `worse`, `last` for the move made last, or
    nothing.
    """

    weight: int
    mark: str
    note: str
    kind: str
    rank: str
    spoken: str
    href: str | None
    in_line: bool

    @property
    def long(self) -> bool:
        """Whether the numbers need smaller letters."""
        return len(str(self.weight)) > _LONG_WEIGHT or len(self.note) > _LONG_NOTE


def grid(address: Address, position: Position, advice: Advice | PartialAdvice | None) -> list[list[Cell]]:
    """The board, row by row; with `advice`, free cells show what they are worth, as far as they were read."""
    board = position.board
    line = set(position.outcome.line) if position.outcome else set()
    last = address.moves[-1] if address.moves else None
    cells = [
        _taken(position, cell, owner, cell in line, cell == last)
        if (owner := position.owner(cell))
        else _free(address, position, cell, advice)
        for cell in range(board.size)
    ]
    return [cells[start : start + board.columns] for start in range(0, board.size, board.columns)]


def _taken(position: Position, cell: int, owner: Player, in_line: bool, last: bool) -> Cell:
    spoken = web_wording.taken(position.board, cell, owner, last=last)
    kind, rank = owner.name.lower(), "last" if last else ""
    return Cell(position.board.flat[cell], wording.MARKS[owner], "", kind, rank, spoken, None, in_line)


def _free(address: Address, position: Position, cell: int, advice: Advice | PartialAdvice | None) -> Cell:
    moves = {move.move: move for move in advice.moves} if advice else {}
    move, best = moves.get(cell), advice.best if advice else None
    kind, rank, note = "free", "", wording.UNREAD if moves else ""
    if move and best:
        kind = move.winner.name.lower() if move.winner else "draw"
        rank = "worse" if move.winner is not best.winner else "best" if worth(move) == worth(best) else "good"
        note = web_wording.chip(move)
    spoken = web_wording.free(position.board, cell, move, unread=note == wording.UNREAD)
    href = None if position.outcome else str(address.after(cell))
    return Cell(position.board.flat[cell], "", note, kind, rank, spoken, href, False)


def worth(move: MoveAdvice) -> tuple[Player | None, int | None, int]:
    """What a move leads to; of a decision by score when it ends does not count."""
    return move.winner, move.margin, move.plies if move.margin is None else 0


@dataclass(frozen=True, slots=True)
class Step:
    """A move by its name, who makes it, and the address after it."""

    name: str
    mark: str
    href: str


def steps(address: Address, moves: tuple[int, ...], start: int) -> list[Step]:
    """These moves, of which the first is move `start` of the game counted from 0."""
    board = address.board
    whole = (*address.moves[:start], *moves)
    return [
        Step(board.name(move), wording.MARKS[_mover(start + number)],
             str(address.back_to(start).after(*whole[start : start + number + 1])))
        for number, move in enumerate(moves)
    ]  # fmt: skip


def _mover(number: int) -> Player:
    return Player.SECOND if number % 2 else Player.FIRST


@dataclass(frozen=True, slots=True)
class Judged:
    """A move of a finished game: the address before it, what it led to beside the best move, whether it was one, and
    whether it was the turning point."""

    step: Step
    before: str
    said: str
    good: bool
    turning: bool


def judged(address: Address, budget: Budget) -> list[Judged]:
    """The moves of a game, each beside the best one, as far as the positions are read in time; the turning point is
    the last move that changed who wins, after which nobody did."""
    board, changed = address.board, None
    found: list[Judged] = []
    for number, (move, step) in enumerate(zip(address.moves, steps(address, address.moves, 0), strict=True)):
        advice = read_in_time(Position.after(board, address.moves[:number]), budget)
        if not isinstance(advice, Advice):
            continue
        played = next(each for each in advice.moves if each.move == move)
        if played.winner is not advice.best.winner:
            changed = len(found)
        good = worth(played) == worth(advice.best)
        said = web_wording.judged(board, played, advice.best, good=good)
        found.append(Judged(step, str(address.back_to(number)), said, good, False))
    return [replace(each, turning=number == changed) for number, each in enumerate(found)]


@dataclass(frozen=True, slots=True)
class Argument:
    """A sentence that says why, and small boards to look at with it: rows of marks."""

    sentence: str
    pictures: list[list[list[str]]]


def reasons(advice: Advice) -> list[Argument]:
    """Why the position ends as it does."""
    why = explain(advice)
    block = [Argument(wording.must_stop(advice, why), [])] if why.block else []
    found = []
    for guarantee in why.guarantees:
        position = reduce(Position.play, guarantee.moves, advice.position)
        pictures = [_picture(position, marks) for marks in wording.marks(position, guarantee)]
        found.append(Argument(wording.because(advice, guarantee), pictures))
    return block + found


def _picture(position: Position, marks: dict[int, str]) -> list[list[str]]:
    board = position.board
    held = {cell: wording.MARKS[player] for player in Player for cell in cells_of(position.taken_by(player))}
    shown = [held.get(cell) or marks.get(cell, "·") for cell in range(board.size)]
    return [shown[start : start + board.columns] for start in range(0, board.size, board.columns)]
