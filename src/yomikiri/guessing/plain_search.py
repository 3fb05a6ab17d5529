"""Exact search of a position without machine code: NumPy computes the bounds of all guesses, and Python the rest.

`PositionSearch` uses it if there is no machine code for the processor. It is also a second implementation for the
tests. It tries guesses in the same order as `search.TableSearch`, so both return the same guess if several are optimal.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import Budget
from yomikiri.guessing.allowed_guesses import AllowedGuesses
from yomikiri.guessing.branch_and_bound import BranchAndBound, Secrets
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.answer_table import AnswerTable
from yomikiri.guessing.kernels.limits import NO_LIMIT


class GuessLimits(NamedTuple):
    """Limits of the guesses at a candidate set: which guesses hard mode allows, and how many guesses are left.

    `allowed` is an index into the search's list of sets of guesses, `_allowed`.
    """

    allowed: int
    left: int


class PlainTableSearch(BranchAndBound[GuessLimits]):
    """Search for the least costs of sets of secrets, on one answer table and in one thread.

    It has the same public methods as `search.TableSearch`.
    """

    def __init__(
        self, table: AnswerTable, budget: Budget, *, candidates_only: bool = False, guess_limit: int = NO_LIMIT
    ) -> None:
        secrets, guesses = len(table.own), table.class_saving.shape[1]
        answers = table.answers.reshape(secrets, -1)[:, :guesses]
        super().__init__(answers, table.answer_count - 1, table.own, table.weight.tolist())
        self._limit = guess_limit
        self._allowed = AllowedGuesses(table.symbols, guesses, candidates_only=candidates_only)
        self.start_savings = np.zeros(guesses, dtype=np.int64)
        self.start_savings = self._savings(tuple(range(secrets)), np.arange(guesses))
        self.budget = budget

    @property
    def budget(self) -> Budget:
        """The budget of the searches. It may be replaced between two of them."""
        return self._budget

    @budget.setter
    def budget(self, budget: Budget) -> None:
        self._budget = budget

    def best(self, members: NDArray[np.int32], last: int = -1, depth: int = 0) -> tuple[int, int]:
        """Return the least cost of a candidate set and the first guess that attains it: see `TableSearch.best`."""
        numbers = tuple(members.tolist())
        start = GuessLimits(0, self._limit - depth)
        if last >= 0:
            start = GuessLimits(self._allowed_after(0, last, numbers[0]), start.left)
        return self._best(numbers, start)

    def bound(self, members: NDArray[np.int32]) -> int:
        """Return a lower bound of the cost of a candidate set, by one scan of all guesses."""
        return self._ordered(tuple(members.tolist()), GuessLimits(0, self._limit))[0][0]

    def cost(self, members: NDArray[np.int32], below: int) -> int:
        """Return the least cost of a candidate set if it is below `below`, otherwise a lower bound.

        The lower bound is at least `below`.
        """
        return self._total(tuple(members.tolist()), below, GuessLimits(0, self._limit))

    def cost_after(self, members: NDArray[np.int32], guess: int, below: int = IMPOSSIBLE) -> int:
        """Return the least cost of a candidate set if its first guess is `guess`, or a lower bound of it.

        The number is the cost if it is below `below`. Otherwise, it is a lower bound of at least `below`. A guess that
        leaves all secrets in one cell costs IMPOSSIBLE.
        """
        numbers = tuple(members.tolist())
        answers = set(self._answers[members, guess].tolist())
        if len(answers) == 1 and self._win not in answers:
            return IMPOSSIBLE
        return self._after(numbers, guess, below, GuessLimits(0, self._limit))

    def _ordered(self, members: Secrets, context: GuessLimits) -> list[tuple[int, int]]:
        whole, bonus = self._weight(members), np.zeros(len(self.start_savings), dtype=np.int64)
        own = self._own[list(members)]
        bonus[own] = [self._weights[member] for member in members]
        guesses = self._allowed.at(context.allowed, own)
        bounds = 3 * whole - self._savings(members, guesses) - bonus[guesses]
        order = np.lexsort((guesses, -self.start_savings[guesses], bounds))
        return list(zip(bounds[order].tolist(), guesses[order].tolist(), strict=True))

    def _savings(self, members: Secrets, guesses: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the saving of each of the `guesses` at a candidate set.

        The *saving* of a guess is the sum, over its cells, of the weight of the heaviest secret. A guess that is a
        member of the set may win, which saves its own weight once more. This is not included. So a guess costs at least
        3 * (weight of the set) - saving, less its own weight if it is a member.
        """
        index, savings = np.arange(len(guesses)), np.zeros(len(guesses), dtype=np.int64)
        is_new = np.ones((self._win + 1, len(guesses)), dtype=bool)
        for member in members:
            answers = self._answers[member][guesses]
            savings += self._weights[member] * is_new[answers, index]
            is_new[answers, index] = False
        return savings

    def _key(self, members: Secrets, context: GuessLimits) -> Hashable:
        # Each guess of a best strategy divides its set, so n secrets take at most n guesses.
        return members, context.allowed, min(context.left, len(members))

    def _guesses_left(self, context: GuessLimits) -> int:
        return context.left

    def _context_after(self, context: GuessLimits, guess: int, cell: Secrets) -> GuessLimits:
        return GuessLimits(self._allowed_after(context.allowed, guess, cell[0]), context.left - 1)

    def _allowed_after(self, allowed: int, guess: int, secret: int) -> int:
        return self._allowed.after(allowed, guess, int(self._answers[secret, guess]), int(self._own[secret]))
