"""The address of a board of tic-tac-toe with its moves, and new boards. The server stores nothing.

    /tictactoe?v=1&board=-2,0,-1/-1,-1,0/-1,-1,-2&moves=b2,a1&me=first&lang=ja
               └ default: 1                            │        └ the side of the user; default: both
                                                       └ in turns, from the empty board

`line=` is the number of marks in a row that wins, by default 3. `show=1` shows the results of moves to a user who
plays one side. A user who plays both sides always sees them. Unknown names are ignored. A new board is typed, random,
or one of the named boards: see `new_board`.
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
    """The address of a board: its moves, the side of the user, and whether the page shows the results of moves.

    `moves` are indices of cells. `me` is None if the user plays both sides.
    """

    board: Board
    moves: tuple[int, ...] = ()
    me: Player | None = None
    show: bool = False
    lang: str | None = None

    def __str__(self) -> str:
        return str(self.link)

    @property
    def link(self) -> Link:
        """The link to the game."""
        me = self.me.name.lower() if self.me else ""
        opened = [("me", me), ("show", "1" if self.show else ""), ("lang", self.lang or "")]
        return Link.of(PATH, [("v", VERSION), *board_pairs(self.board, self.moves), *opened])

    @property
    def position(self) -> Position:
        """The position after the moves. Raises a `BoardError` if a move is impossible."""
        return Position.after(self.board, self.moves)

    def after(self, *moves: int) -> BoardAddress:
        """Return the address of the game after more moves."""
        return replace(self, moves=(*self.moves, *moves))

    def back_to(self, count: int) -> BoardAddress:
        """Return the address of the game after its first `count` moves."""
        return replace(self, moves=self.moves[:count])

    @property
    def undone(self) -> BoardAddress | None:
        """The address of the game before the user's last move, or None if the user has not moved."""
        count = len(self.moves) - 1
        if self.me is not None and count >= 0 and count % 2 != (self.me is Player.SECOND):
            count -= 1
        return self.back_to(count) if count >= 0 else None

    def playing(self, me: Player | None) -> BoardAddress:
        """Return the address of the game for a user who plays side `me`, or both sides if it is None.

        A user who plays one side starts from the empty board.
        """
        return replace(self, me=me, show=False, moves=() if me else self.moves)

    @property
    def shared(self) -> str:
        """The link to share. It names no language, so the other person sees the one that their browser prefers."""
        return str(replace(self, lang=None))

    def showing(self, show: bool) -> BoardAddress:
        """Return the address of the page with or without the results of moves."""
        return replace(self, show=show)


def read(query: Sequence[tuple[str, str]]) -> BoardAddress | None:
    """Read the query of an address. Returns None if it has no board. Raises an `InputError`.

    The moves are checked later, when the position is computed.
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
"""The named boards, by a key for their name."""

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
"""The kinds of random boards: a property of a 3x3 board, or another shape."""


def new_board(query: Sequence[tuple[str, str]]) -> BoardAddress | None:
    """Return the address of the board that a form describes, or None if no form was sent. Raises an `InputError`.

    The parameters of a form are one of these three:

    - `text`, which contains rows of integers, as in the input of the programming contest AtCoder ABC349 E
    - `w` once for each weight, and the number of `columns`
    - `random`, which is a kind of random board, with `low`, `high` and an optional `seed`
    """
    single, parameters = dict(query), dict(with_values(query))
    line = number(parameters, "line", DEFAULT_LINE)
    if "text" in single:
        board = read_board(single["text"].splitlines(), line)
    elif "w" in single:
        weights = (parse_weight(fold(value)) for name, value in query if name == "w")
        board = Board(_rows(list(weights), single.get("columns", "")), line)
    elif "random" in single:
        board = _drawn(parameters)
    else:
        return None
    return BoardAddress(check_board(board), lang=language_in(parameters))


def form_values(query: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the field values of the forms for a new board: the user's input, or defaults."""
    single = dict(query)
    weights = [value for name, value in query if name == "w"]
    usual = {"random": "any", "low": str(LOW), "high": str(HIGH), "seed": "", "line": str(DEFAULT_LINE),
             "text": "\n".join(map(" ".join, _rows(weights, single.get("columns", ""))))}  # fmt: skip
    return {name: single.get(name) or value for name, value in usual.items()}


def _rows(weights: list[T], columns: str) -> list[list[T]]:
    across = int(columns) if columns in map(str, range(1, MAX_SIDE + 1)) else 3
    return [weights[start : start + across] for start in range(0, len(weights), across)]


def _drawn(parameters: dict[str, str]) -> Board:
    kind = choice(parameters, "random", KINDS, "any")
    low = parse_weight(fold(parameters.get("low", str(LOW))))
    high = parse_weight(fold(parameters.get("high", str(HIGH))))
    seed = number(parameters, "seed", random.randrange(SEEDS))
    if kind in _KINDS:
        return next(generate(_KINDS[kind](low, high), seed))
    rows, columns, line = _SHAPES[kind]
    wanted = Wanted(low, high)
    chance = random.Random(seed)
    return Board([[chance.randint(wanted.low, wanted.high) for _ in range(columns)] for _ in range(rows)], line)
