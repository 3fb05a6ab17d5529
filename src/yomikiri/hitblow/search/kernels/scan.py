"""One-step bounds of all guesses at the same time, by bit planes.

Let a candidate set have n candidates. Let p be the number of different answers to a guess, and let w be 1 if the guess
is itself a candidate, else 0. Then any tree that starts with the guess has a total of at least

    3 n - p - w + excess

(docs/theory/hitblow-search.md has the proof). Here p + w is the *score* of the guess. At best, the guess itself is
found at guess 1, one code of each of the other p - w cells at guess 2, and the other n - p codes at guess 3. The total
is then w + 2 (p - w) + 3 (n - p) = 3 n - p - w. Large cells have codes that cannot be found by guess 3. The *excess* is
the number of further guesses that these codes need, summed over the codes.

A *scan* writes the bits of (bound - base) for all guesses, where the base is 3 n - 31 (`bound_base`). A score has five
bits, so 31 - score is never negative, and its bits are the inverted bits of the score. So (bound - base) is 31 - score
plus the excess. `bounds[k * words + j]` contains bit k of this number for the 64 guesses of word j. For small sets, the
scan leaves the excess out. The result is a lower bound without it, too.

For large sets, the kernels count the codes of all cells in *counters*. Counters are bit-sliced like the planes: row k
of the counter of an answer has bit k of the size of that cell, for each guess of a block. Seven candidates at a time
are first added to each other, which is cheaper than adding each of them to the counters.
"""

from __future__ import annotations

from yomikiri.guessing.kernels.partition import CodeSlice
from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.occurring import MOST_ANSWERS, ROWS, Words, add7, full, half, mark
from yomikiri.machine.bits import ZERO, Int
from yomikiri.machine.kernel import kernel
from yomikiri.machine.shared_words import should_stop
from yomikiri.machine.vectors import LANES, Vector, blank, load, nonzero_words, store

Score = tuple[Vector, Vector, Vector, Vector, Vector]
# number of bits of a score (different answers, plus 1 if the guess can be the secret), which is at most 27 + 1
SCORE_BITS = 5


@kernel
def score(digits: Int, marks: Words, bonus: Int) -> Score:
    """Return, for every guess of a block, the number of different answers in `marks`, plus `bonus` for a candidate.

    Row r of `marks` has one bit for each guess: 1 if some code of the candidate set gives the answer with index r.
    `bonus` is 0 or 1. It is added for each guess that is itself in the set. The result is bit-sliced: its vector k
    contains bit k of the number for each guess.
    """
    s0 = s1 = s2 = s3 = s4 = blank()
    win = (digits + 1) * (digits + 2) // 2 - 1
    for at in range(0, 7 * LANES * (2 if digits <= 4 else digits - 2), 7 * LANES):
        b0, b1, b2 = add7(marks, at, LANES)
        s0, carry = half(s0, b0)
        s1, carry = full(s1, b1, carry)
        s2, carry = full(s2, b2, carry)
        s3, carry = half(s3, carry)
        s4 = s4 ^ carry
    # The loop above adds the rows of `marks` in groups of seven. For four digits, it adds the rows 0 to 13, so the row
    # of the win, row 14, is still missing and is added here. The row of the win marks the guesses that are in the
    # candidate set. So it is added once more if `bonus` is 1.
    for _ in range((1 if win == 14 else 0) + bonus):
        s0, carry = half(s0, load(marks, win * LANES))
        s1, carry = half(s1, carry)
        s2, carry = half(s2, carry)
        s3, carry = half(s3, carry)
        s4 = s4 ^ carry
    return s0, s1, s2, s3, s4


@kernel
def scan_scores(game: Planes, codes: CodeSlice, bonus: Int, marks: Words, out: Words, shared: Words) -> None:
    """Write 31 - score of every guess to `out`, as a bit-sliced number of SCORE_BITS bits.

    The *score* of a guess is the number of different answers to it, plus 1 if it is in the candidate set. If `bonus` is
    0, the 1 is left out. A score has five bits, so 31 - score has the inverted bits of the score. Ends early if
    `shared` stops the search.
    """
    words = game.blocks * LANES
    for block in range(game.blocks):
        if should_stop(shared):
            return
        mark(game.digits, game.planes, block * game.rows * LANES, game.row, codes, marks)
        s0, s1, s2, s3, s4 = score(game.digits, marks, bonus)
        to = block * LANES
        store(out, to, ~s0)
        store(out, to + words, ~s1)
        store(out, to + 2 * words, ~s2)
        store(out, to + 3 * words, ~s3)
        store(out, to + 4 * words, ~s4)


