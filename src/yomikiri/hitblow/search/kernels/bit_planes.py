"""The code space as bit planes, which the kernels of the search read.

Guesses are numbered in code order, and a *plane* has one bit for every guess. An answer depends on two kinds of planes
only: "symbol a is at place i" and "symbol a occurs at least j times". For the secret 12 among the nine guesses of two
digits over 012 (00 01 02 10 11 12 20 21 22):

    1 at place 0   000111000        1 at least once   010111010
    2 at place 1   001001001        2 at least once   001001111

The sum of the left column is the number of hits, and that of the right column hits and blows together, for 64 guesses
in each machine word. Planes are stored in *blocks* of 512 guesses, eight words: `planes[(block * rows + row) * LANES +
word]`. So the planes of a block are close together, and one row is one vector.

The *answer index* of an answer is `common * (common + 1) / 2 + hits`, where common = hits + blows. One index (all but
one hit, with a blow) never occurs; the last is the win.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Planes(NamedTuple):
    """The code space of one game. Kernels only read the arrays. There are g guesses, d digits and s symbols."""

    digits: int
    symbols: int
    answer_count: int
    blocks: int  # blocks of 512 guesses
    rows: int
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # the symbol at each place
    places: Annotated[NDArray[np.uint32], "g"]  # the symbols as four bits for each place
    # Bit 16 j + a means "symbol a at least j + 1 times", for j up to 3, then from 4.
    copies: Annotated[NDArray[np.uint64], 2, "g"]
    # Offsets of rows in a block; the first six count hits, the others hits and blows.
    row: Annotated[NDArray[np.int32], "g", 12]
    planes: Annotated[NDArray[np.uint64], "blocks * rows * LANES"]
    every: Annotated[NDArray[np.uint64], "blocks * LANES"]  # one bit for each guess
    number: Annotated[NDArray[np.int32], "g"]  # 0, 1, 2, ...: a guess as a list of one code
    keys: Annotated[NDArray[np.uint64], "g", 2]  # random words whose sums are Zobrist hashes
    orders: Annotated[NDArray[np.uint8], "d!", "d"]  # the permutations of places, identity first
    # For a pair of places and a permutation, the bit of the image of the pair.
    pair_moved: Annotated[NDArray[np.uint64], "d * d", "d!"]
    repeated: bool  # whether guesses may repeat symbols
    most_alike: Annotated[NDArray[np.int64], "answer_count"]  # the most codes that give one answer to a guess
    ideal: Annotated[NDArray[np.int64], "g + 1"]  # the least total of any tree, by the number of codes
    capacity: Annotated[NDArray[np.int64], 8]  # the most codes that this many guesses can separate, at most g
    never_leading: int  # symbols that no code begins with, a bit each: they are never permuted
