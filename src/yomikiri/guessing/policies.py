"""Policies: rules that choose a guess in a position, and their simulation against every secret.

>>> from yomikiri.guessing.game import Game
>>> game = Game(["crane", "crate", "grate"], ["night"])
>>> simulate(policy_named("consistent", game.start), game.start).histogram
(1, 2)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from random import Random
from typing import TypeAlias

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.common.errors import N_, Choices, CodeError, InputError
from yomikiri.guessing.advice import SECONDS, suggest
from yomikiri.guessing.game import Position
from yomikiri.guessing.guess_rules import repeated_guess
from yomikiri.guessing.one_step import OneStepPolicy, expected_entropy, is_settled, largest_part, likeliest
from yomikiri.guessing.results import SimulatedGame, SolvedGame
from yomikiri.guessing.strategy import DecisionNode, replay

Policy: TypeAlias = Callable[[Position], str]
"""A function that returns the guess for a position with at least one candidate and a guess that is left."""


class PolicyName(StrEnum):
    """A policy of the program.

    - `EXACT`: the guess that `suggest` returns, which is optimal if the search ends in time.
    - `ENTROPY`: the guess with the greatest expected information.
    - `MINIMAX`: the guess whose largest part is smallest.
    - `CONSISTENT`: the likeliest candidate.

    Of equally good guesses, candidates come before other guesses, and likelier candidates before less likely ones.
    Otherwise, the order of the list decides. For the last guess, and for one or two candidates, all policies guess the
    likeliest candidate.
    """

    EXACT = "exact"
    ENTROPY = "entropy"
    MINIMAX = "minimax"
    CONSISTENT = "consistent"


def policy_named(name: str, start: Position, budget: Budget = UNLIMITED, *, seconds: float | None = SECONDS) -> Policy:
    """Return a policy of the program for the positions that follow `start`.

    `seconds` limits each guess of `EXACT` (None for no limit). Raises a `ContradictionError` if no secret fits, and an
    `InputError` for an unknown name or too many candidates.
    """
    if name not in list(PolicyName):
        raise InputError(
            N_("policy {given!r} with lists of codes: expected one of {known}"),
            given=name, known=Choices(", ".join(PolicyName)),
        )  # fmt: skip
    match PolicyName(name):
        case PolicyName.EXACT:
            return partial(_exact, budget=budget, seconds=seconds)
        case PolicyName.ENTROPY:
            return OneStepPolicy(start, expected_entropy)
        case PolicyName.MINIMAX:
            return OneStepPolicy(start, largest_part)
        case PolicyName.CONSISTENT:
            return likeliest


def _exact(position: Position, budget: Budget, seconds: float | None) -> str:
    return likeliest(position) if is_settled(position) else suggest(position, budget, seconds=seconds).guess


def simulate(
    policy: Policy, start: Position, budget: Budget = UNLIMITED, *, secrets: Iterable[str] | None = None
) -> SimulatedGame:
    """Play a policy from `start` against every candidate, or against those in `secrets`, and count the guesses.

    Each position is played once for all secrets that lead to it. Each position counts as one state of the budget, and
    progress reports count the secrets whose games have ended. The secrets are played in a random order, which is always
    the same.

    Raises `Stopped` if the budget is spent. The error contains a result for the secrets that were played so far, one
    after another in this order. They are a random sample. Games with other secrets may have ended, too, because they
    share positions. These games are not in the result, because the sample would no longer be random.

    Raises a `ContradictionError` if no secret fits, a `CodeError` for a guess that is not allowed or a secret that is
    no candidate, and an `InputError` if the policy repeats a guess, because the game might never end.
    """
    start.require_candidates()
    simulation = _Simulation(policy, start, _targets(start, secrets))
    order = list(simulation.targets)
    Random(0).shuffle(order)
    for done, secret in enumerate(order):
        try:
            simulation.play(secret, budget)
        except Stopped:
            raise Stopped(simulation.result(order[:done])) from None
    return simulation.result(order)


class _Simulation:
    """The games of one policy against several secrets. Games with the same turns so far share one position.

    `targets` are the secrets, with their weights. `ended` contains the number of guesses for each finished game, None
    if the secret was not found.
    """

    def __init__(self, policy: Policy, start: Position, targets: Mapping[str, int]) -> None:
        self._policy, self._start, self.targets = policy, start, targets
        self._win = start.game.answers.win(start.game.places)
        self._reached = dict.fromkeys(targets, start)
        self.ended: dict[str, int | None] = {}
        self._played = 0

    def play(self, secret: str, budget: Budget) -> None:
        """Play the game of `secret` to its end. Raises `Stopped` if the budget is spent.

        Games that share its positions are played on, too.
        """
        while secret not in self.ended:
            position = self._reached[secret]
            if position.guesses_left == 0:
                self.ended[secret] = None
            else:
                guess = _guess_of(self._policy, position)
                budget.check(self._played)  # the budget may have ended while the policy compared guesses
                self._played += 1
                self._divide(position, guess)
            budget.report(Progress(states=self._played, done=len(self.ended), of=len(self.targets)))

    def _divide(self, position: Position, guess: str) -> None:
        """Make a guess in all games that have reached a position, and sort them by the answer."""
        cells = position.split(guess)
        if len(cells) == 1 and self._win not in cells and any(turn.guess == guess for turn in position.turns):
            raise repeated_guess(guess)
        for answer, cell in cells.items():
            for secret in self.targets.keys() & cell.candidates:
                if answer == self._win:
                    self.ended[secret] = len(cell.turns) - len(self._start.turns)
                else:
                    self._reached[secret] = cell

    def result(self, secrets: Sequence[str]) -> SimulatedGame:
        """Return the result of the games against some secrets, which must have ended."""
        found, missed = Counter[int](), 0
        for secret in secrets:
            guesses = self.ended[secret]
            if guesses is None:
                missed += self.targets[secret]
            else:
                found[guesses] += self.targets[secret]
        histogram = tuple(found[guesses] for guesses in range(1, max(found, default=0) + 1))
        return SimulatedGame(len(secrets), histogram, missed)


def _targets(start: Position, secrets: Iterable[str] | None) -> dict[str, int]:
    """Return the secrets to play, with their weights. Raises a `CodeError` for a code that is no candidate."""
    weights = dict(zip(start.candidates, start.weights, strict=True))
    if secrets is None:
        return weights
    targets = frozenset(map(start.game.code, secrets))
    for secret in sorted(targets.difference(weights)):
        raise CodeError(N_("secret {given!r}: expected a candidate, which fits the turns"), given=secret)
    return {secret: weight for secret, weight in weights.items() if secret in targets}


def _guess_of(policy: Policy, position: Position) -> str:
    """Return the guess of a policy at a position. Raises a `CodeError` if the guess rule does not allow it."""
    guess = position.game.code(policy(position))
    position.require_allowed(guess)
    return guess


def quick_solution(start: Position, first: str | None = None) -> SolvedGame | None:
    """Return the strategy of the policy `ENTROPY`, as a substitute if the exact search has found none.

    The strategy begins with the guess `first`, if it is given. The result is None if the strategy does not find every
    candidate within the limit of guesses. The lower bound in the result holds for every strategy, or for every one that
    begins with `first`: at most one secret is found at the first guess, and all others need two guesses or more.
    """
    policy = policy_named(PolicyName.ENTROPY, start)
    win = start.game.answers.win(start.game.places)

    def grown(position: Position, guess: str) -> DecisionNode | None:
        branches = []
        for answer, cell in position.split(guess).items():
            if answer == win:
                continue
            below = None if cell.guesses_left == 0 else grown(cell, _guess_of(policy, cell))
            if below is None:
                return None
            branches.append((answer, below))
        return DecisionNode(guess, tuple(branches))

    guess = _guess_of(policy if first is None else lambda _start: first, start)
    strategy = grown(start, guess)
    if strategy is None:
        return None
    weights = dict(zip(start.candidates, start.weights, strict=True))
    found_at_once = max(weights.values()) if first is None else weights.get(guess, 0)
    return SolvedGame(guess, strategy, replay(strategy, start), 2 * sum(weights.values()) - found_at_once)
