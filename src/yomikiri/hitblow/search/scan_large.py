"""The scan of large sets: the sizes of all cells of all guesses, counted bit by bit, and with them the excess.

Counters are bit-sliced like the planes: row k of slot r holds, for each guess of a chunk, bit k of the size of its
cell r. Seven candidates at a time are first added among themselves, which costs less than adding each to the counters.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.jit import kernel
from yomikiri.hitblow.search.planes import Planes
from yomikiri.hitblow.search.scan import SCORE_BITS, SLOTS, STRIDE, Words, clear, full, half, mark, score, write4
from yomikiri.numba_support.bits import ZERO, Int

_S = np.uint64(STRIDE)
COUNTER_BITS = 25  # of a cell, and of the excess of all of them


@kernel
def _count_seven(marks: Words, slot: Int, width: np.uint64, counter: Words, carry: Words, bits: Int) -> None:
    """Add the marks that seven candidates made in a slot to its counter, `bits` rows long."""
    at = np.uint64(slot) * _S
    for w in range(width):
        o = at + w
        s1, c1 = full(marks[0, o], marks[1, o], marks[2, o])
        s2, c2 = full(marks[3, o], marks[4, o], marks[5, o])
        b0, c3 = full(s1, s2, marks[6, o])
        b1, b2 = full(c1, c2, c3)
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
