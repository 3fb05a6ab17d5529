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
def mark4(planes: Words, base: np.uint64, width: np.uint64, row: NDArray[np.uint8], s: Int, out: Words) -> None:
    """Set, in the rows of `out`, the answers that candidate s gives to each guess of a chunk.

    For up to four digits. `base` is where the chunk's planes start.
    """
    at = row[s]
    a0, a1, a2, a3 = base + at[0] * width, base + at[1] * width, base + at[2] * width, base + at[3] * width
    b0, b1, b2, b3 = base + at[6] * width, base + at[7] * width, base + at[8] * width, base + at[9] * width
    for w in range(width):
        h0, h1, h2, h3, h4 = _levels4(*_count4(planes[a0 + w], planes[a1 + w], planes[a2 + w], planes[a3 + w]))
        c0, c1, c2, c3, c4 = _levels4(*_count4(planes[b0 + w], planes[b1 + w], planes[b2 + w], planes[b3 + w]))
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
        out[w + _S * np.uint64(14)] |= h4


@kernel
def write4(planes: Words, base: np.uint64, width: np.uint64, row: NDArray[np.uint8], s: Int, out: Words) -> None:
    """As `mark4` into empty rows, but faster: with it 4 of 10 takes a seventh less."""
    at = row[s]
    a0, a1, a2, a3 = base + at[0] * width, base + at[1] * width, base + at[2] * width, base + at[3] * width
    b0, b1, b2, b3 = base + at[6] * width, base + at[7] * width, base + at[8] * width, base + at[9] * width
    for w in range(width):
        h0, h1, h2, h3, h4 = _levels4(*_count4(planes[a0 + w], planes[a1 + w], planes[a2 + w], planes[a3 + w]))
        c0, c1, c2, c3, c4 = _levels4(*_count4(planes[b0 + w], planes[b1 + w], planes[b2 + w], planes[b3 + w]))
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
def mark5(planes: Words, base: np.uint64, width: np.uint64, row: NDArray[np.uint8], s: Int, out: Words) -> None:
    """As `mark4`, for five digits: with it 5 of 7 takes a fifth less than with `mark6`."""
    at = row[s]
    a0, a1, a2 = base + at[0] * width, base + at[1] * width, base + at[2] * width
    a3, a4 = base + at[3] * width, base + at[4] * width
    b0, b1, b2 = base + at[6] * width, base + at[7] * width, base + at[8] * width
    b3, b4 = base + at[9] * width, base + at[10] * width
    for w in range(width):
        h0, h1, h2, h3, h4, h5 = _levels5(
            *_count5(planes[a0 + w], planes[a1 + w], planes[a2 + w], planes[a3 + w], planes[a4 + w])
        )
        c0, c1, c2, c3, c4, c5 = _levels5(
            *_count5(planes[b0 + w], planes[b1 + w], planes[b2 + w], planes[b3 + w], planes[b4 + w])
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
        out[w + _S * np.uint64(20)] |= h5


@kernel
def mark6(planes: Words, base: np.uint64, width: np.uint64, row: NDArray[np.uint8], s: Int, out: Words) -> None:
    """As `mark4`, for up to six digits."""
    at = row[s]
    a0, a1, a2 = base + at[0] * width, base + at[1] * width, base + at[2] * width
    a3, a4, a5 = base + at[3] * width, base + at[4] * width, base + at[5] * width
    b0, b1, b2 = base + at[6] * width, base + at[7] * width, base + at[8] * width
    b3, b4, b5 = base + at[9] * width, base + at[10] * width, base + at[11] * width
    for w in range(width):
        h0, h1, h2, h3, h4, h5, h6 = _levels6(
            *_count6(planes[a0 + w], planes[a1 + w], planes[a2 + w], planes[a3 + w], planes[a4 + w], planes[a5 + w])
        )
        c0, c1, c2, c3, c4, c5, c6 = _levels6(
            *_count6(planes[b0 + w], planes[b1 + w], planes[b2 + w], planes[b3 + w], planes[b4 + w], planes[b5 + w])
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
def mark(
    digits: Int, planes: Words, base: np.uint64, width: np.uint64, row: NDArray[np.uint8], s: Int, out: Words
) -> None:
    """As `mark4`, for any number of digits."""
    if digits <= 4:
        mark4(planes, base, width, row, s, out)
    elif digits == 5:
        mark5(planes, base, width, row, s, out)
    else:
        mark6(planes, base, width, row, s, out)


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
        for i in range(n):
            mark(digits, planes, base, width, row, members[start + i], marks)
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
