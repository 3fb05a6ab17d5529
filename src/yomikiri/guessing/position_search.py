"""Exact search of one position of a game: the best guess, its cost, and how far it is proven.

>>> from yomikiri.guessing.game import Game
>>> search = PositionSearch(Game(["aaa", "bbb", "ccc", "ddd"]).start)
>>> search.best()
Best(guess='aaa', cost=10, bound=10)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.common.errors import N_, InputError
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.game import Game, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.kernels.answers import fill_answers
from yomikiri.guessing.kernels.limits import NO_LIMIT
from yomikiri.guessing.search import Members, TableSearch
from yomikiri.guessing.strategy import DecisionNode
from yomikiri.guessing.table import answer_table, row_length

_MOST_ANSWERS = 1 << 27  # greatest number of answers in a table: 256 MB
_SMALL = 1 << 22  # a table with fewer answers is searched by one call of a kernel
_CLASSES_FROM = 1 << 24  # classes of secrets are computed for tables with at least this many answers
_SMALLEST_CLASS = 3
_BEFORE_CLASSES = 60  # number of first guesses that are tried before classes are computed


@dataclass(frozen=True, slots=True)
class Best:
    """The best guess found, the least cost with it, and a lower bound of the cost of every guess.

    `cost` is None if the search stopped before it had evaluated a guess, and IMPOSSIBLE if no strategy finds every
    secret within the guesses that are left.
    """

    guess: str
    cost: int | None
    bound: int

    @property
    def is_proven(self) -> bool:
        """True if no guess costs less."""
        return self.cost == self.bound


class PositionSearch:
    """Exact search of a position with the guesses that the guess rule of the game allows.

    Every secret must be found within the guesses that are left, unless `limited` is False.

    For too many secrets and guesses, it uses the guess `needed`, the secrets and an even selection of the other
    guesses, and proves no guess optimal. Raises a `ContradictionError` if there is no candidate, and an `InputError` if
    there are too many.
    """

    def __init__(
        self, position: Position, budget: Budget = UNLIMITED, *, needed: str | None = None, limited: bool = True
    ) -> None:
        position.require_candidates()
        if len(position.candidates) > (most := isqrt(_MOST_ANSWERS)):
            raise InputError(
                N_("{given} candidates are too many for a search: give turns until at most {limit} are left"),
                given=len(position.candidates),
                limit=most,
            )
        rule = position.game.guess_rule
        self._budget, self._consistent = budget, rule is GuessRule.CONSISTENT
        weighted = sorted(zip(position.candidates, position.weights, strict=True), key=lambda each: -each[1])
        self.secrets = [secret for secret, _weight in weighted]
        self.weights = [weight for _secret, weight in weighted]
        allowed = (
            tuple(filter(position.allows, position.game.guesses)) if rule is GuessRule.HARD else position.game.guesses
        )
        self.guesses = _selected(self.secrets, allowed, needed)
        self.is_complete = set(self.guesses) == set(allowed)
        index = {guess: k for k, guess in enumerate(self.guesses)}
        self.own = [index[secret] for secret in self.secrets]
        answers = _answers(position.game, self.secrets, self.guesses, self.own)
        symbols = np.zeros((0, len(self.guesses)), dtype=np.uint8)
        if rule is GuessRule.HARD:
            symbols = np.ascontiguousarray(_symbols(self.guesses, position.game.symbols).T)
        self.table = answer_table(answers, len(self.guesses), self.own, self.weights, symbols)
        self._game, self._index = position.game, index
        left = position.guesses_left if limited else None
        self._search = TableSearch(
            self.table, budget, candidates_only=self._consistent, guess_limit=NO_LIMIT if left is None else left
        )
        self._all: Members = np.arange(len(self.secrets), dtype=np.int32)

    @property
    def total_weight(self) -> int:
        """The sum of the weights of all candidates."""
        return sum(self.weights)

    @property
    def nodes(self) -> int:
        """The number of sets searched so far."""
        return self._search.nodes

    @cached_property
    def _bounds(self) -> NDArray[np.int64]:
        """Lower bounds of the costs of all guesses; IMPOSSIBLE for those that are not allowed."""
        bounds = 3 * self.total_weight - self._search.start_savings
        own = np.array(self.own)
        bounds[own] -= self.weights
        if self._consistent:
            kept = np.full(len(bounds), IMPOSSIBLE)
            kept[own] = bounds[own]
            return kept
        return bounds

    def improvements(self) -> Iterator[Best]:
        """Yield the best guess each time the search finds a better one, and at last with the proven bound.

        The search tries guesses in order of their bounds; if bounds are equal, candidates come first. It ends early if
        the budget is spent.
        """
        if len(self.secrets) * len(self.guesses) < _SMALL:
            yield self._whole()
            return
        own, bounds = set(self.own), self._bounds.tolist()
        order = sorted(range(len(self.guesses)), key=lambda k: (bounds[k], k not in own, k))
        best = Best(self.guesses[order[0]], None, self.bound_of(bounds[order[0]]))
        for tried, k in enumerate(order):
            limit = IMPOSSIBLE if best.cost is None else best.cost
            if bounds[k] >= limit:
                break
            try:
                if tried == _BEFORE_CLASSES and self._is_large:
                    self._search.add_classes(_classes(self.secrets))
                cost = self._search.cost_after(self._all, k, limit)
            except Stopped:
                yield best
                return
            if cost < limit:
                best = Best(self.guesses[k], cost, best.bound)
                yield best
            self._budget.report(Progress(states=self.nodes))
        cost = IMPOSSIBLE if best.cost is None else best.cost
        yield Best(best.guess, cost, self.bound_of(cost))

    def bound_of(self, cost: int) -> int:
        """Return a lower bound of the cost of every guess of the game.

        `cost` is such a bound for the guesses of the search, which are a selection in large games.
        """
        return cost if self.is_complete else 2 * self.total_weight - self.weights[0]

    def _whole(self) -> Best:
        """Return the best guess, by one call of a kernel. If the search is stopped, the cost is None."""
        try:
            cost, guess = self._search.best(self._all)
        except Stopped:
            first = int(self._bounds.argmin())
            return Best(self.guesses[first], None, self.bound_of(int(self._bounds[first])))
        if guess < 0:
            guess, cost = self.own[0], IMPOSSIBLE
        return Best(self.guesses[guess], cost, self.bound_of(cost))

    def best(self) -> Best:
        """Return the best guess that the budget allows to find."""
        *_, best = self.improvements()
        return best

    def cost_after(self, guess: str, budget: Budget) -> int:
        """Return the least cost with `guess` first.

        The result is IMPOSSIBLE if no strategy that begins with it finds every secret within the guesses that are left.
        For a selection of guesses, this is the least cost with these. Raises `Stopped` if this budget is spent.
        """
        self._search.budget = budget
        first = self._index[guess]
        if len(self.parts(guess)) == 1 and first not in self.own:
            cost = self.total_weight + self._search.best(self._all, first, 1)[0]
        else:
            cost = self._search.cost_after(self._all, first)
        return min(cost, IMPOSSIBLE)

    def parts(self, guess: str) -> dict[str, int]:
        """Return the weight of the candidates by answer to a guess, in order of the answers."""
        kind, parts = self._game.answers, dict[str, int]()
        for secret, weight in zip(self.secrets, self.weights, strict=True):
            answer = kind.answer(guess, secret)
            parts[answer] = parts.get(answer, 0) + weight
        return dict(sorted(parts.items()))

    def strategy(self, guess: str) -> DecisionNode:
        """Return an optimal strategy that begins with `guess`. This takes no time if its cost is known."""
        self._search.budget = UNLIMITED
        return self._grown(self._all, self._index[guess], 1)

    def _grown(self, members: Members, guess: int, depth: int) -> DecisionNode:
        """Return an optimal strategy for a set that begins with `guess`, the guess number `depth`."""
        name, kind = self.guesses[guess], self._game.answers
        cells: dict[str, list[int]] = {}
        for member in members.tolist():
            if self.own[member] != guess:
                cells.setdefault(kind.answer(name, self.secrets[member]), []).append(member)
        branches = []
        for answer, cell in sorted(cells.items()):
            left = np.array(cell, dtype=np.int32)
            best = self.own[cell[0]] if len(cell) <= 2 else self._search.best(left, guess, depth)[1]
            branches.append((answer, self._grown(left, best, depth + 1)))
        return DecisionNode(name, tuple(branches))

    @property
    def _is_large(self) -> bool:
        return len(self.secrets) * len(self.guesses) >= _CLASSES_FROM


def _selected(secrets: Sequence[str], guesses: Sequence[str], needed: str | None) -> tuple[str, ...]:
    """Return all guesses. If the table would be too large: every k-th guess, all secrets, and the guess `needed`."""
    step = -(-len(secrets) * len(guesses) // _MOST_ANSWERS)
    if step == 1:
        return tuple(guesses)
    return tuple(dict.fromkeys([*guesses[::step], *secrets, *([needed] if needed else [])]))


def _symbols(codes: Sequence[str], symbols: str) -> NDArray[np.uint8]:
    """Return the indices of the symbols of codes: shape (codes, places)."""
    points = np.array([[ord(symbol) for symbol in code] for code in codes])
    return np.searchsorted([ord(symbol) for symbol in symbols], points).astype(np.uint8)


def _answers(game: Game, secrets: Sequence[str], guesses: Sequence[str], own: Sequence[int]) -> NDArray[np.uint16]:
    """Return the answer indices, shape (secrets, row_length(guesses)). The win is the largest."""
    hits, blows = (np.array(values) for values in game.answers.values(game.places))
    answers = np.zeros((len(secrets), row_length(len(guesses))), dtype=np.uint16)
    columns = np.ascontiguousarray(_symbols(guesses, game.symbols).T)
    fill_answers(columns, _symbols(secrets, game.symbols), hits, blows, answers)
    largest = int(hits.sum()) + 1
    answers[np.arange(len(secrets)), own] = largest
    occurring = np.zeros(largest + 1, dtype=bool)
    given = answers[:, : len(guesses)]
    for row in given:
        occurring[row] = True
    index = (np.cumsum(occurring) - 1).astype(np.uint16)
    for row in given:
        row[:] = index[row]
    return answers


def _classes(secrets: Sequence[str]) -> NDArray[np.bool_]:
    """Return classes of secrets, shape (classes, n): with a symbol, without it, and with it in a certain place."""
    codes = _symbols(secrets, symbols := "".join(sorted(set().union(*secrets))))
    found = []
    for symbol in range(len(symbols)):
        at = codes == symbol
        found += [at.any(axis=1), ~at.any(axis=1), *at.T]
    return np.array([inside for inside in found if _SMALLEST_CLASS <= inside.sum() < len(secrets)])
