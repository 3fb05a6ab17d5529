"""Sets of secrets that no guess divides: each guess can only find its own secret.

**Claim.** Let S be a set of secrets such that, for every guess, all secrets in S other than the guess give the same
answer. Then a best strategy guesses the secrets one after another, the heaviest first. The cost is the sum of i * w(i),
where w(i) is the weight of the secret found at guess i.

*Proof.* A guess outside S changes nothing. A guess in S leaves the other secrets of S, which no guess divides either.
So a strategy is an order of the secrets. If a lighter secret comes just before a heavier one, exchanging the two lowers
the cost. ∎

The general search is not used for such a set, because it would visit all subsets, and because the strategy may need
more guesses than the search can represent.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.answer_table import AnswerTable

_FEWEST = 16  # smaller sets are not tested, because their search takes no time
_FIRST, _STEP = 4, 1 << 10  # numbers of guesses in the first batch of a test, and in each later batch


def sequential_cost(
    table: AnswerTable, members: NDArray[np.int32], *, candidates_only: bool, guess_limit: int
) -> int | None:
    """Return the least cost of a candidate set if no guess divides it, otherwise None.

    `members` are the indices of its secrets, ascending, shape (n,). The result is also None for fewer than _FEWEST
    secrets, which are not tested. The cost is IMPOSSIBLE if `guess_limit` guesses do not suffice.
    """
    if len(members) < _FEWEST or not _is_indivisible(table, members, candidates_only=candidates_only):
        return None
    return cost_in_order(table.weight[members], guess_limit)


def cost_in_order(weights: NDArray[np.int64], guess_limit: int) -> int:
    """Return the cost of guessing secrets one after another; IMPOSSIBLE if `guess_limit` guesses do not suffice."""
    if len(weights) > guess_limit:
        return IMPOSSIBLE
    return int((weights * np.arange(1, len(weights) + 1)).sum())


def _is_indivisible(table: AnswerTable, members: NDArray[np.int32], *, candidates_only: bool) -> bool:
    """Return True if no guess divides a candidate set.

    A guess does not divide the set if all members, other than the guess itself, give the same answer to it. With
    `candidates_only`, only the members are tested as guesses.
    """
    answers, own = table.answers.reshape(len(table.own), -1), table.own[members]
    guesses = np.sort(own) if candidates_only else np.arange(table.class_saving.shape[1])
    begin, step = 0, _FIRST
    while begin < len(guesses):
        tested = guesses[begin : begin + step]
        given = answers[members[:, None], tested]
        # Compare with the answer of the first member, or with that of the second one if the first member is the guess.
        is_expected = given == np.where(own[0] == tested, given[1], given[0])
        if not (is_expected | (own[:, None] == tested)).all():
            return False
        begin, step = begin + step, _STEP
    return True
