"""Which boards the machine code can read, and where it is kept (see `machine.compiled`): without loading it."""

from __future__ import annotations

from pathlib import Path

from yomikiri.numba_support.kernel_cache import Kernels, Part
from yomikiri.tictactoe.search.layout import Layout

LINES = 64
# Of all weights without their signs together: a line is worth 8 times that, and sums of such numbers fit into 64 bits.
_MOST = 1 << 56

KERNELS = Kernels(Path(__file__).parent, above=frozenset({"__init__.py", "prover.py"}))
PROVER = Part(KERNELS, "yomikiri.tictactoe.search.proof.prover")


def fits(layout: Layout) -> bool:
    """Whether sets of lines and sums of weights fit into words of 64 bits."""
    return len(layout.lines) <= LINES and layout.most <= _MOST
