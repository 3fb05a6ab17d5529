"""Puzzles of games with lists of codes: positions in which to find the best guess, their clues, and the check.

A puzzle is a position that follows from the game, a seed and a difficulty (`puzzle_positions`). A limit of guesses is
ignored, as it is when guesses are compared in a review.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import count

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.enums import Difficulty, Grade
from yomikiri.common.seeds import chosen, drawn
from yomikiri.guessing.advice import SECONDS, compared
from yomikiri.guessing.game import Game, Observation, Position
from yomikiri.guessing.grades import grade_of
from yomikiri.guessing.position_search import PositionSearch
from yomikiri.guessing.puzzle_positions import GuessClues, suitable_position

_LISTED = 8  # `check` lists the candidates by answer (`CheckedCode.means`) if there are at most this many


def generated(game: Game, seed: str, difficulty: Difficulty, budget: Budget = UNLIMITED) -> Position:
    """Return the puzzle that a seed determines. The game must not have a limit of guesses.

    A seed has 1 to 40 letters, digits and `-`. The budget does not change the puzzle. Raises an `InputError` for an
    invalid seed, a `RulesError` if the seed gives no suitable position, and `Stopped` if the budget is spent.
    """
    played = partial(_positions, game)
    return suitable_position(seed, difficulty, played, lambda each: len(each.candidates), _random_cost, budget)


def _positions(game: Game, seed: str) -> Iterator[Position]:
    """Yield the positions of a game in which random candidates are guessed. The seed determines them."""
    secret, position = game.secrets[drawn(seed, "secret", game.weight_array)], game.start
    for number in count(1):
        yield position
        guess = position.candidates[chosen(seed, f"puzzle {number}", len(position.candidates))]
        position = position.after(Observation(guess, game.answers.answer(guess, secret)))


def _random_cost(position: Position, budget: Budget) -> Fraction:
    """Return how many more guesses a random candidate, as the next guess, needs on average than the best guess.

    Raises `Stopped` if the budget is spent.
    """
    search = PositionSearch(position, budget, limited=False)
    best = search.best()
    if best.cost is None:
        raise Stopped
    costs = [search.cost_after(code, budget) for code in position.candidates]
    return (Fraction(sum(costs), len(costs)) - best.cost) / sum(position.weights)


@dataclass(frozen=True, slots=True)
class CheckedCode:
    """The evaluation of a guess at a puzzle.

    - `best`: the best guess that was found, which is `guess` if no other is better.
    - `is_proven`: True if `best` is proven to be optimal.
    - `cost`: the guesses lost on average against `best`; None if the time did not suffice.
    - `expected`: the guesses needed on average, including this one; None if the time did not suffice.
    - `sizes`: the number of candidates for each answer, the largest number first.
    - `means`: the answers in the order of `sizes`, each with its candidates; empty if there are many candidates.
    """

    guess: str
    best: str
    cost: Fraction | None
    expected: Fraction | None
    is_proven: bool
    sizes: tuple[int, ...]
    means: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def grade(self) -> Grade | None:
        """The grade of the guess, None if its cost is unknown."""
        return None if self.cost is None else grade_of(self.cost)

    @property
    def is_solved(self) -> bool:
        """True if the search found no better guess."""
        return self.grade is Grade.BEST


def check(
    position: Position, guess: str, budget: Budget = UNLIMITED, *, seconds: float | None = SECONDS
) -> CheckedCode:
    """Return the evaluation of a guess at a puzzle. Raises a `CodeError` for a guess that is not allowed."""
    guess = position.game.code(guess)
    position.require_allowed(guess)
    best, cost = compared(position, guess, budget, seconds)
    loss = expected = None
    if cost is not None and best.cost is not None:
        total = sum(position.weights)
        loss, expected = Fraction(max(0, cost - best.cost), total), Fraction(cost, total)
    cells = sorted(position.split(guess).items(), key=lambda cell: -len(cell[1].candidates))
    means = tuple((answer, tuple(cell.candidates)) for answer, cell in cells)
    return CheckedCode(
        guess,
        best.guess if loss else guess,
        loss,
        expected,
        best.is_proven,
        tuple(len(cell.candidates) for _answer, cell in cells),
        means if len(position.candidates) <= _LISTED else (),
    )


def best_guess(position: Position, budget: Budget = UNLIMITED, *, seconds: float | None = SECONDS) -> str:
    """Return the best guess at a puzzle that the search finds within `seconds` (None for no limit)."""
    return compared(position, position.candidates[0], budget, seconds)[0].guess


def clues(position: Position, budget: Budget = UNLIMITED, *, seconds: float | None = SECONDS) -> GuessClues:
    """Return the clues to the best guess at a puzzle.

    `seconds` limits the search for that guess (None for no limit).
    """
    guess = best_guess(position, budget, seconds=seconds)
    sizes = [len(cell.candidates) for cell in position.split(guess).values()]
    return GuessClues.of(guess, position.candidates, sizes, position.game.symbols)
