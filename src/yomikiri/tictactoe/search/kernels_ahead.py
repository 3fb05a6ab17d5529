"""Which boards the machine code can read, and where it is kept: without loading it."""

from __future__ import annotations

from pathlib import Path

from yomikiri.errors import N_
from yomikiri.numba_support.kernel_cache import Kernels, Part
from yomikiri.tictactoe.search.layout import Layout

LINES = 64
# Of all weights without their signs together: a line is worth 8 times that, and sums of such numbers fit into 64 bits.
_MOST = 1 << 56

KERNELS = Kernels(Path(__file__).parent, ("sets.py", "pairing.py", "alphabeta.py", "compiled.py"))
SEARCH = Part(KERNELS, "yomikiri.tictactoe.search.solver", N_("the search of tic-tac-toe"), 8)


def fits(layout: Layout) -> bool:
    """Whether sets of lines and sums of weights fit into words of 64 bits."""
    return len(layout.lines) <= LINES and layout.most <= _MOST
