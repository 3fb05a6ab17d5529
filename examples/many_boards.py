"""Decide a hundred thousand boards at once, from an array.

Takahashi 99%, Aoki 1%
"""

import numpy as np

from yomikiri.tictactoe import winners

boards = np.random.default_rng(1).integers(-9, 9, (100_000, 3, 3), endpoint=True)
found = winners(boards, tie="second")
print(f"Takahashi {np.mean(found == 1):.0%}, Aoki {np.mean(found == -1):.0%}")
