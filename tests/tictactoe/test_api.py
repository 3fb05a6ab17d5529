"""Accepted forms of arguments of the public names, and `InputError` for all others."""

# mypy: disable-error-code="arg-type, attr-defined, list-item"

from __future__ import annotations

import contextlib
import inspect
import pydoc
from collections.abc import Callable, Iterator
from enum import EnumType
from itertools import islice
from typing import Any

import numpy as np
import pytest

from yomikiri import tictactoe
from yomikiri.common.errors import InputError
from yomikiri.tictactoe import (
    Board,
    Examiner,
    Outcome,
    Player,
    Position,
    Reason,
    Tie,
    Wanted,
    analyze,
    check,
    explain,
    generate,
    winner,
    winners,
)
from yomikiri.tictactoe.generator import Opening

ROWS = [[-2, 0, -1], [-1, -1, 0], [-1, -1, -2]]
BOARD = Board(ROWS)
FORMS = [
    BOARD,
    Position(BOARD),
    ROWS,
    tuple(map(tuple, ROWS)),
    np.array(ROWS),
    np.array(ROWS, dtype=np.int8),
    np.array(ROWS, dtype=object),
    iter(ROWS),
    "-2 0 -1/-1 -1 0/-1 -1 -2",
    "-2,0,-1/-1,-1,0/-1,-1,-2",
    "-2 0 -1\n-1 -1 0\n-1 -1 -2\n",
    "－２　０　−1 / -1, -1, 0 / -1 -1 -2",
    ["-2 0 -1", "-1 -1 0", "-1 -1 -2"],
    [["-2", "0", "-1"], ["-1", "-1", "0"], ["-1", "-1", "-2"]],
]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_board_is_accepted_in_every_form(form: Any):
    if not isinstance(form, Position):
        board = Board.read(form, "board")
        assert board == BOARD
        form = form if not isinstance(form, Iterator) else ROWS
        assert Position.after(form, "b1 a1") == Position(form, 0b10, 0b1) == Position(BOARD).play("B1").play(0)
    assert analyze(form).winner is winner(form) is Player.FIRST


def test_winners_accepts_boards_in_every_form():
    flat = [list(BOARD.flat)]
    boards = [
        [BOARD], ["-2 0 -1/-1 -1 0/-1 -1 -2"], [ROWS], [np.array(ROWS)], np.array([ROWS]),
        np.array([ROWS], dtype=np.int8), flat, np.array(flat), np.array(flat, dtype=object), iter([BOARD]),
        (BOARD for _ in range(1)),
    ]  # fmt: skip
    for given in boards:
        assert winners(given).tolist() == [1]
    assert winners([]).tolist() == []
    assert winners(["0 0 0 0/0 0 0 0"], "second", line=4).tolist() == [-1]


def test_strings_are_accepted_for_ties_openings_and_commands():
    assert winner("0 0/0 0", "second") is Player.SECOND
    assert Wanted(opening="edge") == Wanted(opening=Opening.EDGE)
    assert Examiner("./a.out", tie="first") == Examiner(["./a.out"], tie=Tie.FIRST)
    assert check(Examiner(["echo", "Takahashi"]), ["1 2 3/4 5 6/7 8 9"], lambda _passed: None) is None


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        (lambda: winner(3), "position=3: expected a board"),
        (lambda: winner([1, 2, 3]), r"position=\[1, 2, 3\]: expected a board"),
        (lambda: winner({"a": 1}), "position={'a': 1}: expected a board"),
        (lambda: winner(ROWS, "third"), "tie=third: expected one of draw, first, second"),
        (lambda: winner(ROWS, budget=2), "budget=2: expected a Budget"),
        (lambda: analyze(None), "position=None: expected a board"),
        (lambda: explain(BOARD), "advice=.*: expected a result of analyze"),
        (lambda: winners(["1 2/3 4", 5]), r"boards\[1\]=5: expected a board"),
        (lambda: winners(BOARD), "boards=.*: expected boards"),
        (lambda: winners([BOARD], line="x"), "line=x: expected a whole number from 1 to 8"),
        (lambda: Wanted(opening="side"), "opening=side: expected one of corner, edge, centre"),
        (lambda: Wanted(winner="first"), "winner=first: expected a whole number from -1 to 1"),
        (lambda: Wanted(unique=2), "unique=2: expected True or False"),
        (lambda: generate(3, 1), "wanted=3: expected a Wanted"),
        (lambda: generate(Wanted(), -1), "seed=-1: expected a whole number from 0"),
        (lambda: Examiner([]), r"command=\[\]: expected a program"),
        (lambda: Examiner("a", "fast"), "seconds=fast: expected a number above 0"),
        (lambda: check("a.py", [], print), "examiner=a.py: expected an Examiner"),
        (lambda: check(Examiner("a"), [], None), "report=None: expected a function"),
        (lambda: Position(BOARD, "a1"), "first=a1: expected a whole number"),
        (lambda: Position.after(BOARD, 4), "moves=4: expected moves"),
        (lambda: Player(0), "player=0: expected 1"),
        (lambda: Tie("third"), "'third': expected one of"),
    ],
)
def test_error_names_the_parameter_and_the_accepted_values(call: Callable[[], Any], parameter: str):
    with pytest.raises(InputError, match=parameter):
        call()


