"""The one-step bound of every guess at once, by planes.

For candidates S, n of them, and a guess with p answers that occur, w = 1 if the guess is itself a candidate, any tree
that starts with the guess has a total of at least

    3 n - p - w + excess

(docs/hitblow-search.md proves it). A *scan* writes the bits of this number for all guesses: `bounds[k * words + j]` is
bit k of (bound - base) for the 64 guesses of word j. Small sets leave the excess out, which is still a bound.
Of large sets the sizes of all cells are counted: counters are bit-sliced like the planes, so that row k of slot r
holds, for each guess of a block, bit k of the size of its cell r. Seven candidates at a time are first added among
themselves, which costs less than adding each to the counters.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.kernels_ahead import kernel
from yomikiri.hitblow.rules import MAX_DIGITS
from yomikiri.hitblow.search.planes import Planes
from yomikiri.numba_support.bits import ZERO, Int
from yomikiri.numba_support.vectors import LANES, Vector, blank, load, store, taken

Words = NDArray[np.uint64]
Bits = tuple[Vector, Vector, Vector]
Levels = tuple[Vector, Vector, Vector, Vector, Vector, Vector, Vector]
Score = tuple[Vector, Vector, Vector, Vector, Vector]
Occurring = Callable[[Words, Int, NDArray[np.int32], NDArray[np.int32], Int, Int, Words], None]
SLOTS = 28  # rows of marks: as many as six digits have
ROWS = SLOTS * LANES
SCORE_BITS = 5  # p + w is at most 27 + 1


@kernel
def full(x: Vector, y: Vector, z: Vector) -> tuple[Vector, Vector]:
    """Bits of x + y + z, low first."""
    return x ^ y ^ z, (x & y) | (z & (x | y))


@kernel
def half(x: Vector, y: Vector) -> tuple[Vector, Vector]:
    """Bits of x + y, low first."""
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
    """Which of 0 to 4 the bits say."""
    return ~(b0 | b1 | b2), b0 & ~b1, b1 & ~b0, b0 & b1, b2, blank(), blank()


@kernel
def _levels5(b0: Vector, b1: Vector, b2: Vector) -> Levels:
    """Which of 0 to 5 the bits say."""
    low = ~b2
    return ~(b0 | b1 | b2), b0 & ~b1 & low, b1 & ~b0, b0 & b1, b2 & ~b0, b2 & b0, blank()


@kernel
def _levels6(b0: Vector, b1: Vector, b2: Vector) -> Levels:
    """Which of 0 to 6 the bits say."""
    low = ~b2
    return ~(b0 | b1 | b2), b0 & ~b1 & low, b1 & ~b0 & low, b0 & b1 & low, b2 & ~(b0 | b1), b2 & b0, b2 & b1


@kernel
def _write7(out: Words, at: Int, a: Vector, b: Vector, c: Vector, d: Vector, e: Vector, f: Vector, g: Vector) -> None:
    store(out, at, a)
    store(out, at + LANES, b)
    store(out, at + 2 * LANES, c)
    store(out, at + 3 * LANES, d)
    store(out, at + 4 * LANES, e)
    store(out, at + 5 * LANES, f)
    store(out, at + 6 * LANES, g)


@kernel
def _add7(marks: Words, at: Int, step: Int) -> Bits:
    """The bits of the sum of seven rows."""
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
    """The kernel that marks which answers occur, for 4 digits, or fewer, 5 or 6.

    `out` gets a row for each slot: for which guesses of the block that begins at `base` any of the n codes from `start`
    gives that answer. The marks stay in registers while the codes are gone through.
    """
    levels = {4: _levels4, 5: _levels5, 6: _levels6}[digits]

    @kernel
    def counted(planes: Words, base: Int, at: NDArray[np.int32], first: Int) -> Levels:
        """For each guess, how many of the planes of one code from `first` on have it."""
        fifth = load(planes, base + at[first + 4]) if digits > 4 else blank()
        sixth = load(planes, base + at[first + 5]) if digits > 5 else blank()
        one, two = load(planes, base + at[first]), load(planes, base + at[first + 1])
        three, four = load(planes, base + at[first + 2]), load(planes, base + at[first + 3])
        return levels(*_count7(one, two, three, four, fifth, sixth, blank()))

    @kernel
    def occurring(
        planes: Words, base: Int, row: NDArray[np.int32], codes: NDArray[np.int32], start: Int, n: Int, out: Words
    ) -> None:
        none = blank()
        m0 = m1 = m2 = m3 = m4 = m5 = m6 = none
        m7 = m8 = m9 = m10 = m11 = m12 = m13 = none
        m14 = m15 = m16 = m17 = m18 = m19 = m20 = none
        m21 = m22 = m23 = m24 = m25 = m26 = m27 = none
        for i in range(start, start + n):
            at = row[codes[i]]
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
        _write7(out, 0, m0, m1, m2, m3, m4, m5, m6)
        _write7(out, 7 * LANES, m7, m8, m9, m10, m11, m12, m13)
        _write7(out, 14 * LANES, m14, m15, m16, m17, m18, m19, m20)
        if digits > 5:
            _write7(out, 21 * LANES, m21, m22, m23, m24, m25, m26, m27)

    return occurring


_occurring4, _occurring5, _occurring6 = (occurring_of(digits) for digits in (4, 5, 6))


@kernel
def mark(
    digits: Int,
    planes: Words,
    base: Int,
    row: NDArray[np.int32],
    codes: NDArray[np.int32],
    start: Int,
    n: Int,
    out: Words,
) -> None:
    """Write to the rows of `out` which answers occur among n codes, for any number of digits.

    It is called, not copied to where it is used, and so is given no more than it needs.
    """
    if digits <= 4:
        _occurring4(planes, base, row, codes, start, n, out)
    elif digits == 5:
        _occurring5(planes, base, row, codes, start, n, out)
    else:
        _occurring6(planes, base, row, codes, start, n, out)


@kernel
def score(digits: Int, marks: Words, bonus: Int) -> Score:
    """The bits of p (+ w where `bonus`) of every guess of a block."""
    s0 = s1 = s2 = s3 = s4 = blank()
    win = (digits + 1) * (digits + 2) // 2 - 1
    for at in range(0, 7 * LANES * (2 if digits <= 4 else digits - 2), 7 * LANES):
        b0, b1, b2 = _add7(marks, at, LANES)
        s0, carry = half(s0, b0)
        s1, carry = full(s1, b1, carry)
        s2, carry = full(s2, b2, carry)
        s3, carry = half(s3, carry)
        s4 = s4 ^ carry
    for _ in range((1 if win == 14 else 0) + bonus):  # of four digits the groups of seven leave the win out
        s0, carry = half(s0, load(marks, win * LANES))
        s1, carry = half(s1, carry)
        s2, carry = half(s2, carry)
        s3, carry = half(s3, carry)
        s4 = s4 ^ carry
    return s0, s1, s2, s3, s4


@kernel
def scan_parts(
    game: Planes, members: NDArray[np.int32], start: Int, n: Int, bonus: Int, marks: Words, out: Words
) -> None:
    """Write 31 - p - w, SCORE_BITS bits, of every guess: that is the bound 3 n - p - w less 3 n - 31.

    Without `bonus` w is not counted.
    """
    words = game.blocks * LANES
    for block in range(game.blocks):
        mark(game.digits, game.planes, block * game.rows * LANES, game.row, members, start, n, marks)
        s0, s1, s2, s3, s4 = score(game.digits, marks, bonus)
        to = block * LANES
        store(out, to, ~s0)
        store(out, to + words, ~s1)
        store(out, to + 2 * words, ~s2)
        store(out, to + 3 * words, ~s3)
        store(out, to + 4 * words, ~s4)


@kernel
def _narrow(among: Vector, bit: Vector) -> tuple[Vector, Int]:
    """Of some guesses those that have a bit set, or all if none has; and the bit."""
    having = among & bit
    return (having, 1) if taken(having) else (among, 0)


@kernel
def greatest(digits: Int, marks: Words, among: Vector) -> Int:
    """The greatest p + w among some guesses of a block."""
    s0, s1, s2, s3, s4 = score(digits, marks, 1)
    among, b4 = _narrow(among, s4)
    among, b3 = _narrow(among, s3)
    among, b2 = _narrow(among, s2)
    among, b1 = _narrow(among, s1)
    among, b0 = _narrow(among, s0)
    return 16 * b4 + 8 * b3 + 4 * b2 + 2 * b1 + b0


@kernel
def most_parts(
    game: Planes, members: NDArray[np.int32], start: Int, n: Int, allowed: Words, marks: Words, enough: Int, first: Int
) -> tuple[Int, Int]:
    """The greatest p + w among the allowed guesses, and the block that has it; stops where it is `enough`.

    Blocks are gone through from `first` on.
    """
    most, found = 0, first
    for i in range(game.blocks):
        block = (first + i) % game.blocks
        mark(game.digits, game.planes, block * game.rows * LANES, game.row, members, start, n, marks)
        value = greatest(game.digits, marks, load(allowed, block * LANES))
        if value > most:
            most, found = value, block
            if most >= enough:
                break
    return most, found


@kernel
def least(bounds: Words, bits: Int, words: Int, allowed: Words, chosen: Words) -> Int:
    """The least number over the allowed guesses, of which there is one; `chosen` becomes the guesses that have it."""
    for w in range(words):
        chosen[w] = allowed[w]
    value = 0
    for k in range(bits - 1, -1, -1):
        at = k * words
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
def equal(bounds: Words, bits: Int, words: Int, value: Int, allowed: Words, chosen: Words) -> None:
    """`chosen` becomes the allowed guesses with that number, which is less than 2 ** bits."""
    for w in range(words):
        chosen[w] = allowed[w]
    for k in range(bits):
        at = k * words
        if value >> k & 1:
            for w in range(words):
                chosen[w] &= bounds[at + w]
        else:
            for w in range(words):
                chosen[w] &= ~bounds[at + w]


COUNTER_BITS = 25  # of a cell, and of the excess of all of them


@kernel
def _count_seven(marks: Words, slot: Int, counter: Words, bits: Int) -> None:
    """Add the marks that seven candidates made in a slot to its counter, `bits` rows long."""
    at = slot * LANES
    b0, b1, b2 = _add7(marks, at, ROWS)
    c0, carry = half(load(counter, 0), b0)
    c1, carry = full(load(counter, LANES), b1, carry)
    c2, carry = full(load(counter, 2 * LANES), b2, carry)
    store(counter, 0, c0)
    store(counter, LANES, c1)
    store(counter, 2 * LANES, c2)
    for k in range(3, bits):
        c, carry = half(load(counter, k * LANES), carry)
        store(counter, k * LANES, c)


@kernel
def _add_above(counter: Words, bits: Int, threshold: Int, over: Words, excess: Words, total_bits: Int) -> bool:
    """Add to `excess` how far the counter is above the threshold, where it is; whether it is anywhere."""
    added = (1 << bits) - threshold
    above = blank()
    for k in range(bits):
        y = load(counter, k * LANES)
        if added >> k & 1:
            store(over, k * LANES, ~(y ^ above))
            above = y | above
        else:
            store(over, k * LANES, y ^ above)
            above = y & above
    if taken(above) == 0:
        return False
    carry = blank()
    for k in range(total_bits):
        if k < bits:
            e, carry = full(load(excess, k * LANES), load(over, k * LANES) & above, carry)
        else:
            e, carry = half(load(excess, k * LANES), carry)
        store(excess, k * LANES, e)
    return True


@kernel
def _clear(rows: Words, count: Int) -> None:
    """Zero so many words."""
    none = blank()
    for w in range(0, count, LANES):
        store(rows, w, none)


@kernel
def add_excess(
    game: Planes,
    members: NDArray[np.int32],
    start: Int,
    n: Int,
    most: Int,
    parts: Words,
    marks: Words,
    counters: Words,
    bounds: Words,
) -> Int:
    """Add to 31 - p - w of every guess (`parts`) the excess of its cells: writes `bounds`, returns their bits.

    A cell of c codes has an excess of (c - t)+ + (c - R - (R - 1)^2)+ + ..., R = slots - 1 being the number of answers:
    t = R, or most - 1 if that is less, where no guess has more than `most` as p + w. `marks` (7 * ROWS,) and `counters`
    (SLOTS + 2, COUNTER_BITS * LANES) are scratch.
    """
    win, digits, planes, row = game.slots - 1, game.digits, game.planes, game.row
    words = game.blocks * LANES
    first = min(game.slots - 1, most - 1)  # smaller cells have no excess, and need not be counted
    bits = 3  # at least as many as seven marks count to
    while n >> bits:
        bits += 1
    total_bits = max(bits, SCORE_BITS) + 2
    excess, over = counters[SLOTS], counters[SLOTS + 1]
    for block in range(game.blocks):
        base = block * game.rows * LANES
        for slot in range(game.slots):
            _clear(counters[slot], bits * LANES)
        _clear(excess, total_bits * LANES)
        for i in range(0, n, 7):
            for j in range(7):
                mark(digits, planes, base, row, members, start + i + j, 1 if i + j < n else 0, marks[j * ROWS :])
            for slot in range(win):
                if game.most_alike[slot] > first:
                    _count_seven(marks, slot, counters[slot], bits)
        for slot in range(win):
            width = game.slots - 2
            level = 1 + width
            threshold = first
            while threshold < min(n, game.most_alike[slot]) and _add_above(
                counters[slot], bits, threshold, over, excess, total_bits
            ):
                width *= game.slots - 2
                level += width
                threshold = level
        carry = blank()
        for k in range(total_bits):
            if k < SCORE_BITS:
                e, carry = full(load(excess, k * LANES), load(parts, k * words + block * LANES), carry)
            else:
                e, carry = half(load(excess, k * LANES), carry)
            store(bounds, k * words + block * LANES, e)
    return total_bits
