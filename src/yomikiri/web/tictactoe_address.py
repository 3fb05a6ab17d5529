"""A board of tic-tac-toe and its moves as an address: nothing about them is kept anywhere else.

    /tictactoe?v=1&board=-2,0,-1/-1,-1,0/-1,-1,-2&moves=b2,a1&me=first&lang=ja
               └ left out: 1                           │        └ whom the person plays; left out: both sides
                                                       └ in turns, from the empty board

`line=` is how many in a row win where that is not 3. `show=1` shows what the moves are worth to a person who plays one
side; to one who plays both they are always shown. Names that mean nothing are passed over. A new board is typed in,
drawn to order, or one with a name: see `made`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from yomikiri.common.enums import choice, number
from yomikiri.tictactoe.board import DEFAULT_LINE, MAX_SIDE, Board, fold, parse_weight
from yomikiri.tictactoe.generator import Opening, Wanted, generate
from yomikiri.tictactoe.notation import board_of, board_pairs, read_board
from yomikiri.tictactoe.position import Player, Position
from yomikiri.web.limits import check_board
from yomikiri.web.link import VERSION, Link, check_version, language_in, with_values

T = TypeVar("T")

PATH = "/tictactoe"
_PLAYERS = {"first": Player.FIRST, "second": Player.SECOND}


@dataclass(frozen=True)
class BoardAddress:
    """The board, its moves, whom the person plays, and whether what moves are worth is shown."""

    board: Board
    moves: tuple[int, ...] = ()
    me: Player | None = None
    show: bool = False
    lang: str | None = None

    def __str__(self) -> str:
        return str(self.link)

    @property
    def link(self) -> Link:
        """The game as a link."""
        me = self.me.name.lower() if self.me else ""
        opened = [("me", me), ("show", "1" if self.show else ""), ("lang", self.lang or "")]
        return Link.of(PATH, [("v", VERSION), *board_pairs(self.board, self.moves), *opened])

    @property
    def position(self) -> Position:
        """The position after the moves; raises a `BoardError`."""
        return Position.after(self.board, self.moves)

    def after(self, *moves: int) -> BoardAddress:
        """The game some moves later."""
        return replace(self, moves=(*self.moves, *moves))

    def back_to(self, count: int) -> BoardAddress:
        """The game after its first `count` moves."""
        return replace(self, moves=self.moves[:count])

    @property
    def undone(self) -> BoardAddress | None:
        """The game before the last move of the person, None if there is none."""
        count = len(self.moves) - 1
        if self.me is not None and count >= 0 and count % 2 != (self.me is Player.SECOND):
            count -= 1
        return self.back_to(count) if count >= 0 else None

    def playing(self, me: Player | None) -> BoardAddress:
        """A person who plays `me`, or both; one who plays a side begins anew."""
        return replace(self, me=me, show=False, moves=() if me else self.moves)

    @property
    def shared(self) -> str:
        """The game for someone else, in the language that they prefer."""
        return str(replace(self, lang=None))

    def showing(self, show: bool) -> BoardAddress:
        """The page with what the moves are worth, or without."""
        return replace(self, show=show)


def read(query: Sequence[tuple[str, str]]) -> BoardAddress | None:
    """Read the query of an address, None where it has no board; raises an `InputError` for what cannot be used.

    Whether the moves can be made is not asked yet.
    """
    single = dict(query)
    check_version(single)
    if "board" not in single:
        return None
    board, moves = board_of(single)
    me = _PLAYERS[choice(single, "me", _PLAYERS, "")] if single.get("me") else None
    return BoardAddress(check_board(board), moves, me, single.get("show") == "1", language_in(single))


# --- new boards -------------------------------------------------------------------------------------------------------

NAMED = {
    "edge": Board.parse("-2,0,-1/-1,-1,0/-1,-1,-2"),
    "second": Board.parse("-1,1,0/-4,-2,-5/-4,-1,-5"),
    "magic": Board.parse("2,7,6/9,5,1/4,3,8"),
    "plain": Board.parse("0,0,0/0,0,0/0,0,0"),
    "plain4": Board.parse("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", 4),
    "rings": Board.parse("1,2,0,2,1/2,3,1,3,2/0,1,4,1,0/2,3,1,3,2/1,2,0,2,1", 4),
    "plain5": Board.parse("0,0,0,0,0/0,0,0,0,0/0,0,0,0,0/0,0,0,0,0/0,0,0,0,0", 5),
}
"""Boards with a name, which the template knows."""

LOW, HIGH = -9, 9
SEEDS = 1_000_000

_KINDS: dict[str, Callable[[int, int], Wanted]] = {
    "any": lambda low, high: Wanted(low, high),
    "first": lambda low, high: Wanted(low, high, winner=1),
    "second": lambda low, high: Wanted(low, high, winner=-1),
    "draw": lambda low, high: Wanted(low, high, winner=0),
    "corner": lambda low, high: Wanted(low, high, opening=Opening.CORNER),
    "edge": lambda low, high: Wanted(low, high, opening=Opening.EDGE),
    "centre": lambda low, high: Wanted(low, high, opening=Opening.CENTRE),
    "unique": lambda low, high: Wanted(low, high, unique=True),
}
_SHAPES = {"3x4": (3, 4, 3), "4x4": (4, 4, 4), "5x5": (5, 5, 5)}
KINDS = (*_KINDS, *_SHAPES)
"""What a drawn board can be like: a property of 3x3, or another shape."""


def made(query: Sequence[tuple[str, str]]) -> BoardAddress | None:
    """The address of the board that a form asks for, None where none does; raises an `InputError`.

    `text` holds rows as the contest gives them, `w` single weights by `columns`, `random` a kind of drawn board with
    `low`, `high` and perhaps a `seed`.
    """
    single, told = dict(query), dict(with_values(query))
    line = number(told, "line", DEFAULT_LINE)
    if "text" in single:
        board = read_board(single["text"].splitlines(), line)
    elif "w" in single:
        weights = (parse_weight(fold(value)) for name, value in query if name == "w")
        board = Board(_rows(list(weights), single.get("columns", "")), line)
    elif "random" in single:
        board = _drawn(told)
    else:
        return None
    return BoardAddress(check_board(board), lang=language_in(told))


def typed(query: Sequence[tuple[str, str]]) -> dict[str, str]:
    """What the forms for a new board hold: what was typed into them, else the usual."""
    single = dict(query)
    weights = [value for name, value in query if name == "w"]
    usual = {"random": "any", "low": str(LOW), "high": str(HIGH), "seed": "", "line": str(DEFAULT_LINE),
             "text": "\n".join(map(" ".join, _rows(weights, single.get("columns", ""))))}  # fmt: skip
    return {name: single.get(name) or value for name, value in usual.items()}


def _rows(weights: list[T], columns: str) -> list[list[T]]:
    across = int(columns) if columns in map(str, range(1, MAX_SIDE + 1)) else 3
    return [weights[start : start + across] for start in range(0, len(weights), across)]


def _drawn(told: dict[str, str]) -> Board:
    kind = choice(told, "random", KINDS, "any")
    low = parse_weight(fold(told.get("low", str(LOW))))
    high = parse_weight(fold(told.get("high", str(HIGH))))
    seed = number(told, "seed", random.randrange(SEEDS))
    if kind in _KINDS:
        return next(generate(_KINDS[kind](low, high), seed))
    rows, columns, line = _SHAPES[kind]
    wanted = Wanted(low, high)
    chance = random.Random(seed)
    return Board([[chance.randint(wanted.low, wanted.high) for _ in range(columns)] for _ in range(rows)], line)
