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
from functools import partial
from itertools import accumulate
from math import isqrt

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.errors import N_, InputError, TurnError
from yomikiri.guessing.allowed_guesses import AllowedGuesses
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.first_guesses import NO_STORE, FirstGuessStore
from yomikiri.guessing.free_questions import FreeQuestion, QuestionSearch
from yomikiri.guessing.game import Observation, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.one_step import guess_by_sample, is_settled, likeliest
from yomikiri.guessing.position_search import Best, PositionSearch
from yomikiri.guessing.position_table import MOST_ANSWERS, PositionTable
from yomikiri.guessing.results import GuessAdvice, JudgedTurn, QuestionCosts, SolvedGame
from yomikiri.guessing.strategy import replay

SECONDS = 5.0
# limit on the entries of the answer table (candidates times guesses) when `compare_questions` searches a position; each
# entry takes 10 bytes
_MOST_WITH_QUESTIONS = 1 << 24

_FEWEST_ANSWERS = 1 << 18
# limit on the symbol comparisons for an answer table: this number for each second that the whole search may take
_COMPARED_A_SECOND = 1 << 29


def suggest(position: Position, budget: Budget = UNLIMITED, *, seconds: float | None = SECONDS) -> GuessAdvice:
    """Return the best guess that a search finds within `seconds` (None for no limit).

    If no strategy finds every candidate within the guesses that are left, the result is the best guess without a limit
    of guesses, or the likeliest candidate if only one guess is left. If there are too many candidates for a search of
    `seconds`, the result is the guess with the greatest expected information about a sample of them. In these cases,
    `expected` is None.

    Raises a `ContradictionError` if no secret fits, and a `TurnError` if no guess is left.
    """
    if position.guesses_left == 0:
        raise TurnError(N_("the game is over: needs a guess that is left"))
    position.require_candidates()
    count, most = len(position.candidates), _most_answers(position, seconds)
    if count > isqrt(most):
        return _advice(Best(guess_by_sample(position, most), None, 0), position)
    search = partial(PositionSearch, position, budget.at_most(seconds), most_answers=most)
    best = _settled(position) if is_settled(position) else search().best()
    if best.cost != IMPOSSIBLE:
        return _advice(best, position)
    if not is_settled(position):
        best = search(limited=False).best()
    return replace(_advice(best, position), expected=None, is_proven=False, finds_all=False)


def _settled(position: Position) -> Best:
    """Return the likeliest candidate as the best guess.

    Requires a position with at most two candidates, or with one guess left: there, no guess is better.
    """
    weights, left = position.weights, position.guesses_left
    cost = 2 * sum(weights) - max(weights) if left is None or left >= len(weights) else IMPOSSIBLE
    return Best(likeliest(position), cost, cost)


