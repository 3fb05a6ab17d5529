"""The answer table of a position: its candidates and the guesses that are allowed, as arrays for a search."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.errors import N_, InputError
from yomikiri.guessing.codes import ListedCodes
from yomikiri.guessing.game import Game, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.kernels.answers import fill_answers
from yomikiri.guessing.plain_answers import fill_plainly
from yomikiri.guessing.table import answer_table, row_length
from yomikiri.machine.library import available

MOST_ANSWERS = 1 << 27
"""Greatest number of answers in a table: 256 MB."""


# estimated time to make the text of a guess, as the number of answers that are computed in the same time
_COST_OF_GUESS = 64


class PositionTable:
    """The candidates of a position, the heaviest first, the allowed guesses, and the answers between them.

    `numbers` are the indices of the candidates in the secrets of the game: shape (n,).

    If the table would have more than `most_answers` answers, it contains a selection of the guesses: every k-th guess,
    the candidates, and `needed`. Then `is_complete` is False. Raises a `ContradictionError` if there is no candidate,
    and an `InputError` if there are too many candidates.
    """

    def __init__(self, position: Position, needed: str | None = None, most_answers: int = MOST_ANSWERS) -> None:
        position.require_candidates()
        if len(position.candidates) > (most := isqrt(most_answers)):
            raise InputError(
                N_("{given} candidates are too many for a search: give turns until at most {limit} are left"),
                given=len(position.candidates),
                limit=most,
            )
        game = position.game
        order = np.argsort(-position.weight_array, kind="stable")
        self.numbers = position.numbers[order]
        self.secrets = list(position.candidates.take(order))
        self.weights = position.weight_array[order].tolist()
        is_hard = game.guess_rule is GuessRule.HARD
        allowed = tuple(filter(position.allows, game.guesses)) if is_hard else game.guesses
        self.guesses = _selected(self.secrets, allowed, needed, most_answers)
        self.is_complete = len(self.guesses) == len(allowed)
        self.index = {guess: k for k, guess in enumerate(self.guesses)}
        self.own = [self.index[secret] for secret in self.secrets]
        answers = _answer_indices(game, self.secrets, self.guesses, self.own)
        symbols = np.zeros((0, len(self.guesses)), dtype=np.uint8)
        if is_hard:
            symbols = ListedCodes.of(self.guesses, game.symbols).columns
        self.table = answer_table(answers, len(self.guesses), self.own, self.weights, symbols)

    @property
    def total_weight(self) -> int:
        """The sum of the weights of all candidates."""
        return sum(self.weights)


def table_cost(secrets: int, guesses: int) -> int:
    """Return the cost of making a table of answers. The unit is the time to compute one answer.

    Each pair of a secret and a guess costs one unit, and each guess `_COST_OF_GUESS` more, because its text is made.
    """
    return (secrets + _COST_OF_GUESS) * guesses


def _selected(secrets: Sequence[str], guesses: Sequence[str], needed: str | None, most_answers: int) -> tuple[str, ...]:
    """Return the guesses of the table: all, or a selection if the table would be too large.

    The selection is every k-th guess, all secrets, and `needed`.
    """
    step = -(-table_cost(len(secrets), len(guesses)) // most_answers)
    if step == 1:
        return tuple(guesses)
    return tuple(dict.fromkeys([*guesses[::step], *secrets, *([needed] if needed else [])]))


def _answer_indices(
    game: Game, secrets: Sequence[str], guesses: Sequence[str], own: Sequence[int]
) -> NDArray[np.uint16]:
    """Return the answer index of each secret to each guess, shape (secrets, row_length(guesses)).

    The largest index is the winning answer.
    """
    hits, blows = (np.array(values, dtype=np.int64) for values in game.answers.values(game.places))
    answers = np.zeros((len(secrets), row_length(len(guesses))), dtype=np.uint16)
    columns = ListedCodes.of(guesses, game.symbols).columns
    fill = fill_answers if available() else fill_plainly
    rows = np.ascontiguousarray(ListedCodes.of(secrets, game.symbols).columns.T)
    fill(columns, rows, hits, blows, answers)
    largest = int(hits.sum()) + 1
    answers[np.arange(len(secrets)), own] = largest
    occurring = np.zeros(largest + 1, dtype=bool)
    given = answers[:, : len(guesses)]
    for row in given:
        occurring[row] = True
    index = (np.cumsum(occurring) - 1).astype(np.uint16)
    for row in given:
        row[:] = index[row]
    return answers
