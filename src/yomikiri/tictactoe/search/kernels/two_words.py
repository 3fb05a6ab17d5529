"""Sets of up to 128 members in the compiled search, as bit masks of two 64-bit words, for more than 64 lines.

`Pair` is the type of such a set for numba: a 128-bit integer with only the operations that `sets` needs. An array of
such sets is an array of twice as many words, the lower half of each set first:

    the sets {0, 2} and {64}    words 5, 0, 0, 1
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.extending import typeof_impl
from numba.core.imputils import impl_ret_borrowed, lower_constant
from numba.extending import intrinsic

from yomikiri.machine.compiler.intrinsics import of_one, operate, represent
from yomikiri.tictactoe.search.layout import WORD

_BITS: Any = ir.IntType(2 * WORD)
_HALF: Any = ir.IntType(WORD)
# The functions of numba and llvmlite below get the type Any, because their own type annotations are incomplete.
_intrinsic: Any = intrinsic
_borrowed: Any = impl_ret_borrowed
_pack: Any = cgutils.pack_array
_type_of: Any = typeof_impl.register
_constant: Any = lower_constant


class Pair(int):
    """A set as a bit mask of two 64-bit words, for constants in the source code of the compiled search."""


class _PairType(types.Type):
    pass


PAIR: Any = _PairType("Pair")
represent(_PairType, _BITS)
_type_of(Pair)(lambda _value, _context: PAIR)
_constant(_PairType)(lambda _context, _builder, _kind, value: ir.Constant(_BITS, int(value)))


for _names, _emit in (
    (("and_", "iand"), lambda builder, a, b: builder.and_(a, b)),
    (("or_", "ior"), lambda builder, a, b: builder.or_(a, b)),
    (("xor", "ixor"), lambda builder, a, b: builder.xor(a, b)),
    (("sub", "isub"), lambda builder, a, b: builder.sub(a, b)),
    (("rshift", "irshift"), lambda builder, a, b: builder.lshr(a, b)),
):
    for _name in _names:
        operate(getattr(operator, _name), PAIR, (PAIR, PAIR), _emit)
operate(operator.invert, PAIR, (PAIR,), lambda builder, a: builder.not_(a))
operate(operator.eq, types.boolean, (PAIR, PAIR), lambda builder, a, b: builder.icmp_unsigned("==", a, b))
operate(operator.ne, types.boolean, (PAIR, PAIR), lambda builder, a, b: builder.icmp_unsigned("!=", a, b))
operate(operator.gt, types.boolean, (PAIR, PAIR), lambda builder, a, b: builder.icmp_unsigned(">", a, b))


popcount = of_one(PAIR, PAIR, lambda builder, value: builder.ctpop(value))
"""Function: the number of members of a set, in the type of sets of two words."""
first = of_one(types.int64, PAIR, lambda builder, value: builder.trunc(builder.cttz(value, ir.IntType(1)(1)), _HALF))
"""Function: the lowest member of a non-empty set."""
low = of_one(types.uint64, PAIR, lambda builder, value: builder.trunc(value, _HALF))
"""Function: the lower word of a set."""
high = of_one(types.uint64, PAIR, lambda builder, value: builder.trunc(builder.lshr(value, _BITS(WORD)), _HALF))
"""Function: the higher word of a set."""
paired = of_one(PAIR, types.uint64, lambda builder, value: builder.zext(value, _BITS))
"""Function: the set of two words with the members of one word."""

_WORDS = types.Array(types.uint64, 1, "C")
# An array of two-word sets is declared as not aligned: such sets need 16 bytes, but the memory is aligned to 8 bytes.
_PAIRS = types.Array(PAIR, 1, "C", aligned=False)


def _as_pairs(_context: Any, words: Any) -> Any:
    if words != _WORDS:
        return None

    def emit(context: Any, builder: Any, _kind: Any, values: Sequence[Any]) -> Any:
        given = context.make_array(_WORDS)(context, builder, values[0])
        made = context.make_array(_PAIRS)(context, builder)
        count = builder.udiv(given.nitems, given.nitems.type(2))
        made.data = builder.bitcast(given.data, made.data.type)
        made.nitems, made.itemsize = count, given.itemsize.type(16)
        made.shape = _pack(builder, [count])
        made.strides = _pack(builder, [made.itemsize])
        made.meminfo, made.parent = given.meminfo, given.parent
        return _borrowed(context, builder, _PAIRS, made._getvalue())

    return _PAIRS(_WORDS), emit


pairs = _intrinsic(_as_pairs)
"""Function: an array of words as the array of sets that it contains, in the same memory."""