@kernel
def _narrow(among: Vector, bit: Vector) -> tuple[Vector, Int]:
    """Return (the guesses in `among` that are also in `bit`, 1), or (`among`, 0) if there are none.

    `among` and `bit` are masks with one bit for each guess of a block.
    """
    having = among & bit
    return (having, 1) if nonzero_words(having) else (among, 0)


@kernel
def greatest_of_block(digits: Int, marks: Words, among: Vector) -> Int:
    """Return the greatest score of the guesses in the mask `among`.

    The *score* of a guess is the number of different answers to it, plus 1 if the guess can be the secret. Row r of
    `marks` has a 1 for each guess of the block to which the answer with index r occurs.
    """
    s0, s1, s2, s3, s4 = score(digits, marks, 1)
    among, b4 = _narrow(among, s4)
    among, b3 = _narrow(among, s3)
    among, b2 = _narrow(among, s2)
    among, b1 = _narrow(among, s1)
    among, b0 = _narrow(among, s0)
    return 16 * b4 + 8 * b3 + 4 * b2 + 2 * b1 + b0


@kernel
def greatest_score(game: Planes, codes: CodeSlice, marks: Words, enough: Int, first: Int) -> tuple[Int, Int]:
    """Return (greatest score of any guess, the block of 512 guesses that contains the guess).

    The *score* is the number of different answers, plus 1 if the guess can be the secret. The blocks are tried from
    `first` on, until a score is at least `enough`.
    """
    most, found = 0, first
    for i in range(game.blocks):
        block = (first + i) % game.blocks
        mark(game.digits, game.planes, block * game.rows * LANES, game.row, codes, marks)
        value = greatest_of_block(game.digits, marks, load(game.every, block * LANES))
        if value > most:
            most, found = value, block
            if most >= enough:
                break
    return most, found


@kernel
def least(bounds: Words, bits: Int, words: Int, allowed: Words, chosen: Words) -> Int:
    """Return the least value in `bounds` of any allowed guess, and write the guesses with this value to `chosen`.

    `bounds` contains one value for each guess, bit-sliced: bit i of `bounds[k * words + j]` is bit k of the value of
    guess 64 j + i. `allowed` and `chosen` have one bit for each guess. At least one guess must be allowed.
    """
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
    """Write the allowed guesses whose value in `bounds` is `value` to `chosen`.

    `bounds` contains one value for each guess, bit-sliced as in `least`. `value` must be less than 2 ** bits.
    """
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


# Largest number of bits of a cell size, and of the excess of a guess: the number of guesses that codes need beyond
# guess 3, summed over the codes.
COUNTER_BITS = 25


@kernel
def _count_seven(marks: Words, answer: Int, counter: Words, bits: Int) -> None:
    """Add to the counter of an answer, for every guess, how many of seven candidates give this answer.

    The seven rows of marks have one bit for each guess. The counter is bit-sliced and has `bits` rows.
    """
    at = answer * LANES
    b0, b1, b2 = add7(marks, at, ROWS)
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
    """Add max(0, cell size - threshold) to `excess`, for one answer and every guess of a block.

    The cell sizes are in `counter`. Both arrays are bit-sliced: row k contains bit k of the number for each guess.
    Returns False if all sizes are below the threshold.
    """
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
    if nonzero_words(above) == 0:
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
    """Set `count` words to zero, one vector of words at a time."""
    none = blank()
    for w in range(0, count, LANES):
        store(rows, w, none)


