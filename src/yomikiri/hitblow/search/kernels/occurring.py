"""Kernels that find which answers occur, for all 512 guesses of a block at the same time, by bit planes.

For each guess, the kernels find the answers that at least one code of a candidate set gives to it. The kernels add the
planes of a code bit by bit, in registers. One sum is the number of hits, and the other the number of hits and blows
together. The *levels* of a sum are vectors, one for each value: the guesses for which the sum has this value. The
intersection of a level of one sum and a level of the other contains the guesses with one answer.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.kernels.partition import CodeSlice
from yomikiri.hitblow.model.rules import MAX_DIGITS
from yomikiri.machine.bits import Int
from yomikiri.machine.kernel import kernel
from yomikiri.machine.vectors import LANES, Vector, blank, load, store

Words = NDArray[np.uint64]
Bits = tuple[Vector, Vector, Vector]
Levels = tuple[Vector, Vector, Vector, Vector, Vector, Vector, Vector]
Occurring = Callable[[Words, Int, NDArray[np.int32], CodeSlice, Words], None]
MOST_ANSWERS = 28  # number of answer indices for six digits, the most of any game
ROWS = MOST_ANSWERS * LANES


@kernel
def full(x: Vector, y: Vector, z: Vector) -> tuple[Vector, Vector]:
    """Add three bits at each position of the vectors. Returns the low and the high bits of the sums."""
    return x ^ y ^ z, (x & y) | (z & (x | y))


@kernel
def half(x: Vector, y: Vector) -> tuple[Vector, Vector]:
    """Add two bits at each position of the vectors. Returns the low and the high bits of the sums."""
    return x ^ y, x & y


@kernel
def _count7(a: Vector, b: Vector, c: Vector, d: Vector, e: Vector, f: Vector, g: Vector) -> Bits:
    s1, c1 = full(a, b, c)
    s2, c2 = full(d, e, f)
    b0, c3 = full(s1, s2, g)
    b1, b2 = full(c1, c2, c3)
    return b0, b1, b2


@kernel
def _levels4(b0: Vector, b1: Vector, b2: Vector) -> Levels:
    """Decode sums of at most 4 from their three bits. Vector v of the result marks the positions with the sum v."""
    return ~(b0 | b1 | b2), b0 & ~b1, b1 & ~b0, b0 & b1, b2, blank(), blank()


@kernel
def _levels5(b0: Vector, b1: Vector, b2: Vector) -> Levels:
    """Decode sums of at most 5 from their three bits. Vector v of the result marks the positions with the sum v."""
    low = ~b2
    return ~(b0 | b1 | b2), b0 & ~b1 & low, b1 & ~b0, b0 & b1, b2 & ~b0, b2 & b0, blank()


@kernel
def _levels6(b0: Vector, b1: Vector, b2: Vector) -> Levels:
    """Decode sums of at most 6 from their three bits. Vector v of the result marks the positions with the sum v."""
    low = ~b2
    return ~(b0 | b1 | b2), b0 & ~b1 & low, b1 & ~b0 & low, b0 & b1 & low, b2 & ~(b0 | b1), b2 & b0, b2 & b1


@kernel
def _write7(out: Words, at: Int, rows: Levels) -> None:
    store(out, at, rows[0])
    store(out, at + LANES, rows[1])
    store(out, at + 2 * LANES, rows[2])
    store(out, at + 3 * LANES, rows[3])
    store(out, at + 4 * LANES, rows[4])
    store(out, at + 5 * LANES, rows[5])
    store(out, at + 6 * LANES, rows[6])


@kernel
def add7(marks: Words, at: Int, step: Int) -> Bits:
    """Add seven rows of `marks` at each bit position. Returns the low, middle and high bits of the sums."""
    return _count7(
        load(marks, at),
        load(marks, at + step),
        load(marks, at + 2 * step),
        load(marks, at + 3 * step),
        load(marks, at + 4 * step),
        load(marks, at + 5 * step),
        load(marks, at + 6 * step),
    )


def occurring_of(digits: int) -> Occurring:
    """Return a kernel that marks the answers that occur. `digits` is 5 or 6, or 4 for codes of at most four digits.

    The parameters of the returned kernel are `planes`, `base`, `row`, `codes` and `out`. It writes to `out` a row for
    each answer, with one bit for each guess of a block. The bit is 1 if at least one of the codes gives this answer to
    the guess. The bit planes of the block begin at index `base` of `planes`. The marks stay in registers during the
    loop over the codes.
    """
    levels = {4: _levels4, 5: _levels5, 6: _levels6}[digits]

    @kernel
    def counted(planes: Words, base: Int, at: NDArray[np.int32], first: Int) -> Levels:
        """Add the planes of a code, from offset `first` on. Vector v of the result marks the guesses with the sum v."""
        fifth = load(planes, base + at[first + 4]) if digits > 4 else blank()
        sixth = load(planes, base + at[first + 5]) if digits > 5 else blank()
        one, two = load(planes, base + at[first]), load(planes, base + at[first + 1])
        three, four = load(planes, base + at[first + 2]), load(planes, base + at[first + 3])
        return levels(*_count7(one, two, three, four, fifth, sixth, blank()))

    @kernel
    def occurring(planes: Words, base: Int, row: NDArray[np.int32], codes: CodeSlice, out: Words) -> None:
        none = blank()
        m0 = m1 = m2 = m3 = m4 = m5 = m6 = none
        m7 = m8 = m9 = m10 = m11 = m12 = m13 = none
        m14 = m15 = m16 = m17 = m18 = m19 = m20 = none
        m21 = m22 = m23 = m24 = m25 = m26 = m27 = none
        for i in range(codes.start, codes.start + codes.n):
            at = row[codes.codes[i]]
            h0, h1, h2, h3, h4, h5, h6 = counted(planes, base, at, 0)
            c0, c1, c2, c3, c4, c5, c6 = counted(planes, base, at, MAX_DIGITS)
            m0 = m0 | (c0 & h0)
            m1 = m1 | (c1 & h0)
            m2 = m2 | (c1 & h1)
            m3 = m3 | (c2 & h0)
            m4 = m4 | (c2 & h1)
            m5 = m5 | (c2 & h2)
            m6 = m6 | (c3 & h0)
            m7 = m7 | (c3 & h1)
            m8 = m8 | (c3 & h2)
            m9 = m9 | (c3 & h3)
            m10 = m10 | (c4 & h0)
            m11 = m11 | (c4 & h1)
            m12 = m12 | (c4 & h2)
            m13 = m13 | (c4 & h3)
            m14 = m14 | (c4 & h4)
            m15 = m15 | (c5 & h0)
            m16 = m16 | (c5 & h1)
            m17 = m17 | (c5 & h2)
            m18 = m18 | (c5 & h3)
            m19 = m19 | (c5 & h4)
            m20 = m20 | (c5 & h5)
            m21 = m21 | (c6 & h0)
            m22 = m22 | (c6 & h1)
            m23 = m23 | (c6 & h2)
            m24 = m24 | (c6 & h3)
            m25 = m25 | (c6 & h4)
            m26 = m26 | (c6 & h5)
            m27 = m27 | (c6 & h6)
        _write7(out, 0, (m0, m1, m2, m3, m4, m5, m6))
        _write7(out, 7 * LANES, (m7, m8, m9, m10, m11, m12, m13))
        _write7(out, 14 * LANES, (m14, m15, m16, m17, m18, m19, m20))
        if digits > 5:
            _write7(out, 21 * LANES, (m21, m22, m23, m24, m25, m26, m27))

    return occurring


_occurring4, _occurring5, _occurring6 = (occurring_of(digits) for digits in (4, 5, 6))


@kernel
def mark(digits: Int, planes: Words, base: Int, row: NDArray[np.int32], codes: CodeSlice, out: Words) -> None:
    """Write to `out` which answers occur among some codes, for each guess of a block.

    Row r has one bit for each guess: 1 if some code gives the answer with index r. The compiler calls this kernel
    instead of inlining it, so it takes no more arguments than it needs.
    """
    if digits <= 4:
        _occurring4(planes, base, row, codes, out)
    elif digits == 5:
        _occurring5(planes, base, row, codes, out)
    else:
        _occurring6(planes, base, row, codes, out)
