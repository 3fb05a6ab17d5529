"""Compilation of the search for sets of cells and lines, stored as bit masks of one or two 64-bit words.

Only the compiler imports this module. At run time, Python calls the compiled functions through the module
`machine_code`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from yomikiri.machine.bits import Int
from yomikiri.machine.bits import popcount as popcount_of_word
from yomikiri.machine.kernel import kernel
from yomikiri.machine.shared_words import NODES, enter_node, read
from yomikiri.tictactoe.search.kernels import alphabeta, arrays, pairing, sets, transposition_table, two_words
from yomikiri.tictactoe.search.kernels.arrays import Stack, Tables
from yomikiri.tictactoe.search.kernels.two_words import Pair, high, low, paired, pairs

_FUNCTIONS = (
    sets.fewer, sets.at_most, sets.with_one, sets.with_two, sets.by_count, sets.tightest, sets.forked, sets.nearness,
    arrays.state_of, arrays.counts_of, arrays.write_state,
    pairing.alternating, pairing.lines_with_neighbours, pairing.shortest_line, pairing.list_pairs, pairing.pairing,
    transposition_table.pair_of, transposition_table.find, transposition_table.recall, transposition_table.remember,
    transposition_table.move_entries,
    alphabeta.after_move, alphabeta.without_late_lines, alphabeta.read_node, alphabeta.play_forced,
    alphabeta.bound_state, alphabeta.lightest, alphabeta.candidates_of, alphabeta.is_dominated, alphabeta.ordered,
    alphabeta.look_ahead, alphabeta.enter, alphabeta.play, alphabeta.search,
)  # fmt: skip
_MODULES = (sets, arrays, pairing, transposition_table, alphabeta)


@kernel
def _states_of(shared: Any) -> Int:
    return np.int64(read(shared, np.uint64(0), NODES))


@kernel
def _lowest(cells: np.uint64) -> Int:
    return np.int64(popcount_of_word((cells & (np.uint64(0) - cells)) - np.uint64(1)))


@kernel
def _as_set(rank: Int) -> np.uint64:
    return np.uint64(1) << np.uint64(rank)


@kernel
def _word(value: Int) -> np.uint64:
    return np.uint64(np.int64(value))


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
def _hash_mask(entries: Int) -> np.uint64:
    return np.uint64(entries - 2)


def _compiled(function: Callable[..., Any], names: dict[str, Any]) -> Any:
    assert isinstance(function, FunctionType)
    return kernel(FunctionType(function.__code__, names))


def _family(own: dict[str, Any]) -> tuple[Any, Any]:
    """Compile the functions `search` and `move_entries` for sets of one 64-bit word or of two, and return them.

    `own` contains the constants and basic functions for sets of this size. They replace the versions for Python's
    integers.
    """
    # The global namespace of the compiled functions. It is that of the Python version, but machine words and fixed-size
    # numbers replace the constants and functions for Python's integers.
    names = {name: value for module in _MODULES for name, value in vars(module).items()}
    names |= {"NO_BOUND": np.int64(1 << 62)} | own
    names |= {"enter_state": enter_node, "states_of": _states_of}
    for function in _FUNCTIONS:
        names[function.__name__] = _compiled(function, names)
    return names["search"], names["move_entries"]


fill_sums = _compiled(pairing.fill_sums, vars(pairing))
search_words, move_words = _family(
    {name: np.uint64(vars(pairing)[name]) for name in ("ZERO", "ONE", "BLOCK", "BLOCK_SHIFT")}
    | {"popcount": popcount_of_word, "lowest": _lowest, "as_set": _as_set}
    | {"number": np.int64, "word": _word, "hashed": _hashed, "hash_mask": _hash_mask}
)


@kernel
def _number_of_pair(part: Any) -> Int:
    return np.int64(low(part))


@kernel
def _as_pair(rank: Int) -> Any:
    return paired(np.uint64(1) << np.uint64(rank))


@kernel
def _word_of_pair(value: Int) -> Any:
    return paired(_word(value))


@kernel
def _hashed_pairs(empty: Any, mine: Any, theirs: Any) -> Any:
    mixed = high(theirs) ^ (high(mine) << np.uint64(32) | high(mine) >> np.uint64(32))
    return paired(_hashed(low(empty) ^ mixed, low(mine), low(theirs)))


@kernel
def _hash_mask_of_pairs(entries: Int) -> Any:
    return paired(_hash_mask(entries))


_search, _move_entries = _family(
    {name: Pair(vars(pairing)[name]) for name in ("ZERO", "ONE", "BLOCK", "BLOCK_SHIFT")}
    | {"popcount": two_words.popcount, "lowest": two_words.first, "as_set": _as_pair}
    | {"number": _number_of_pair, "word": _word_of_pair, "hashed": _hashed_pairs, "hash_mask": _hash_mask_of_pairs}
)


@kernel
def search_pairs(
    tables: Tables, stack: Stack, table: Any, totals: Any, shared: Any, turn_ends: Int, most_filled: Int
) -> Any:
    """Run the search `alphabeta.search` for boards with 65 to 128 lines, whose sets of lines need two 64-bit words."""
    return _search(
        Tables(tables.weights, tables.lightness, pairs(tables.lines), pairs(tables.through),
               pairs(tables.starts), pairs(tables.ends), tables.sums),
        Stack(pairs(stack.sets), stack.numbers, stack.moves, stack.scores, pairs(stack.pair_sets), stack.pair_numbers),
        pairs(table), totals, shared, turn_ends, most_filled,
    )  # fmt: skip


@kernel
def move_pairs(old: Any, new: Any, totals: Any, begin: Int, end: Int) -> None:
    """Copy the stored states to a larger transposition table, for boards with 65 to 128 lines.

    The sets of lines of such a board are bit masks of two 64-bit words.
    """
    _move_entries(pairs(old), pairs(new), totals, begin, end)
