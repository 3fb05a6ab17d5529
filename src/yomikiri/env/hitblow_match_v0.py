"""The match of Hit & Blow as a PettingZoo environment: the first to find the other's secret wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from yomikiri.common.errors import N_, InputError
from yomikiri.env.given import RENDER_MODES, one_of, text_of
from yomikiri.env.hitblow import MOST_GUESSES, Actions, chosen, rules_from, shown
from yomikiri.env.two_players import AGENTS, TwoPlayers, binary, checked
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Turn, hint, nothing_to_reveal


class raw_env(TwoPlayers):
    """The agents take turns to guess each other's secret.

    An observation is a dict. `observation` contains the agent's own `turns` and `their_turns` (see `Actions.turns`),
    its own `secret` as symbol numbers, and `absent`: 1 for the symbol that the other agent revealed, otherwise 0.
    `action_mask` is 1 for guesses that the agent has not made yet. If `reveals` is `first` or `second`, that player
    reveals one symbol that is not in their own secret, the usual handicap. With `equal_turns` the second player has the
    same number of guesses, and the match is a draw if both find the secret in one round. After 20 guesses by each agent
    the match is truncated.
    """

    metadata: ClassVar = {"name": "hitblow_match_v0", "render_modes": [*RENDER_MODES], "is_parallelizable": False}
    options = ("secrets",)

    def __init__(
        self,
        preset: str = "hitblow",
        digits: int | None = None,
        symbols: str | None = None,
        repeats: str | None = None,
        reveals: str = "none",
        equal_turns: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(render_mode)
        self.rules = rules_from(preset, digits, symbols, repeats)
        self.reveals = one_of("reveals", reveals, ("none", *AGENTS))
        self.equal_turns = one_of("equal_turns", equal_turns, (False, True))
        # Reject the game if a random secret could leave no symbol to reveal.
        if self.reveals in AGENTS and self.rules.digits >= len(self.rules.symbols):
            raise nothing_to_reveal()
        self.codes = Actions(self.rules)
        self.actions = self.codes.space
        self.observations = spaces.Dict(
            {
                "observation": spaces.Dict(
                    {
                        "turns": self.codes.turns_space,
                        "their_turns": self.codes.turns_space,
                        "secret": spaces.Box(0, len(self.rules.symbols) - 1, (self.rules.digits,), np.int8),
                        "absent": binary(len(self.rules.symbols)),
                    }
                ),
                "action_mask": self.codes.mask_space,
            }
        )

    def begin(self, options: Mapping[str, Any]) -> None:
        """Choose both secrets and the revealed symbol. The option `{"secrets": ["012", "345"]}` sets the secrets."""
        start = Knowledge(self.rules)
        secrets = self._checked(options["secrets"]) if options else [chosen(start, self.random) for _ in AGENTS]
        self.secrets = dict(zip(AGENTS, secrets, strict=True))
        self.boards = dict.fromkeys(AGENTS, start)
        if self.reveals in AGENTS:
            seeker = AGENTS[1 - AGENTS.index(self.reveals)]
            unused = [symbol for symbol in self.rules.symbols if symbol not in self.secrets[self.reveals]]
            self.boards[seeker] = Knowledge(self.rules, unused[int(self.random.integers(len(unused)))])

    def _checked(self, secrets: Any) -> list[str]:
        """Return the two secrets in the option `secrets`. Raises an `InputError` if they are invalid."""
        if isinstance(secrets, str) or not isinstance(secrets, Sequence) or len(secrets) != len(AGENTS):
            raise InputError(
                N_("secrets={given}: expected the secret of the first player and that of the second"),
                given=str(secrets),
            )
        return [self.rules.check_secret(text_of("secrets", secret)) for secret in secrets]

    def play(self, action: int) -> None:
        agent = self.agent_selection
        guess = self.codes.code(action)
        secret = self.secrets[AGENTS[1 - AGENTS.index(agent)]]
        self.boards[agent] = self.boards[agent].after(Turn(guess, hint(guess, secret)))

    def winner(self) -> int | None:
        """Return 1, -1, 0 or None as in the base class. With equal turns, only complete rounds count."""
        first, second = (self.boards[agent].solved for agent in AGENTS)
        if self.equal_turns and len(self.boards["first"].turns) > len(self.boards["second"].turns):
            return None
        return int(first) - int(second) if first or second else None

    def must_truncate(self) -> bool:
        return all(len(self.boards[agent].played) >= MOST_GUESSES for agent in AGENTS)

    def observe(self, agent: str) -> dict[str, Any]:
        mine, theirs = self.boards[agent], self.boards[AGENTS[1 - AGENTS.index(agent)]]
        absent = [symbol in mine.absent for symbol in self.rules.symbols]
        secret = [self.rules.symbols.index(symbol) for symbol in self.secrets[agent]]
        seen = {
            "turns": self.codes.turns(mine.played),
            "their_turns": self.codes.turns(theirs.played),
            "secret": np.array(secret, dtype=np.int8),
            "absent": np.array(absent, dtype=np.int8),
        }
        return {"observation": seen, "action_mask": self.codes.mask(mine.played)}

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        return "\n".join(f"{agent}\n{shown(self.boards[agent].played)}" for agent in AGENTS)


def env(**settings: Any) -> Any:
    """Return a match in a wrapper that rejects moves out of order. The settings are those of `raw_env`."""
    return checked(raw_env(**settings))
