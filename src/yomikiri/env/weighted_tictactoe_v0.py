"""Weighted tic-tac-toe as a PettingZoo environment: a line wins; without a line, the larger sum wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from yomikiri.common.errors import N_, BoardError
from yomikiri.env.given import RENDER_MODES, text_of, whole_of
from yomikiri.env.two_players import AGENTS, TwoPlayers, binary, checked
from yomikiri.tictactoe.board import MAX_SIDE, Board
from yomikiri.tictactoe.position import Player, Position

PLAYERS = dict(zip(AGENTS, Player, strict=True))


class raw_env(TwoPlayers):
    """Two players take turns to take cells on a board whose weights are new in every game.

    An observation is a dict. `observation` is an array of shape (rows, columns, 3), int32. Its layers contain 1 for
    each cell of the agent, 1 for each cell of the other player, and the weights. `action_mask` is 1 for empty cells.
    Weights are uniformly distributed integers from `-heaviest` to `heaviest`; `reset(options={"board": "1,2/3,4"})`
    sets them.
    """

    metadata: ClassVar = {"name": "weighted_tictactoe_v0", "render_modes": [*RENDER_MODES], "is_parallelizable": False}
    options = ("board",)

    def __init__(
        self, rows: int = 3, columns: int = 3, line: int = 3, heaviest: int = 9, render_mode: str | None = None
    ) -> None:
        super().__init__(render_mode)
        self.shape = rows, columns = whole_of("rows", rows, 1, MAX_SIDE), whole_of("columns", columns, 1, MAX_SIDE)
        self.line = whole_of("line", line, 1, MAX_SIDE)
        self.heaviest = heaviest = whole_of("heaviest", heaviest, 0, int(np.iinfo(np.int32).max))
        size = rows * columns
        self.actions = spaces.Discrete(size)
        low = np.zeros((rows, columns, 3), dtype=np.int32)
        high = np.ones((rows, columns, 3), dtype=np.int32)
        low[..., 2], high[..., 2] = -heaviest, heaviest
        self.observations = spaces.Dict(
            {"observation": spaces.Box(low, high, dtype=np.int32), "action_mask": binary(size)}
        )

    def begin(self, options: Mapping[str, Any]) -> None:
        """Generate a random board, or use the one in `options`: `{"board": "1,2/3,4"}`. Raises an `InputError`."""
        if options:
            board = self._checked(Board.parse(text_of("board", options["board"]), self.line))
        else:
            drawn = self.random.integers(-self.heaviest, self.heaviest, size=self.shape, endpoint=True)
            board = Board(drawn.tolist(), self.line)
        self.position = Position(board)

    def _checked(self, board: Board) -> Board:
        """Return the board if the observation space contains it. Raises a `BoardError`."""
        rows, columns = self.shape
        if (board.rows, board.columns) != self.shape or max(map(abs, board.flat)) > self.heaviest:
            raise BoardError(
                N_("board {given!r}: expected {rows:row|rows} of {columns:weight|weights} from {least} to {most}"),
                given=str(board),
                rows=rows,
                columns=columns,
                least=-self.heaviest,
                most=self.heaviest,
            )
        return board

    def play(self, action: int) -> None:
        self.position = self.position.play(action)

    def winner(self) -> int | None:
        outcome = self.position.outcome
        return None if outcome is None else int(outcome.winner or 0)

    def observe(self, agent: str) -> dict[str, Any]:
        position, player = self.position, PLAYERS[agent]
        rows, columns = self.shape
        cells = np.arange(rows * columns)
        mine = [position.taken_by(player) >> cell & 1 for cell in cells.tolist()]
        theirs = [position.taken_by(player.other) >> cell & 1 for cell in cells.tolist()]
        planes = np.array([mine, theirs, list(position.board.flat)], dtype=np.int32)
        free = np.zeros(rows * columns, dtype=np.int8)
        free[list(position.moves)] = 1
        return {"observation": planes.T.reshape(rows, columns, 3), "action_mask": free}

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        board = self.position.board
        shown = [f"{self.position.mark(cell) or weight:>4}" for cell, weight in enumerate(board.flat)]
        return "\n".join(map("".join, board.by_row(shown)))


def env(**settings: Any) -> Any:
    """Return a game in a wrapper that rejects moves out of order. The settings are those of `raw_env`."""
    return checked(raw_env(**settings))
