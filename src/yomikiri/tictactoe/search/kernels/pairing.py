"""Upper bounds of a gain from pairs of cells: the bound of the rule PAIRING.

The empty cells are matched in pairs so that each line of one side, A, contains both cells of some pair. If A takes a
cell of a pair, the other side, B, takes the other cell of this pair. Then A completes no line, and gains at most the
differences of the weights within the pairs, plus the weight of the cell left over if there is one
(docs/theory/tictactoe-search.md). The cheapest pairs are *neighbours* in the order of weights: the heaviest cell with
the second, the third with the fourth. Their differences add up to the *alternating sum* w1 - w2 + w3 - w4 + ... A set
of pairs is a *matching*, and its *cost* is the sum of the differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from yomikiri.tictactoe.search.kernels.arrays import Stack, Tables
from yomikiri.tictactoe.search.kernels.sets import ONE, ZERO, Numbers, lowest, number, popcount

# Number of cells in a block. A table contains the alternating sum w1 - w2 + w3 - ... of every subset of each block.
BLOCK_BITS = 9
BLOCK_SETS = 1 << BLOCK_BITS
# Limit on the steps of a search for a matching of cells in pairs. Each step chooses a pair of cells for one line.
PAIRING_STEPS = 30
# Bit mask of a block (nine cells), and shift to the next block, in the version of the search that runs as Python.
BLOCK = BLOCK_SETS - 1
BLOCK_SHIFT = BLOCK_BITS
# Number that means "no bound", larger than any value: infinity in the version that runs as Python, 2**62 if compiled.
NO_BOUND: int = inf  # type: ignore[assignment]  # infinity, so every integer is smaller


def fill_sums(weights: Sequence[int], sums: Numbers) -> None:
    """Write the alternating sum w1 - w2 + w3 - ... of every subset of every block of cells to the table `sums`.

    `weights` are the weights of the cells, in decreasing order. A block consists of nine consecutive cells.
    """
    for block in range(len(sums) // BLOCK_SETS):
        start = BLOCK_SETS * block
        for cell in range(BLOCK_BITS - 1, -1, -1):
            # Compute the sums of all sets {cell} + S, where S has later cells only: weight of the cell - sum of S.
            rank = BLOCK_BITS * block + cell
            weight = weights[rank] if rank < len(weights) else 0
            for rest in range(start, start + BLOCK_SETS, 2 << cell):
                sums[rest + (1 << cell)] = weight - sums[rest]


def alternating(sums: Sequence[int], cells: int) -> int:
    """Return the alternating sum w1 - w2 + w3 - ... of a set of cells, the heaviest first.

    This is the margin of the side to move if both sides always take the heaviest cell. The cells are divided into
    blocks. The table `sums` contains the alternating sum of every subset of every block. The function adds these sums,
    or subtracts the sum of a block if the set has an odd number of cells in the blocks before it.
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


def lines_with_neighbours(through: Sequence[int], cells: int) -> int:
    """Return the set of lines, as a bit mask, that contain both cells of a pair of neighbours.

    `cells` is a set of cells, as a bit mask. The pairs of neighbours among them are the heaviest and the second cell,
    the third and the fourth, and so on.
    """
    covered = ZERO
    while cells & (cells - ONE) != ZERO:
        first = lowest(cells)
        cells &= cells - ONE
        covered |= through[first] & through[lowest(cells)]
        cells &= cells - ONE
    return covered


def pairing_space(line: int) -> int:
    """Return the number of array elements that the function `pairing` needs as working space.

    `line` is the number of cells of a line on the board.
    """
    return PAIRING_STEPS * (line * (line - 1) + 2)


class PartialMatching(NamedTuple):
    """Pairs of cells that have been chosen for a matching so far: no cell is in two pairs.

    `free` are the cells that are in no pair yet, as a bit mask. `cost` is the sum of the weight differences within the
    pairs. `uncovered` is the set of the lines that contain no pair yet, as a bit mask.
    """

    free: int
    cost: int
    uncovered: int


