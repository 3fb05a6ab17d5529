"""Words of 64 bits that threads share inside kernels: read and written whole, in no order that others could rely on.

To the compiler a plain access promises that no other thread writes there at the time: it might read a word twice and
take both for the same. These are atomic accesses without an order ("monotonic" to LLVM, "relaxed" in C), which on
today's processors are the same instructions.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.extending import intrinsic

from yomikiri.numba_support.vectors import Words

_numba: Any = numba  # it is untyped, or its types leave out what is used here
_typed: Any = types
_UNCOMPILED: bool = _numba.config.DISABLE_JIT


def _address(context: Any, builder: Any, kind: Any, words: Any, row: Any, column: Any) -> Any:
    array = context.make_array(kind)(context, builder, words)
    columns = builder.extract_value(array.shape, 1)
    return builder.gep(array.data, [builder.add(builder.mul(row, columns), column)])


def _read(_context: Any, words: Any, row: Any, column: Any) -> Any:
    def emit(context: Any, builder: Any, kinds: Any, given: Any) -> Any:
        return builder.load_atomic(_address(context, builder, kinds.args[0], *given), "monotonic", 8)

    return _typed.uint64(words, row, column), emit


def _write(_context: Any, words: Any, row: Any, column: Any, word: Any) -> Any:
    def emit(context: Any, builder: Any, kinds: Any, given: Any) -> Any:
        builder.store_atomic(given[3], _address(context, builder, kinds.args[0], *given[:3]), "monotonic", 8)
        return context.get_dummy_value()

    return _typed.void(words, row, column, word), emit


def _plain_read(words: Words, row: np.uint64, column: int) -> np.uint64:
    word: np.uint64 = words[row, column]
    return word


def _plain_write(words: Words, row: np.uint64, column: int, word: np.uint64) -> None:
    words[row, column] = word


# The word in a row and column of an array of words, (rows, columns), that is one stretch of memory.
read: Any = _plain_read if _UNCOMPILED else intrinsic(_read)
# Write a word there.
write: Any = _plain_write if _UNCOMPILED else intrinsic(_write)
