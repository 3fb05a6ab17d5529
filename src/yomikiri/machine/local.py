"""Room of a kernel's own, of a size that is known when it is compiled: it is gone when the kernel returns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def local_numbers(rows: int, columns: int) -> NDArray[np.int64]:
    """So many rows and columns of numbers; what they hold is not set, and as Python no use."""
    return np.full((rows, columns), np.iinfo(np.int64).max // 16, np.int64)


def local_bytes(rows: int, columns: int) -> NDArray[np.int8]:
    """So many rows and columns of small numbers; what they hold is not set, and as Python no use."""
    return np.full((rows, columns), 99, np.int8)
