"""Limits of the guesses of a strategy: the rules of hard mode, and the greatest number of guesses.

In hard mode, a guess uses everything that the answers so far have revealed. The *requirements* of an answer are:

- each hit: the next guess keeps it in its place;
- for each symbol, the number of its hits and blows: the next guess has the symbol at least as often.

A guess that meets the requirements of the last answer meets those of all earlier answers, because the last guess met
them, too. So the allowed guesses depend on the last answer only, and their number never rises.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.answer_table import AnswerTable, TableSet, TableWorkspace
from yomikiri.guessing.kernels.partition import scatter
from yomikiri.machine.arrays import local_bytes, local_numbers
from yomikiri.machine.bits import ZERO, Int, mix
from yomikiri.machine.kernel import entry, kernel

# value in the array of savings for a guess that is not allowed; so the guess seems too costly to be tried
NEVER = -IMPOSSIBLE
NO_LIMIT = 1 << 20  # a limit of the number of guesses that no strategy reaches
_BLOCK = 256  # number of guesses that are compared in one block
# A requirement is hashed as a symbol and a number. Up to _COUNTS, the number is the place of a hit, counted from 1.
# Above, it is _COUNTS plus the number of times that the guess must have the symbol.
_COUNTS = 16
_OTHER = np.uint64(0xA0761D6478BD642F)  # constant that makes a second hash of requirements from the first

Symbols = Annotated[NDArray[np.uint8], "places", "g"]


@kernel
def _required_count(symbols: Symbols, guess: Int, secret: Int, place: Int) -> Int:
    """Return how often the next guess must have the symbol that `guess` has at a place.

    The result is 0 if keeping the hits already ensures it. A symbol is counted at the first place at which `guess` has
    it, so the result is 0 at the other places.
    """
    symbol, in_guess, in_secret, hits = symbols[place, guess], 0, 0, 0
    for i in range(len(symbols)):
        if symbols[i, guess] == symbol:
            if i < place:
                return 0
            in_guess += 1
            hits += int(symbols[i, secret] == symbol)
        in_secret += int(symbols[i, secret] == symbol)
    count = min(in_guess, in_secret)
    return count if count > hits else 0


@entry
def disallow(symbols: Symbols, guess: Int, secret: Int, limit: Annotated[NDArray[np.int64], "g"]) -> None:
    """Set `limit` to NEVER for each guess that hard mode does not allow after an answer.

    The answer is that of the code `secret` to the code `guess`. Both codes are given by their indices in the list of
    guesses, and `limit` has one number for each guess of that list. A guess is allowed if it meets the requirements of
    the answer (see the docstring of the module).
    """
    lacking, found = local_bytes(1, 256), local_bytes(1, 256)
    for first in range(0, len(limit), _BLOCK):
        count = min(_BLOCK, len(limit) - first)
        for k in range(count):
            lacking[0, k] = np.int8(0)
        for i in range(len(symbols)):
            symbol = symbols[i, guess]
            if symbols[i, secret] == symbol:
                for k in range(count):
                    lacking[0, k] |= np.int8(symbols[i, first + k] != symbol)
            needed = np.int8(_required_count(symbols, guess, secret, i))
            if needed > 0:
                for k in range(count):
                    found[0, k] = np.int8(0)
                for j in range(len(symbols)):
                    for k in range(count):
                        found[0, k] += np.int8(symbols[j, first + k] == symbol)
                for k in range(count):
                    lacking[0, k] |= np.int8(found[0, k] < needed)
        for k in range(count):
            limit[first + k] = NEVER if lacking[0, k] != np.int8(0) else limit[first + k]


@kernel
def narrow(symbols: Symbols, guess: Int, secret: Int, wider: NDArray[np.int32], allowed: NDArray[np.int32]) -> Int:
    """Copy those guesses from `wider` to `allowed` that hard mode allows after an answer. Returns their number.

    The answer is that of the code `secret` to the code `guess`. All these codes are given by their indices in the list
    of guesses. A guess is allowed if it meets the requirements of the answer (see the docstring of the module). The
    list `wider` ends before its first negative number, or at the end of the array.
    """
    needed, kept = local_numbers(1, _COUNTS), 0
    for i in range(len(symbols)):
        needed[0, i] = _required_count(symbols, guess, secret, i)
    for j in range(len(wider)):
        if wider[j] < 0:
            break
        k, lacks = np.int64(wider[j]), False
        for i in range(len(symbols)):
            symbol = symbols[i, guess]
            lacks = lacks or (symbols[i, secret] == symbol and symbols[i, k] != symbol)
        for i in range(len(symbols)):
            if lacks:
                break
            if needed[0, i] > 0:
                found = 0
                for place in range(len(symbols)):
                    found += int(symbols[place, k] == symbols[i, guess])
                lacks = found < needed[0, i]
        if not lacks:
            allowed[kept] = np.int32(k)
            kept += 1
    if kept < len(allowed):
        allowed[kept] = np.int32(-1)
    return kept


@entry
def hash_requirements(symbols: Symbols, guess: Int, secret: Int) -> tuple[np.uint64, np.uint64]:
    """Return a hash, two words, of the requirements of the answer of `secret` to `guess`.

    `secret` and `guess` are indices of guesses.
    """
    total = ZERO
    for i in range(len(symbols)):
        symbol = np.uint64(symbols[i, guess])
        if symbols[i, secret] == symbols[i, guess]:
            total += mix(np.uint64((1 + i) * 256) + symbol)
        count = _required_count(symbols, guess, secret, i)
        if count > 0:
            total += mix(np.uint64((_COUNTS + count) * 256) + symbol)
    return total, mix(total ^ _OTHER)


@entry
def hash_guess_limit(left: Int, n: Int) -> np.uint64:
    """Return a hash of `left`, the number of guesses left for n secrets; 0 if `left` is at least n.

    Every guess of a good strategy divides its set, so n guesses are enough for n secrets, and the limit has no effect.
    """
    return ZERO if left >= n else mix(np.uint64(left + 1))


@kernel
def add_requirements(
    table: AnswerTable,
    members: NDArray[np.int32],
    guess: Int,
    size: NDArray[np.int64],
    where: NDArray[np.int64],
    key: NDArray[np.uint64],
) -> None:
    """Add the requirements of hard mode after a guess to the Zobrist hashes of its cells, except the winning cell."""
    for r in range(table.answer_count - 1):
        if size[r]:
            one, other = hash_requirements(table.symbols, guess, table.own[members[where[r]]])
            key[0, r] += one
            key[1, r] += other


@kernel
def add_limits(table: AnswerTable, work: TableWorkspace, current: TableSet, guess: Int) -> tuple[np.uint64, np.uint64]:
    """Change the Zobrist hashes of the cells of a guess so that they depend on the limits of the later guesses.

    The limits are the requirements of hard mode, and the number of guesses left. Returns the hash of the partition, for
    `is_new`.
    """
    partition_key, check, size, key = ZERO, ZERO, work.size[current.depth], work.key[current.depth]
    left = work.state[0].guess_limit - current.depth - 1
    for r in range(table.answer_count):
        if size[r]:
            is_win = r == table.answer_count - 1
            if not is_win and len(table.symbols) > 0:
                secret = table.own[work.members[work.start[current.depth, r]]]
                one, other = hash_requirements(table.symbols, guess, secret)
                key[0, r] += one
                key[1, r] += other
            if not is_win:
                limit = hash_guess_limit(left, size[r])
                key[0, r] += limit
                key[1, r] += mix(limit)
            partition_key += scatter(key[0, r], is_win)
            check += scatter(key[1, r], is_win)
    return partition_key, check
