"""The one-step bound of every guess at once, by planes.

For candidates S, n of them, and a guess with p answers that occur, w = 1 if the guess is itself a candidate, any tree
that starts with the guess has a total of at least

    3 n - p - w + excess

(docs/search.md proves it). A *scan* writes the bits of this number for all guesses: `bounds[k * words + j]` is bit k of
(bound - base) for the 64 guesses of word j. Small sets leave the excess out, which is still a bound.
Of large sets the sizes of all cells are counted: counters are bit-sliced like the planes, so that row k of slot r
holds, for each guess of a chunk, bit k of the size of its cell r. Seven candidates at a time are first added among
themselves, which costs less than adding each to the counters.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.kernels_ahead import kernel
from yomikiri.hitblow.search.planes import LONGEST, Planes
from yomikiri.numba_support.bits import ZERO, Int

STRIDE = LONGEST + 8  # words from one row of scratch to the next, so that rows do not compete for a place in the cache
_S = np.uint64(STRIDE)
Words = NDArray[np.uint64]
Bits = tuple[np.uint64, np.uint64, np.uint64]
Levels = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]
Mark = Callable[[Words, np.uint64, np.uint64, NDArray[np.uint8], Int, Words], None]
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
def _write(out: Words, at: Int, marks: np.uint64, kept: np.uint64) -> None:
    out[at] = (out[at] & kept) | marks


@kernel
def _count7(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, e: np.uint64, f: np.uint64, g: np.uint64) -> Bits:
    s1, c1 = full(a, b, c)
    s2, c2 = full(d, e, f)
    b0, c3 = full(s1, s2, g)
    b1, b2 = full(c1, c2, c3)
    return b0, b1, b2


@kernel
def _levels4(b0: np.uint64, b1: np.uint64, b2: np.uint64) -> Levels:
    """Which of 0 to 4 the bits say."""
    return ~(b0 | b1 | b2), b0 & ~b1, b1 & ~b0, b0 & b1, b2, ZERO, ZERO


@kernel
def _levels5(b0: np.uint64, b1: np.uint64, b2: np.uint64) -> Levels:
    """Which of 0 to 5 the bits say."""
    low = ~b2
    return ~(b0 | b1 | b2), b0 & ~b1 & low, b1 & ~b0, b0 & b1, b2 & ~b0, b2 & b0, ZERO


@kernel
def _levels6(b0: np.uint64, b1: np.uint64, b2: np.uint64) -> Levels:
    """Which of 0 to 6 the bits say."""
    low = ~b2
    return ~(b0 | b1 | b2), b0 & ~b1 & low, b1 & ~b0 & low, b0 & b1 & low, b2 & ~(b0 | b1), b2 & b0, b2 & b1


def marks_of(digits: int, kept: np.uint64) -> Mark:
    """The kernel that writes to the rows of `out` which answers candidate s gives to each guess of a chunk.

    For 4 digits, or fewer, 5 or 6; `base` is where the chunk's planes start. What stood in the rows is kept in the bits
    of `kept`. All is known when it is compiled: five digits take 5 of 7 a fifth less than as six of which one is
    missing, and writing over the rows 4 of 10 a seventh less than clearing them first.
    """
    levels = {4: _levels4, 5: _levels5, 6: _levels6}[digits]

    @kernel
    def mark(planes: Words, base: np.uint64, width: np.uint64, row: NDArray[np.uint8], s: Int, out: Words) -> None:
        at = row[s]
        a0, a1, a2 = base + at[0] * width, base + at[1] * width, base + at[2] * width
        a3, a4, a5 = base + at[3] * width, base + at[4] * width, base + at[5] * width
        b0, b1, b2 = base + at[6] * width, base + at[7] * width, base + at[8] * width
        b3, b4, b5 = base + at[9] * width, base + at[10] * width, base + at[11] * width
        for w in range(width):
            h4, h5 = planes[a4 + w] if digits > 4 else ZERO, planes[a5 + w] if digits > 5 else ZERO
            c4, c5 = planes[b4 + w] if digits > 4 else ZERO, planes[b5 + w] if digits > 5 else ZERO
            hits = _count7(planes[a0 + w], planes[a1 + w], planes[a2 + w], planes[a3 + w], h4, h5, ZERO)
            common = _count7(planes[b0 + w], planes[b1 + w], planes[b2 + w], planes[b3 + w], c4, c5, ZERO)
            h0, h1, h2, h3, h4, h5, h6 = levels(*hits)
            c0, c1, c2, c3, c4, c5, c6 = levels(*common)
            _write(out, w, c0, kept)
            _write(out, w + _S, c1 & h0, kept)
            _write(out, w + _S * np.uint64(2), c1 & h1, kept)
            _write(out, w + _S * np.uint64(3), c2 & h0, kept)
            _write(out, w + _S * np.uint64(4), c2 & h1, kept)
            _write(out, w + _S * np.uint64(5), c2 & h2, kept)
            _write(out, w + _S * np.uint64(6), c3 & h0, kept)
            _write(out, w + _S * np.uint64(7), c3 & h1, kept)
            _write(out, w + _S * np.uint64(8), c3 & h2, kept)
            _write(out, w + _S * np.uint64(9), c3 & h3, kept)
            _write(out, w + _S * np.uint64(10), c4 & h0, kept)
            _write(out, w + _S * np.uint64(11), c4 & h1, kept)
            _write(out, w + _S * np.uint64(12), c4 & h2, kept)
            _write(out, w + _S * np.uint64(13), c4 & h3 if digits > 4 else ZERO, kept)
            _write(out, w + _S * np.uint64(14), c4 & h4, kept)
            if digits > 4:
                _write(out, w + _S * np.uint64(15), c5 & h0, kept)
                _write(out, w + _S * np.uint64(16), c5 & h1, kept)
                _write(out, w + _S * np.uint64(17), c5 & h2, kept)
                _write(out, w + _S * np.uint64(18), c5 & h3, kept)
                _write(out, w + _S * np.uint64(19), c5 & h4 if digits > 5 else ZERO, kept)
                _write(out, w + _S * np.uint64(20), c5 & h5, kept)
            if digits > 5:
                _write(out, w + _S * np.uint64(21), c6 & h0, kept)
                _write(out, w + _S * np.uint64(22), c6 & h1, kept)
                _write(out, w + _S * np.uint64(23), c6 & h2, kept)
                _write(out, w + _S * np.uint64(24), c6 & h3, kept)
                _write(out, w + _S * np.uint64(25), c6 & h4, kept)
                _write(out, w + _S * np.uint64(27), c6 & h6, kept)

    return mark


mark4, mark5, mark6 = (marks_of(digits, ~ZERO) for digits in (4, 5, 6))
write4 = marks_of(4, ZERO)


@kernel
def mark(
    digits: Int, planes: Words, base: np.uint64, width: np.uint64, row: NDArray[np.uint8], s: Int, out: Words
) -> None:
    """Add to the rows of `out` the answers of candidate s, for any number of digits."""
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
        b0, b1, b2 = _count7(
            x[o],
            x[o + _S],
            x[o + _S * np.uint64(2)],
            x[o + _S * np.uint64(3)],
            x[o + _S * np.uint64(4)],
            x[o + _S * np.uint64(5)],
            x[o + _S * np.uint64(6)],
        )
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


COUNTER_BITS = 25  # of a cell, and of the excess of all of them


@kernel
def _count_seven(marks: Words, slot: Int, width: np.uint64, counter: Words, carry: Words, bits: Int) -> None:
    """Add the marks that seven candidates made in a slot to its counter, `bits` rows long."""
    at = np.uint64(slot) * _S
    for w in range(width):
        o = at + w
        b0, b1, b2 = _count7(marks[0, o], marks[1, o], marks[2, o], marks[3, o], marks[4, o], marks[5, o], marks[6, o])
        c = counter[w] & b0
        counter[w] ^= b0
        counter[w + _S], c = full(counter[w + _S], b1, c)
        counter[w + _S * np.uint64(2)], c = full(counter[w + _S * np.uint64(2)], b2, c)
        counter[w + _S * np.uint64(3)], c = half(counter[w + _S * np.uint64(3)], c)
        counter[w + _S * np.uint64(4)], c = half(counter[w + _S * np.uint64(4)], c)
        counter[w + _S * np.uint64(5)], c = half(counter[w + _S * np.uint64(5)], c)
        counter[w + _S * np.uint64(6)], c = half(counter[w + _S * np.uint64(6)], c)
        carry[w] = c
    for k in range(np.uint64(7), np.uint64(bits)):
        at = k * _S
        for w in range(width):
            counter[at + w], carry[w] = half(counter[at + w], carry[w])


@kernel
def _above(counter: Words, bits: Int, threshold: Int, width: np.uint64, carry: Words, over: Words) -> bool:
    """Write to `over` how far the counter is above the threshold, 0 where it is not; whether it is anywhere."""
    added = (1 << bits) - threshold
    for w in range(width):
        carry[w] = ZERO
    for k in range(np.uint64(bits)):
        at = k * _S
        flip = ~ZERO if added >> np.int64(k) & 1 else ZERO
        for w in range(width):
            c, y = carry[w], counter[at + w]
            over[at + w] = y ^ c ^ flip
            carry[w] = (y & c) | ((y | c) & flip)
    some = ZERO
    for w in range(width):
        some |= carry[w]
    for k in range(np.uint64(bits)):
        at = k * _S
        for w in range(width):
            over[at + w] &= carry[w]
    return bool(some != ZERO)


@kernel
def _add(number: Words, bits: Int, total: Words, total_bits: Int, width: np.uint64, carry: Words) -> None:
    """Add a number of so many rows to another."""
    for w in range(width):
        carry[w] = ZERO
    for k in range(np.uint64(total_bits)):
        at = k * _S
        if k < np.uint64(bits):
            for w in range(width):
                total[at + w], carry[w] = full(total[at + w], number[at + w], carry[w])
        else:
            for w in range(width):
                total[at + w], carry[w] = half(total[at + w], carry[w])


@kernel
def scan_large(
    game: Planes,
    members: NDArray[np.int32],
    start: Int,
    n: Int,
    marks: Words,
    counters: Words,
    sums: Words,
    bounds: Words,
) -> tuple[Int, Int]:
    """Bounds with the excess: returns (base, bits).

    `marks` (7, SLOTS * STRIDE), `counters` (SLOTS + 3, COUNTER_BITS * STRIDE) and `sums` are scratch.
    """
    planes, row, digits, win, width = game.planes, game.row, game.digits, game.slots - 1, np.uint64(game.width)
    words = np.uint64(game.chunks) * width
    bits = 7  # at least as many as `_count_seven` adds to
    while n >> bits:
        bits += 1
    total_bits = bits + 2
    excess, over, carry = counters[SLOTS], counters[SLOTS + 1], counters[SLOTS + 2]
    any_mark = marks[0]
    for chunk in range(np.uint64(game.chunks)):
        base = chunk * np.uint64(game.rows) * width
        for slot in range(SLOTS + 1):
            clear(counters[slot], total_bits, width)
        for i in range(0, n, 7):
            for j in range(7):
                one = marks[j]
                if i + j >= n:
                    clear(one, SLOTS, width)
                elif digits <= 4:
                    write4(planes, base, width, row, members[start + i + j], one)
                else:
                    clear(one, game.slots, width)
                    mark(digits, planes, base, width, row, members[start + i + j], one)
            for slot in range(win + 1):
                _count_seven(marks, slot, width, counters[slot], carry, bits)
        clear(any_mark, SLOTS, width)
        for slot in range(win + 1):
            counter = counters[slot]
            at = np.uint64(slot) * _S
            for k in range(np.uint64(bits)):
                for w in range(width):
                    any_mark[at + w] |= counter[k * _S + w]
            level = game.slots - 2
            threshold = 1 + level
            while slot < win and threshold < n and _above(counter, bits, threshold, width, carry, over):
                _add(over, bits, excess, total_bits, width, carry)
                level *= game.slots - 2
                threshold += level
        score(digits, any_mark, 1, width, sums)
        for k in range(np.uint64(SCORE_BITS)):
            for w in range(width):
                sums[k * _S + w] = ~sums[k * _S + w]
        _add(sums, SCORE_BITS, excess, total_bits, width, carry)
        for k in range(np.uint64(total_bits)):
            to = k * words + chunk * width
            for w in range(width):
                bounds[to + w] = excess[k * _S + w]
    return 3 * n - 31, total_bits
