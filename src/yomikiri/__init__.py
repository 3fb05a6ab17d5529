"""Solve games to their end: Hit & Blow (`yomikiri.hitblow`) and weighted tic-tac-toe (`yomikiri.tictactoe`).

This module contains what both games share: the limits of a search (`Budget`), its reports (`Progress`), the error when
a limit is reached (`Stopped`), and the errors of the package. Names are imported when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yomikiri.common.lazy import lazy_exports

if TYPE_CHECKING:
    from yomikiri import hitblow, tictactoe
    from yomikiri.common.budget import Budget, Progress, Stopped
    from yomikiri.common.errors import CheckError, ContradictionError, InputError, YomikiriError

__version__ = "1.0.0"
__all__ = [
    "Budget",
    "CheckError",
    "ContradictionError",
    "InputError",
    "Progress",
    "Stopped",
    "YomikiriError",
    "__version__",
    "hitblow",
    "tictactoe",
]

_NAMES = {
    "": ("hitblow", "tictactoe"),
    "common.budget": ("Budget", "Progress", "Stopped"),
    "common.errors": ("CheckError", "ContradictionError", "InputError", "YomikiriError"),
}
__getattr__, __dir__ = lazy_exports(__name__, _NAMES)
