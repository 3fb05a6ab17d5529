"""Positions for puzzles of any code-guessing game, generated from a seed, and clues to their best guesses.

A position is a function of the game, the seed and the difficulty. Random candidates, guessed one after another, lead to
a position with

    easy 3 to 6    medium 7 to 15    hard 16 to 40    candidates

in which the choice matters: on average, a random candidate takes at least a tenth of a guess more than the best guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TypeVar

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.enums import Difficulty
from yomikiri.common.errors import N_, RulesError
from yomikiri.common.seeds import check_seed

P = TypeVar("P")

LEFT = {Difficulty.EASY: (3, 6), Difficulty.MEDIUM: (7, 15), Difficulty.HARD: (16, 40)}
"""Smallest and largest number of candidates of a generated puzzle."""

_TRIED = 60  # largest number of random games in which a suitable position is looked for
_MOST_PLAYED = 12  # number of positions of one random game that are tested, from its start on
# In a suitable position, a random candidate takes at least this many guesses more than a best guess, on average.
_WORTH = Fraction(1, 10)


def suitable_position(
    seed: str,
    difficulty: Difficulty,
    played: Callable[[str], Iterable[P]],
    count: Callable[[P], int],
    random_cost: Callable[[P, Budget], Fraction],
    budget: Budget = UNLIMITED,
) -> P:
    """Return the position that a seed determines. A seed has 1 to 40 letters, digits and `-`.

    - `played(seed)` returns the positions of the game of a seed, from its start on.
    - `count(position)` returns the number of candidates.
    - `random_cost(position, budget)` returns how many guesses more are needed, on average, if the next guess is a
      random candidate instead of the best guess.

    Raises an `InputError` for an invalid seed, a `RulesError` if the seed gives no suitable position, and `Stopped` if
    the budget is spent. The budget never changes the position.
    """
    check_seed(seed)
    fewest, most = LEFT[difficulty]
    for game in range(_TRIED):
        budget.check()
        positions = islice(played(f"{seed} {game}"), _MOST_PLAYED)
        position = next((each for each in positions if count(each) <= most), None)
        # The difficulty allows `fewest` to `most` candidates. One guess may reduce more than `most` candidates to fewer
        # than `fewest`. Then this random game has no suitable position.
        if position is not None and count(position) >= fewest and random_cost(position, budget) >= _WORTH:
            return position
    raise RulesError(
        N_("seed {seed!r} gives no {difficulty} puzzle under these rules: try another seed or difficulty"),
        difficulty=str(difficulty),
        seed=seed,
    )


@dataclass(frozen=True, slots=True)
class GuessClues:
    """Three clues to a best guess, each with more information than the one before.

    - Idea: the `places` (from 1) at which the candidates differ, and whether the guess is a candidate (`inside`).
    - Method: the number of `groups` into which the guess splits the candidates, the size of the `largest` one, and the
      number of symbols of the guess that occur in no candidate (`idle`).
    - Digits: the symbols of the guess in the order of the game, without their places (`digits`).
    """

    places: tuple[int, ...]
    inside: bool
    groups: int
    largest: int
    idle: int
    digits: str

    @classmethod
    def of(cls, guess: str, codes: Sequence[str], sizes: Sequence[int], symbols: str) -> GuessClues:
        """Return the clues to a guess that splits the candidates `codes` into groups with these `sizes`."""
        columns = enumerate(zip(*codes, strict=True), start=1)
        possible = set("".join(codes))
        return cls(
            tuple(place for place, column in columns if len(set(column)) > 1),
            guess in codes,
            len(sizes),
            max(sizes),
            sum(symbol not in possible for symbol in guess),
            "".join(sorted(guess, key=symbols.index)),
        )
