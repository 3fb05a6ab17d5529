"""Weighted tic-tac-toe: boards, positions, who wins and why. The names below are imported when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from yomikiri.tictactoe.advice import analyze
    from yomikiri.tictactoe.batch import compile_winners, winners
    from yomikiri.tictactoe.board import Board
    from yomikiri.tictactoe.position import Outcome, Player, Position, Tie
    from yomikiri.tictactoe.search.margins import winner
    from yomikiri.tictactoe.why import explain

__all__ = [
    "Board",
    "Outcome",
    "Player",
    "Position",
    "Tie",
    "analyze",
    "compile_winners",
    "explain",
    "winner",
    "winners",
]

_HOMES = {
    "Board": "board",
    "Outcome": "position",
    "Player": "position",
    "Position": "position",
    "Tie": "position",
    "analyze": "advice",
    "compile_winners": "batch",
    "explain": "why",
    "winner": "search.margins",
    "winners": "batch",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
