"""Guesses chosen by the parts into which they divide the candidates, without a search.

>>> from yomikiri.guessing.game import Game
>>> start = Game(["crane", "crate", "grate"], ["night"]).start
>>> OneStepPolicy(start, expected_entropy)(start)
'crane'
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.game import Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.position_table import MOST_ANSWERS, PositionTable

Rating: TypeAlias = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]]

_CHUNK = 1 << 21  # number of answers that are rated at a time
_PAIRWISE = 24  # up to this many candidates, answers are compared in pairs to find the weights of the cells


def likeliest(position: Position) -> str:
    """Return the candidate with the greatest weight; of several, the first in the order of the list."""
    return position.candidates[int(position.weight_array.argmax())]


def is_settled(position: Position) -> bool:
    """Return True if the likeliest candidate is an optimal guess."""
    return len(position.candidates) <= 2 or position.guesses_left == 1


class OneStepPolicy:
    """A policy that rates every guess by the parts into which it divides the candidates.

    It plays games from the position `start` on. `rate(parts, weights)` returns a rating for each guess, and the lowest
    is best. `parts[c, g]` is the total weight of the candidates that have the same answer to guess g as candidate c.
    `weights` are the weights of the candidates.
    """

    def __init__(self, start: Position, rate: Rating, most_answers: int = MOST_ANSWERS) -> None:
        self._tables, self._rate = PositionTable(start, most_answers=most_answers), rate
        guesses = len(self._tables.guesses)
        self._answers = self._tables.table.answers.reshape(len(self._tables.secrets), -1)[:, :guesses]
        self._own = np.array(self._tables.own)
        # for each secret of the game, its row in the table if it is a candidate
        self._row = np.zeros(len(start.game.secrets), dtype=np.int64)
        self._row[self._tables.numbers] = np.arange(len(self._tables.numbers))

    def __call__(self, position: Position) -> str:
        if is_settled(position):
            return likeliest(position)
        rows = np.sort(self._row[position.numbers])
        own = self._own[rows]
        columns = self._allowed(position, own)
        ratings = self._ratings(rows, columns)
        best = np.flatnonzero(ratings == ratings.min())
        return self._tables.guesses[int(columns[best[0]])]

    def _allowed(self, position: Position, own: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the guesses that the guess rule allows: first the candidates in order of weight, then the others."""
        if position.game.guess_rule is GuessRule.CONSISTENT:
            return own
        every = np.arange(len(self._tables.guesses))
        if position.game.guess_rule is GuessRule.HARD:
            every = every[[position.allows(guess) for guess in self._tables.guesses]]
        return np.concatenate([own, every[~np.isin(every, own)]])

    def _ratings(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the ratings of guesses, rounded so that ties do not depend on the order of a sum."""
        answer_count = self._tables.table.answer_count
        weights: NDArray[np.int64] = self._tables.table.weight[rows]
        step = max(1, _CHUNK // max(len(rows), answer_count))
        found = []
        for begin in range(0, len(columns), step):
            answers = self._answers[np.ix_(rows, columns[begin : begin + step])].astype(np.int64)
            found.append(self._rate(_part_weights(answers, weights, answer_count), weights))
        return np.concatenate(found).round(9)


def _part_weights(answers: NDArray[np.int64], weights: NDArray[np.int64], answer_count: int) -> NDArray[np.int64]:
    """Return the total weight of the candidates with the same answer, for each candidate and guess.

    The result has the shape of `answers`.
    """
    if len(answers) <= _PAIRWISE:
        return np.stack([weights @ (answers == row) for row in answers])
    keys = answers + answer_count * np.arange(answers.shape[1])
    sums = np.bincount(keys.ravel(), np.repeat(weights, answers.shape[1]), answer_count * answers.shape[1])
    found: NDArray[np.int64] = sums.astype(np.int64)[keys]
    return found


def expected_entropy(parts: NDArray[np.int64], weights: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the expected entropy of the candidates after each guess, in bits, plus a constant.

    The result is the weighted mean of log2(weight of the part). The constant is the weighted mean of log2(weight of the
    candidate), which is 0 if all weights are 1. It does not change the order of the guesses.
    """
    ratings: NDArray[np.float64] = (weights[:, None] * np.log2(parts)).sum(axis=0) / weights.sum()
    return ratings


def largest_part(parts: NDArray[np.int64], _weights: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the weight of the largest part into which each guess divides the candidates."""
    ratings: NDArray[np.float64] = parts.max(axis=0).astype(np.float64)
    return ratings


def guess_by_sample(position: Position, most_answers: int) -> str:
    """Return the guess with the greatest expected information about a sample of the candidates.

    The sample is every k-th candidate. For a sample of n candidates, 2 n * n is at most `most_answers`. So an answer
    table with `most_answers` entries has room for 2 n guesses.
    """
    numbers = position.numbers
    step = -(-len(numbers) // isqrt(most_answers // 2))
    sample = Position(position.game, position.turns, numbers[::step])
    return OneStepPolicy(sample, expected_entropy, most_answers)(sample)
