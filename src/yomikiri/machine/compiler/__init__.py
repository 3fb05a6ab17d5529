"""Compiler of the kernels, which runs when the package is built. Only this package needs numba and LLVM.

No other package imports it, and wheels do not contain it. Begin with `__main__`.
"""

from __future__ import annotations

__all__ = ["PARTS"]

_SEARCH, _RACE, _BOARDS = (
    "yomikiri.hitblow.search.kernels",
    "yomikiri.hitblow.race.kernels",
    "yomikiri.tictactoe.search.kernels",
)

PARTS: dict[str, tuple[str, ...]] = {
    "search": (
        "yomikiri.machine.bits",
        "yomikiri.guessing.kernels.transposition_table",
        f"{_SEARCH}.recursion",
        f"{_SEARCH}.symmetry",
        f"{_SEARCH}.workspace",
    ),
    "tables": (
        "yomikiri.guessing.kernels.answers",
        "yomikiri.guessing.kernels.duel",
        "yomikiri.guessing.kernels.limits",
        "yomikiri.guessing.kernels.table_recursion",
        f"{_SEARCH}.uniform_totals",
    ),
    "race": (
        f"{_RACE}.random_play",
        f"{_RACE}.entries",
        f"{_RACE}.forms",
        f"{_RACE}.pairs",
        f"{_RACE}.tables",
    ),
    "tictactoe": ("yomikiri.tictactoe.sums", f"{_BOARDS}.machine_code"),
}
"""Contents of the library, part by part: the entries (kernels that Python calls) defined in these modules.

The parts are compiled in parallel. Entries of one part share the code of the kernels that they call.
"""
