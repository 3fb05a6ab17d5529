"""The code space as bits: what the kernels of the search read.

Guesses are numbered in code order, and a *plane* is one bit for every guess. Two kinds of plane say all that a hint
depends on: "symbol a stands at place i" and "symbol a occurs at least j times". For the secret 12 among the nine
guesses of two digits over 012 (00 01 02 10 11 12 20 21 22):

    1 at place 0   000111000        1 at least once   010111010
    2 at place 1   001001001        2 at least once   001001111

Adding the left column bit by bit counts hits, adding the right one counts hits and blows together, for 64 guesses in
each machine word. Planes are kept in *blocks* of 512 guesses, eight words:
`planes[(block * rows + row) * LANES + word]`. So the planes of a block are close together, and one row is one vector.

The answers to a guess are numbered by `slot = common * (common + 1) / 2 + hits`, common = hits + blows. One slot (all
but one hit, with a blow) stays empty; the last is the win.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Planes(NamedTuple):
    """The code space of one game; arrays are read-only to the kernels. g guesses, d digits, s symbols."""

    digits: int
    symbols: int
    answer_count: int
    blocks: int  # of 512 guesses
    rows: int
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # symbol at each place
    places: Annotated[NDArray[np.uint32], "g"]  # four bits a place
    # Bit 16 j + a says "symbol a at least j + 1 times", j to 3 and then from 4.
    copies: Annotated[NDArray[np.uint64], 2, "g"]
    # Where rows begin in a block; the first six count hits, the others hits and blows.
    row: Annotated[NDArray[np.int32], "g", 12]
    planes: Annotated[NDArray[np.uint64], "blocks * rows * LANES"]
    every: Annotated[NDArray[np.uint64], "blocks * LANES"]  # one bit for each guess there is
    number: Annotated[NDArray[np.int32], "g"]  # 0, 1, 2, ...: a guess for kernels that take a list
    keys: Annotated[NDArray[np.uint64], "g", 2]  # random numbers whose sums name sets of codes
    orders: Annotated[NDArray[np.uint8], "d!", "d"]  # the permutations of places, identity first
    # By a pair of places and an order, a bit for where the pair goes.
    pair_moved: Annotated[NDArray[np.uint64], "d * d", "d!"]
    repeated: bool  # whether guesses may repeat symbols
    most_alike: Annotated[NDArray[np.int64], "answer_count"]  # no guess gets an answer from more codes than that
    ideal: Annotated[NDArray[np.int64], "g + 1"]  # least total of any tree for so many codes
    capacity: Annotated[NDArray[np.int64], 8]  # most codes that so many guesses can tell apart, capped
    never_leading: int  # symbols that no code begins with, a bit each: never exchanged for others
