"""Construction of the answer table of a game: the answers of all secrets to all guesses, as the search reads them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.kernels.answer_table import ANSWER_BITS, MOST_BITS, AnswerTable
from yomikiri.machine.arrays import random_words
from yomikiri.machine.vectors import BITS

# answers are also stored as single bits (`AnswerTable.answer_bits`) if there are at most this many different answers
_MOST_WITH_BITS = 32
_MOST_BIT_WORDS = 1 << 25  # greatest number of 16-bit words in `AnswerTable.answer_bits`: 64 MB
_LINE = 32  # number of answers in one cache line of 64 bytes


def row_length(guesses: int) -> int:
    """Return the distance between two rows of answers: an odd number of cache lines.

    Rows a power of two apart would compete for the same places in the cache.
    """
    return (-(-guesses // _LINE) | 1) * _LINE


def answer_table(
    answers: NDArray[np.uint16],
    guesses: int,
    own: Sequence[int],
    weights: Sequence[int],
    symbols: NDArray[np.uint8],
    steps: Sequence[int] = (1,),
    codes: NDArray[np.uint8] | None = None,
) -> AnswerTable:
    """Return the table of n secrets, which must be in order of weight, the heaviest first.

    - `answers`, shape (n, row_length(guesses)): the answer index of each secret to each guess; the largest index is the
      win.
    - `own`: for each secret, the index of the guess that is equal to it.
    - `symbols`, shape (places, guesses): the symbols of the guesses in hard mode; no row in other games.
    - `steps`: the cost of guess 1, 2, 3, ... per unit of weight; the last element holds for all later guesses.
    - `codes`, shape (guesses, places): the symbols of the guesses if some symbols are interchangeable, otherwise None.

    `TableSearch.add_classes` adds classes: sets of secrets such as all secrets with a certain symbol.
    """
    secrets = len(own)
    answer_count = int(answers.max()) + 1
    uniform = len(set(weights)) == 1
    bits = np.zeros((answer_count, BITS // 64), dtype=np.uint64)
    if uniform and answer_count <= MOST_BITS:
        index = np.arange(answer_count)
        bits[index, index // 64] = np.left_shift(np.uint64(1), (index % 64).astype(np.uint64))
    else:
        bits = bits[:0]
    answer_bits = _answer_bits(answers, answer_count)
    return AnswerTable(
        answer_count,
        answers.reshape(-1),
        np.ascontiguousarray(answers[:, own].T),
        np.array(own, dtype=np.int64),
        np.array(weights, dtype=np.int64),
        random_words("secrets", secrets, 2),
        bits.reshape(-1),
        answer_bits,
        np.zeros((0, -(-secrets // 64)), dtype=np.uint64),
        np.zeros((0, guesses), dtype=np.int64),
        symbols,
        np.array(steps, dtype=np.int64),
        np.zeros((0, 0), dtype=np.uint8) if codes is None else codes,
    )


def _answer_bits(answers: NDArray[np.uint16], answer_count: int) -> NDArray[np.uint16]:
    """Return the answers as single bits of 16-bit words: `AnswerTable.answer_bits`, shape (groups, n, s).

    A group contains ANSWER_BITS answers, and s is the length of a row of `answers`. In the word for a group, a secret
    and a guess, the bit of the answer is 1, and all other bits are 0. If the answer is in another group, the whole word
    is 0. The array is empty if there are too many answers or too many words.
    """
    groups = -(-answer_count // ANSWER_BITS)
    if answer_count > _MOST_WITH_BITS or groups * answers.size > _MOST_BIT_WORDS:
        groups = 0
    index = np.arange(answer_count)
    answer_bits = np.zeros((groups, *answers.shape), dtype=np.uint16)
    for group in range(groups):
        bits = np.where(index // ANSWER_BITS == group, np.left_shift(1, index % ANSWER_BITS), 0).astype(np.uint16)
        bits.take(answers, out=answer_bits[group])
    return answer_bits
