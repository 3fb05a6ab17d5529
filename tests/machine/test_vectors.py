"""Vectors of eight words, compared with numpy.

Also tests `machine/compiler/intrinsics.py`: vectors in machine code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.machine.made import compiled

from yomikiri.machine.vectors import LANES, blank, load, nonzero_words, ones, spread, store

CHANCE = np.random.default_rng(3)


Line = Annotated[NDArray[np.uint64], "words"]


def operate(words: Line, out: Line) -> tuple[int, int]:
    """Apply all operations to the vectors that start at words 1 and 9."""
    one, other = load(words, 1), load(words, 1 + LANES)
    store(out, 0, one & other)
    store(out, LANES, one | other)
    store(out, 2 * LANES, one ^ other)
    store(out, 3 * LANES, ~one)
    store(out, 4 * LANES, blank())
    store(out, 5 * LANES, spread(words[0]))
    return nonzero_words(one & other), ones(one ^ other)


@pytest.fixture(scope="module")
def machine_code() -> Callable[..., tuple[int, int]]:
    return compiled(operate)


@pytest.mark.parametrize("zeros", [0, 3, 8])
@pytest.mark.parametrize("by_machine", [True, False])
def test_vector_operations_agree_with_numpy(
    by_machine: bool, zeros: int, machine_code: Callable[..., tuple[int, int]]
) -> None:
    words = CHANCE.integers(1, 1 << 64, size=1 + 2 * LANES, dtype=np.uint64)
    words[1 : 1 + zeros] = 0
    out = np.full(6 * LANES, 7, dtype=np.uint64)
    filled, bits = (machine_code if by_machine else operate)(words, out)
    one, other = words[1 : 1 + LANES], words[1 + LANES :]
    wanted = [one & other, one | other, one ^ other, ~one, 0 * one, 0 * one + words[0]]
    assert (out.reshape(6, LANES) == wanted).all()
    assert filled == np.count_nonzero(one & other)
    assert bits == sum(int(word).bit_count() for word in one ^ other)
