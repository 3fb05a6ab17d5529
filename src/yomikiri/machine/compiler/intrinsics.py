"""LLVM instructions for vectors, words that threads share, and local arrays."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import lower_builtin
from numba.core.typing import templates
from numba.extending import intrinsic, register_model
from numba.np import arrayobj, numpy_support

from yomikiri.machine import arrays, shared_words, vectors
from yomikiri.machine.vectors import LANES

# numba and llvmlite have no type annotations, or incomplete ones.
_primitive: Any = models.PrimitiveModel
_templates: Any = templates
_lower: Any = lower_builtin
_intrinsic: Any = intrinsic
_literal_intrinsic: Any = intrinsic(prefer_literal=True)
_ir: Any = ir
_cgutils: Any = cgutils
_typed: Any = types
_arrays: Any = arrayobj
_numpy_support: Any = numpy_support


def represent(kind: type, machine: Any) -> None:
    """Define the LLVM type that represents the values of a numba type."""
    register_model(kind)(lambda manager, value: _primitive(manager, value, machine))


def operate(sign: Any, result: Any, given: tuple[Any, ...], emit: Any) -> None:
    """Define the operator `sign` for operands of the types `given`. `emit` writes its instructions."""
    operation = type("Operation", (_templates.ConcreteTemplate,), {"cases": [_templates.signature(result, *given)]})
    _templates.infer_global(sign)(operation)
    _lower(sign, *given)(lambda _context, builder, _signature, values: emit(builder, *values))


def of_one(result: Any, given: Any, emit: Any) -> Any:
    """Return an intrinsic with one parameter of the type `given`. `emit` writes its instructions."""

    def function(_context: Any, value: Any) -> Any:
        if value != given:
            return None
        return result(given), lambda _context, builder, _signature, values: emit(builder, values[0])

    return _intrinsic(function)


# --- places in memory -------------------------------------------------------------------------------------------------


@cache
def array_at(dtype: np.dtype[Any], sides: int) -> Any:
    """Return an intrinsic that maps an address and a shape to the C-contiguous array at that address."""
    kind = _typed.Array(_numpy_support.from_dtype(dtype), sides, "C")

    def function(_context: Any, place: Any, shape: Any) -> Any:
        def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            array = context.make_array(kind)(context, builder)
            size = _ir.Constant(_ir.IntType(64), dtype.itemsize)
            lengths, steps = _cgutils.unpack_tuple(builder, values[1], sides), [size]
            for length in reversed(lengths[1:]):
                steps.insert(0, builder.mul(steps[0], length))
            data = builder.inttoptr(values[0], context.get_data_type(kind.dtype).as_pointer())
            _arrays.populate_array(array, data, lengths, steps, size, None)
            return array._getvalue()

        return kind(place, shape), emit

    return _intrinsic(function)


def _floats(_context: Any, words: Any) -> Any:
    kind = _typed.Array(_typed.float64, 1, "C")

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        given = context.make_array(signature.args[0])(context, builder, values[0])
        made = context.make_array(kind)(context, builder)
        made.data = builder.bitcast(given.data, made.data.type)
        for field in ("nitems", "itemsize", "shape", "strides", "meminfo", "parent"):
            setattr(made, field, getattr(given, field))
        return made._getvalue()

    return kind(words), emit


floats: Any = _intrinsic(_floats)
"""Intrinsic: return an array of words as the floating-point numbers with the same bits, in the same memory."""


def _local(dtype: np.dtype[Any]) -> Any:
    """Return an intrinsic that allocates a local array. Its numbers of rows and columns must be constants."""
    kind = _typed.Array(_numpy_support.from_dtype(dtype), 2, "C")

    def function(_context: Any, rows: Any, columns: Any) -> Any:
        if not isinstance(rows, _typed.IntegerLiteral) or not isinstance(columns, _typed.IntegerLiteral):
            return None
        shape = rows.literal_value, columns.literal_value

        def emit(context: Any, builder: Any, _signature: Any, _values: Any) -> Any:
            array, word = context.make_array(kind)(context, builder), _ir.IntType(64)
            data = _cgutils.alloca_once(
                builder, context.get_data_type(kind.dtype), _ir.Constant(word, shape[0] * shape[1])
            )
            size = dtype.itemsize
            lengths, steps = ([_ir.Constant(word, each) for each in of] for of in (shape, (shape[1] * size, size)))
            _arrays.populate_array(array, data, lengths, steps, _ir.Constant(word, size), None)
            return array._getvalue()

        return kind(rows, columns), emit

    return _literal_intrinsic(function)


# --- vectors ----------------------------------------------------------------------------------------------------------

_WORD: Any = types.uint64
_COUNT: Any = types.int64
_EIGHT = _ir.VectorType(_ir.IntType(64), LANES)
_NONE, _ALL = (_ir.Constant(_EIGHT, [word] * LANES) for word in (0, 2**64 - 1))


class _Type(_typed.Type):  # type: ignore[misc]
    pass


_VECTOR = _Type("Vector")
represent(_Type, _EIGHT)
operate(operator.and_, _VECTOR, (_VECTOR, _VECTOR), lambda builder, one, other: builder.and_(one, other))
operate(operator.or_, _VECTOR, (_VECTOR, _VECTOR), lambda builder, one, other: builder.or_(one, other))
operate(operator.xor, _VECTOR, (_VECTOR, _VECTOR), lambda builder, one, other: builder.xor(one, other))
operate(operator.invert, _VECTOR, (_VECTOR,), lambda builder, one: builder.xor(one, _ALL))


def _place(context: Any, builder: Any, kind: Any, words: Any, at: Any) -> Any:
    first = context.make_array(kind)(context, builder, words).data
    return builder.bitcast(builder.gep(first, [at]), _EIGHT.as_pointer())


def _load(_context: Any, words: Any, at: Any) -> Any:
    def emit(context: Any, builder: Any, kinds: Any, given: Any) -> Any:
        return builder.load(_place(context, builder, kinds.args[0], *given), align=8)

    return _VECTOR(words, at), emit


def _store(_context: Any, words: Any, at: Any, vector: Any) -> Any:
    def emit(context: Any, builder: Any, kinds: Any, given: Any) -> Any:
        builder.store(given[2], _place(context, builder, kinds.args[0], *given[:2]), align=8)
        return context.get_dummy_value()

    return _typed.void(words, at, vector), emit


def _blank(_context: Any) -> Any:
    return _VECTOR(), lambda _target, _builder, _kinds, _given: _NONE


def _spread(builder: Any, word: Any) -> Any:
    one = builder.insert_element(_ir.Constant(_EIGHT, ir.Undefined), word, _ir.Constant(_ir.IntType(32), 0))
    first = _ir.Constant(_ir.VectorType(_ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, _ir.Constant(_EIGHT, ir.Undefined), first)


def _nonzero_words(builder: Any, vector: Any) -> Any:
    lanes = builder.bitcast(builder.icmp_unsigned("!=", vector, _NONE), ir.IntType(LANES))
    return builder.zext(builder.ctpop(lanes), ir.IntType(64))


def _ones(builder: Any, vector: Any) -> Any:
    def called(name: str, result: Any, value: Any) -> Any:
        kind = _ir.FunctionType(result, [_EIGHT])
        return builder.call(_cgutils.get_or_insert_function(builder.module, kind, name), [value])

    return called("llvm.vector.reduce.add.v8i64", _ir.IntType(64), called("llvm.ctpop.v8i64", _EIGHT, vector))


# --- shared words -----------------------------------------------------------------------------------------------------


def _shared(context: Any, builder: Any, kind: Any, words: Any, row: Any, column: Any) -> Any:
    array = context.make_array(kind)(context, builder, words)
    columns = builder.extract_value(array.shape, 1)
    return builder.gep(array.data, [builder.add(builder.mul(row, columns), column)])


def _read(_context: Any, words: Any, row: Any, column: Any) -> Any:
    def emit(context: Any, builder: Any, kinds: Any, given: Any) -> Any:
        return builder.load_atomic(_shared(context, builder, kinds.args[0], *given), "monotonic", 8)

    return _typed.uint64(words, row, column), emit


def _write(_context: Any, words: Any, row: Any, column: Any, word: Any) -> Any:
    def emit(context: Any, builder: Any, kinds: Any, given: Any) -> Any:
        builder.store_atomic(given[3], _shared(context, builder, kinds.args[0], *given[:3]), "monotonic", 8)
        return context.get_dummy_value()

    return _typed.void(words, row, column, word), emit


def _clock(_context: Any) -> Any:
    def emit(_target: Any, builder: Any, _kinds: Any, _given: Any) -> Any:
        # The seconds, then the nanoseconds: 8 bytes each. On a platform with pointers of 4 bytes, the nanoseconds have
        # 4.
        number, word = _ir.IntType(32), _ir.IntType(64)
        timespec = _cgutils.alloca_once_value(builder, _ir.Constant(_ir.ArrayType(word, 2), [0, 0]))
        kind = _ir.FunctionType(number, [number, timespec.type])
        builder.store(_ir.Constant(timespec.type.pointee, [0, 0]), timespec)
        tell = _cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(tell, [_ir.Constant(number, time.CLOCK_MONOTONIC), timespec])
        seconds, rest = (builder.load(_cgutils.gep_inbounds(builder, timespec, 0, i)) for i in range(2))
        return builder.add(builder.mul(seconds, _ir.Constant(word, 10**9)), rest)

    return _typed.uint64(), emit


INTRINSICS: dict[Callable[..., Any], Any] = {
    vectors.load: _intrinsic(_load),
    vectors.store: _intrinsic(_store),
    vectors.blank: _intrinsic(_blank),
    vectors.spread: of_one(_VECTOR, _WORD, _spread),
    vectors.nonzero_words: of_one(_COUNT, _VECTOR, _nonzero_words),
    vectors.ones: of_one(_COUNT, _VECTOR, _ones),
    shared_words.read: _intrinsic(_read),
    shared_words.write: _intrinsic(_write),
    shared_words.clock: _intrinsic(_clock),
    arrays.local_numbers: _local(np.dtype(np.int64)),
    arrays.local_bytes: _local(np.dtype(np.int8)),
}
"""The numba intrinsic that replaces each of these functions in compiled code."""


# --- functions of a debug build, which check indices ------------------------------------------------------------------

_unchecked_load, _unchecked_store = INTRINSICS[vectors.load], INTRINSICS[vectors.store]
_unchecked_read, _unchecked_write = INTRINSICS[shared_words.read], INTRINSICS[shared_words.write]
_LAST = LANES - 1


def _checked_load(words: Any, at: Any) -> Any:
    words[at], words[at + _LAST]
    return _unchecked_load(words, at)


def _checked_store(words: Any, at: Any, vector: Any) -> None:
    words[at], words[at + _LAST]
    _unchecked_store(words, at, vector)


def _checked_read(words: Any, row: Any, column: Any) -> Any:
    words[row, column]
    return _unchecked_read(words, row, column)


def _checked_write(words: Any, row: Any, column: Any, word: Any) -> None:
    words[row, column]
    _unchecked_write(words, row, column, word)


CHECKED: dict[Callable[..., Any], Any] = {
    vectors.load: _checked_load,
    vectors.store: _checked_store,
    shared_words.read: _checked_read,
    shared_words.write: _checked_write,
}
"""The kernels that replace these functions in a debug build: they check the indices first."""
