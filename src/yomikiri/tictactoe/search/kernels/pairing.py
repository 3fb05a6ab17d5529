"""Bounds from sums of weights and from pairs of cells: the bound of PAIRING.

Ranks count from the heaviest cell, so the sum of the differences of neighbouring ranks is the alternating sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from yomikiri.tictactoe.search.kernels.sets import ONE, ZERO, Numbers, lowest, number, popcount

# Cells are summed in blocks: a table has an entry for each of the 2**9 subsets of a block.
BLOCK_BITS = 9
BLOCK_SETS = 1 << BLOCK_BITS
# Number of lines for which the pairing bound chooses a pair before it gives up.
PAIRING_STEPS = 30
# The same constants as sets, and a number larger than any value.
BLOCK = BLOCK_SETS - 1
BLOCK_SHIFT = BLOCK_BITS
NO_BOUND: int = inf  # type: ignore[assignment]  # every integer is smaller


def fill_sums(weights: Sequence[int], sums: Numbers) -> None:
    """Write the alternating sum w1 - w2 + w3 - ... of every subset of every block of cells."""
    for block in range(len(sums) // BLOCK_SETS):
        start = BLOCK_SETS * block
        for cell in range(BLOCK_BITS - 1, -1, -1):
            # The subsets whose first cell this is, from those that begin later.
            rank = BLOCK_BITS * block + cell
            weight = weights[rank] if rank < len(weights) else 0
            for rest in range(start, start + BLOCK_SETS, 2 << cell):
                sums[rest + (1 << cell)] = weight - sums[rest]


def alternating(sums: Sequence[int], cells: int) -> int:
    """Return w1 - w2 + w3 - ... over the cells, the heaviest first.

    This is the margin of the side to move if both sides always take the heaviest cell.
    """
    total, start, odd = 0, 0, False
    while cells != ZERO:
        block = cells & BLOCK
        part = sums[start + number(block)]
        total += -part if odd else part
        if popcount(block) & ONE != ZERO:
            odd = not odd
        cells >>= BLOCK_SHIFT
        start += BLOCK_SETS
    return total


def neighbours_hold(through: Sequence[int], cells: int) -> int:
    """Return the lines that contain a pair of neighbours in the order of weights.

    Neighbours are the first and second cell, the third and fourth, and so on.
    """
    held = ZERO
    while cells & (cells - ONE) != ZERO:
        first = lowest(cells)
        cells &= cells - ONE
        held |= through[first] & through[lowest(cells)]
        cells &= cells - ONE
    return held


def pairing_room(line: int) -> int:
    """Return the number of elements that `pairing` needs for its choices with lines of this length."""
    return PAIRING_STEPS * (line * (line - 1) + 2)


def pairing(
    weights: Sequence[int],
    lines: Sequence[int],
    through: Sequence[int],
    sums: Sequence[int],
    sets: Numbers,
    numbers: Numbers,
    empty: int,
    open_lines: int,
    limit: int,
) -> int:
    """PAIRING: at most `limit`, what a side with these lines cannot gain more than; `NO_BOUND` if none is found.

    Neighbours in the order of weights are the cheapest pairs. A line that they do not hold is given a pair of its own,
    the shortest line first, by the cheapest choice first; a choice that leads nowhere is taken back. `sets` and
    `numbers` hold the choices: of each two numbers, of which the first two of a step say how many there are and are
    done.
    """
    free, cost, unheld, depth, steps = empty, 0, open_lines, 0, PAIRING_STEPS
    room = len(numbers) // PAIRING_STEPS
    while True:
        found = cost + alternating(sums, free)
        if found <= limit:
            left = unheld & ~neighbours_hold(through, free)
            if left == ZERO:
                return found
            shortest, fewest = ZERO, 99
            while left != ZERO:
                cells = lines[lowest(left)] & free
                left &= left - ONE
                count = number(popcount(cells))
                if count < fewest:
                    fewest, shortest = count, cells
            if fewest >= 2:
                if steps == 0:
                    return NO_BOUND
                steps -= 1
                base = room * depth
                choices = 0
                while shortest != ZERO:
                    heavier = lowest(shortest)
                    bit = shortest & (ZERO - shortest)
                    shortest ^= bit
                    others = shortest
                    while others != ZERO:
                        lighter = lowest(others)
                        rest = free ^ (bit | (others & (ZERO - others)))
                        others &= others - ONE
                        spent = cost + weights[heavier] - weights[lighter]
                        least = spent + alternating(sums, rest)
                        if least <= limit:
                            place = base + 2 * choices + 2
                            while place > base + 2 and numbers[place - 2] > least:
                                numbers[place], numbers[place + 1] = numbers[place - 2], numbers[place - 1]
                                sets[place], sets[place + 1] = sets[place - 2], sets[place - 1]
                                place -= 2
                            numbers[place], numbers[place + 1] = least, spent
                            sets[place], sets[place + 1] = rest, unheld & ~(through[heavier] & through[lighter])
                            choices += 1
                numbers[base], numbers[base + 1] = choices, 0
                depth += 1
        while True:
            if depth == 0:
                return NO_BOUND
            base = room * (depth - 1)
            if numbers[base + 1] < numbers[base]:
                break
            depth -= 1
        numbers[base + 1] += 1
        place = base + 2 * numbers[base + 1]
        free, unheld, cost = sets[place], sets[place + 1], numbers[place + 1]
