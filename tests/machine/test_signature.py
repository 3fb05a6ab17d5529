"""Signatures of kernels from their annotations, and the packing of arguments."""

from __future__ import annotations

import ast
from typing import Annotated, Any, NamedTuple
from weakref import ref

import numpy as np
import pytest
from numpy.typing import NDArray

from yomikiri.machine.library import PACKAGE
from yomikiri.machine.signature import Array, Fields, Kind, Number, kind_of, signature_of

Table = Annotated[NDArray[np.int32], "rows", "columns"]
Line = Annotated[NDArray[np.uint64], 8]


class Inner(NamedTuple):
    line: Line
    at: int


class Outer(NamedTuple):
    inner: Inner
    scale: np.float64


@pytest.mark.parametrize(
    ("annotation", "kind", "letters"),
    [
        (int, Number(int, "q"), "q"),
        (Any, Number(Any, "q"), "q"),
        (bool, Number(bool, "q"), "q"),
        (np.int8, Number(np.int8, "q"), "q"),
        (np.uint64, Number(np.uint64, "Q"), "Q"),
        (np.float64, Number(np.float64, "d"), "d"),
        (Line, Array(np.dtype(np.uint64), 1), "qq"),
        (Table, Array(np.dtype(np.int32), 2), "qqq"),
        (Inner, Fields(Inner, (Array(np.dtype(np.uint64), 1), Number(int, "q"))), "qqq"),
        (Outer, Fields(Outer, (kind_of(Inner), Number(np.float64, "d"))), "qqqd"),
    ],
)
def test_kind_of_maps_annotations_to_words(annotation: Any, kind: Kind, letters: str) -> None:
    assert kind_of(annotation) == kind
    assert kind.letters() == letters


@pytest.mark.parametrize("annotation", [str, list[int], dict, NDArray[np.int32], tuple[int, int], "int | None"])
def test_unsupported_annotations_are_refused(annotation: Any) -> None:
    def kernel(_given: annotation) -> None: ...

    kernel.__annotations__["_given"] = annotation
    with pytest.raises(TypeError, match="cannot be given to a kernel: expected a number"):
        signature_of(kernel)


def test_signature_contains_arguments_and_results() -> None:
    def nothing(outer: Outer, table: Table) -> None: ...

    def one(_at: int) -> bool:
        return True

    def two(_at: int) -> tuple[int, np.uint64]:
        return 1, np.uint64(1)

    def table(_at: int) -> Table:
        return np.zeros((1, 1), dtype=np.int32)

    signature = signature_of(nothing)
    assert (signature.parameters, signature.results, signature.returns_tuple) == (
        (kind_of(Outer), kind_of(Table)),
        (),
        False,
    )
    assert {str(kind) for kind in signature.kinds() if isinstance(kind, Array)} == {
        "uint64 of 1 dimensions",
        "int32 of 2 dimensions",
    }
    assert signature_of(one).results == (Number(bool, "q"),)
    assert signature_of(two).results == (Number(int, "q"), Number(np.uint64, "Q"))
    assert signature_of(two).returns_tuple
    with pytest.raises(TypeError, match="cannot be given"):
        signature_of(table)


WHOLE = np.arange(12, dtype=np.int32).reshape(3, 4)


def test_array_is_packed_as_address_and_shape() -> None:
    words: list[Any] = []
    kind_of(Table).pack(WHOLE, words)
    assert words == [WHOLE.ctypes.data, 3, 4]


@pytest.mark.parametrize(
    "given",
    [
        WHOLE.astype(np.int64),
        WHOLE.astype(np.uint32),
        WHOLE.astype(">i4"),
        WHOLE[0],
        WHOLE[None],
        WHOLE.T,
        WHOLE[:, ::2],
        np.asfortranarray(WHOLE),
    ],
)
def test_arrays_of_other_types_or_layouts_are_refused(given: NDArray[Any]) -> None:
    with pytest.raises(TypeError, match=r"expected int32 of 2 dimensions in C order"):
        kind_of(Table).pack(given, [])


def test_invalid_named_tuples_are_refused() -> None:
    line = np.zeros(8, dtype=np.uint64)
    with pytest.raises(ValueError, match="shorter"):
        kind_of(Outer).pack((Inner(line, 1),), [])
    with pytest.raises(TypeError, match="expected uint64"):
        kind_of(Outer).pack(Outer(Inner(line.view(np.int64), 1), np.float64(1)), [])


def packed(value: Inner) -> list[Any]:
    words: list[Any] = []
    kind_of(Inner).pack(value, words)
    return words


def test_named_tuple_with_a_reused_address_is_packed_again() -> None:
    """The cache uses addresses as keys, and arrays can outlive their tuple."""
    lines = [np.zeros(8, dtype=np.uint64) for _ in range(3)]
    places = set()
    for turn in range(30):
        line = lines[turn % 3]
        value = Inner(line, turn % 2)
        places.add(id(value))
        assert packed(value) == packed(value) == [line.ctypes.data, 8, turn % 2]
        del value
    assert len(places) < 30, "none took the place of another"


def test_packed_array_is_released() -> None:
    value = Inner(np.zeros(8, dtype=np.uint64), 1)
    assert packed(value) == packed(value)
    gone = ref(value.line)
    del value
    assert gone() is None


WITH_KERNELS = ("hitblow/search", "hitblow/race", "tictactoe/search", "machine")


@pytest.mark.parametrize("room", WITH_KERNELS)
def test_arrays_near_kernels_have_an_explicit_dtype(room: str):
    """Without a dtype, integers have 32 bits in a browser and 64 bits in the tests."""
    unsaid = []
    for path in sorted((PACKAGE / room).rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or ast.unparse(call.func) not in ("np.full", "np.array"):
                continue
            places = 3 if call.func.attr == "full" else 2  # type: ignore[attr-defined]
            if len(call.args) < places and not any(keyword.arg == "dtype" for keyword in call.keywords):
                unsaid.append(f"{path.relative_to(PACKAGE)}:{call.lineno}: {ast.unparse(call)}")
    assert unsaid == []
