"""Hit & Blow on one board as a Gymnasium environment: find the secret in few guesses."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from yomikiri.env.codes import MOST_GUESSES, Actions, Turns, chosen, rules_told, shown
from yomikiri.errors import N_, CodeError
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Turn, hint


class HitBlow(gymnasium.Env[Turns, np.int64]):
    """`yomikiri/HitBlow-v0`: every guess costs 1, so the return of a game is minus its guesses.

    The action is the number of a guess, in the order of its symbols; the observation the turns so far (see
    `Actions.turns`). `info` holds the `action_mask` (guesses not made yet) and `candidates`, how many codes fit.
    A game ends when the secret is found, and is truncated after 20 guesses. `reset(options={"secret": "345"})` sets the
    secret; otherwise it is chosen at random.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012 (the form that Gymnasium asks for)

    def __init__(
        self,
        preset: str = "hitblow",
        digits: int | None = None,
        symbols: str | None = None,
        repeats: str | None = None,
        absent: str = "",
        render_mode: str | None = None,
    ) -> None:
        rules = rules_told(preset, digits, symbols, repeats)
        self.start = Knowledge(rules, absent)
        self.actions = Actions(rules)
        self.action_space = self.actions.space
        self.observation_space = self.actions.turns_space
        self.render_mode = render_mode
        self.known, self.secret = self.start, ""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Turns, dict[str, Any]]:
        """A new game; raises a `CodeError` for a secret that the rules do not allow, or that uses an absent symbol."""
        super().reset(seed=seed)
        given = (options or {}).get("secret")
        self.known = self.start
        self.secret = self._checked(given) if given else chosen(self.start, self.np_random)
        return self.actions.turns(()), self._info()

    def step(self, action: np.int64) -> tuple[Turns, float, bool, bool, dict[str, Any]]:
        guess = self.actions.code(int(action))
        self.known = self.known.after(Turn(guess, hint(guess, self.secret)))
        turns = self.known.played
        return self.actions.turns(turns), -1.0, self.known.solved, self._over(), self._info()

    def render(self) -> str | None:
        return shown(self.known.played) if self.render_mode == "ansi" else None

    def _checked(self, secret: str) -> str:
        secret = self.start.rules.check_secret(secret)
        if used := next((symbol for symbol in secret if symbol in self.start.absent), None):
            raise CodeError(
                N_("{symbol!r} in {given!r} is absent from the secret: expected other symbols"),
                symbol=used,
                given=secret,
            )
        return secret

    def _over(self) -> bool:
        return len(self.known.played) >= MOST_GUESSES and not self.known.solved

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.actions.mask(self.known.played), "candidates": self.known.count}
