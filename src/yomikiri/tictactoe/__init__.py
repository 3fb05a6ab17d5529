"""Weighted tic-tac-toe: boards, positions, and the winner under best play with the reason.

The names below are public and are imported on first use. The commands, the web page, the API and the package `wording`,
which builds sentences, use this package. This package imports none of these four, and nothing of the other game, Hit &
Blow. To read the code, begin with the modules `board` and `position`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yomikiri.common.lazy import lazy_exports

if TYPE_CHECKING:
    from yomikiri.tictactoe.advice import analyze
    from yomikiri.tictactoe.batch import winners
    from yomikiri.tictactoe.board import Board
    from yomikiri.tictactoe.checker import Examiner, check
    from yomikiri.tictactoe.explanations import explain
    from yomikiri.tictactoe.generator import Wanted, generate
    from yomikiri.tictactoe.position import Outcome, Player, Position, Reason, Tie
    from yomikiri.tictactoe.search.margins import winner

__all__ = [
    "Board",
    "Examiner",
    "Outcome",
    "Player",
    "Position",
    "Reason",
    "Tie",
    "Wanted",
    "analyze",
    "check",
    "explain",
    "generate",
    "winner",
    "winners",
]

_NAMES = {
    "advice": ("analyze",),
    "batch": ("winners",),
    "board": ("Board",),
    "checker": ("Examiner", "check"),
    "generator": ("Wanted", "generate"),
    "position": ("Outcome", "Player", "Position", "Reason", "Tie"),
    "search.margins": ("winner",),
    "explanations": ("explain",),
}
__getattr__, __dir__ = lazy_exports(__name__, _NAMES)
