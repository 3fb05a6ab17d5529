"""The answers of all secrets to all guesses, computed from their symbols.

A hit is a symbol in its place. A blow is a symbol of the guess that the secret has in another place; each symbol of the
secret counts once, and blows are given from left to right after all hits. An *answer number* is the sum of a value
for each hit and a value for each blow, by place, so that one kernel serves every kind of answer.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from yomikiri.machine.arrays import local_bytes
from yomikiri.machine.kernel import entry

MOST_PLACES = 10
_BLOCK = 256  # number of guesses that are compared in one block


@entry
def fill_answers(
    guesses: Annotated[NDArray[np.uint8], "places", "g"],
    secrets: Annotated[NDArray[np.uint8], "n", "places"],
    hit_value: Annotated[NDArray[np.int64], "places"],
    blow_value: Annotated[NDArray[np.int64], "places"],
    answers: Annotated[NDArray[np.uint16], "n", "s"],
) -> None:
    """Fill the table `answers` with the answer number of each secret to each guess.

    Shapes: `guesses` (places, g), `secrets` (n, places), `answers` (n, s) with s >= g.
    """
    places = len(guesses)
    used, blow, open = local_bytes(10, 256), local_bytes(10, 256), local_bytes(1, 256)
    for s in range(len(secrets)):
        for first in range(0, guesses.shape[1], _BLOCK):
            count = min(_BLOCK, guesses.shape[1] - first)
            out = answers[s]
            for g in range(count):
                out[first + g] = np.uint16(0)
            for i in range(places):
                symbol, value = secrets[s, i], np.uint16(hit_value[i])
                for g in range(count):
                    used[i, g] = np.int8(guesses[i, first + g] == symbol)
                    out[first + g] += value * np.uint16(used[i, g])
            for i in range(places):
                for g in range(count):
                    open[0, g] = np.int8(guesses[i, first + g] != secrets[s, i])
                    blow[i, g] = np.int8(0)
                for j in range(places):
                    symbol = secrets[s, j]
                    for g in range(count if j != i else 0):
                        met = np.int8(guesses[i, first + g] == symbol) & open[0, g] & (np.int8(1) ^ used[j, g])
                        used[j, g] |= met
                        open[0, g] ^= met
                        blow[i, g] |= met
                value = np.uint16(blow_value[i])
                for g in range(count):
                    out[first + g] += value * np.uint16(blow[i, g])