def _most_answers(position: Position, seconds: float | None) -> int:
    """Return the limit on the answers in a table, so that most of `seconds` is left for the search itself.

    If `seconds` is None, the limit is the largest number that a table may have.
    """
    if seconds is None:
        return MOST_ANSWERS
    return min(MOST_ANSWERS, max(_FEWEST_ANSWERS, int(seconds * _COMPARED_A_SECOND) // position.game.places**2))


def _advice(best: Best, position: Position) -> GuessAdvice:
    parts, total = position.parts(best.guess), int(position.weight_array.sum())
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
    """Return an optimal strategy. If `first` is given, it is optimal among those that begin with this guess.

    In a large game, `workers` threads search. `store` keeps the bounds of first guesses, so that a later call continues
    the proof. `first_guess_store.FirstGuessFile` is a store in a file.

    If the budget is spent, the result is the best strategy found so far, with the lower bound proven so far. Raises
    `Stopped` if no strategy has been found by then. Raises an `InputError` if the game does not allow `first`, or if no
    strategy finds every secret within the guesses that are left.
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

    Guesses are compared as if the game had no limit of guesses. Only the field `finds_all` of a judged turn takes the
    limit into account. Raises a `CodeError` for a guess that the guess rule of the game does not allow.
    """
    return [_judge(before, turn, budget, seconds) for before, turn in _steps(position)]


def review_in_all(position: Position, budget: Budget) -> list[JudgedTurn]:
    """Judge every turn of a position within one budget for all of them.

    The last turn is judged first, because late turns need the least time, so that more of it is left for the earlier
    ones. Raises a `CodeError` for a guess that the guess rule of the game does not allow.
    """
    judged, steps = list[JudgedTurn](), _steps(position)
    while steps:
        left = budget.seconds_left
        before, turn = steps.pop()
        judged.append(_judge(before, turn, budget, None if left is None else left / (len(steps) + 1)))
    return judged[::-1]


def _steps(position: Position) -> list[tuple[Position, Observation]]:
    """Return each turn of a position, together with the position before the turn."""
    positions = accumulate(position.turns, Position.after, initial=position.game.start)
    return list(zip(positions, position.turns, strict=False))


def _judge(before: Position, turn: Observation, budget: Budget, seconds: float | None) -> JudgedTurn:
    """Judge one turn within `seconds`: compare its guess with the best guess in the position before it."""
    before.require_allowed(turn.guess)
    part = None if seconds is None else seconds / (2 if before.guesses_left is None else 3)
    best, played = compared(before, turn.guess, budget, part)
    found = _finds_all(before, turn.guess, budget, part)
    return replace(_judged(best, played, before, before.after(turn), turn), finds_all=found)


def compared(position: Position, guess: str, budget: Budget, seconds: float | None) -> tuple[Best, int | None]:
    """Return (best guess, cost of `guess`). The cost is None if it is unknown.

    One search finds the best guess, and a second search computes the cost of `guess`. Each takes at most `seconds`. If
    there are too many candidates for a search, the best guess is the one for a sample of them, and the cost is None. A
    limit of guesses is ignored.
    """
    most = _most_answers(position, seconds)
    if len(position.candidates) > isqrt(most):
        return Best(guess_by_sample(position, most), None, 0), None
    search = PositionSearch(position, budget.at_most(seconds), needed=guess, limited=False, most_answers=most)
    best = search.best()
    try:
        return best, search.cost_after(guess, budget.at_most(seconds))
    except Stopped:
        return best, None


def _finds_all(position: Position, guess: str, budget: Budget, seconds: float | None) -> bool | None:
    """Return True if a strategy that begins with `guess` finds every candidate within the limit of guesses.

    The result is None if that is unknown, for one of three reasons: there are too many candidates, the search does not
    end within `seconds`, or it finds no such strategy but considers only a selection of the guesses.
    """
    if position.guesses_left is None:
        return True
    if position.guesses_left == 1:
        return len(position.candidates) == 1 and guess in position.candidates
    most = _most_answers(position, seconds)
    if len(position.candidates) > isqrt(most):
        return None
    search = PositionSearch(position, budget.at_most(seconds), needed=guess, most_answers=most)
    try:
        is_possible = search.cost_after(guess, budget.at_most(seconds)) < IMPOSSIBLE
    except Stopped:
        return None
    return is_possible or (False if search.is_complete else None)


def _judged(best: Best, played: int | None, before: Position, after: Position, turn: Observation) -> JudgedTurn:
    cost, total = None, sum(before.weights)
    if best.cost is not None and played is not None:
        cost = Fraction(max(0, played - best.cost), total)
        if played < best.cost:
            best = Best(turn.guess, played, best.bound)
    chance = Fraction(sum(after.weights), total)
    counts = len(before.candidates), len(after.candidates)
    return JudgedTurn(turn, *counts, best.guess, cost, best.is_proven, chance, is_win=after.is_solved)


def compare_questions(
    position: Position, questions: Sequence[FreeQuestion], budget: Budget = UNLIMITED, *, takes_turn: bool = False
) -> QuestionCosts:
    """Return the least cost of a position for each next step: a guess, or one of the questions not asked yet.

    `questions` are the questions about the secret, apart from guesses, that have not been asked yet. Each has one
    answer for each candidate of the position, in the same order. If `takes_turn` is True, a question replaces the guess
    of its turn and costs as much. Otherwise, it comes before the guess of its turn and costs nothing. A limit of
    guesses is ignored. Raises `Stopped` if the budget is spent, a `ContradictionError` if there is no candidate, and an
    `InputError` for a wrong number of answers, and for too many candidates.
    """
    count = len(position.candidates)
    for question in questions:
        if len(question.answers) != count:
            raise InputError(
                N_("free question {given!r}: expected one answer for each candidate ({count}), not {found}"),
                given=str(question.group), count=count, found=len(question.answers),
            )  # fmt: skip
    table = PositionTable(position)
    if count * len(table.guesses) > _MOST_WITH_QUESTIONS:
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
        allowed=AllowedGuesses(
            table.table.symbols,
            len(table.guesses),
            candidates_only=position.game.guess_rule is GuessRule.CONSISTENT,
        ),
    )
    without, guess = search.best_guess()
    costs = tuple(search.cost_after(k) for k in range(len(questions)))
    return QuestionCosts(table.guesses[guess], without, costs)
