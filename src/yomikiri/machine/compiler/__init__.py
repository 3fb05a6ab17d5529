"""What compiles the kernels when the package is built; numba and LLVM are needed here and nowhere else."""

from __future__ import annotations

__all__ = ["PARTS"]

_SEARCH, _RACE = "yomikiri.hitblow.search", "yomikiri.hitblow.race"

PARTS: dict[str, tuple[str, ...]] = {
    "search": (
        "yomikiri.machine.bits",
        f"{_SEARCH}.memo",
        f"{_SEARCH}.recursion",
        f"{_SEARCH}.symmetry.kernels",
        f"{_SEARCH}.workspace",
    ),
    "priced": (f"{_SEARCH}.priced_bounds", f"{_SEARCH}.priced_kernels", f"{_SEARCH}.uneven"),
    "race": (
        "yomikiri.hitblow.match.finish_kernels",
        f"{_RACE}.public.entries",
        f"{_RACE}.public.forms",
        f"{_RACE}.public.pairs",
        f"{_RACE}.public.tables",
    ),
    "boards": ("yomikiri.tictactoe.sums", "yomikiri.tictactoe.search.machine_code"),
}
"""What the library holds: the entries that these modules define, part by part.

The parts are compiled side by side; entries of one part share the code of the kernels that they call.
"""
