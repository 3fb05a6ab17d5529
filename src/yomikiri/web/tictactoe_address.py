"""A board of tic-tac-toe and its moves as an address: nothing about them is kept anywhere else.

    /tictactoe?v=1&board=-2,0,-1/-1,-1,0/-1,-1,-2&moves=b2,a1&me=first&lang=ja
               └ left out: 1                           │        └ whom the person plays; left out: both sides
                                                       └ in turns, from the empty board

`line=` is how many in a row win where that is not 3. `show=1` shows what the moves are worth to a person who plays one
side; to one who plays both they are always shown. Names that mean nothing are passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from yomikiri.enums import choice
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.notation import board_of, board_pairs
from yomikiri.tictactoe.position import Player, Position
from yomikiri.web.hitblow_address import VERSION, check_version, with_values
from yomikiri.web.limits import check_board
from yomikiri.wording import LANGUAGES

PATH = "/tictactoe"
_PLAYERS = {"first": Player.FIRST, "second": Player.SECOND}


@dataclass(frozen=True)
class Address:
    """The board, its moves, whom the person plays, and whether what moves are worth is shown."""

    board: Board
    moves: tuple[int, ...] = ()
    me: Player | None = None
    show: bool = False
    lang: str | None = None

    def __str__(self) -> str:
        opened = {
            "me": self.me.name.lower() if self.me else "",
            "show": "1" if self.show else "",
            "lang": self.lang or "",
        }
        pairs = [("v", VERSION), *board_pairs(self.board, self.moves), *with_values([*opened.items()])]
        return f"{PATH}?{urlencode(pairs, safe=',/')}"

    @property
    def position(self) -> Position:
        """The position after the moves; raises a `BoardError`."""
        return Position.after(self.board, self.moves)

    def after(self, *moves: int) -> Address:
        """The game some moves later."""
        return replace(self, moves=(*self.moves, *moves))

    def back_to(self, count: int) -> Address:
        """The game after its first `count` moves."""
        return replace(self, moves=self.moves[:count])

    @property
    def undone(self) -> Address | None:
        """The game before the last move of the person, None if there is none."""
        count = len(self.moves) - 1
        if self.me is not None and count >= 0 and count % 2 != (self.me is Player.SECOND):
            count -= 1
        return self.back_to(count) if count >= 0 else None

    def playing(self, me: Player | None) -> Address:
        """A person who plays `me`, or both; one who plays a side begins anew."""
        return replace(self, me=me, show=False, moves=() if me else self.moves)

    def showing(self, show: bool) -> Address:
        """The page with what the moves are worth, or without."""
        return replace(self, show=show)


def read(query: Sequence[tuple[str, str]]) -> Address | None:
    """Read the query of an address, None where it has no board; raises an `InputError` for what cannot be used.

    Whether the moves can be made is not asked yet.
    """
    single = dict(query)
    check_version(single)
    if "board" not in single:
        return None
    board, moves = board_of(single)
    lang = single["lang"] if single.get("lang") in LANGUAGES else None
    me = _PLAYERS[choice(single, "me", _PLAYERS, "")] if single.get("me") else None
    return Address(check_board(board), moves, me, single.get("show") == "1", lang)
