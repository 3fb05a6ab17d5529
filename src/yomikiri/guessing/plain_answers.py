"""The answers of all secrets to all guesses without machine code: the same as those of `kernels.answers`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def fill_plainly(
    guesses: NDArray[np.uint8],
    secrets: NDArray[np.uint8],
    hit_value: NDArray[np.int64],
    blow_value: NDArray[np.int64],
    answers: NDArray[np.uint16],
) -> None:
    """Write the numbers of the answers of n secrets to g guesses to `answers`, whose rows have at least g numbers.

    `guesses` has the shape (places, g) and `secrets` (n, places). `kernels.answers` describes the numbers.
    """
    places, count = guesses.shape
    for row, secret in zip(answers, secrets, strict=True):
        total = np.zeros(count, dtype=np.uint16)
        used = guesses == secret[:, None]
        open_places = ~used
        for place in range(places):
            total += np.uint16(hit_value[place]) * used[place]
        for place in range(places):
            is_open = open_places[place]
            for other in range(places):
                if other != place:
                    met = (guesses[place] == secret[other]) & is_open & ~used[other]
                    used[other] |= met
                    is_open &= ~met
                    total += np.uint16(blow_value[place]) * met
        row[:count] = total
