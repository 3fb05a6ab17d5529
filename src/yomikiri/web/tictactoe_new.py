"""A board to play on: typed in, drawn to order, or one with a name."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from yomikiri.enums import choice, number
from yomikiri.tictactoe.board import DEFAULT_LINE, MAX_SIDE, Board, parse_weight
from yomikiri.tictactoe.generate import Opening, Wanted, generate
from yomikiri.tictactoe.notation import fold, read_board
from yomikiri.web.hitblow_address import with_values
from yomikiri.web.limits import check_board
from yomikiri.web.tictactoe_address import Address
from yomikiri.wording import LANGUAGES

T = TypeVar("T")

NAMED = {
    "edge": Board.parse("-2,0,-1/-1,-1,0/-1,-1,-2"),
    "second": Board.parse("-1,1,0/-4,-2,-5/-4,-1,-5"),
    "magic": Board.parse("2,7,6/9,5,1/4,3,8"),
    "plain": Board.parse("0,0,0/0,0,0/0,0,0"),
    "plain4": Board.parse("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", 4),
}
"""Boards with a name, which `wording` knows."""

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


def made(query: Sequence[tuple[str, str]]) -> Address | None:
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
    lang = told["lang"] if told.get("lang") in LANGUAGES else None
    return Address(check_board(board), lang=lang)


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
