"""Arguments and results of kernels, derived from their annotations, for both the compiler and the caller.

A kernel that Python calls takes its arguments as a block of 8-byte words, one argument after another. It writes its
results into another block:

    Int, np.uint64, bool, np.int8    the number
    float, np.float64                its bits
    an array                         its address, then its shape; it must be contiguous in C order
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

from yomikiri.machine.arrays import dtype_of

_NUMBERS: dict[Any, str] = {
    **dict.fromkeys((Any, bool, int, np.int8, np.int64), "q"),
    np.uint64: "Q",
    **dict.fromkeys((float, np.float64), "d"),
}

_MOST_KEPT = 64  # greatest number of named tuples per type whose words are cached


@dataclass(frozen=True, slots=True)
class Number:
    """An argument or a result that is one number: its type, and its format character in the module `struct`."""

    type: Any
    letter: str

    def pack(self, value: Any, words: list[Any]) -> None:
        """Append the word of a number to `words`."""
        words.append(value)

    def letters(self) -> str:
        """Return the format characters of the words of this argument, as the module `struct` defines them."""
        return self.letter


@dataclass(frozen=True, slots=True)
class Array:
    """A C-contiguous array with this dtype. `sides` is its number of dimensions."""

    dtype: np.dtype[Any]
    sides: int

    def pack(self, value: Any, words: list[Any]) -> None:
        """Append the address and the shape of an array to `words`.

        Raises a `TypeError` if the array has another dtype, number of dimensions or memory order.
        """
        if value.dtype != self.dtype or value.ndim != self.sides or not value.flags.c_contiguous:
            raise TypeError(f"a kernel got {value.dtype} {value.shape}, expected {self} in C order")
        words.append(value.__array_interface__["data"][0])
        words.extend(value.shape)

    def letters(self) -> str:
        """Return the format characters of the words of this argument, as the module `struct` defines them."""
        return "q" * (1 + self.sides)

    def __str__(self) -> str:
        return f"{self.dtype} of {self.sides} dimensions"


@dataclass(frozen=True, slots=True)
class Fields:
    """A named tuple, with the kind of each field.

    A search is called thousands of times with the same workspace of fifty arrays, so the words of arrays are cached
    while the arrays exist. An array is never resized in place: a larger one is a new array.
    """

    type: Any
    kinds: tuple[Kind, ...]
    _kept: dict[int, _CachedWords] = field(default_factory=dict, compare=False, repr=False)

    def pack(self, value: Any, words: list[Any]) -> None:
        """Append the words of all fields to `words`."""
        kept = self._kept.get(id(value))
        if kept is not None and kept.is_of(value):
            words.extend(kept.words)
            return
        own: list[Any] = []
        for kind, each in zip(self.kinds, value, strict=True):
            kind.pack(each, own)
        if not any(isinstance(kind, Fields) for kind in self.kinds):  # nested tuples are cached separately
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[id(value)] = _CachedWords.of(value, own)
        words.extend(own)

    def letters(self) -> str:
        """Return the format characters of the words of this argument, as the module `struct` defines them."""
        return "".join(kind.letters() for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class _CachedWords:
    """The words with which a named tuple is passed to a kernel, cached for the next call.

    `fields` refers to the fields of the tuple, so that a tuple with other fields is recognised. The references to
    arrays are weak.
    """

    fields: tuple[Callable[[], Any], ...]
    words: list[Any]

    @classmethod
    def of(cls, value: Any, words: list[Any]) -> _CachedWords:
        return cls(tuple(ref(each) if isinstance(each, np.ndarray) else partial(_same, each) for each in value), words)

    def is_of(self, value: Any) -> bool:
        """Return True if a named tuple has exactly these fields.

        Its `id` is not enough, because a tuple that no longer exists may have had the same one.
        """
        return len(value) == len(self.fields) and all(map(is_, map(call, self.fields), value))


def _same(number: Any) -> Any:
    return number


Kind: TypeAlias = Number | Array | Fields


@dataclass(frozen=True, slots=True)
class Signature:
    """The arguments of a kernel that Python calls, and the numbers that it returns, if any."""

    parameters: tuple[Kind, ...]
    results: tuple[Number, ...]
    returns_tuple: bool
    """True if the kernel returns a tuple."""

    def kinds(self) -> Iterator[Kind]:
        """Yield the kind of each argument. For a named tuple, also yield the kind of each of its fields."""
        waiting: list[Kind] = [*self.parameters]
        while waiting:
            kind = waiting.pop()
            yield kind
            waiting.extend(kind.kinds if isinstance(kind, Fields) else ())


def signature_of(function: Callable[..., Any]) -> Signature:
    """Return the signature of an annotated function. Raises `TypeError` for unsupported types."""
    hints = get_type_hints(function, include_extras=True)
    returned = hints.pop("return", Any)
    several = get_origin(returned) is tuple
    parts = get_args(returned) if several else () if returned is type(None) else (returned,)
    return Signature(tuple(map(kind_of, hints.values())), tuple(_number(part) for part in parts), several)


def kind_of(annotation: Any) -> Kind:
    """Return the kind of argument that an annotation describes. Raises `TypeError` for unsupported types."""
    if get_origin(annotation) is Annotated:
        array, *sides = get_args(annotation)
        return Array(dtype_of(array), len(sides))
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
