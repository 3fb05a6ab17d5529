"""What kernels take and give, read from their annotations: one table for what compiles an entry and for what calls it.

An entry takes its arguments as a block of 8-byte words, one argument after another, and writes what it returns into
another block:

    Int, np.uint64, bool, np.int8    the number
    np.float64                       its bits
    an array                         where it begins in memory, then its shape; it must be whole rows in C order
    a named tuple of these           its fields, one after another

An array is annotated with its dtype and each of its sides: `Annotated[NDArray[np.int32], "depths", 3]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

import numpy as np

_NUMBERS: dict[Any, str] = {Any: "q", bool: "q", int: "q", np.int8: "q", np.int64: "q", np.uint64: "Q", np.float64: "d"}


@dataclass(frozen=True, slots=True)
class Number:
    """A number: its type, and the letter that `struct` has for its word."""

    type: Any
    letter: str

    def pack(self, value: Any, words: list[Any]) -> None:
        """Append the words of a value."""
        words.append(value)

    def letters(self) -> str:
        """The letters that `struct` has for its words."""
        return self.letter


@dataclass(frozen=True, slots=True)
class Array:
    """An array of this dtype and so many dimensions, in C order."""

    dtype: np.dtype[Any]
    sides: int

    def pack(self, value: Any, words: list[Any]) -> None:
        """Append the words of an array; raises `TypeError` for any other."""
        if value.dtype != self.dtype or value.ndim != self.sides or not value.flags.c_contiguous:
            raise TypeError(f"a kernel got {value.dtype} {value.shape}, expected {self} in C order")
        words.append(value.__array_interface__["data"][0])
        words.extend(value.shape)

    def letters(self) -> str:
        """The letters that `struct` has for its words."""
        return "q" * (1 + self.sides)

    def __str__(self) -> str:
        return f"{self.dtype} of {self.sides} dimensions"


@dataclass(frozen=True, slots=True)
class Fields:
    """A named tuple."""

    type: Any
    kinds: tuple[Kind, ...]

    def pack(self, value: Any, words: list[Any]) -> None:
        """Append the words of all fields."""
        for kind, field in zip(self.kinds, value, strict=True):
            kind.pack(field, words)

    def letters(self) -> str:
        """The letters that `struct` has for its words."""
        return "".join(kind.letters() for kind in self.kinds)


Kind: TypeAlias = Number | Array | Fields


@dataclass(frozen=True, slots=True)
class Signature:
    """What an entry takes, and the numbers it gives; none if it gives nothing."""

    takes: tuple[Kind, ...]
    gives: tuple[Number, ...]
    several: bool
    """Whether it gives a tuple."""

    def kinds(self) -> Iterator[Kind]:
        """Every kind there is, those of fields too."""
        waiting: list[Kind] = [*self.takes]
        while waiting:
            kind = waiting.pop()
            yield kind
            waiting.extend(kind.kinds if isinstance(kind, Fields) else ())


def signature_of(function: Callable[..., Any]) -> Signature:
    """The signature that a function is annotated with; raises `TypeError` for what no word can hold."""
    hints = get_type_hints(function, include_extras=True)
    returned = hints.pop("return", Any)
    several = get_origin(returned) is tuple
    parts = get_args(returned) if several else () if returned is type(None) else (returned,)
    return Signature(tuple(map(kind_of, hints.values())), tuple(_number(part) for part in parts), several)


def kind_of(annotation: Any) -> Kind:
    """The kind that an annotation stands for."""
    if get_origin(annotation) is Annotated:
        array, *sides = get_args(annotation)
        [dtype] = get_args(get_args(array)[1])
        return Array(np.dtype(dtype), len(sides))
    if isinstance(annotation, type) and issubclass(annotation, tuple):
        return _fields(annotation)
    return _number(annotation)


@cache
def _fields(named_tuple: Any) -> Fields:
    return Fields(named_tuple, tuple(map(kind_of, get_type_hints(named_tuple, include_extras=True).values())))


def _number(annotation: Any) -> Number:
    try:
        return Number(annotation, _NUMBERS[annotation])
    except (KeyError, TypeError):
        raise TypeError(
            f"{annotation} cannot be given to a kernel: expected a number, an array or a named tuple"
        ) from None
