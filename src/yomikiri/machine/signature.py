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
from dataclasses import dataclass, field
from functools import cache, partial
from operator import call, is_
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints
from weakref import ref

import numpy as np

_NUMBERS: dict[Any, str] = {Any: "q", bool: "q", int: "q", np.int8: "q", np.int64: "q", np.uint64: "Q", np.float64: "d"}

_MOST_KEPT = 64  # named tuples of one kind whose words are kept


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
    """A named tuple.

    A search is called thousands of times with the same workspace of fifty arrays, so the words of arrays are kept while
    these live. An array stays where it is: whoever needs more room makes a new one.
    """

    type: Any
    kinds: tuple[Kind, ...]
    _kept: dict[int, _Kept] = field(default_factory=dict, compare=False, repr=False)

    def pack(self, value: Any, words: list[Any]) -> None:
        """Append the words of all fields."""
        kept = self._kept.get(id(value))
        if kept is not None and kept.is_of(value):
            words.extend(kept.words)
            return
        own: list[Any] = []
        for kind, each in zip(self.kinds, value, strict=True):
            kind.pack(each, own)
        if not any(isinstance(kind, Fields) for kind in self.kinds):  # those keep their own
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[id(value)] = _Kept.of(value, own)
        words.extend(own)

    def letters(self) -> str:
        """The letters that `struct` has for its words."""
        return "".join(kind.letters() for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The words of a named tuple, with what gives each field as it was: an array only while it lives."""

    fields: tuple[Callable[[], Any], ...]
    words: list[Any]

    @classmethod
    def of(cls, value: Any, words: list[Any]) -> _Kept:
        return cls(tuple(ref(each) if isinstance(each, np.ndarray) else partial(_same, each) for each in value), words)

    def is_of(self, value: Any) -> bool:
        """Whether a named tuple has just these fields, and not only the place in memory of one that is gone."""
        return len(value) == len(self.fields) and all(map(is_, map(call, self.fields), value))


def _same(number: Any) -> Any:
    return number


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
