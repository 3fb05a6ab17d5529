"""The code space as bit planes, from which the kernels of the search compute answers.

Guesses are numbered in code order, and a *plane* has one bit for every guess. An answer depends only on two kinds of
planes: "symbol a is at place i" and "symbol a occurs at least j times". For the secret 12 among the nine guesses of two
digits over 012 (00 01 02 10 11 12 20 21 22):

    1 at place 0   000111000        1 at least once   010111010
    2 at place 1   001001001        2 at least once   001001111

The sum of the left column is the number of hits. The sum of the right column is the number of hits and blows together.
Each machine word contains these bits for 64 guesses.

Planes are stored in *blocks* of 512 guesses, eight words: `planes[(block * rows + row) * LANES + word]`. So the planes
of a block are close together, and one row is one vector.

The *answer index* of an answer is `common * (common + 1) / 2 + hits`, where common = hits + blows. One index (all but
one hit, with a blow) never occurs. The last index is the win.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Planes(NamedTuple):
    """The code space of one game, with g guesses, d digits and s symbols. Kernels do not change the arrays."""

    digits: int
    symbols: int
    answer_count: int
    blocks: int  # number of blocks of 512 guesses, in which the bits of all guesses are stored
    rows: int
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # symbol of each guess at each place
    places: Annotated[NDArray[np.uint32], "g"]  # symbols of each guess in one word, four bits for each place
    # Bit 16 j + a of the first word means "symbol a occurs at least j + 1 times", for j from 0 to 3.
    # Bit 16 (j - 4) + a of the second word means "symbol a occurs at least j + 1 times", for j from 4 on.
    copies: Annotated[NDArray[np.uint64], 2, "g"]
    # For each guess, the offsets of 12 bit planes. The sum of the first six planes is the number of hits, and the sum
    # of the last six is the number of hits and blows together.
    row: Annotated[NDArray[np.int32], "g", 12]
    planes: Annotated[NDArray[np.uint64], "blocks * rows * LANES"]
    # mask with one bit for each guess that exists, because the last block is not full
    every: Annotated[NDArray[np.uint64], "blocks * LANES"]
    number: Annotated[NDArray[np.int32], "g"]  # numbers 0, 1, 2, ..., so that a single guess is a slice of this array
    keys: Annotated[NDArray[np.uint64], "g", 2]  # two random words for each code; their sums are Zobrist hashes
    orders: Annotated[NDArray[np.uint8], "d!", "d"]  # permutations of places, all of them, the identity first
    # `pair_moved[d i + j, o]` has one set bit. It is bit d a + b if permutation o moves the symbols at places i and j
    # to places a and b. The hash of a candidate set by its turns is computed from these words.
    pair_moved: Annotated[NDArray[np.uint64], "d * d", "d!"]
    repeated: bool  # flag: guesses may repeat symbols
    # largest number of codes that can give the same answer to one guess, for each answer
    largest_cells: Annotated[NDArray[np.int64], "answer_count"]
    # entry n: lower bound of the total number of guesses of any strategy for n codes
    ideal: Annotated[NDArray[np.int64], "g + 1"]
    # entry k: the largest number of codes that can all be found within k guesses
    capacity: Annotated[NDArray[np.int64], 8]
    # bit mask of the symbols that the rules forbid at the first place; such a symbol is not interchangeable with one
    # that may come first
    never_leading: int
