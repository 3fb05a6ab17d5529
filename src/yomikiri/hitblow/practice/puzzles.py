"""Positions with a guess to find: from one's own games, or made to order from a seed, with three clues and a check.

A puzzle made to order follows from its rules, its seed and how hard it is, by the digest of `play.chosen`; so an
address that holds them holds the puzzle. Guesses that fit, chosen at random, lead to some position with

    easy 3 to 6    medium 7 to 15    hard 16 to 40    numbers left

in which there is something to find: those who guess any number that is left give away a tenth of a guess or more on
average.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.enums import Difficulty, Grade
from yomikiri.common.errors import N_, RulesError
from yomikiri.hitblow.advice.review import compared, expected
from yomikiri.hitblow.advice.suggestion import Figures, suggest
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.model.codes import decode
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Rules, Turn, hint
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.practice.lessons import LISTED, Report, Weighed, board_of, weigh_in_match
from yomikiri.hitblow.practice.play import check_seed, chosen, secret_of

LEFT = {Difficulty.EASY: (3, 6), Difficulty.MEDIUM: (7, 15), Difficulty.HARD: (16, 40)}
"""How many numbers a puzzle made to order leaves, at least and at most."""

_TRIED = 60  # games begun, at most, until one leads to a position worth asking about
_MOST_PLAYED = 12  # guesses of such a game
_WORTH = Fraction(1, 10)  # what any number left gives away on average, at least


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position: find a best guess. `played` is what was guessed there in the game that it comes from, and `number`
    which guess that was; nothing and 0 where it was made to order.

    The guess is weighed in the chance of winning where the position is one of a match with its `advisor`, else in
    guesses.
    """

    position: Knowledge | Match
    played: str = ""
    number: int = 0

    @property
    def board(self) -> Knowledge:
        """What is known of the number that is sought."""
        return board_of(self.position)


def from_report(report: Report) -> tuple[Puzzle, ...]:
    """The puzzles in a game of mine: its mistakes and inaccuracies, the costliest first; none for the guess that found
    the number."""
    worst = [
        (turn, position)
        for turn, position in zip(report.turns, report.positions, strict=True)
        if turn.grade in (Grade.MISTAKE, Grade.INACCURACY)
    ]
    worst.sort(key=lambda pair: -(pair[0].cost or 0))
    return tuple(Puzzle(position, turn.turn.guess, turn.number) for turn, position in worst)


def generated(rules: Rules, seed: str, difficulty: Difficulty, budget: Budget = UNLIMITED) -> Puzzle:
    """The puzzle of that seed, 1 to 40 letters, digits and `-`; raises an `InputError`, a `RulesError` where the rules
    have no such position, and `Stopped`: a budget that is spent never leads to another puzzle.

    >>> str(generated(Rules(), "tea", Difficulty.EASY).position)
    '086:0H0B 172:1H0B 479:1H0B'
    """
    check_seed(seed)
    for game in range(_TRIED):
        budget.check()
        known = _position(rules, f"{seed} {game}", difficulty)
        if known is not None and _is_worth_asking(known, budget):
            return Puzzle(known)
    raise RulesError(
        N_("no {difficulty} puzzle was found for seed {seed!r} under these rules: try another seed or difficulty"),
        difficulty=str(difficulty),
        seed=seed,
    )


def _position(rules: Rules, seed: str, difficulty: Difficulty) -> Knowledge | None:
    """The position with as many numbers left, in the game of that seed; None where it leaps over."""
    fewest, most = LEFT[difficulty]
    known = Knowledge(rules)
    secret = secret_of(known, seed)
    for number in range(1, _MOST_PLAYED + 1):
        if known.count <= most:
            return known if known.count >= fewest else None
        guess = decode(rules, known.candidates[chosen(seed, f"puzzle {number}", known.count)])
        known = known.after(Turn(guess, hint(guess, secret)))
    return None


def _is_worth_asking(known: Knowledge, budget: Budget) -> bool:
    """Whether the numbers left give away enough on average, guessed as they come; raises `Stopped`."""
    exact = Exact(None)
    best = expected(suggest(known, exact, budget=budget).proposed)
    outlooks = [exact.outlook(known, code, budget) for code in known.codes()]
    totals = [outlook.total_guesses for outlook in outlooks if outlook is not None]
    if best is None or len(totals) < len(outlooks):
        raise Stopped
    return Fraction(sum(totals), len(totals) * known.count) - best >= _WORTH


