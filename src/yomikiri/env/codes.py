"""What the environments of Hit & Blow share: guesses by number, turns as an array, and how they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from yomikiri.hitblow.codes import all_guesses, decode, encode
from yomikiri.hitblow.game import rules_of
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import MAX_SYMBOLS, Rules, Turn

MOST_GUESSES = 20
"""Guesses of a player; after the last the game is cut off."""

EMPTY = -1
"""What stands in an array of turns where none is played yet."""

Turns = NDArray[np.int8]
Mask = NDArray[np.int8]


def rules_told(preset: str, digits: int | None, symbols: str | None, repeats: str | None) -> Rules:
    """The rules of a preset with what is given in their place; raises an `InputError`."""
    told = {"preset": preset, "digits": digits, "symbols": symbols, "repeats": repeats}
    return rules_of({name: str(value) for name, value in told.items() if value is not None})


class Actions:
    """The guesses of a game by number, in the order of their symbols."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.space = spaces.Discrete(len(self._guesses))
        most = max(MAX_SYMBOLS - 1, rules.digits)
        self.turns_space = spaces.Box(EMPTY, most, (MOST_GUESSES, rules.digits + 2), np.int8)
        self.mask_space = spaces.Box(0, 1, (len(self._guesses),), np.int8)

    @cached_property
    def _guesses(self) -> NDArray[np.uint8]:
        return all_guesses(self.rules)

    def code(self, action: int) -> str:
        """The guess of that number."""
        return decode(self.rules, self._guesses[action])

    def number(self, code: str) -> int:
        """The number of a guess."""
        return int(np.flatnonzero((self._guesses == encode(self.rules, code)).all(axis=1))[0])

    def mask(self, turns: Sequence[Turn]) -> Mask:
        """1 for each guess that was not made yet: shape (guesses,), int8."""
        free = np.ones(len(self._guesses), dtype=np.int8)
        for turn in turns:
            free[self.number(turn.guess)] = 0
        return free

    def turns(self, turns: Sequence[Turn]) -> Turns:
        """The turns as rows of symbol numbers, hits and blows; `EMPTY` where none is: shape (20, digits + 2), int8."""
        rows = np.full((MOST_GUESSES, self.rules.digits + 2), EMPTY, dtype=np.int8)
        for row, turn in zip(rows, turns, strict=False):
            row[:] = [*encode(self.rules, turn.guess), turn.hint.hits, turn.hint.blows]
        return rows


def chosen(known: Knowledge, random: np.random.Generator) -> str:
    """A candidate at random, each as likely as the others."""
    return decode(known.rules, known.candidates[int(random.integers(known.count))])


def shown(turns: Sequence[Turn]) -> str:
    """The turns, a line each."""
    return "\n".join(f"{number}. {turn.guess} {turn.hint}" for number, turn in enumerate(turns, start=1))
