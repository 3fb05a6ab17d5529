"""Workspaces: named tuples of arrays, each declared once with its dtype and shape, and allocated as declared.

class Workspace(NamedTuple):
    members: Annotated[NDArray[np.int32], "members"]
    cells: Annotated[NDArray[np.int64], "depths + 1", 12]

allocated(Workspace, members=720, depths=40)

The module also contains pseudorandom words for hashing, and local arrays of kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from hashlib import shake_128
from math import prod
from typing import Any, Generic, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")


class RecordArray(Generic[T]):
    """The type of an array of records: a row has the attributes that `T` declares, each a 64-bit integer.

    The class is used only in annotations: `Annotated[RecordArray[Node], "depths"]`. In Python, such an array is a
    `Records`. In machine code, a row is a pointer into the array.
    """

    def __getitem__(self, row: Any) -> T:
        raise NotImplementedError

    def __setitem__(self, row: Any, record: Any) -> None:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError


class Records(np.ndarray[Any, Any]):
    """An array of records, shape (n,): `records[i]` is a row with the fields as attributes.

    A `numpy.recarray` has the same attributes, but reading an attribute takes ten times as long.
    """

    _words: NDArray[np.int64]  # the memory of the records as an array of integers, shape (n, fields)
    _row: Callable[[NDArray[np.int64]], Any]

    @classmethod
    def zeros(cls, dtype: np.dtype[Any], count: int) -> Records:
        """Return an array of `count` records whose fields are all 0."""
        assert dtype.names
        words = np.zeros((count, len(dtype.names)), np.int64)
        made = words.view(dtype).reshape(count).view(cls)
        made._words, made._row = words, _row_type(dtype.names)
        return made

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return super().__getitem__(index)
        return self._row(self._words[index])


@cache
def _row_type(names: tuple[str, ...]) -> Callable[[NDArray[np.int64]], Any]:
    """Return the class of a row of an array of records. `names` are the names of its fields."""

    def field(column: int) -> property:
        def read(row: Any) -> np.int64:
            number: np.int64 = row.words[column]
            return number

        def write(row: Any, number: int) -> None:
            row.words[column] = number

        return property(read, write)

    class Row:
        __slots__ = ("words",)

        def __init__(self, words: NDArray[np.int64]) -> None:
            self.words = words

    return type("Row", (Row,), {"__slots__": (), **{name: field(i) for i, name in enumerate(names)}})


def dtype_of(array: Any) -> np.dtype[Any]:
    """Return the dtype of an array type: `NDArray[np.int32]`, or `RecordArray[Node]` for a class `Node`."""
    if get_origin(array) is RecordArray:
        [record] = get_args(array)
        return np.dtype([(name, np.int64) for name in get_type_hints(record)], align=True)
    [dtype] = get_args(get_args(array)[1])
    number: np.dtype[Any] = np.dtype(dtype)
    return number


def allocated(kind: type[T], **sizes: int) -> T:
    """Return a workspace whose arrays contain zeros.

    The annotation of each array has its shape, as numbers and expressions of the `sizes`. A field that is not an array
    has the value of the size with its name.
    """
    make, fields = cast("Callable[..., T]", kind), _fields(cast("Hashable", kind))

    def zeros(array: Any, *shape: str | int) -> np.ndarray[Any, Any]:
        sides, dtype = [eval(side, {}, sizes) if isinstance(side, str) else side for side in shape], dtype_of(array)
        return Records.zeros(dtype, *sides) if dtype.names else np.zeros(sides, dtype)

    return make(*(sizes[name] if field is int else zeros(*get_args(field)) for name, field in fields.items()))


@cache
def _fields(kind: Any) -> dict[str, Any]:
    """Return the annotation of each field, cached because it takes as long as the allocation."""
    return get_type_hints(kind, include_extras=True)


def random_words(name: str, *shape: int) -> NDArray[np.uint64]:
    """Return pseudorandom words of this shape, always the same for a name.

    They are the SHAKE128 digest of the name (FIPS 202), because importing NumPy's generators takes longer than a small
    search.
    """
    made = np.frombuffer(shake_128(name.encode()).digest(8 * prod(shape)), dtype="<u8")
    return made.astype(np.uint64).reshape(shape)


def local_numbers(rows: int, columns: int) -> NDArray[np.int64]:
    """Return an uninitialised local array of int64, whose constant shape is part of the compiled code.

    It is freed when the kernel returns. In Python it contains unusable values, so that a read before a write is
    noticed.
    """
    return np.full((rows, columns), np.iinfo(np.int64).max // 16, np.int64)


def local_bytes(rows: int, columns: int) -> NDArray[np.int8]:
    """Return an uninitialised local array of int8, like `local_numbers`."""
    return np.full((rows, columns), 99, np.int8)
