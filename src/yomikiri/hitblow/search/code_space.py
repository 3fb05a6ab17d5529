"""Construction of the code space of a game as bit planes (see `kernels.bit_planes`). The latest results are cached."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.model.codes import Codes, all_guesses
from yomikiri.hitblow.model.rules import MAX_DIGITS, Rules
from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.machine.arrays import random_words
from yomikiri.machine.vectors import BITS, LANES


def count_answer_indices(digits: int) -> int:
    """Return the number of answer indices for codes of this length. One index belongs to an impossible answer."""
    return (digits + 1) * (digits + 2) // 2


@lru_cache(maxsize=2)
def build_planes(rules: Rules) -> Planes:
    """Build the bit planes of a game.

    With s symbols and d digits, they take at most about s d / 4 bytes for each guess.
    """
    codes = all_guesses(rules)
    count, digits = codes.shape
    symbols = len(rules.symbols)
    blocks = -(-count // BITS)
    nth = _occurrence(codes)
    times = (codes[:, :, None] == np.arange(symbols, dtype=np.uint8)).sum(axis=1)
    copies = int(times.max())
    # The last row stays zero: codes of fewer than MAX_DIGITS digits use it for the places that they do not have.
    bits = np.zeros(((digits + copies) * symbols + 1, blocks * BITS), dtype=bool)
    for place in range(digits):
        for symbol in range(symbols):
            bits[place * symbols + symbol, :count] = codes[:, place] == symbol
    for copy in range(copies):
        for symbol in range(symbols):
            bits[(digits + copy) * symbols + symbol, :count] = times[:, symbol] > copy
    row = np.full((count, 2 * MAX_DIGITS), len(bits) - 1, dtype=np.int32)
    row[:, :digits] = np.arange(digits) * symbols + codes
    row[:, MAX_DIGITS : MAX_DIGITS + digits] = (digits + nth) * symbols + codes
    answer_count = count_answer_indices(digits)
    orders = np.array(list(permutations(range(digits))), dtype=np.uint8)
    return Planes(
        digits=digits,
        symbols=symbols,
        answer_count=answer_count,
        blocks=blocks,
        rows=len(bits),
        codes=codes,
        places=_packed_places(codes),
        copies=_packed_copies(times, digits),
        row=row * np.int32(LANES),
        planes=_words(bits).reshape(len(bits), blocks, LANES).swapaxes(0, 1).ravel(),
        every=_words((np.arange(bits.shape[1]) < count)[None, :])[0],
        number=np.arange(count, dtype=np.int32),
        keys=random_words("codes", count, 2),
        orders=orders,
        pair_moved=_pair_moved(orders.astype(np.uint64)),
        repeated=copies > 1,
        largest_cells=(
            _largest_cells(codes, times)
            if copies == 1 and not rules.no_leading
            else np.full(answer_count, count, dtype=np.int64)
        ),
        ideal=ideal_totals(count, answer_count - 2),
        capacity=_capacities(count, answer_count - 2),
        never_leading=sum(1 << rules.symbols.index(symbol) for symbol in rules.no_leading),
    )


def ideal_totals(count: int, branches: int) -> NDArray[np.int64]:
    """Return for each number of codes a lower bound of the total of any strategy tree: shape (count + 1,), int64.

    The total of a tree is the number of guesses, summed over its codes. A tree finds one code at each guess and has at
    most `branches` subtrees below it. So level k, counted from 0, contains at most branches ** k codes, and the total
    is least if the levels are filled from the top.
    """
    totals = np.zeros(count + 1, dtype=np.int64)
    level, end, width = 0, 0, 1
    for codes in range(1, count + 1):
        if codes > end:
            end += width
            width *= branches
            level += 1
        totals[codes] = totals[codes - 1] + level
    return totals


def _largest_cells(codes: Codes, times: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the size of the cell of each answer, by answer index, if the set of all codes is divided by any guess.

    The caller calls this function only if no symbol repeats and every symbol may come first. Permutations of places and
    symbols then map each guess to every other guess, so all guesses have cells of the same sizes. They are counted for
    the first guess in code order. `times[c, a]` is the number of times that code c contains symbol a.
    """
    hits, common = (codes == codes[0]).sum(axis=1), np.minimum(times, times[0]).sum(axis=1)
    counts = np.bincount(common * (common + 1) // 2 + hits, minlength=count_answer_indices(codes.shape[1]))
    return counts.astype(np.int64)  # `np.bincount` returns integers of the size of addresses, which may be 32 bits.


def _capacities(count: int, branches: int) -> NDArray[np.int64]:
    capacity = [0]
    for guesses in range(1, 8):
        capacity.append(min(count, capacity[-1] + branches ** (guesses - 1)))
    return np.array(capacity, dtype=np.int64)


def _pair_moved(orders: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return where each permutation of places moves each pair of places: shape (d * d, d!), uint64.

    Row d i + j belongs to the pair of places (i, j), and each column to one permutation in `orders`. If the permutation
    moves the symbols at i and j to the places a and b, the word has only bit d a + b set.
    """
    to = np.argsort(orders, axis=1).astype(np.uint64).T
    digits = np.uint64(len(to))
    moved: NDArray[np.uint64] = np.uint64(1) << (digits * to[:, None, :] + to[None, :, :])
    return moved.reshape(len(to) ** 2, -1).copy()


def _occurrence(codes: Codes) -> NDArray[np.int64]:
    """Return for each place of each code how often the symbol there occurs at earlier places: shape (g, d)."""
    earlier = np.tril(np.ones((codes.shape[1], codes.shape[1]), dtype=bool), -1)
    times: NDArray[np.int64] = ((codes[:, :, None] == codes[:, None, :]) & earlier).sum(axis=2)
    return times


def _packed_places(codes: Codes) -> NDArray[np.uint32]:
    packed = np.zeros(len(codes), dtype=np.uint32)
    for place in range(codes.shape[1]):
        packed |= codes[:, place].astype(np.uint32) << np.uint32(4 * place)
    return packed


def _packed_copies(times: NDArray[np.int64], digits: int) -> NDArray[np.uint64]:
    packed = np.zeros((2, len(times)), dtype=np.uint64)
    for symbol in range(times.shape[1]):
        for copy in range(digits):
            has = (times[:, symbol] > copy).astype(np.uint64)
            packed[copy // 4] |= has << np.uint64(16 * (copy % 4) + symbol)
    return packed


def _words(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)
