"""Strategies as trees, and their verifiers, which play them by the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from yomikiri.common.errors import N_, Choices, Place, StrategyFault, usable
from yomikiri.guessing.game import Position


@dataclass(frozen=True, slots=True)
class DecisionNode:
    """A strategy: a guess, and the strategy after each answer except the winning one."""

    guess: str
    branches: tuple[tuple[str, DecisionNode], ...] = ()


def replay(strategy: DecisionNode, position: Position) -> tuple[int, ...]:
    """Play a strategy against every candidate: return the total weight found at guess 1, 2, 3, ...

    It applies the rules only, and no code of the search. Raises a `StrategyFault` if the strategy misses a candidate.
    """
    kind, win = position.game.answers, position.game.answers.win(position.game.places)
    found: Counter[int] = Counter()
    for secret, weight in zip(position.candidates, position.weights, strict=True):
        node, guesses = strategy, 1
        while (answer := kind.answer(node.guess, secret)) != win:
            after = dict(node.branches).get(answer)
            if after is None:
                raise StrategyFault(N_("the strategy does not find {secret}"), secret=secret)
            node, guesses = after, guesses + 1
        found[guesses] += weight
    return tuple(found[guesses] for guesses in range(1, max(found) + 1))


def verify(strategy: DecisionNode, position: Position) -> tuple[int, ...]:
    """Check a strategy from any source: play it against every candidate, and check each guess and branch.

    Returns the total weight found at guess 1, 2, 3, ... Raises the first `StrategyFault` in the order of the tree: a
    guess that the game does not allow, an answer without a branch, or a branch for an answer that no candidate gives.
    """
    position.require_candidates()
    win = position.game.answers.win(position.game.places)
    found: Counter[int] = Counter()
    open_games: list[tuple[tuple[str, ...], DecisionNode, Position]] = [((), strategy, position)]
    while open_games:
        way, node, here = open_games.pop()
        place = Place(" ".join((*way, node.guess)))
        _check_guess(node.guess, here, place)
        cells = here.split(node.guess)
        won = cells.pop(win, None)
        if won is not None:
            found[len(way) // 2 + 1] += won.weights[0]
        _check_branches(node, cells, place)
        for answer, below in reversed(node.branches):
            open_games.append(((*way, node.guess, answer), below, cells[answer]))
    return tuple(found[guesses] for guesses in range(1, max(found) + 1))


def _check_guess(guess: str, position: Position, place: Place) -> None:
    if position.guesses_left == 0:
        raise StrategyFault(
            N_("at {place}: this guess comes after the limit of {limit:guess|guesses}"),
            place=place, limit=len(position.turns),
        )  # fmt: skip
    with usable(place):
        code = position.game.code(guess)
        position.require_allowed(code)
    if code != guess:
        raise StrategyFault(N_("at {place}: write the guess as {code!r}"), place=place, code=code)


def _check_branches(node: DecisionNode, cells: Mapping[str, Position], place: Place) -> None:
    """Check that a node has one branch for each answer that leaves candidates, and no other branch."""
    answers = [answer for answer, _below in node.branches]
    for answer in answers:
        if answer not in cells or answers.count(answer) > 1:
            raise StrategyFault(
                N_("at {place}: branch {answer!r}: expected one branch for each of the answers {known}"),
                place=place, answer=answer, known=Choices(", ".join(cells)),
            )  # fmt: skip
    for answer, cell in cells.items():
        if answer not in answers:
            raise StrategyFault(
                N_("at {place}: no branch for the answer {answer}, which the secret {secret} gives"),
                place=place, answer=answer, secret=cell.candidates[0],
            )  # fmt: skip
