"""The cost of each guess (its *step*), and a test of which guesses an interchange of symbols makes superfluous.

The *step* of guess k (from 0) is its cost, per unit of weight, for each secret that was not found before. So a secret
of weight w that guess k finds costs w * (step[0] + ... + step[k]). If all steps are 1, the cost is the total of
guesses. Steps 0, p1 - p2, p2 - p3, ... give the strategy of greatest payoff if finding a secret with the first guess
pays p1, with the second p2, and so on, where p1 >= p2 >= ...
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.kernels.answer_table import AnswerTable, TableWorkspace
from yomikiri.machine.bits import Int, mix
from yomikiri.machine.kernel import kernel


@kernel
def step_of(table: AnswerTable, depth: Int) -> Int:
    """Return the cost, per unit of weight, of the guess at a depth.

    A depth beyond the end of `table.step` has the cost of the last element.
    """
    return table.step[min(depth, len(table.step) - 1)]


@kernel
def is_last(table: AnswerTable, depth: Int) -> bool:
    """Return True if at most the guesses at `depth` and `depth + 1` have a cost, and all later guesses cost nothing.

    This occurs if steps are differences of payoffs, because the payoffs end and the last step is 0. Then it is best to
    guess the heaviest secret first.
    """
    return bool(len(table.step) > 1 and depth + 3 >= len(table.step))


@kernel
def three_guesses(table: AnswerTable, depth: Int) -> Int:
    """Return the cost of three guesses from a depth on, for a secret of weight 1."""
    return step_of(table, depth) + step_of(table, depth + 1) + step_of(table, depth + 2)


@kernel
def least_of_set(table: AnswerTable, depth: Int, whole: Int, heaviest: Int) -> Int:
    """Return the cost of a candidate set if its heaviest secret takes one guess, and every other secret two.

    `whole` is the weight of the set, and `heaviest` that of its heaviest secret. If `heaviest` is 0, every secret takes
    two guesses.
    """
    return step_of(table, depth) * whole + step_of(table, depth + 1) * (whole - heaviest)


@kernel
def hash_depth(table: AnswerTable, depth: Int) -> np.uint64:
    """Return the number that the depth of a candidate set adds to the Zobrist hash of the set.

    It is 0 if all guesses cost the same, because the cost of a set is then the same at every depth.
    """
    return mix(np.uint64(min(depth, len(table.step) - 1)) << np.uint64(32))


@kernel
def note_interchangeable(table: AnswerTable, work: TableWorkspace, depth: Int, guess: Int) -> None:
    """Write to `work.interchangeable` which symbols are interchangeable after a guess at a depth."""
    interchangeable = work.interchangeable[depth]
    for i in range(table.codes.shape[1]):
        interchangeable &= ~(np.int64(1) << np.int64(table.codes[guess, i]))
    work.interchangeable[depth + 1] = interchangeable


@kernel
def in_order(code: NDArray[np.uint8], symbols: Int) -> bool:
    """Return True if the symbols of the bit mask `symbols` appear in a code in increasing order.

    Exchanging two of these symbols maps the set of secrets to itself. So of all guesses that differ only by such
    exchanges, one suffices.
    """
    left = symbols
    for i in range(len(code)):
        bit = np.int64(1) << np.int64(code[i])
        if left & bit:
            if bit != left & -left:
                return False
            left ^= bit
    return True


@kernel
def is_needed(table: AnswerTable, work: TableWorkspace, depth: Int, guess: Int) -> bool:
    """Return False if the search can skip a guess, because a guess with a smaller index is equivalent.

    Two guesses are equivalent if one becomes the other when interchangeable symbols are permuted.
    """
    if len(table.codes) == 0:
        return True
    return in_order(table.codes[guess], work.interchangeable[depth]) and in_order(
        table.codes[guess], work.state[0].unused
    )
