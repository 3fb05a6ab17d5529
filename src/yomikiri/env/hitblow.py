"""Hit & Blow on one board as a Gymnasium environment, whose goal is to find the secret in few guesses.

The environment of the match uses the numbering of guesses, the array of turns and the display from here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from yomikiri.common.errors import N_, CodeError
from yomikiri.env.given import RENDER_MODES, action_of, no_game, one_of, options_of, text_of
from yomikiri.hitblow.model.codes import all_guesses, decode, encode
from yomikiri.hitblow.model.game import rules_of
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import MAX_SYMBOLS, Rules, Turn, hint

MOST_GUESSES = 20
"""The maximum number of guesses of a player. After that many guesses without success, the game is truncated."""

EMPTY = -1
"""The value that fills the rows of an array of turns after the last turn."""

Turns = NDArray[np.int8]
Mask = NDArray[np.int8]


def rules_from(preset: str, digits: int | None, symbols: str | None, repeats: str | None) -> Rules:
    """Return the rules of a preset, with the given changes. Raises an `InputError`."""
    given = {"preset": preset, "digits": digits, "symbols": symbols, "repeats": repeats}
    return rules_of({name: str(value) for name, value in given.items() if value is not None})


class Actions:
    """The guesses of a game, numbered from 0 in lexicographic order of their symbol numbers."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self._guesses = rules, all_guesses(rules)
        self.space = spaces.Discrete(len(self._guesses))
        most = max(MAX_SYMBOLS - 1, rules.digits)
        self.turns_space = spaces.Box(EMPTY, most, (MOST_GUESSES, rules.digits + 2), np.int8)
        self.mask_space = spaces.Box(0, 1, (len(self._guesses),), np.int8)

    def code(self, action: int) -> str:
        """Return the guess with number `action`."""
        return decode(self.rules, self._guesses[action])

    def number(self, code: str) -> int:
        """Return the number of a guess."""
        return int(np.flatnonzero((self._guesses == encode(self.rules, code)).all(axis=1))[0])

    def mask(self, turns: Sequence[Turn]) -> Mask:
        """Return 1 for each guess not made yet, and 0 for the others: shape (guesses,), int8."""
        free = np.ones(len(self._guesses), dtype=np.int8)
        for turn in turns:
            free[self.number(turn.guess)] = 0
        return free

    def turns(self, turns: Sequence[Turn]) -> Turns:
        """Return the turns as rows of symbol numbers, hits, blows, then `EMPTY` rows: shape (20, digits + 2), int8."""
        rows = np.full((MOST_GUESSES, self.rules.digits + 2), EMPTY, dtype=np.int8)
        for row, turn in zip(rows, turns, strict=False):
            row[:] = [*encode(self.rules, turn.guess), turn.hint.hits, turn.hint.blows]
        return rows


def chosen(known: Knowledge, random: np.random.Generator) -> str:
    """Return a random candidate, uniformly distributed."""
    return decode(known.rules, known.candidates[int(random.integers(known.count))])


def shown(turns: Sequence[Turn]) -> str:
    """Return the turns as text, one per line."""
    return "\n".join(f"{number}. {turn.guess} {turn.hint}" for number, turn in enumerate(turns, start=1))


class HitBlow(gymnasium.Env[Turns, np.int64]):
    """`yomikiri/HitBlow-v0`: the reward of a guess is -1, so the return of a game is minus its number of guesses.

    An action is the number of a guess (see `Actions`). An observation is the turns so far (see `Actions.turns`). `info`
    contains the `action_mask` (guesses not made yet) and the number of `candidates`. A game ends when the secret is
    found, and is truncated after 20 guesses. `reset(options={"secret": "345"})` sets the secret; otherwise it is
    random. The secret never contains a symbol of the setting `absent`.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES)}  # noqa: RUF012 (the form that Gymnasium requires)

    def __init__(
        self,
        preset: str = "hitblow",
        digits: int | None = None,
        symbols: str | None = None,
        repeats: str | None = None,
        absent: str = "",
        render_mode: str | None = None,
    ) -> None:
        rules = rules_from(preset, digits, symbols, repeats)
        self.start = Knowledge(rules, text_of("absent", absent))
        self.actions = Actions(rules)
        self.action_space = self.actions.space
        self.observation_space = self.actions.turns_space
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.known, self.secret = self.start, ""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Turns, dict[str, Any]]:
        """Begin a new game.

        Raises an `InputError` for an option other than `secret`. It also does so for a secret that the rules do not
        allow, or that contains an absent symbol.
        """
        given = options_of(options, "secret")
        secret = self._checked(text_of("secret", given["secret"])) if given else ""
        super().reset(seed=seed)
        self.known, self.secret = self.start, secret or chosen(self.start, self.np_random)
        return self.actions.turns(()), self._info()

    def step(self, action: np.int64) -> tuple[Turns, float, bool, bool, dict[str, Any]]:
        """Make a guess. Raises an `InputError` for an action outside the space, and if no game is in progress."""
        number = action_of(self.actions.space, action)
        if not self.secret or self.known.solved or len(self.known.played) >= MOST_GUESSES:
            raise no_game()
        guess = self.actions.code(number)
        self.known = self.known.after(Turn(guess, hint(guess, self.secret)))
        turns, solved = self.known.played, self.known.solved
        truncated = len(turns) >= MOST_GUESSES and not solved
        return self.actions.turns(turns), -1.0, solved, truncated, self._info()

    def render(self) -> str | None:
        return shown(self.known.played) if self.render_mode == "ansi" else None

    def _checked(self, secret: str) -> str:
        secret = self.start.rules.check_secret(secret)
        if used := next((symbol for symbol in secret if symbol in self.start.absent), None):
            raise CodeError(
                N_("{symbol!r} in {given!r} is known to be absent: choose other symbols"),
                symbol=used,
                given=secret,
            )
        return secret

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.actions.mask(self.known.played), "candidates": self.known.count}
