"""The code space as the race reads it: every guess as a row, and the answer of every code to every guess.

Hints are numbered from 0 in the order of `Rules.hints`, so the win, all hits, is the last: for three digits

    0H0B 0   0H1B 1   0H2B 2   0H3B 3   1H0B 4   1H1B 5   1H2B 6   2H0B 7   3H0B 8
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.codes import all_guesses, hint_number, hint_table
from yomikiri.hitblow.rules import Rules


class Game(NamedTuple):
    """The code space of one game, read-only to the kernels: g guesses, d digits, s symbols."""

    digits: int
    symbols: int
    hints: int  # how many there are; the last is the win
    codes: NDArray[np.uint8]  # (g, d): the symbol at each place
    values: NDArray[np.int32]  # (g,): the code read as a number in base s
    number: NDArray[np.int32]  # (s ** d,): the guess of that value, -1 if it is none
    answers: NDArray[np.uint8]  # (g, g): the hint of a guess (row) against a code (column)
    names: NDArray[np.uint64]  # (s ** d, 2): a random word pair for each value; their sums name sets of codes
    radix: NDArray[np.int64]  # (d,): what a symbol at each place adds to a value


@lru_cache(maxsize=4)
def game_of(rules: Rules) -> Game:
    """The arrays of a game: g² bytes and a little, 25 MB for 4 of 10."""
    codes = all_guesses(rules)
    symbols, digits = len(rules.symbols), rules.digits
    radix = symbols ** np.arange(digits - 1, -1, -1, dtype=np.int64)
    values = (codes @ radix).astype(np.int32)
    number = np.full(symbols**digits, -1, dtype=np.int32)
    number[values] = np.arange(len(codes), dtype=np.int32)
    rank = np.zeros((digits + 1) ** 2, dtype=np.uint8)
    for place, hint in enumerate(rules.hints):
        rank[hint_number(rules, hint)] = place
    return Game(
        digits=digits,
        symbols=symbols,
        hints=len(rules.hints),
        codes=codes,
        values=values,
        number=number,
        answers=rank[hint_table(codes, codes)],
        names=_words(2 * symbols**digits).reshape(-1, 2),
        radix=radix,
    )


def _words(count: int) -> NDArray[np.uint64]:
    """So many words that look random, the same everywhere (splitmix64; Steele, Lea and Flood 2014)."""
    words = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = words ^ (words >> np.uint64(31))
    return mixed
