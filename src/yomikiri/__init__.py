"""Read a game out to its end: Hit & Blow (`yomikiri.hitblow`) and weighted tic-tac-toe (`yomikiri.tictactoe`)."""

__version__ = "0.1.0"
__all__ = ["__version__"]
