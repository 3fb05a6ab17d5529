"""Advice for a player: the next guess, the solution of a game, and the review of a finished one.

>>> from yomikiri.guessing.game import Game
>>> game = Game(["crane", "crate", "grate"], ["night"])
>>> suggest(game.start).guess
'crane'
>>> solve(game.start).total
5
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.errors import N_, InputError, TurnError
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.first_guesses import NO_STORE, FirstGuessStore
from yomikiri.guessing.free_questions import FreeQuestion, QuestionSearch
from yomikiri.guessing.game import Observation, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.position_search import Best, PositionSearch
from yomikiri.guessing.position_table import PositionTable
from yomikiri.guessing.results import GuessAdvice, JudgedTurn, QuestionCosts, SolvedGame
from yomikiri.guessing.strategy import replay

SECONDS = 5.0
_MOST_ANSWERS = 1 << 24  # limit on the answers in the table of a search with free questions, which takes 10 bytes each


def suggest(position: Position, budget: Budget = UNLIMITED, *, seconds: float | None = SECONDS) -> GuessAdvice:
    """Return the best guess that a search of `seconds` finds (None for no limit).

    If no strategy finds every candidate within the guesses that are left, the guess is the best without a limit, and
    for the last guess the likeliest candidate. Raises a `ContradictionError` if no secret fits, and a `TurnError` if no
    guess is left.
    """
    if position.guesses_left == 0:
        raise TurnError(N_("the game is over: needs a guess that is left"))
    search = PositionSearch(position, budget.at_most(seconds))
    is_last = position.guesses_left == 1 and len(position.candidates) > 1
    best = Best(search.secrets[0], IMPOSSIBLE, IMPOSSIBLE) if is_last else search.best()
    if best.cost != IMPOSSIBLE:
        return _advice(search, best, position)
    if not is_last:
        search = PositionSearch(position, budget.at_most(seconds), limited=False)
        best = search.best()
    return replace(_advice(search, best, position), expected=None, is_proven=False, finds_all=False)


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
    position: Position,
    budget: Budget = UNLIMITED,
    *,
    first: str | None = None,
    workers: int = 1,
    store: FirstGuessStore = NO_STORE,
) -> SolvedGame:
    """Return an optimal strategy, or an optimal one that begins with the guess `first`.

    In a large game, `workers` threads search. `store` keeps the bounds of first guesses, so that a later call continues
    the proof; `first_guess_store.FirstGuessFile` is a file.

    If the budget is spent, the result is the best strategy found by then, with the bound that is proven. Raises
    `Stopped` if there is none yet, and an `InputError` for a first guess that is not allowed, and if no strategy finds
    every secret within the guesses that are left.
    """
    guess = None if first is None else position.game.code(first)
    if guess is not None:
        position.require_allowed(guess)
    search = PositionSearch(position, budget, needed=guess, workers=workers, store=store)
    if guess is None:
        best = search.best()
        if best.cost is None:
            raise Stopped
        cost = best.cost
    else:
        cost = search.cost_after(guess, budget)
        best = Best(guess, cost, search.bound_of(cost))
    if cost >= IMPOSSIBLE:
        raise InputError(
            N_("limit of {given:guess|guesses}: no strategy finds every secret within it"),
            given=position.game.guess_limit or 0,
        )
    strategy = search.strategy(best.guess)
    return SolvedGame(best.guess, strategy, replay(strategy, position), best.bound)


def review(position: Position, budget: Budget = UNLIMITED, *, seconds: float | None = SECONDS) -> list[JudgedTurn]:
    """Judge every turn of a position, with at most `seconds` for each.

    Guesses are compared as in a game without a limit of guesses. Raises a `CodeError` for a guess that the guess rule
    of the game does not allow.
    """
    judged, before = [], position.game.start
    for turn in position.turns:
        before.require_allowed(turn.guess)
        after = before.after(turn)
        half = None if seconds is None else seconds / 2
        search = PositionSearch(before, budget.at_most(half), needed=turn.guess, limited=False)
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
    if best.cost is not None and played is not None:
        cost = Fraction(max(0, played - best.cost), total)
        if played < best.cost:
            best = Best(turn.guess, played, best.bound)
    chance = Fraction(sum(after.weights), total)
    return JudgedTurn(turn, len(before.candidates), len(after.candidates), best.guess, cost, best.is_proven, chance)


def compare_questions(
    position: Position, questions: Sequence[FreeQuestion], budget: Budget = UNLIMITED, *, takes_turn: bool = False
) -> QuestionCosts:
    """Return the least costs of a position with each of the unused questions as the next step, and with a guess.

    The questions have an answer for each candidate of the position. If `takes_turn`, a question replaces the guess of
    its turn. A limit of guesses is ignored. Raises `Stopped` if the budget is spent, a `ContradictionError` if there is
    no candidate, and an `InputError` for hard mode, for a wrong number of answers, and for too many candidates.
    """
    if position.game.guess_rule is GuessRule.HARD:
        raise InputError(N_("hard mode: needs a game without free questions"))
    count = len(position.candidates)
    for question in questions:
        if len(question.answers) != count:
            raise InputError(
                N_("free question {given!r}: expected one answer for each candidate ({count}), not {found}"),
                given=str(question.group), count=count, found=len(question.answers),
            )  # fmt: skip
    table = PositionTable(position)
    if count * len(table.guesses) > _MOST_ANSWERS:
        raise InputError(
            N_("{given} candidates are too many for free questions: give turns until fewer are left"), given=count
        )
    index = {code: k for k, code in enumerate(position.candidates)}
    order = [index[secret] for secret in table.secrets]
    search = QuestionSearch(
        table.table.answers.reshape(count, -1)[:, : len(table.guesses)],
        table.table.own,
        table.weights,
        [replace(question, answers=tuple(question.answers[k] for k in order)) for question in questions],
        budget,
        takes_turn=takes_turn,
        candidates_only=position.game.guess_rule is GuessRule.CONSISTENT,
    )
    without, guess = search.best_guess()
    costs = tuple(search.cost_after(k) for k in range(len(questions)))
    return QuestionCosts(table.guesses[guess], without, costs)
