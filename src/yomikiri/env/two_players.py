"""Base of the environments for two players: the order of turns, rewards, and the end of a game."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import OrderEnforcingWrapper

from yomikiri.env.given import RENDER_MODES, action_of, is_over, no_game, one_of, options_of

AGENTS = ["first", "second"]
_OF_API_TEST = {"options": 1}  # PettingZoo's API test passes this to `reset` of every game; it has no effect


class TwoPlayers(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """A game of two players who take turns. The reward is 1 for a win, -1 for a loss and 0 for a draw."""

    observations: spaces.Dict
    actions: spaces.Discrete
    options: ClassVar[tuple[str, ...]]

    def __init__(self, render_mode: str | None) -> None:
        super().__init__()
        self.possible_agents = list(AGENTS)
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.agents: list[str] = []
        self.random, _seed = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observations

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. Raises an `InputError` for names that are not in the class attribute `options`."""
        given = options_of(None if options == _OF_API_TEST else options, *self.options)
        if seed is not None:
            self.random, _seed = seeding.np_random(seed)
        self.begin(given)
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}

    def step(self, action: int | None) -> None:
        """Make a move. Raises an `InputError` for an action outside the space, and if no game is in progress.

        After the end of a game, the action of each agent must be None.
        """
        if not self.agents:
            raise no_game()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise is_over(agent)
            self._was_dead_step(action)
            return
        number = action_of(self.actions, action)
        self._cumulative_rewards[agent] = 0.0
        self.play(number)
        self._clear_rewards()
        winner = self.winner()
        if winner is not None:
            for name, sign in zip(AGENTS, (winner, -winner), strict=True):
                self.rewards[name] = float(sign)
                self.terminations[name] = True
        elif self.must_truncate():
            self.truncations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()

    @abstractmethod
    def begin(self, options: Mapping[str, Any]) -> None:
        """Set up a new game. `options` contains only names that the class attribute `options` lists."""

    @abstractmethod
    def play(self, action: int) -> None:
        """Make the move of the agent to move."""

    @abstractmethod
    def winner(self) -> int | None:
        """Return 1 if the first player has won, -1 if the second, 0 for a draw, and None during the game."""

    def must_truncate(self) -> bool:
        """Return True if the game must be truncated now, because it has reached a limit of moves without a winner.

        By default, there is no limit.
        """
        return False


def checked(game: TwoPlayers) -> Any:
    """Return the game in the PettingZoo wrapper that rejects moves out of order.

    The PettingZoo wrapper that rejects invalid actions is not used, because the error that the game itself raises says
    which actions are valid.
    """
    return OrderEnforcingWrapper(game)


def binary(size: int) -> spaces.Box:
    """Return the space of arrays of zeros and ones: shape (size,), int8."""
    return spaces.Box(0, 1, (size,), np.int8)