def shortest_line(lines: Sequence[int], uncovered: int, free: int) -> int:
    """Return the empty cells, as a bit mask, of the line that has the fewest empty cells.

    `free` are the cells that are in no pair yet. Only the lines in `uncovered`, which is a non-empty set, are compared:
    those that contain no pair yet.
    """
    shortest, fewest = ZERO, 99
    while uncovered != ZERO:
        cells = lines[lowest(uncovered)] & free
        uncovered &= uncovered - ONE
        count = number(popcount(cells))
        if count < fewest:
            fewest, shortest = count, cells
            if count < 2:
                break
    return shortest


def list_pairs(tables: Tables, stack: Stack, base: int, matching: PartialMatching, cells: int, limit: int) -> None:
    """List the pairs of `cells` that can be added to a matching, sorted by a bound of the cost, the lowest bound first.

    The bound of a pair is the cost of the matching with this pair if all remaining cells are paired as neighbours in
    the order of weights. Pairs with a bound above `limit` are left out.

    The list begins at index `base` of both arrays of working space. `stack.pair_numbers` contains the number of pairs
    in the list, the number of pairs already tried (here 0), and then two numbers for each pair: its bound, and the cost
    of the matching after this pair is added. `stack.pair_sets` has two unused elements, and then two sets for each
    pair: the cells that are still free after this pair is added, and the lines that then still contain no pair.
    """
    weights, through, sums = tables.weights, tables.through, tables.sums
    sets, numbers = stack.pair_sets, stack.pair_numbers
    free, cost, uncovered = matching.free, matching.cost, matching.uncovered
    choices = 0
    while cells != ZERO:
        heavier = lowest(cells)
        bit = cells & (ZERO - cells)
        cells ^= bit
        others = cells
        while others != ZERO:
            lighter = lowest(others)
            rest = free ^ (bit | (others & (ZERO - others)))
            others &= others - ONE
            spent = cost + weights[heavier] - weights[lighter]
            least = spent + alternating(sums, rest)
            if least <= limit:
                index = base + 2 * choices + 2
                while index > base + 2 and numbers[index - 2] > least:
                    numbers[index], numbers[index + 1] = numbers[index - 2], numbers[index - 1]
                    sets[index], sets[index + 1] = sets[index - 2], sets[index - 1]
                    index -= 2
                numbers[index], numbers[index + 1] = least, spent
                sets[index], sets[index + 1] = rest, uncovered & ~(through[heavier] & through[lighter])
                choices += 1
    numbers[base], numbers[base + 1] = choices, 0


def pairing(tables: Tables, stack: Stack, empty: int, open_lines: int, limit: int) -> int:
    """Return an upper bound, at most `limit`, on the gain of one side, by a matching of the empty cells in pairs.

    This is the rule PAIRING. The side is the one to move. `open_lines` are the lines that it can still complete. Each
    of these lines must contain a pair. Returns `NO_BOUND` if the search finds no matching with such a bound.

    Neighbours in the order of weights are the cheapest pairs. A line that contains no pair of neighbours gets a pair of
    its own cells: the shortest line first, and the cheapest pair of the line first. If the bound then exceeds `limit`,
    the search goes back and tries the next pair. `stack.pair_sets` and `stack.pair_numbers` contain the pairs of each
    step.
    """
    sums, through, sets, numbers = tables.sums, tables.through, stack.pair_sets, stack.pair_numbers
    free, cost, uncovered, depth, steps = empty, 0, open_lines, 0, PAIRING_STEPS
    size = len(numbers) // PAIRING_STEPS
    while True:
        found = cost + alternating(sums, free)
        if found <= limit:
            still_uncovered = uncovered & ~lines_with_neighbours(through, free)
            if still_uncovered == ZERO:
                return found
            cells = shortest_line(tables.lines, still_uncovered, free)
            if cells & (cells - ONE) != ZERO:
                if steps == 0:
                    return NO_BOUND
                steps -= 1
                list_pairs(tables, stack, size * depth, PartialMatching(free, cost, uncovered), cells, limit)
                depth += 1
        while depth > 0 and numbers[size * (depth - 1) + 1] == numbers[size * (depth - 1)]:
            depth -= 1
        if depth == 0:
            return NO_BOUND
        base = size * (depth - 1)
        numbers[base + 1] += 1
        index = base + 2 * numbers[base + 1]
        free, uncovered, cost = sets[index], sets[index + 1], numbers[index + 1]
