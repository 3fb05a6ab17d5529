"""Read a game out to its end: Hit & Blow (`yomikiri.hitblow`) and weighted tic-tac-toe (`yomikiri.tictactoe`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from yomikiri.kernels import compile_kernels

__version__ = "0.1.0"
__all__ = ["__version__", "compile_kernels"]


def __getattr__(name: str) -> Any:
    if name == "compile_kernels":
        from yomikiri.kernels import compile_kernels

        return compile_kernels
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
