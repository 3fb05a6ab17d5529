"""The functions of `sets`, `pairing` and `alphabeta` as machine code, on words of 64 bits."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from yomikiri.numba_support.bits import Int
from yomikiri.numba_support.bits import popcount as popcount_of_word
from yomikiri.numba_support.jit import kernel_of
from yomikiri.tictactoe.search import alphabeta, pairing, sets
from yomikiri.tictactoe.search.kernels_ahead import KERNELS

kernel = kernel_of(KERNELS)


@kernel
def _lowest(cells: np.uint64) -> Int:
    return np.int64(popcount_of_word((cells & (np.uint64(0) - cells)) - np.uint64(1)))


@kernel
def _as_set(rank: Int) -> np.uint64:
    return np.uint64(1) << np.uint64(rank)


@kernel
def _hashed(empty: np.uint64, mine: np.uint64, theirs: np.uint64) -> np.uint64:
    mixed = (
        empty * np.uint64(0x9E3779B97F4A7C15)
        ^ mine * np.uint64(0xC2B2AE3D27D4EB4F)
        ^ theirs * np.uint64(0x165667B19E3779F9)
    )
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(32))


@kernel
def _hash_mask(keys: Int) -> np.uint64:
    return np.uint64(keys // alphabeta.KEYS - 2)


# What the functions there call and name is looked up here: words and numbers in place of Python's integers.
_names: dict[str, Any] = (
    vars(sets)
    | vars(pairing)
    | vars(alphabeta)
    | {
        "ZERO": np.uint64(sets.ZERO),
        "ONE": np.uint64(sets.ONE),
        "BLOCK": np.uint64(pairing.BLOCK),
        "BLOCK_SHIFT": np.uint64(pairing.BLOCK_SHIFT),
        "NO_BOUND": np.int64(1 << 62),
        "popcount": popcount_of_word,
        "lowest": _lowest,
        "as_set": _as_set,
        "hashed": _hashed,
        "hash_mask": _hash_mask,
        "number": np.int64,
    }
)


def _compiled(function: Callable[..., Any]) -> Any:
    assert isinstance(function, FunctionType)
    _names[function.__name__] = kernel(FunctionType(function.__code__, _names))
    return _names[function.__name__]


for _function in (
    sets.fewer, sets.at_most, sets.forked, sets.nearness, pairing.alternating, pairing.neighbours_hold, pairing.pairing,
    alphabeta.find, alphabeta.remember, alphabeta.ordered, alphabeta.enter, alphabeta.play,
):  # fmt: skip
    _compiled(_function)

fill_sums = _compiled(pairing.fill_sums)
move_entries = _compiled(alphabeta.move_entries)
search = _compiled(alphabeta.search)