WRONG: list[Any] = [
    None, True, 0, 1, -1, 9, 10**30, 1.5, float("nan"), float("inf"), 1j, "", "x", "12", "1 2 3", "1/2", "b2", "first",
    b"12", bytearray(b"1"), [], [1], [[1]], [None], [[None]], [["x"]], [[1.5]], [[1, 2], [3]], [[1 << 80]], ["", 1],
    (), (1, 2), {}, {"a": 1}, set(), {1, 2}, frozenset({(1, 2)}), range(3), object(), int, len, lambda: 3, ...,
    iter([]), np.array(1), np.array([1]), np.array([[1.5]]), np.array([[True]]), np.zeros((2, 2)), np.array([["a"]]),
    np.int64(4), np.zeros((0, 9), dtype=int), np.zeros((2, 9), dtype=np.uint64), np.zeros((1, 9, 9), dtype=int), BOARD,
    Position(BOARD), Tie.DRAW, Player.FIRST, Wanted(), Board, [BOARD], [BOARD, Board("1 2")], Exception("x"),
]  # fmt: skip

RIGHT: dict[Any, tuple[Any, ...]] = {
    Board: (ROWS, 3),
    Board.parse: ("1 2/3 4", 3),
    BOARD.cell: ("b2",),
    BOARD.name: (4,),
    BOARD.number: (4,),
    BOARD.total: (3,),
    Position: (BOARD, 0, 0),
    Position.after: (BOARD, "b2"),
    Position(BOARD).play: ("b2",),
    Position(BOARD).owner: (4,),
    Position(BOARD).mark: (4,),
    Position(BOARD).taken_by: (Player.FIRST,),
    Outcome: (Player.FIRST, Reason.SCORE, (1, 0), ()),
    Player: (1,),
    Reason: ("line",),
    Reason.of: ("line",),
    Tie: ("draw",),
    Tie.of: ("draw",),
    Wanted: (-9, 9, None, None, False),
    Examiner: ("true", 5.0, None),
    Examiner("true").fault: (BOARD,),
    analyze: (Board("1 2/3 4"), tictactoe.winner.__defaults__[-1]),  # type: ignore[index]
    check: (Examiner(["echo", "Takahashi"]), [], print),
    explain: (analyze("1 2/3 4"),),
    generate: (Wanted(), 1),
    winner: (Board("1 2/3 4"), "draw"),
    winners: (["1 2/3 4"], "draw"),
}
KEYWORDS = {winners: ("line", "workers", "executor", "budget"), winner: ("budget",)}


def test_every_public_name_is_called():
    called = {getattr(call, "__name__", "") for call in RIGHT}
    assert set(tictactoe.__all__) <= called


@pytest.mark.parametrize("call", RIGHT, ids=lambda call: call.__qualname__)
def test_values_of_a_wrong_type_give_a_result_or_an_input_error(call: Callable[..., Any]):
    right = RIGHT[call]
    for wrong in WRONG:
        # Python's enumerations compare an array with their values before they call the code of a class.
        if isinstance(call, EnumType) and isinstance(wrong, np.ndarray):
            continue
        for place in range(len(right)):
            accept(call, (*right[:place], wrong, *right[place + 1 :]), {})
        for name in KEYWORDS.get(call, ()):
            accept(call, right, {name: wrong})
        accept(call, (wrong,) * len(right), {})


def accept(call: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Call with these arguments; ignore an `InputError` and raise any other error."""
    with contextlib.suppress(InputError):
        result = call(*arguments, **options)
        if inspect.isgenerator(result):
            list(islice(result, 1))


def test_help_shows_no_addresses():
    for name in tictactoe.__all__:
        assert " at 0x" not in pydoc.render_doc(getattr(tictactoe, name))
