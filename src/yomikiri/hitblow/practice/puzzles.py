"""Puzzles: positions in which to find the best guess, from the player's own games or generated from a seed.

A generated puzzle is a function of its rules, its seed and its difficulty (`guessing.puzzle_positions`). So the address
of a web page needs only these three to identify the puzzle. Each puzzle has three clues. `check` evaluates the player's
guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import count

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.enums import Difficulty, Grade
from yomikiri.common.seeds import chosen
from yomikiri.guessing.puzzle_positions import GuessClues, suitable_position
from yomikiri.hitblow.advice.review import compared, expected
from yomikiri.hitblow.advice.suggestion import Figures, suggest
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.model.codes import decode
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Rules, Turn, hint
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.practice.lessons import LISTED, ComparedGuess, Report, board_of, weigh_in_match
from yomikiri.hitblow.practice.play import secret_of


@dataclass(frozen=True, slots=True)
class GuessPuzzle:
    """A position in which to find a best guess.

    In a puzzle from a game, `played` is the guess that was made there, and `number` is the number of this guess, from
    1. In a generated puzzle, they are empty and 0. The guess is valued by the chance of winning if the position is a
    match, otherwise by the expected number of guesses.
    """

    position: Knowledge | Match
    played: str = ""
    number: int = 0

    @property
    def board(self) -> Knowledge:
        """The player's knowledge about the secret in the position of the puzzle."""
        return board_of(self.position)


def from_report(report: Report) -> tuple[GuessPuzzle, ...]:
    """Return puzzles from the player's mistakes and inaccuracies in a game, the costliest first.

    The guess that found the secret never becomes a puzzle.
    """
    worst = [
        (turn, position)
        for turn, position in zip(report.turns, report.positions, strict=True)
        if turn.grade in (Grade.MISTAKE, Grade.INACCURACY)
    ]
    worst.sort(key=lambda pair: -(pair[0].cost or 0))
    return tuple(GuessPuzzle(position, turn.turn.guess, turn.number) for turn, position in worst)


def generated(rules: Rules, seed: str, difficulty: Difficulty, budget: Budget = UNLIMITED) -> GuessPuzzle:
    """Return the puzzle that a seed determines. The seed has 1 to 40 letters, digits and `-`.

    Raises an `InputError`, a `RulesError` if the seed gives no suitable position, and `Stopped`. The budget never
    changes the puzzle.

    >>> str(generated(Rules(), "tea", Difficulty.EASY).position)
    '086:0H0B 172:1H0B 479:1H0B'
    """
    played = partial(_positions, rules)
    return GuessPuzzle(suitable_position(seed, difficulty, played, lambda known: known.count, _random_cost, budget))


def _positions(rules: Rules, seed: str) -> Iterator[Knowledge]:
    """Yield the positions of a game in which random candidates are guessed. The seed determines the game."""
    known = Knowledge(rules)
    secret = secret_of(known, seed)
    for number in count(1):
        yield known
        guess = decode(rules, known.candidates[chosen(seed, f"puzzle {number}", known.count)])
        known = known.after(Turn(guess, hint(guess, secret)))


def _random_cost(known: Knowledge, budget: Budget) -> Fraction:
    """Return how many more guesses a random candidate, as the next guess, needs on average than the best guess.

    Raises `Stopped` if the budget is spent.
    """
    exact = Exact(None)
    best = expected(suggest(known, exact, budget=budget).proposed)
    outlooks = [exact.outlook(known, code, budget) for code in known.codes()]
    totals = [outlook.total_guesses for outlook in outlooks if outlook is not None]
    if best is None or len(totals) < len(outlooks):
        raise Stopped
    return Fraction(sum(totals), len(totals) * known.count) - best


# --- clues ------------------------------------------------------------------------------------------------------------


def clues(
    puzzle: GuessPuzzle, exact: Exact | None = None, advisor: Advisor | None = None, budget: Budget = UNLIMITED
) -> GuessClues:
    """Return the clues to a best guess of a puzzle. In a puzzle from a match, `advisor` finds the best guess."""
    best = _best(puzzle, exact or Exact(), advisor or Advisor(), budget)
    board = puzzle.board
    return GuessClues.of(best.guess, board.codes(), best.left, board.rules.symbols)


def _best(puzzle: GuessPuzzle, exact: Exact, advisor: Advisor, budget: Budget) -> Figures:
    guess = puzzle.played or puzzle.board.codes(1)[0]
    return _weighed(puzzle, guess, exact, advisor, budget).best


def _weighed(puzzle: GuessPuzzle, guess: str, exact: Exact, advisor: Advisor, budget: Budget) -> ComparedGuess:
    """Return the evaluation of a guess in the position of the puzzle."""
    if isinstance(puzzle.position, Match):
        return weigh_in_match(puzzle.position, guess, advisor, budget)[0]
    known = puzzle.position
    known.rules.check_guess(guess)
    advice = suggest(known, exact, budget=budget)
    return ComparedGuess.in_guesses(*compared(known, guess, advice, exact, budget))


# --- the check --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CheckedGuess:
    """The evaluation of a guess at a puzzle, and that of the guess played in the original game.

    `before` is the evaluation of the guess played in that game, or None for a generated puzzle. `means` contains each
    answer with the candidates that it leaves; it is empty if there are more than `LISTED` candidates.
    """

    weighed: ComparedGuess
    before: ComparedGuess | None
    means: tuple[tuple[Hint, tuple[str, ...]], ...]

    @property
    def grade(self) -> Grade | None:
        """The grade of the guess; None if its value is only an estimate.

        If only one candidate is left, the grade of guessing it is `Grade.BEST`.
        """
        return Grade.BEST if self.weighed.forced else self.weighed.grade()

    @property
    def solved(self) -> bool:
        """True if no guess is better, and this is proven."""
        return self.grade is Grade.BEST

    @property
    def gained(self) -> Fraction | None:
        """The cost of the guess played in the game minus that of this guess, so positive if this guess is better.

        It is None if one of the costs is missing.
        """
        if self.before is None or self.before.cost is None or self.weighed.cost is None:
            return None
        return self.before.cost - self.weighed.cost


def check(
    puzzle: GuessPuzzle,
    guess: str,
    exact: Exact | None = None,
    advisor: Advisor | None = None,
    budget: Budget = UNLIMITED,
) -> CheckedGuess:
    """Return the evaluation of a guess at a puzzle.

    Raises a `CodeError`. `advisor` evaluates the guesses of a match.
    """
    exact, advisor, budget = exact or Exact(), advisor or Advisor(), budget.begin()
    weighed = _weighed(puzzle, guess, exact, advisor, budget)
    before = _weighed(puzzle, puzzle.played, exact, advisor, budget) if puzzle.played else None
    return CheckedGuess(weighed, before, _means(puzzle.board, weighed) if puzzle.board.count <= LISTED else ())


def _means(board: Knowledge, weighed: ComparedGuess) -> tuple[tuple[Hint, tuple[str, ...]], ...]:
    """Return each answer with the candidates that it leaves, the largest group first."""
    guess, codes = weighed.played.guess, board.codes()
    return tuple(
        (answer, tuple(code for code in codes if hint(guess, code) == answer))
        for answer, _size in weighed.played.groups
    )


def in_a_row(solved: Iterable[bool]) -> int:
    """Return the number of puzzles solved in a row, up to the last one.

    >>> in_a_row([True, False, True, True])
    2
    """
    row = 0
    for each in solved:
        row = row + 1 if each else 0
    return row
