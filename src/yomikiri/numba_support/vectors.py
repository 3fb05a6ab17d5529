"""Eight words of 64 bits as one value inside kernels: what a wide processor works on at a time.

The compiler finds such values in simple loops by itself, but writes them to memory from one round of an outer loop to
the next. A vector is a value like any other: `&`, `|`, `^` and `~` work on it, and it stays in registers; a processor
with narrower ones takes it in parts. Uncompiled it is an array of eight words.
"""

from __future__ import annotations

import operator
from typing import Any, TypeAlias

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from yomikiri.numba_support.values import of_one, operate, represent

LANES = 8  # words of a vector
BITS = 64 * LANES

Vector: TypeAlias = Any  # a value of 512 bits in compiled code
Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]

_ir: Any = ir  # it and numba are untyped, or leave out what is used here
_numba: Any = numba
_typed: Any = types
_WORD: Any = types.uint64
_COUNT: Any = types.int64
_cgutils: Any = cgutils

_EIGHT = _ir.VectorType(_ir.IntType(64), LANES)
_NONE, _ALL = (_ir.Constant(_EIGHT, [word] * LANES) for word in (0, 2**64 - 1))
_UNCOMPILED: bool = _numba.config.DISABLE_JIT


class _Type(_typed.Type):  # type: ignore[misc]
    pass


_VECTOR = _Type("Vector")
represent(_Type, _EIGHT)
operate(operator.and_, _VECTOR, (_VECTOR, _VECTOR), lambda builder, one, other: builder.and_(one, other))
operate(operator.or_, _VECTOR, (_VECTOR, _VECTOR), lambda builder, one, other: builder.or_(one, other))
operate(operator.xor, _VECTOR, (_VECTOR, _VECTOR), lambda builder, one, other: builder.xor(one, other))
operate(operator.invert, _VECTOR, (_VECTOR,), lambda builder, one: builder.xor(one, _ALL))


def _address(context: Any, builder: Any, kind: Any, words: Any, at: Any) -> Any:
    first = context.make_array(kind)(context, builder, words).data
    return builder.bitcast(builder.gep(first, [at]), _EIGHT.as_pointer())


def _load(_context: Any, words: Any, at: Any) -> Any:
    def emit(context: Any, builder: Any, kinds: Any, given: Any) -> Any:
        return builder.load(_address(context, builder, kinds.args[0], *given), align=8)

    return _VECTOR(words, at), emit


def _store(_context: Any, words: Any, at: Any, vector: Any) -> Any:
    def emit(context: Any, builder: Any, kinds: Any, given: Any) -> Any:
        builder.store(given[2], _address(context, builder, kinds.args[0], *given[:2]), align=8)
        return context.get_dummy_value()

    return _typed.void(words, at, vector), emit


def _blank(_context: Any) -> Any:
    return _VECTOR(), lambda _target, _builder, _kinds, _given: _NONE


def _spread(builder: Any, word: Any) -> Any:
    one = builder.insert_element(_ir.Constant(_EIGHT, ir.Undefined), word, _ir.Constant(_ir.IntType(32), 0))
    first = _ir.Constant(_ir.VectorType(_ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, _ir.Constant(_EIGHT, ir.Undefined), first)


def _taken(builder: Any, vector: Any) -> Any:
    lanes = builder.bitcast(builder.icmp_unsigned("!=", vector, _NONE), ir.IntType(LANES))
    return builder.zext(builder.ctpop(lanes), ir.IntType(64))


def _ones(builder: Any, vector: Any) -> Any:
    def called(name: str, result: Any, value: Any) -> Any:
        kind = _ir.FunctionType(result, [_EIGHT])
        return builder.call(_cgutils.get_or_insert_function(builder.module, kind, name), [value])

    return called("llvm.vector.reduce.add.v8i64", _ir.IntType(64), called("llvm.ctpop.v8i64", _EIGHT, vector))


def _plain_store(words: Words, at: int, vector: Vector) -> None:
    words[at : at + LANES] = vector


# The vector of the eight words that begin at a place.
load: Any = (lambda words, at: words[at : at + LANES].copy()) if _UNCOMPILED else intrinsic(_load)
# Write a vector to the eight words that begin at a place.
store: Any = _plain_store if _UNCOMPILED else intrinsic(_store)
# The vector without any bit.
blank: Any = (lambda: np.zeros(LANES, dtype=np.uint64)) if _UNCOMPILED else intrinsic(_blank)
# The vector of one word eight times.
spread: Any = (lambda word: np.full(LANES, word, dtype=np.uint64)) if _UNCOMPILED else of_one(_VECTOR, _WORD, _spread)
# How many of the eight words have a bit set.
taken: Any = np.count_nonzero if _UNCOMPILED else of_one(_COUNT, _VECTOR, _taken)
# How many bits the vector has set.
ones: Any = (lambda vector: int(np.bitwise_count(vector).sum())) if _UNCOMPILED else of_one(_COUNT, _VECTOR, _ones)
