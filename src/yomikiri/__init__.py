"""Read a game out to its end: Hit & Blow (`yomikiri.hitblow`) and weighted tic-tac-toe (`yomikiri.tictactoe`).

What both games share is here: what a search may spend (`Budget`), what it tells (`Progress`) and raises when that
is spent (`Stopped`), and the errors. All names are imported when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yomikiri.common.lazy import handed_out

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
__getattr__, __dir__ = handed_out(__name__, _NAMES)
