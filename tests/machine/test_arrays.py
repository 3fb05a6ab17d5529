"""Workspaces: arrays of the dtypes and shapes that they are declared with."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from yomikiri.machine.arrays import allocated

SLOTS = 3


class Workspace(NamedTuple):
    depths: int
    state: Annotated[NDArray[np.int64], SLOTS]
    bound: Annotated[NDArray[np.float64], "depths + 1", "max(guesses, 2)", SLOTS]


def test_each_field_is_as_it_is_declared() -> None:
    made = allocated(Workspace, depths=4, guesses=5)
    assert isinstance(made, Workspace)
    assert (made.depths, made.state.dtype.name, made.bound.dtype.name) == (4, "int64", "float64")
    assert (made.state.shape, made.bound.shape) == ((3,), (5, 5, 3))
    assert not made.state.any()
    assert not made.bound.any()


def test_a_size_that_is_not_told_is_an_error() -> None:
    with pytest.raises(NameError, match="guesses"):
        allocated(Workspace, depths=4)
