"""Entries with all types of arguments, as machine code and as Python.

Also tests `machine/compiler/bitcode.py`: arguments and results of compiled entries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.machine.made import compiled

from yomikiri.machine.kernel import Entry, as_python, entry, kernel

Table = Annotated[NDArray[np.int32], "rows", "columns"]
Line = Annotated[NDArray[np.uint64], "words"]
Reals = Annotated[NDArray[np.float64], "reals"]


class Inner(NamedTuple):
    line: Line
    at: int


class Outer(NamedTuple):
    inner: Inner
    scale: np.float64
    table: Table


@kernel
def _twice(number: int) -> int:
    return 2 * number


def numbers(one: int, other: int) -> int:
    return _twice(one) - other


def truth(one: bool, other: int) -> bool:
    return (not one) or other > 3


def truths(one: bool, other: int) -> tuple[bool, int]:
    return one and other > 3, other


def words(one: np.uint64, other: np.uint64) -> np.uint64:
    return one ^ other


def halves(one: np.uint64) -> tuple[np.uint64, np.uint64]:
    return one >> np.uint64(32), one & np.uint64(0xFFFFFFFF)


def small(one: np.int8) -> int:
    return int(one) * 3


def reals(one: np.float64, other: int) -> np.float64:
    return one * other


def mixed(one: np.float64, other: np.uint64) -> tuple[np.float64, np.uint64, int]:
    return one / np.float64(2.0), other, 7


def arrays(table: Table, line: Line, out: Reals) -> int:
    total = 0
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            total += (row + 1) * table[row, column]
    for at in range(len(line)):
        out[at] = line[at] & np.uint64(255)
    return total


def nested(outer: Outer, by: int) -> tuple[int, np.uint64, np.float64]:
    outer.table[0, 0] = 5
    return outer.table[1, 2] + by, outer.inner.line[outer.inner.at], outer.scale


def nothing(line: Line) -> None:
    line[0] = np.uint64(9)


def table() -> NDArray[np.int32]:
    return np.arange(-6, 6, dtype=np.int32).reshape(3, 4)


def line() -> NDArray[np.uint64]:
    return np.array([1 << 63, (1 << 64) - 1, 3], dtype=np.uint64)


def outer() -> Outer:
    return Outer(Inner(line(), 1), np.float64(-0.1), table())


CASES: list[tuple[Callable[..., Any], list[Callable[[], tuple[Any, ...]]]]] = [
    (numbers, [lambda: (3, 4), lambda: (-(1 << 61), 5), lambda: (np.int64(7), np.int32(-1))]),
    (truth, [lambda: (True, 3), lambda: (True, 4), lambda: (False, 0)]),
    (truths, [lambda: (True, 3), lambda: (True, 4), lambda: (False, 9)]),
    (words, [lambda: (np.uint64(1 << 63), np.uint64(1)), lambda: (np.uint64((1 << 64) - 1), np.uint64(0))]),
    (halves, [lambda: (np.uint64((1 << 64) - 2),)]),
    (small, [lambda: (np.int8(-128),), lambda: (np.int8(127),)]),
    (reals, [lambda: (np.float64(0.1), 3), lambda: (np.float64("inf"), -1), lambda: (np.float64(5e-324), 1)]),
    (mixed, [lambda: (np.float64(0.3), np.uint64(1 << 63))]),
    (arrays, [lambda: (table(), line(), np.zeros(3)), lambda: (table()[:0], line()[:0], np.zeros(0))]),
    (nested, [lambda: (outer(), 11)]),
    (nothing, [lambda: (line(),)]),
]


def plain(value: Any) -> Any:
    """Return a comparable value: arrays as bytes, named tuples as tuples."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return value.tobytes() if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize(("function", "examples"), CASES, ids=[function.__name__ for function, _ in CASES])
def test_machine_code_agrees_with_python(
    function: Callable[..., Any], examples: list[Callable[[], tuple[Any, ...]]]
) -> None:
    machine_code = compiled(function)
    for example in examples:
        one, other = example(), example()
        found, wanted = machine_code(*one), function(*other)
        assert plain(found) == plain(wanted)
        # The kernel also modifies its arguments.
        assert plain(one) == plain(other)
        for got, right in zip(*(each if isinstance(each, tuple) else (each,) for each in (found, wanted)), strict=True):
            assert isinstance(got, bool) == isinstance(right, bool)


def test_invalid_arguments_are_refused_before_the_call() -> None:
    machine_code = compiled(arrays)
    machine_code(table(), line(), np.zeros(3))
    for wrong in (
        (table().astype(np.int64), line(), np.zeros(3)),
        (table().T, line(), np.zeros(3)),
        (table()[0], line(), np.zeros(3)),
        (table(), line(), np.zeros(6)[::2]),
    ):
        with pytest.raises(TypeError, match="in C order"):
            machine_code(*wrong)
    for too_few_or_many in ((table(), line()), (table(), line(), np.zeros(3), 1)):
        with pytest.raises(ValueError, match="zip"):
            machine_code(*too_few_or_many)


def picks(line: Line, at: int) -> np.uint64:
    return line[at]  # type: ignore[no-any-return]


def test_debug_build_raises_for_an_index_out_of_bounds() -> None:
    checked = compiled(picks, debug=True)
    assert checked(line(), 2) == 3
    for at in (3, 1 << 40):
        with pytest.raises(SystemError, match="ended with status"):
            checked(line(), at)


@entry
def adds(one: int, other: int) -> int:
    return one + other


def test_as_python_runs_entries_as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yomikiri.machine.kernel.function_of", lambda symbol: pytest.fail(f"{symbol} was called"))
    with as_python():
        assert adds(2, 3) == 5
        with pytest.raises(ZeroDivisionError), as_python():
            raise ZeroDivisionError
        assert Entry.uncompiled
    assert not Entry.uncompiled