# --- clues ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Clues:
    """Three clues to a best guess, each tells more than the last.

    The idea: at which `places`, from 1, the numbers left differ, and whether one of them is a best guess (`inside`);
    else the guess only asks. The method: into how many `groups` it parts the numbers left, the `largest` of them, and
    how many of its digits are in none of these numbers (`idle`). Last its `digits`, in the order of the symbols, so
    that their places are to be found.
    """

    places: tuple[int, ...]
    inside: bool
    groups: int
    largest: int
    idle: int
    digits: str


def clues(
    puzzle: Puzzle, exact: Exact | None = None, advisor: Advisor | None = None, budget: Budget = UNLIMITED
) -> Clues:
    """The clues to a best guess of the puzzle; `advisor` weighs the guesses of a match."""
    best = _best(puzzle, exact or Exact(), advisor or Advisor(), budget)
    board = puzzle.board
    codes = board.codes()
    places = tuple(place for place, symbols in enumerate(zip(*codes, strict=True), start=1) if len(set(symbols)) > 1)
    possible = set("".join(codes))
    idle = sum(symbol not in possible for symbol in best.guess)
    digits = "".join(sorted(best.guess, key=board.rules.symbols.index))
    return Clues(places, best.is_candidate, best.parts, max(best.left), idle, digits)


def _best(puzzle: Puzzle, exact: Exact, advisor: Advisor, budget: Budget) -> Figures:
    guess = puzzle.played or puzzle.board.codes(1)[0]
    return _weighed(puzzle, guess, exact, advisor, budget).best


def _weighed(puzzle: Puzzle, guess: str, exact: Exact, advisor: Advisor, budget: Budget) -> Weighed:
    """Weigh a guess in the position of the puzzle."""
    if isinstance(puzzle.position, Match):
        return weigh_in_match(puzzle.position, guess, advisor, budget)[0]
    known = puzzle.position
    known.rules.check_guess(guess)
    advice = suggest(known, exact, budget=budget)
    return Weighed.in_guesses(*compared(known, guess, advice, exact, budget))


# --- the check --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Checked:
    """A guess at a puzzle, weighed, and what was played in the game it comes from, weighed too.

    `means` says for each hint which numbers it leaves, where no more than `LISTED` are left in all.
    """

    weighed: Weighed
    before: Weighed | None
    means: tuple[tuple[Hint, tuple[str, ...]], ...]

    @property
    def grade(self) -> Grade | None:
        """The grade of the guess; None where that is only estimated."""
        return self.weighed.grade()

    @property
    def solved(self) -> bool:
        """Whether no guess is better."""
        return self.grade is Grade.BEST

    @property
    def gained(self) -> Fraction | None:
        """What the guess is better by than the one that was played, in its unit; negative where it is worse."""
        if self.before is None or self.before.cost is None or self.weighed.cost is None:
            return None
        return self.before.cost - self.weighed.cost


def check(
    puzzle: Puzzle,
    guess: str,
    exact: Exact | None = None,
    advisor: Advisor | None = None,
    budget: Budget = UNLIMITED,
) -> Checked:
    """Check a guess at a puzzle; raises a `CodeError`. `advisor` weighs the guesses of a match."""
    exact, advisor, budget = exact or Exact(), advisor or Advisor(), budget.begin()
    weighed = _weighed(puzzle, guess, exact, advisor, budget)
    before = _weighed(puzzle, puzzle.played, exact, advisor, budget) if puzzle.played else None
    return Checked(weighed, before, _means(puzzle.board, weighed) if puzzle.board.count <= LISTED else ())


def _means(board: Knowledge, weighed: Weighed) -> tuple[tuple[Hint, tuple[str, ...]], ...]:
    """The numbers that each hint leaves, the most first."""
    guess, codes = weighed.played.guess, board.codes()
    return tuple(
        (answer, tuple(code for code in codes if hint(guess, code) == answer))
        for answer, _size in weighed.played.groups
    )


def in_a_row(solved: Iterable[bool]) -> int:
    """How many puzzles were solved in a row, the last one included.

    >>> in_a_row([True, False, True, True])
    2
    """
    row = 0
    for each in solved:
        row = row + 1 if each else 0
    return row
