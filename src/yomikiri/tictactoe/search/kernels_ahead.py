"""Which boards the machine code can read, and where it is kept: without loading it."""

from __future__ import annotations

from pathlib import Path

from yomikiri.errors import N_
from yomikiri.numba_support.kernel_cache import Kernels, Part
from yomikiri.tictactoe.search.layout import Layout

WORD = 64
# Of all weights without their signs together: a line is worth 8 times that, and sums of such numbers fit into 64 bits.
_MOST = 1 << 56

KERNELS = Kernels(Path(__file__).parent, ("sets.py", "pairing.py", "alphabeta.py", "compiled.py", "two_words.py"))
SEARCH = Part(KERNELS, "yomikiri.tictactoe.search.solver", N_("the search of tic-tac-toe"), 4)
LARGE = Part(
    KERNELS,
    "yomikiri.tictactoe.search.solver",
    N_("the search of tic-tac-toe on large boards"),
    3,
    function="compile_two_words",
)


def words(layout: Layout) -> int | None:
    """How many words of 64 bits machine code needs for a set of lines, 1 or 2; None if it does not read the board."""
    count = 1 if len(layout.lines) <= WORD else 2
    return count if len(layout.lines) <= 2 * WORD and layout.most <= _MOST else None