@kernel
def _count_cells(
    game: Planes, codes: CodeSlice, base: Int, scratch: tuple[Words, Words], first: Int, bits: Int
) -> None:
    """Write the size of each cell to `counters`, for all guesses of a block.

    `scratch` is (marks, counters). `base` is the index at which the bit planes of the block begin. `bits` is the number
    of bits of a size. Some answers are skipped, with zeros in `counters`: the win, and answers that at most `first`
    codes of the code space can give to a guess.
    """
    marks, counters = scratch
    for answer in range(game.answer_count):
        _clear(counters[answer], bits * LANES)
    for i in range(0, codes.n, 7):
        for j in range(7):
            one = CodeSlice(codes.codes, codes.start + i + j, 1 if i + j < codes.n else 0)
            mark(game.digits, game.planes, base, game.row, one, marks[j * ROWS :])
        for answer in range(game.answer_count - 1):
            if game.largest_cells[answer] > first:
                _count_seven(marks, answer, counters[answer], bits)


@kernel
def _sum_excess(game: Planes, n: Int, counters: Words, first: Int, bits: Int, total_bits: Int) -> None:
    """Compute the *excess* of each guess of a block from the sizes of its cells in `counters`.

    The guess itself is guess 1. The excess of a guess is the number of guesses that codes need beyond guess 3, summed
    over the codes. A cell of at most `first` codes has no excess. A size has `bits` bits, and an excess `total_bits`
    bits.
    """
    excess, over = counters[MOST_ANSWERS], counters[MOST_ANSWERS + 1]
    _clear(excess, total_bits * LANES)
    for answer in range(game.answer_count - 1):
        width = game.answer_count - 2
        level = 1 + width
        threshold = first
        while threshold < min(n, game.largest_cells[answer]) and _add_above(
            counters[answer], bits, threshold, over, excess, total_bits
        ):
            width *= game.answer_count - 2
            level += width
            threshold = level


@kernel
def _add_scores(excess: Words, scores: Words, bounds: Words, at: Int, words: Int, total_bits: Int) -> None:
    """Write 31 - score + excess of each guess of a block to `bounds`, from word `at` on.

    `scores` contains 31 - score of each guess. The *score* is the number of different answers to the guess, plus 1 if
    the guess can be the secret. The *excess* is the number of guesses that codes need beyond guess 3, summed over the
    codes. All three arrays are bit-sliced: row k contains bit k of the number for each guess.
    """
    carry = blank()
    for k in range(total_bits):
        if k < SCORE_BITS:
            e, carry = full(load(excess, k * LANES), load(scores, k * words + at), carry)
        else:
            e, carry = half(load(excess, k * LANES), carry)
        store(bounds, k * words + at, e)


@kernel
def add_excess(
    game: Planes,
    codes: CodeSlice,
    most_score: Int,
    scores: Words,
    scratch: tuple[Words, Words],
    bounds: Words,
    shared: Words,
) -> Int:
    """Write 31 - score + excess of every guess to `bounds`. Returns the number of bits of these bounds.

    `scores` contains 31 - score of each guess. The *score* is the number of different answers to the guess, plus 1 if
    the guess can be the secret. No guess may have a score above `most_score`. The *excess* is the number of guesses
    that codes need beyond guess 3, summed over the codes. It is the sum of the excesses of the cells.

    Let R = answer_count - 1 be the number of possible answers, and let x+ be max(0, x). In a cell of c codes,

    - at best, one code is found at guess 2 and t - 1 codes at guess 3, so (c - t)+ codes need guess 4. Here t is the
      smaller of R and `most_score` - 1;
    - at most R + (R - 1)^2 codes are found by guess 4, so (c - R - (R - 1)^2)+ codes need guess 5, and so on.

    The excess of the cell is at least the sum of these numbers of codes. This sum is used.

    The arrays of `scratch` are marks (7 * ROWS,) and counters (MOST_ANSWERS + 2, COUNTER_BITS * LANES). Ends early if
    the search must stop.
    """
    words, counters = game.blocks * LANES, scratch[1]
    # Cells of at most `first` codes add nothing to the bound, so they are not counted.
    first = min(game.answer_count - 1, most_score - 1)
    bits = 3  # three rows of bits, enough for a sum of seven bits
    while codes.n >> bits:
        bits += 1
    total_bits = max(bits, SCORE_BITS) + 2
    for block in range(game.blocks):
        if should_stop(shared):
            break
        _count_cells(game, codes, block * game.rows * LANES, scratch, first, bits)
        _sum_excess(game, codes.n, counters, first, bits, total_bits)
        _add_scores(counters[MOST_ANSWERS], scores, bounds, block * LANES, words, total_bits)
    return total_bits
