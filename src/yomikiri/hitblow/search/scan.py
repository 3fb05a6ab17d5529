"""The one-step bound of every guess at once, by planes.

For candidates S, n of them, and a guess with p answers that occur, w = 1 if the guess is itself a candidate, any tree
that starts with the guess has a total of at least

    3 n - p - w + excess

(docs/search.md proves it). A *scan* writes the bits of this number for all guesses: `bounds[k * words + j]` is bit k of
(bound - base) for the 64 guesses of word j. Small sets leave the excess out, which is still a bound.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.jit import kernel
from yomikiri.hitblow.search.planes import LONGEST, Planes
from yomikiri.numba_support.bits import ZERO, Int

STRIDE = LONGEST + 8  # words from one row of scratch to the next, so that rows do not compete for a place in the cache
_S = np.uint64(STRIDE)
Words = NDArray[np.uint64]
Bits = tuple[np.uint64, np.uint64, np.uint64]
SLOTS = 28  # rows of marks: as many as six digits have
SCORE_BITS = 5  # p + w is at most 27 + 1


@kernel
def full(x: np.uint64, y: np.uint64, z: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Bits of x + y + z, low first."""
    return x ^ y ^ z, (x & y) | (z & (x | y))


@kernel
def half(x: np.uint64, y: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Bits of x + y, low first."""
    return x ^ y, x & y


@kernel
def clear(rows: Words, count: Int, width: np.uint64) -> None:
    """Zero the first rows of scratch."""
    for r in range(np.uint64(count)):
        at = r * _S
        for w in range(width):
            rows[at + w] = ZERO


@kernel
def _count4(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64) -> Bits:
    s, c1 = full(a, b, c)
    c2 = s & d
    return s ^ d, c1 ^ c2, c1 & c2


@kernel
def _count5(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, e: np.uint64) -> Bits:
    s1, c1 = full(a, b, c)
    b0, c2 = full(s1, d, e)
    return b0, c1 ^ c2, c1 & c2


@kernel
def _count6(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, e: np.uint64, f: np.uint64) -> Bits:
    s1, c1 = full(a, b, c)
    s2, c2 = full(d, e, f)
    b0 = s1 ^ s2
    b1, b2 = full(c1, c2, s1 & s2)
    return b0, b1, b2


@kernel
def _levels4(b0: np.uint64, b1: np.uint64, b2: np.uint64) -> tuple[np.uint64, ...]:
    """Which of 0 to 4 the bits say."""
    return ~(b0 | b1 | b2), b0 & ~b1, b1 & ~b0, b0 & b1, b2


@kernel
def _levels5(b0: np.uint64, b1: np.uint64, b2: np.uint64) -> tuple[np.uint64, ...]:
    """Which of 0 to 5 the bits say."""
    low = ~b2
    return ~(b0 | b1 | b2), b0 & ~b1 & low, b1 & ~b0, b0 & b1, b2 & ~b0, b2 & b0


@kernel
def _levels6(b0: np.uint64, b1: np.uint64, b2: np.uint64) -> tuple[np.uint64, ...]:
    """Which of 0 to 6 the bits say."""
    low = ~b2
    return ~(b0 | b1 | b2), b0 & ~b1 & low, b1 & ~b0 & low, b0 & b1 & low, b2 & ~(b0 | b1), b2 & b0, b2 & b1


@kernel
def mark4(planes: Words, base: np.uint64, width: np.uint64, row: NDArray[np.uint8], s: Int, t: Int, out: Words) -> None:
    """Set, in the rows of `out`, the answers that candidates s and t give to each guess of a chunk.

    For up to four digits. `base` is where the chunk's planes start.
    """
    s0, s1, s2, s3 = (
        base + row[s, 0] * width,
        base + row[s, 1] * width,
        base + row[s, 2] * width,
        base + row[s, 3] * width,
    )
    s6, s7, s8, s9 = (
        base + row[s, 6] * width,
        base + row[s, 7] * width,
        base + row[s, 8] * width,
        base + row[s, 9] * width,
    )
    t0, t1, t2, t3 = (
        base + row[t, 0] * width,
        base + row[t, 1] * width,
        base + row[t, 2] * width,
        base + row[t, 3] * width,
    )
    t6, t7, t8, t9 = (
        base + row[t, 6] * width,
        base + row[t, 7] * width,
        base + row[t, 8] * width,
        base + row[t, 9] * width,
    )
    for w in range(width):
        h0, h1, h2, h3, h4 = _levels4(*_count4(planes[s0 + w], planes[s1 + w], planes[s2 + w], planes[s3 + w]))
        c0, c1, c2, c3, c4 = _levels4(*_count4(planes[s6 + w], planes[s7 + w], planes[s8 + w], planes[s9 + w]))
        i0, i1, i2, i3, i4 = _levels4(*_count4(planes[t0 + w], planes[t1 + w], planes[t2 + w], planes[t3 + w]))
        d0, d1, d2, d3, d4 = _levels4(*_count4(planes[t6 + w], planes[t7 + w], planes[t8 + w], planes[t9 + w]))
        out[w] |= c0 | d0
        out[w + _S] |= (c1 & h0) | (d1 & i0)
        out[w + _S * np.uint64(2)] |= (c1 & h1) | (d1 & i1)
        out[w + _S * np.uint64(3)] |= (c2 & h0) | (d2 & i0)
        out[w + _S * np.uint64(4)] |= (c2 & h1) | (d2 & i1)
        out[w + _S * np.uint64(5)] |= (c2 & h2) | (d2 & i2)
        out[w + _S * np.uint64(6)] |= (c3 & h0) | (d3 & i0)
        out[w + _S * np.uint64(7)] |= (c3 & h1) | (d3 & i1)
        out[w + _S * np.uint64(8)] |= (c3 & h2) | (d3 & i2)
        out[w + _S * np.uint64(9)] |= (c3 & h3) | (d3 & i3)
        out[w + _S * np.uint64(10)] |= (c4 & h0) | (d4 & i0)
        out[w + _S * np.uint64(11)] |= (c4 & h1) | (d4 & i1)
        out[w + _S * np.uint64(12)] |= (c4 & h2) | (d4 & i2)
        out[w + _S * np.uint64(14)] |= h4 | i4


@kernel
def write4(planes: Words, base: np.uint64, width: np.uint64, row: NDArray[np.uint8], s: Int, out: Words) -> None:
    """Write the answers that one candidate gives to each guess of a chunk: as `mark4` into empty rows, but faster."""
    s0, s1, s2, s3 = (
        base + row[s, 0] * width,
        base + row[s, 1] * width,
        base + row[s, 2] * width,
        base + row[s, 3] * width,
    )
    s6, s7, s8, s9 = (
        base + row[s, 6] * width,
        base + row[s, 7] * width,
        base + row[s, 8] * width,
        base + row[s, 9] * width,
    )
    for w in range(width):
        h0, h1, h2, h3, h4 = _levels4(*_count4(planes[s0 + w], planes[s1 + w], planes[s2 + w], planes[s3 + w]))
        c0, c1, c2, c3, c4 = _levels4(*_count4(planes[s6 + w], planes[s7 + w], planes[s8 + w], planes[s9 + w]))
        out[w] = c0
        out[w + _S] = c1 & h0
        out[w + _S * np.uint64(2)] = c1 & h1
        out[w + _S * np.uint64(3)] = c2 & h0
        out[w + _S * np.uint64(4)] = c2 & h1
        out[w + _S * np.uint64(5)] = c2 & h2
        out[w + _S * np.uint64(6)] = c3 & h0
        out[w + _S * np.uint64(7)] = c3 & h1
        out[w + _S * np.uint64(8)] = c3 & h2
        out[w + _S * np.uint64(9)] = c3 & h3
        out[w + _S * np.uint64(10)] = c4 & h0
        out[w + _S * np.uint64(11)] = c4 & h1
        out[w + _S * np.uint64(12)] = c4 & h2
        out[w + _S * np.uint64(13)] = ZERO
        out[w + _S * np.uint64(14)] = h4


@kernel
def mark5(planes: Words, base: np.uint64, width: np.uint64, row: NDArray[np.uint8], s: Int, t: Int, out: Words) -> None:
    """As `mark4`, for five digits."""
    s0, s1, s2 = base + row[s, 0] * width, base + row[s, 1] * width, base + row[s, 2] * width
    s3, s4, s6 = base + row[s, 3] * width, base + row[s, 4] * width, base + row[s, 6] * width
    s7, s8 = base + row[s, 7] * width, base + row[s, 8] * width
    s9, sa = base + row[s, 9] * width, base + row[s, 10] * width
    t0, t1, t2 = base + row[t, 0] * width, base + row[t, 1] * width, base + row[t, 2] * width
    t3, t4, t6 = base + row[t, 3] * width, base + row[t, 4] * width, base + row[t, 6] * width
    t7, t8 = base + row[t, 7] * width, base + row[t, 8] * width
    t9, ta = base + row[t, 9] * width, base + row[t, 10] * width
    for w in range(width):
        h0, h1, h2, h3, h4, h5 = _levels5(
            *_count5(planes[s0 + w], planes[s1 + w], planes[s2 + w], planes[s3 + w], planes[s4 + w])
        )
        c0, c1, c2, c3, c4, c5 = _levels5(
            *_count5(planes[s6 + w], planes[s7 + w], planes[s8 + w], planes[s9 + w], planes[sa + w])
        )
        i0, i1, i2, i3, i4, i5 = _levels5(
            *_count5(planes[t0 + w], planes[t1 + w], planes[t2 + w], planes[t3 + w], planes[t4 + w])
        )
        d0, d1, d2, d3, d4, d5 = _levels5(
            *_count5(planes[t6 + w], planes[t7 + w], planes[t8 + w], planes[t9 + w], planes[ta + w])
        )
        out[w] |= c0 | d0
        out[w + _S] |= (c1 & h0) | (d1 & i0)
        out[w + _S * np.uint64(2)] |= (c1 & h1) | (d1 & i1)
        out[w + _S * np.uint64(3)] |= (c2 & h0) | (d2 & i0)
        out[w + _S * np.uint64(4)] |= (c2 & h1) | (d2 & i1)
        out[w + _S * np.uint64(5)] |= (c2 & h2) | (d2 & i2)
        out[w + _S * np.uint64(6)] |= (c3 & h0) | (d3 & i0)
        out[w + _S * np.uint64(7)] |= (c3 & h1) | (d3 & i1)
        out[w + _S * np.uint64(8)] |= (c3 & h2) | (d3 & i2)
        out[w + _S * np.uint64(9)] |= (c3 & h3) | (d3 & i3)
        out[w + _S * np.uint64(10)] |= (c4 & h0) | (d4 & i0)
        out[w + _S * np.uint64(11)] |= (c4 & h1) | (d4 & i1)
        out[w + _S * np.uint64(12)] |= (c4 & h2) | (d4 & i2)
        out[w + _S * np.uint64(13)] |= (c4 & h3) | (d4 & i3)
        out[w + _S * np.uint64(14)] |= (c4 & h4) | (d4 & i4)
        out[w + _S * np.uint64(15)] |= (c5 & h0) | (d5 & i0)
        out[w + _S * np.uint64(16)] |= (c5 & h1) | (d5 & i1)
        out[w + _S * np.uint64(17)] |= (c5 & h2) | (d5 & i2)
        out[w + _S * np.uint64(18)] |= (c5 & h3) | (d5 & i3)
        out[w + _S * np.uint64(20)] |= h5 | i5


@kernel
def mark6(planes: Words, base: np.uint64, width: np.uint64, row: NDArray[np.uint8], s: Int, out: Words) -> None:
    """As `mark4`, for one candidate of up to six digits."""
    s0, s1, s2, s3 = (
        base + row[s, 0] * width,
        base + row[s, 1] * width,
        base + row[s, 2] * width,
        base + row[s, 3] * width,
    )
    s4, s5, s6, s7 = (
        base + row[s, 4] * width,
        base + row[s, 5] * width,
        base + row[s, 6] * width,
        base + row[s, 7] * width,
    )
    s8, s9 = base + row[s, 8] * width, base + row[s, 9] * width
    sa, sb = base + row[s, 10] * width, base + row[s, 11] * width
    for w in range(width):
        h0, h1, h2, h3, h4, h5, h6 = _levels6(
            *_count6(planes[s0 + w], planes[s1 + w], planes[s2 + w], planes[s3 + w], planes[s4 + w], planes[s5 + w])
        )
        c0, c1, c2, c3, c4, c5, c6 = _levels6(
            *_count6(planes[s6 + w], planes[s7 + w], planes[s8 + w], planes[s9 + w], planes[sa + w], planes[sb + w])
        )
        out[w] |= c0
        out[w + _S] |= c1 & h0
        out[w + _S * np.uint64(2)] |= c1 & h1
        out[w + _S * np.uint64(3)] |= c2 & h0
        out[w + _S * np.uint64(4)] |= c2 & h1
        out[w + _S * np.uint64(5)] |= c2 & h2
        out[w + _S * np.uint64(6)] |= c3 & h0
        out[w + _S * np.uint64(7)] |= c3 & h1
        out[w + _S * np.uint64(8)] |= c3 & h2
        out[w + _S * np.uint64(9)] |= c3 & h3
        out[w + _S * np.uint64(10)] |= c4 & h0
        out[w + _S * np.uint64(11)] |= c4 & h1
        out[w + _S * np.uint64(12)] |= c4 & h2
        out[w + _S * np.uint64(13)] |= c4 & h3
        out[w + _S * np.uint64(14)] |= c4 & h4
        out[w + _S * np.uint64(15)] |= c5 & h0
        out[w + _S * np.uint64(16)] |= c5 & h1
        out[w + _S * np.uint64(17)] |= c5 & h2
        out[w + _S * np.uint64(18)] |= c5 & h3
        out[w + _S * np.uint64(19)] |= c5 & h4
        out[w + _S * np.uint64(20)] |= c5 & h5
        out[w + _S * np.uint64(21)] |= c6 & h0
        out[w + _S * np.uint64(22)] |= c6 & h1
        out[w + _S * np.uint64(23)] |= c6 & h2
        out[w + _S * np.uint64(24)] |= c6 & h3
        out[w + _S * np.uint64(25)] |= c6 & h4
        out[w + _S * np.uint64(27)] |= h6


@kernel
def _add_seven(x: Words, group: Int, width: np.uint64, sums: Words) -> None:
    """Add rows 7 group to 7 group + 6 of x to the five rows of `sums`."""
    at = np.uint64(7 * group) * _S
    for w in range(width):
        o = at + w
        s1, c1 = full(x[o], x[o + _S], x[o + _S * np.uint64(2)])
        s2, c2 = full(x[o + _S * np.uint64(3)], x[o + _S * np.uint64(4)], x[o + _S * np.uint64(5)])
        b0, c3 = full(s1, s2, x[o + _S * np.uint64(6)])
        b1, b2 = full(c1, c2, c3)
        c = sums[w] & b0
        sums[w] ^= b0
        sums[w + _S], c = full(sums[w + _S], b1, c)
        sums[w + _S * np.uint64(2)], c = full(sums[w + _S * np.uint64(2)], b2, c)
        d = sums[w + _S * np.uint64(3)] & c
        sums[w + _S * np.uint64(3)] ^= c
        sums[w + _S * np.uint64(4)] ^= d


@kernel
def _add_row(x: Words, row: Int, width: np.uint64, sums: Words) -> None:
    """Add one row of x to the five rows of `sums`."""
    at = np.uint64(row) * _S
    for w in range(width):
        c = x[at + w]
        for k in range(np.uint64(SCORE_BITS)):
            y = sums[w + _S * k]
            sums[w + _S * k] = y ^ c
            c &= y


@kernel
def score(digits: Int, marks: Words, bonus: Int, width: np.uint64, sums: Words) -> None:
    """Write p (+ w where `bonus`) of every guess of a chunk to the five rows of `sums`."""
    clear(sums, SCORE_BITS, width)
    win = (digits + 1) * (digits + 2) // 2 - 1
    groups = 2 if digits <= 4 else digits - 2
    for group in range(groups):
        _add_seven(marks, group, width, sums)
    if win == 7 * groups:  # the one row that the groups leave out, for four digits
        _add_row(marks, win, width, sums)
    if bonus:
        _add_row(marks, win, width, sums)


@kernel
def scan_small(
    game: Planes,
    members: NDArray[np.int32],
    start: Int,
    n: Int,
    bonus: Int,
    marks: Words,
    sums: Words,
    bounds: Words,
) -> tuple[Int, Int]:
    """Bounds without the excess: returns (base, bits). `bonus` counts w; without it the bound is 3 n - p."""
    planes, row, digits, width = game.planes, game.row, game.digits, np.uint64(game.width)
    words = np.uint64(game.chunks) * width
    for chunk in range(np.uint64(game.chunks)):
        base = chunk * np.uint64(game.rows) * width
        clear(marks, game.slots, width)
        for i in range(0, n, 2):
            s, t = members[start + i], members[start + min(i + 1, n - 1)]
            if digits <= 4:
                mark4(planes, base, width, row, s, t, marks)
            elif digits == 5:
                mark5(planes, base, width, row, s, t, marks)
            else:
                mark6(planes, base, width, row, s, marks)
                mark6(planes, base, width, row, t, marks)
        score(digits, marks, bonus, width, sums)
        for k in range(np.uint64(SCORE_BITS)):
            to = k * words + chunk * width
            for w in range(width):
                bounds[to + w] = ~sums[k * _S + w]
    return 3 * n - 31, SCORE_BITS


@kernel
def least(bounds: Words, bits: Int, words: np.uint64, allowed: Words, chosen: Words) -> Int:
    """The least number over the allowed guesses, of which there is one; `chosen` becomes the guesses that have it."""
    for w in range(words):
        chosen[w] = allowed[w]
    value = 0
    for k in range(bits - 1, -1, -1):
        at = np.uint64(k) * words
        some = ZERO
        for w in range(words):
            some |= chosen[w] & ~bounds[at + w]
        if some != ZERO:
            for w in range(words):
                chosen[w] &= ~bounds[at + w]
        else:
            value |= 1 << k
    return value


@kernel
def equal(bounds: Words, bits: Int, words: np.uint64, value: Int, allowed: Words, chosen: Words) -> None:
    """`chosen` becomes the allowed guesses with that number, which is less than 2 ** bits."""
    for w in range(words):
        chosen[w] = allowed[w]
    for k in range(bits):
        at = np.uint64(k) * words
        if value >> k & 1:
            for w in range(words):
                chosen[w] &= bounds[at + w]
        else:
            for w in range(words):
                chosen[w] &= ~bounds[at + w]
