"""Advice for a player: the next guess, the solution of a game, and the review of a finished one.

>>> from yomikiri.guessing.game import Game
>>> game = Game(["crane", "crate", "grate"], ["night"])
>>> suggest(game.start).guess
'crane'
>>> solve(game.start).total
5
"""

from __future__ import annotations

from fractions import Fraction

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.game import Observation, Position
from yomikiri.guessing.position_search import Best, PositionSearch
from yomikiri.guessing.results import GuessAdvice, JudgedTurn, SolvedGame
from yomikiri.guessing.strategy import replay

SECONDS = 5.0


def suggest(
    position: Position, budget: Budget = UNLIMITED, *, seconds: float | None = SECONDS, consistent: bool = False
) -> GuessAdvice:
    """Return the best guess that a search of `seconds` finds (None for no limit).

    With `consistent`, it is a candidate. Raises a `ContradictionError` if no secret fits.
    """
    search = PositionSearch(position, budget.at_most(seconds), consistent=consistent)
    return _advice(search, search.best(), position)


def _advice(search: PositionSearch, best: Best, position: Position) -> GuessAdvice:
    parts, total = search.parts(best.guess), search.total_weight
    return GuessAdvice(
        best.guess,
        len(position.candidates),
        Fraction(parts.get(position.game.answers.win(position.game.places), 0), total),
        len(parts),
        Fraction(max(parts.values()), total),
        None if best.cost is None else Fraction(best.cost, total),
        best.is_proven,
    )


def solve(
    position: Position, budget: Budget = UNLIMITED, *, first: str | None = None, consistent: bool = False
) -> SolvedGame:
    """Return an optimal strategy, or an optimal one that begins with the guess `first`.

    If the budget is spent, the result is the best strategy found by then, with the bound that is proven. Raises
    `Stopped` if there is none yet, and an `InputError` for a first guess that is not allowed.
    """
    guess = None if first is None else position.game.code(first)
    search = PositionSearch(position, budget, consistent=consistent, needed=guess)
    if guess is None:
        best = search.best()
        if best.cost is None:
            raise Stopped
    else:
        cost = search.cost_after(guess, budget)
        best = Best(guess, cost, search.bound_of(cost))
    strategy = search.strategy(best.guess)
    return SolvedGame(best.guess, strategy, replay(strategy, position), best.bound)


def review(position: Position, budget: Budget = UNLIMITED, *, seconds: float | None = SECONDS) -> list[JudgedTurn]:
    """Judge every turn of a position, with at most `seconds` for each."""
    judged, before = [], position.game.start
    for turn in position.turns:
        after = before.after(turn)
        half = None if seconds is None else seconds / 2
        search = PositionSearch(before, budget.at_most(half), needed=turn.guess)
        best = search.best()
        try:
            played = search.cost_after(turn.guess, budget.at_most(half))
        except Stopped:
            played = None
        judged.append(_judged(best, played, before, after, turn))
        before = after
    return judged


def _judged(best: Best, played: int | None, before: Position, after: Position, turn: Observation) -> JudgedTurn:
    cost, total = None, sum(before.weights)
    if played == IMPOSSIBLE:  # all candidates remain, so the guess costs one guess
        cost = Fraction(1)
    elif best.cost is not None and played is not None:
        cost = Fraction(max(0, played - best.cost), total)
        if played < best.cost:
            best = Best(turn.guess, played, best.bound)
    chance = Fraction(sum(after.weights), total)
    return JudgedTurn(turn, len(before.candidates), len(after.candidates), best.guess, cost, best.is_proven, chance)
