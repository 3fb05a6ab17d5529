"""The alternating sum and the pairing bound, as `search.pairing` has them, with its proof."""

from __future__ import annotations

import numpy as np

from yomikiri.numba_support.bits import ONE, ZERO, Int, lowest, popcount
from yomikiri.tictactoe.search.proof.tables import CHOICES, COST, FREE, TRIED, UNPAIRED, Stack, Tables, kernel

# Larger than any bound.
NO_BOUND = 1 << 62
_STEPS = 40
_BLOCK = np.uint64(0xFF)
_BLOCK_BITS = np.uint64(8)
_TWO = np.uint64(2)


@kernel
def alternating(tables: Tables, cells: np.uint64) -> Int:
    """The alternating sum of these cells."""
    total, sign, block = np.int64(0), np.int64(1), 0
    while cells != ZERO:
        part = cells & _BLOCK
        total += sign * tables.alternating[block, np.int64(part)]
        if popcount(part) & ONE != ZERO:
            sign = -sign
        cells >>= _BLOCK_BITS
        block += 1
    return total


@kernel
def held(tables: Tables, cells: np.uint64) -> np.uint64:
    """The lines that hold two neighbours in the order of the weights: 1st and 2nd, 3rd and 4th cell, and so on."""
    found = ZERO
    while cells != ZERO:
        first = tables.through[np.int64(lowest(cells))]
        cells &= cells - ONE
        if cells != ZERO:
            found |= first & tables.through[np.int64(lowest(cells))]
            cells &= cells - ONE
    return found


@kernel
def pairing_bound(tables: Tables, stack: Stack, free: np.uint64, lines: np.uint64, limit: Int) -> Int:
    """A pairing bound of at most `limit` for the side to move with these lines; `NO_BOUND` if none was found.

    `free` are the cells without a pair so far, `cost` is what the pairs cost that there are, and `lines` hold none.
    """
    cost, depth, steps = np.int64(0), np.int64(0), _STEPS
    while True:
        total = cost + alternating(tables, free)
        if total <= limit:
            unheld = lines & ~held(tables, free)
            if unheld == ZERO:
                return total
            if steps == 0:
                return np.int64(NO_BOUND)
            shortest = _shortest(tables, unheld, free)
            if shortest != ZERO:
                steps -= 1
                stack.words[depth, FREE] = free
                stack.words[depth, UNPAIRED] = lines
                stack.numbers[depth, COST] = cost
                stack.numbers[depth, TRIED] = 0
                stack.numbers[depth, CHOICES] = _choices(tables, stack, depth, shortest, free, cost, limit)
                depth += 1
        while depth > 0 and stack.numbers[depth - 1, TRIED] == stack.numbers[depth - 1, CHOICES]:
            depth -= 1
        if depth == 0:
            return np.int64(NO_BOUND)
        pair = stack.words[depth - 1, stack.numbers[depth - 1, TRIED]]
        stack.numbers[depth - 1, TRIED] += 1
        heavier, lighter = np.int64(lowest(pair)), np.int64(lowest(pair & (pair - ONE)))
        free = stack.words[depth - 1, FREE] & ~pair
        cost = stack.numbers[depth - 1, COST] + tables.weights[heavier] - tables.weights[lighter]
        lines = stack.words[depth - 1, UNPAIRED] & ~(tables.through[heavier] & tables.through[lighter])


@kernel
def _choices(tables: Tables, stack: Stack, depth: Int, cells: np.uint64, free: np.uint64, cost: Int, limit: Int) -> Int:
    """Write the pairs of these cells that stay within the limit, the cheapest first; returns how many there are."""
    count = 0
    firsts = cells
    while firsts != ZERO:
        first = firsts & (ZERO - firsts)
        firsts ^= first
        seconds = firsts
        while seconds != ZERO:
            second = seconds & (ZERO - seconds)
            seconds ^= second
            pair = first | second
            total = cost + tables.weights[np.int64(lowest(first))] - tables.weights[np.int64(lowest(second))]
            total += alternating(tables, free & ~pair)
            if total <= limit:
                place = count
                while place > 0 and stack.numbers[depth, place - 1] > total:
                    stack.numbers[depth, place] = stack.numbers[depth, place - 1]
                    stack.words[depth, place] = stack.words[depth, place - 1]
                    place -= 1
                stack.numbers[depth, place] = total
                stack.words[depth, place] = pair
                count += 1
    return count


@kernel
def _shortest(tables: Tables, lines: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells of the line that has the fewest, none if some line has fewer than two."""
    fewest, best = np.uint64(64), ZERO
    while lines != ZERO:
        cells = tables.lines[np.int64(lowest(lines))] & free
        lines &= lines - ONE
        count = popcount(cells)
        if count < _TWO:
            return ZERO
        if count < fewest:
            fewest, best = count, cells
    return best
