"""The best guess of a duel for one secret, by exact search.

>>> from yomikiri.guessing.answers import HITS_BLOWS
>>> from yomikiri.guessing.game import Game
>>> duel = Duel(Game(["01", "02", "10", "12", "20", "21"], answers=HITS_BLOWS).start)
>>> best_duel_guess(duel).win
Fraction(1, 2)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import TypeVar

import numpy as np

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.errors import N_, TurnError
from yomikiri.guessing.duel import Duel, DuelAdvice, Rival
from yomikiri.guessing.game import Game, Position
from yomikiri.guessing.growing_table import new_table
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.kernels.answer_table import AnswerTable, TableProblem, TableWorkspace
from yomikiri.guessing.kernels.duel import (
    CONSISTENT,
    ENTROPY,
    OPTIMAL,
    PERFECT,
    DuelProblem,
    DuelSet,
    DuelWorkspace,
    choose_guess,
    value_after,
)
from yomikiri.guessing.kernels.limits import NO_LIMIT
from yomikiri.guessing.position_table import MOST_ANSWERS, PositionTable, table_cost
from yomikiri.guessing.search import TableSearch
from yomikiri.machine.arrays import allocated
from yomikiri.machine.running import Runner

R = TypeVar("R")

SECONDS = 5.0
_ENTRIES = 1 << 20  # size of the transposition table, in sets; a power of two
_SAMPLES = (150, 50, 15)  # sizes of a sample, in candidates; the first size that can be solved in time is used
_EXACT = 100  # greatest number of candidates for which an exact search is tried
# Probabilities are rounded. The expected weight of the secrets that a player finds is a multiple of 1 / _PRECISION.
_PRECISION = 1 << 30

_MODELS = {
    Rival.PERFECT: PERFECT,
    Rival.CONSISTENT: CONSISTENT,
    Rival.ENTROPY: ENTROPY,
    Rival.OPTIMAL: OPTIMAL,
}


def best_duel_guess(
    duel: Duel,
    rival: Rival = Rival.PERFECT,
    budget: Budget = UNLIMITED,
    *,
    seconds: float | None = SECONDS,
    seed: int = 0,
) -> DuelAdvice:
    """Return the guess with the greatest margin: the probability of winning minus that of losing.

    The player to move plays well, and the other player follows `rival`. If an exact search would take more than
    `seconds`, a simpler duel is solved, in which both players may guess candidates only. If there are many candidates,
    this duel uses a sample of them, which `seed` determines. Raises a `ContradictionError` if no secret fits, a
    `TurnError` if the duel is over, and `Stopped` if the budget is spent.
    """
    if duel.is_over:
        raise TurnError(N_("the duel is over: needs a guess that is left"))
    duel.position.require_candidates()
    count = len(duel.position.candidates)
    if count <= _EXACT and _has_all_guesses(duel.position):
        try:
            return DuelSearch(duel, rival, budget.at_most(seconds)).best()
        except Stopped:
            if budget.spent():
                raise
    for most in _SAMPLES:
        sampled = min(count, most)
        sample = _sample(duel.position, sampled, seed)
        # The smallest sample has so few sets that its duel is always solved.
        limit = budget if most == _SAMPLES[-1] else budget.at_most(seconds)
        try:
            advice = DuelSearch(replace(duel, position=sample), rival, limit).best()
        except Stopped:
            if budget.spent():
                raise
            continue
        return replace(advice, candidates=count, is_exact=False, sampled=sampled if sampled < count else 0)
    raise AssertionError("the loop returns or raises")


def _has_all_guesses(position: Position) -> bool:
    """Return True if the answer table of a position contains all allowed guesses.

    If a table of all guesses would be too large, the table contains only every k-th guess and the candidates. Then the
    result is False, unless only candidates are allowed.
    """
    game = position.game
    if game.guess_rule is GuessRule.CONSISTENT:
        return True
    return table_cost(len(position.candidates), len(game.guesses)) <= MOST_ANSWERS


def _sample(position: Position, count: int, seed: int) -> Position:
    """Return the first position of a game in which only a sample of the candidates can be the secret or a guess.

    In this game, each guess must fit the earlier answers (consistent play).
    """
    numbers = sorted(Random(seed).sample(range(len(position.candidates)), count))
    secrets = {position.candidates[i]: position.weights[i] for i in numbers}
    return Game(secrets, answers=position.game.answers, guess_rule=GuessRule.CONSISTENT).start


class DuelSearch:
    """Exact search of a duel in which the player to move plays well and the other player follows a model.

    The guess rule of the game applies to both players. Each set that is searched counts as one state of the `budget`.
    """

    def __init__(self, duel: Duel, rival: Rival = Rival.PERFECT, budget: Budget = UNLIMITED) -> None:
        self._tables, rule = PositionTable(_without_useless_guesses(duel.position)), duel.position.game.guess_rule
        table, candidates_only, is_hard = self._tables.table, rule is GuessRule.CONSISTENT, rule is GuessRule.HARD
        secrets, guesses = len(table.own), len(self._tables.guesses)
        self._search: _NoSearch | TableSearch = _NoSearch(table, budget)
        if rival is Rival.OPTIMAL:
            self._search = TableSearch(table, budget, candidates_only=candidates_only)
        depths = secrets + 1  # each guess that is tried leaves fewer candidates, so no duel has more guesses than this
        self._work = allocated(
            DuelWorkspace,
            n=secrets,
            g=guesses,
            depths=depths,
            members=secrets * (depths + 1),
            answer_count=table.answer_count,
            entries=_ENTRIES,
            hard_depths=depths if is_hard else 0,
        )
        if is_hard:
            self._work.allowed[0] = np.arange(guesses)
        if isinstance(self._search, TableSearch):
            self._work.start_saving[:] = self._search.start_savings
        sizes = np.arange(1, secrets + 1)
        self._work.n_log_n[1:] = sizes * np.log2(sizes)
        self._work.state[0].model = _MODELS[rival]
        self._work.state[0].candidates_only = int(candidates_only)
        self._work.members[:secrets] = np.arange(secrets)
        key, check = table.keys.sum(axis=0, dtype=np.uint64)
        left = NO_LIMIT if duel.turns_left is None else duel.turns_left
        self._current = DuelSet(0, 0, secrets, self._tables.total_weight, key, check, 0, left)

    @property
    def nodes(self) -> int:
        """The number of candidate sets searched so far."""
        return self._search.nodes

    def best(self) -> DuelAdvice:
        """Return the best guess and its chances. Raises `Stopped` if the budget is spent."""
        current = self._current
        if current.n == 1 or current.left == 1:
            heaviest = self._tables.weights[0]
            return self._advice(0.0 + heaviest, 0.0, self._tables.own[0])
        own, other, guess = self._run(lambda problem: choose_guess(problem, current, current.n))
        return self._advice(float(own), float(other), int(guess))

    def after(self, guess: str) -> DuelAdvice:
        """Return the chances of winning and of losing after a guess that divides the candidates.

        Raises `Stopped` if the budget is spent.
        """
        k, current = self._tables.index[guess], self._current
        own, other = self._run(lambda problem: value_after(problem, current, current.n, k))
        return self._advice(float(own), float(other), k)

    def _run(self, call: Callable[[DuelProblem], R]) -> R:
        def with_search(search: TableProblem) -> R:
            # The duel search and the search for the fewest guesses share one array, so that one signal stops both of
            # them, and their nodes are counted together.
            return call(DuelProblem(self._work._replace(shared=search.work.shared), search))

        return self._search.run(self._current.n, with_search)

    def _advice(self, own: float, other: float, guess: int) -> DuelAdvice:
        total = self._tables.total_weight
        return DuelAdvice(self._tables.guesses[guess], _share(own, total), _share(other, total), self._current.n)


class _NoSearch:
    """Replacement for `TableSearch` in a duel that needs no search for the fewest guesses: it only runs kernels.

    It has those methods of `TableSearch` that `DuelSearch` calls. Its workspace and its transposition table are empty.
    """

    def __init__(self, table: AnswerTable, budget: Budget) -> None:
        self._budget, self._runner = budget, Runner()
        work = allocated(TableWorkspace, n=0, g=0, depths=0, members=0, answer_count=0)
        self._problem = TableProblem(table, new_table(0), work._replace(shared=self._runner.words))

    @property
    def nodes(self) -> int:
        """The number of candidate sets searched so far."""
        return self._runner.nodes

    def run(self, _n: int, call: Callable[[TableProblem], R]) -> R:
        """Run a kernel, by calling `call` with an empty workspace. Raises `Stopped` if the budget is spent."""
        found, why = self._runner.run(partial(call, self._problem), self._budget)
        if why:
            raise Stopped
        return found


def _share(won: float, total: int) -> Fraction:
    """Return the probability that a player wins: `won` divided by `total`, the weight of all candidates.

    `won` is the weight of those secrets that the player finds; a secret that the player finds with probability p counts
    p times its weight. The result is exact if `won` is a whole number, and rounded otherwise.
    """
    return Fraction(round(won * _PRECISION), _PRECISION * total)


def _without_useless_guesses(position: Position) -> Position:
    """Return the start of a game that has the candidates as secrets, and only useful guesses.

    All candidates remain. Any other guess is left out if it is not allowed, if all candidates give the same answer to
    it, or if an earlier guess divides the candidates into the same cells. Two such guesses divide each subset into the
    same cells, too. In hard mode, both remain, because they may differ in the guesses that they allow later.
    """
    game, secrets = position.game, dict(zip(position.candidates, position.weights, strict=True))
    if game.guess_rule is GuessRule.CONSISTENT:
        return Game(secrets, answers=game.answers, guess_rule=game.guess_rule).start
    tables = PositionTable(position)
    answers = tables.table.answers.reshape(len(secrets), -1)[:, : len(tables.guesses)]
    # For each candidate and guess: the first candidate with the same answer.
    first = np.zeros(answers.shape, dtype=np.int32)
    for i in range(1, len(answers)):
        first[i] = i
        for j in reversed(range(i)):
            first[i][answers[i] == answers[j]] = j
    kept = np.arange(len(tables.guesses))
    if game.guess_rule is not GuessRule.HARD:
        _columns, kept = np.unique(first, axis=1, return_index=True)
        kept.sort()
    useful = [tables.guesses[k] for k in kept[first[:, kept].any(axis=0)].tolist()]
    return Game(secrets, dict.fromkeys([*secrets, *useful]), game.answers, game.guess_rule).start
