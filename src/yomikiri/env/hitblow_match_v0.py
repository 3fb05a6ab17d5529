"""The match of Hit & Blow as a PettingZoo environment: who finds the other's secret first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from yomikiri.common.errors import N_, InputError
from yomikiri.env.given import RENDER_MODES, one_of, text_of
from yomikiri.env.hitblow import MOST_GUESSES, Actions, chosen, rules_told, shown
from yomikiri.env.two_players import AGENTS, TwoPlayers, binary, checked
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Turn, hint, nothing_to_reveal


class raw_env(TwoPlayers):
    """Each agent guesses at the other's secret, in turns.

    An observation is a dict: `observation` holds one's own `turns` and `their_turns` (see `Actions.turns`), one's own
    `secret` as symbol numbers, and 1 for each symbol known to be `absent` from the secret that one seeks;
    `action_mask` is 1 for guesses not made yet. With `reveals` (`first` or `second`) that player shows one symbol that
    is not in the own secret, the usual handicap. With `equal_turns` the second player has the same number of guesses,
    and two finds in one round are a draw. After 20 guesses of each the match is truncated.
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
        self.rules = rules_told(preset, digits, symbols, repeats)
        self.reveals = one_of("reveals", reveals, ("none", *AGENTS))
        self.equal_turns = one_of("equal_turns", equal_turns, (False, True))
        # Every secret leaves a symbol to show, or one that is drawn may not.
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
        """Choose both secrets, and what is revealed; `options` may name them: `{"secrets": ["012", "345"]}`."""
        start = Knowledge(self.rules)
        secrets = self._checked(options["secrets"]) if options else [chosen(start, self.random) for _ in AGENTS]
        self.secrets = dict(zip(AGENTS, secrets, strict=True))
        self.boards = dict.fromkeys(AGENTS, start)
        if self.reveals in AGENTS:
            seeker = AGENTS[1 - AGENTS.index(self.reveals)]
            unused = [symbol for symbol in self.rules.symbols if symbol not in self.secrets[self.reveals]]
            self.boards[seeker] = Knowledge(self.rules, unused[int(self.random.integers(len(unused)))])

    def _checked(self, secrets: Any) -> list[str]:
        """Return both secrets that an option names. Raises an `InputError`."""
        if isinstance(secrets, str) or not isinstance(secrets, Sequence) or len(secrets) != len(AGENTS):
            raise InputError(
                N_("secrets={given}: expected two, of the first player and of the second"), given=str(secrets)
            )
        return [self.rules.check_secret(text_of("secrets", secret)) for secret in secrets]

    def play(self, action: int) -> None:
        agent = self.agent_selection
        guess = self.codes.code(action)
        secret = self.secrets[AGENTS[1 - AGENTS.index(agent)]]
        self.boards[agent] = self.boards[agent].after(Turn(guess, hint(guess, secret)))

    def winner(self) -> int | None:
        """Who has found a secret, once the round is over where both have equal turns."""
        first, second = (self.boards[agent].solved for agent in AGENTS)
        if self.equal_turns and len(self.boards["first"].turns) > len(self.boards["second"].turns):
            return None
        return int(first) - int(second) if first or second else None

    def cut_off(self) -> bool:
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
    """The match with checks; takes what `raw_env` takes."""
    return checked(raw_env(**settings))
