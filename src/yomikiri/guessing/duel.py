"""A duel: two players take turns to guess the same secret, both see all answers, and whoever finds it wins.

This module contains duels and results; `duel_search` has the search.

>>> from yomikiri.guessing.answers import HITS_BLOWS
>>> from yomikiri.guessing.game import Game
>>> duel = Duel(Game(["01", "02", "10"], answers=HITS_BLOWS).start).after("01:1H0B")
>>> duel.to_move, duel.position.candidates
(1, ('02',))
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import reduce

from yomikiri.common.entries import all_but_last
from yomikiri.common.errors import N_, TurnError
from yomikiri.guessing.game import Observation, Position
from yomikiri.guessing.guess_rules import GuessRule


class Rival(StrEnum):
    """A model of how the other player of a duel guesses.

    - `PERFECT`: the guess with the greatest probability of winning minus that of losing.
    - `CONSISTENT`: a candidate, drawn at random.
    - `ENTROPY`: the guess after which the expected entropy of the candidates is least.
    - `OPTIMAL`: the guess that a player alone makes to need the fewest guesses on average.
    """

    PERFECT = "perfect"
    CONSISTENT = "consistent"
    ENTROPY = "entropy"
    OPTIMAL = "optimal"


@dataclass(frozen=True, slots=True)
class Duel:
    """A duel after some turns. The turns of `position` are those of both players.

    - `to_move`: 0 if it is your turn, 1 if it is the other player's.
    - `turns_left`: the number of guesses of both players together after which the duel is a draw; None for no limit.
    """

    position: Position
    to_move: int = 0
    turns_left: int | None = None

    @property
    def winner(self) -> int | None:
        """The winner: 0 for you, 1 for the other player. None as long as the secret is not found."""
        return 1 - self.to_move if self.position.is_solved else None

    @property
    def is_over(self) -> bool:
        """True if a player has found the secret, or the limit of guesses is reached."""
        return self.position.is_solved or self.turns_left == 0

    def after(self, turn: str | Observation) -> Duel:
        """Return the duel after the next turn. Raises an `InputError` for a turn that the rules do not allow.

        In hard mode, the guesses of both players must use all that the answers have revealed.
        """
        if self.turns_left == 0:
            raise TurnError(N_("turn {given!r}: the duel has ended in a draw"), given=str(turn))
        left = None if self.turns_left is None else self.turns_left - 1
        after = self.position.after(turn)
        if self.position.game.guess_rule is GuessRule.HARD:
            self.position.require_allowed(after.turns[-1].guess)
        return Duel(after, 1 - self.to_move, left)

    @property
    def start(self) -> Duel:
        """This duel before its first turn."""
        played = len(self.position.turns)
        left = None if self.turns_left is None else self.turns_left + played
        return Duel(self.position.game.start, (self.to_move + played) % 2, left)

    def undo(self) -> Duel:
        """Return the duel before the last turn. Raises a `TurnError` if there is no turn."""
        return reduce(Duel.after, all_but_last(self.position.turns), self.start)


@dataclass(frozen=True, slots=True)
class DuelAdvice:
    """The best guess of the player to move.

    - `win`, `lose`: the probabilities that the player wins and loses. They add up to less than 1 if it is possible that
      neither player finds the secret.
    - `candidates`: the number of secrets that fit.
    - `is_exact`: False if there were too many guesses for an exact search. The probabilities are then those of a duel
      in which both players guess candidates only.
    - `sampled`: the number of candidates in the sample from which an inexact result is computed, 0 if all were used.
    """

    guess: str
    win: Fraction
    lose: Fraction
    candidates: int
    is_exact: bool = True
    sampled: int = 0

    @property
    def draw(self) -> Fraction:
        """The probability of a draw: that neither player finds the secret."""
        return 1 - self.win - self.lose
