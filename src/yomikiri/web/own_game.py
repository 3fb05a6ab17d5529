"""The game with the user's own lists of secrets and guesses that a server offers, and a cache of its suggestions."""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from itertools import accumulate

from yomikiri.common.budget import Budget
from yomikiri.common.seeds import drawn
from yomikiri.guessing.game import Game, Observation, Position
from yomikiri.guessing.results import GuessAdvice, JudgedTurn
from yomikiri.web.limits import check_lists

_KEPT = 256  # the most suggestions in the cache
_KEY_LENGTH = 8


class OwnGame:
    """A game with the user's own lists of secrets and guesses.

    Raises an `InputError` if the lists are too long for the web page.
    """

    def __init__(self, game: Game) -> None:
        self.game = check_lists(game)
        self._found: dict[tuple[Observation, ...], GuessAdvice] = {}

    @cached_property
    def key(self) -> str:
        """A digest of the lists and rules, contained in the address of a game in which the person guesses a secret.

        If the server has other lists, their digest is different, so the server rejects the address.
        """
        game = self.game
        parts = (game.secrets, game.weights, game.guesses, game.answers.NAME, game.guess_rule, game.guess_limit)
        return sha256(repr(tuple(map(str, parts))).encode()).hexdigest()[:_KEY_LENGTH]

    def secret(self, seed: str) -> str:
        """Return the secret that a seed selects. The probability of a secret is proportional to its weight."""
        return self.game.secrets[drawn(seed, f"secret {self.key}", self.game.weight_array)]

    def advice(self, position: Position, budget: Budget) -> GuessAdvice:
        """Return the suggested guess, from a cache if possible.

        The cache contains proven suggestions. It also contains the first guess that `prepare` found, even if that is
        not proven.
        """
        if (known := self._found.get(position.turns)) is not None:
            return known
        from yomikiri.guessing.advice import suggest

        found = suggest(position, budget, seconds=None)
        if found.is_proven and len(self._found) < _KEPT:
            self._found.setdefault(position.turns, found)
        return found

    def review(self, position: Position, budget: Budget) -> list[JudgedTurn]:
        """Return the evaluation of each turn of a game, which is given by its last position.

        If the budget ends before a turn is evaluated exactly, its cost is None or not proven.
        """
        from yomikiri.guessing.advice import review_in_all

        return review_in_all(position, budget)

    def prepare(self, budget: Budget) -> None:
        """Search for the first guess and store it in the cache. The budget is usually larger than that of a page."""
        from yomikiri.guessing.advice import suggest

        self.first = suggest(self.game.start, budget, seconds=None)

    @property
    def first(self) -> GuessAdvice | None:
        """The suggested first guess in the cache, or None if it is not known yet."""
        return self._found.get(())

    @first.setter
    def first(self, advice: GuessAdvice) -> None:
        self._found[()] = advice

    def counts(self, position: Position) -> tuple[int, ...]:
        """Return the number of candidates after each turn of a position."""
        positions = accumulate(position.turns, Position.after, initial=self.game.start)
        return tuple(len(each.candidates) for each in positions)[1:]
