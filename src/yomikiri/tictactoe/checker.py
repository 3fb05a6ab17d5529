"""Differential tester for programs that solve AtCoder ABC349 E (Weighted Tic-Tac-Toe).

The tester runs a program on board after board, compares the answers with the correct winners, and simplifies the first
board on which the program fails. A failure (`fault`) is a wrong winner, an exit status other than 0, a time above the
limit, or too much output. A *mistake* is a common error in such programs (see `mistakes`). The answers of a program
suggest which mistakes it makes. A *run* starts the program once, for one board.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from math import inf

from yomikiri.common.enums import shown
from yomikiri.common.errors import N_, CheckError, InputError, TimeLimitError
from yomikiri.tictactoe.batch import searched
from yomikiri.tictactoe.board import Board, BoardLike, boards_in
from yomikiri.tictactoe.generator import Wanted, generate
from yomikiri.tictactoe.mistakes import BOARDS, Mistake, ModelAnswers, discriminating_board, suspects
from yomikiri.tictactoe.notation import CONTEST_NAMES
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.programs import run_program
from yomikiri.tictactoe.signs import follows_from_signs, winner_by_signs

# _SHRINKING_RUNS, _SHRINKING_SECONDS: limits of the search for a simpler board on which a program under test fails.
# This search makes weights smaller in absolute value, for example a single weight about half as large, or 0 or 1.
# _SMALL_STEPS: weights smaller than this number in absolute value are also made smaller in small steps: one weight by
# 2, or two weights by 1 each.
_SHRINKING_RUNS = 300
_SHRINKING_SECONDS = 20.0
_SMALL_STEPS = 32
# Limit on the number of additional runs of a failing program, to confirm or refute the mistakes that it may have.
_CONFIRMING_RUNS = 12

_BILLION = 10**9  # largest absolute value of a weight that the problem AtCoder ABC349 E allows
# Properties of the random boards for the test of a program, after the fixed boards `mistakes.BOARDS`.
# The random boards include wins of the second player, boards with a single winning first move, and large weights.
_KINDS = (
    Wanted(-3, 3, winner=-1),
    Wanted(-9, -1, winner=1, unique=True),
    Wanted(-_BILLION, _BILLION, winner=-1),
    Wanted(-_BILLION, -1, winner=1, unique=True),
    Wanted(-_BILLION, _BILLION, winner=1),
)
_TIED = Wanted(-3, 3, winner=0)


def boards_to_check(seed: int, tie: Tie | None = None) -> Iterator[Board]:
    """Yield boards on which wrong programs tend to fail, without end.

    First come the boards for common mistakes (`mistakes.BOARDS`), then random boards.

    If `tie` is given, every third board is a tie: under best play, the game ends with equal sums. Otherwise no board is
    a tie.
    """
    boards = _boards_without_ties(seed)
    tied = generate(_TIED, seed)
    while True:
        if tie is not None:
            yield next(tied)
            yield next(boards)
        yield next(boards)


def _boards_without_ties(seed: int) -> Iterator[Board]:
    yield from map(Board.parse, BOARDS)
    for kind in cycle([generate(wanted, seed) for wanted in _KINDS]):
        yield next(kind)


@dataclass(frozen=True, slots=True)
class Examiner:
    """A program under test: its command line, the time limit per board in seconds, and the rule for equal sums.

    If `tie` is None, the program is tested only on boards that do not end in a tie. `command` may be a single text if
    there are no arguments, and `tie` a word such as "first". Raises an `InputError` for invalid values.
    """

    command: Sequence[str]
    seconds: float = 2.0
    tie: Tie | None = None

    def __post_init__(self) -> None:
        command = (self.command,) if isinstance(self.command, str) else self.command
        if not isinstance(command, Sequence) or not command or not all(isinstance(word, str) for word in command):
            raise InputError(
                N_("command={given}: expected a program and its arguments, such as ['python', 'a.py']"),
                given=shown(self.command),
            )
        if not isinstance(self.seconds, int | float) or not 0 < self.seconds < inf:
            raise InputError(N_("seconds={given}: expected a number above 0"), given=shown(self.seconds))
        object.__setattr__(self, "command", tuple(command))
        object.__setattr__(self, "tie", None if self.tie is None else Tie.read(self.tie, "tie"))

    def fault(self, board: BoardLike) -> CheckError | None:
        """Run the program on `board`. Return its failure, or None if its answer is correct.

        Raises an `InputError` if the program cannot be started.
        """
        board = Board.read(board, "board")
        expected = CONTEST_NAMES[_winner(board, self.tie or Tie.DRAW)]
        try:
            output = run_program(self.command, board, self.seconds)
        except CheckError as error:
            return error
        if output == expected:
            return None
        return CheckError(
            N_("the program answers {given!r} for this board: expected {expected}"), given=output, expected=expected
        )


def _winner(board: Board, tie: Tie) -> int:
    """Return the correct winner of a board under best play: 1 for the first player, -1 for the second, 0 for a draw."""
    if follows_from_signs(board):
        return int(winner_by_signs(board.flat, tie) or 0)
    return next(searched([board], tie))


@dataclass(frozen=True, slots=True)
class Finding:
    """The first failure of a program, with a board that shows it.

    - `number`: how many boards were tested up to the first failing board, which is included.
    - `board`: a simpler board on which the program also fails, or the failing board itself if a `TimeLimitError`
      occurred.
    - `fault`: the failure on `board`.
    - `mistakes`: the suspected mistakes of the program.
    - `slowest`: if the time limit was exceeded, the slowest of the earlier boards, with its time in seconds. None if
      there was no earlier board, or for any other failure.
    """

    number: int
    board: Board
    fault: CheckError
    mistakes: tuple[Mistake, ...] = ()
    slowest: tuple[Board, float] | None = None

    @property
    def stderr(self) -> str:
        """The last lines that the program wrote to standard error when it failed."""
        return self.fault.hint or ""


class _Trial:
    """A test of one program: the program's answers so far, and the board for which it needed the most time."""

    def __init__(self, examiner: Examiner) -> None:
        self._examiner = examiner
        self._answers: dict[Board, int] = {}
        self.slowest: tuple[Board, float] | None = None

    def fault(self, board: Board) -> CheckError | None:
        """Run the program under test on `board`, and record its answer. Returns the failure, or None."""
        started = time.perf_counter()
        fault = self._examiner.fault(board)
        seconds = time.perf_counter() - started
        self._record(board, fault)
        if not isinstance(fault, TimeLimitError) and (self.slowest is None or seconds > self.slowest[1]):
            self.slowest = board, seconds
        return fault

    def shrunk(self, board: Board, fault: CheckError) -> tuple[Board, CheckError]:
        """Return a simpler board on which the program under test still fails, and the failure on this board.

        If no simpler board is found, returns `board` and `fault`. A board on which the program exceeds the time limit
        does not count.
        """

        def examine(smaller: Board) -> CheckError | None:
            found = self._examiner.fault(smaller)
            return None if isinstance(found, TimeLimitError) else found

        # Record only the answer to the last board, because the many similar boards before it would bias the diagnosis.
        board, fault = smallest(board, fault, examine)
        self._record(board, fault)
        return board, fault

    def mistakes(self, failing: Board) -> tuple[Mistake, ...]:
        """Return the common mistakes that explain the program's wrong answer to the board `failing`.

        To exclude some of the suspected mistakes, the program is first run on some more boards, to which solvers with
        these mistakes give different answers. Returns no mistakes after an interrupt.
        """
        models = ModelAnswers(self._examiner.tie)
        tested = set(self._answers)
        try:
            found = suspects(self._answers, failing, models)
            for _ in range(_CONFIRMING_RUNS):
                board = discriminating_board(found, tested, models)
                if board is None:
                    break
                tested.add(board)
                self._record(board, self._examiner.fault(board))
                found = suspects(self._answers, failing, models, found)
        except KeyboardInterrupt:
            return ()
        return found

    def _record(self, board: Board, fault: CheckError | None) -> None:
        if fault is None:
            self._answers[board] = _winner(board, self._examiner.tie or Tie.DRAW)
        elif fault.data.get("given") in CONTEST_NAMES:
            self._answers[board] = (0, 1, -1)[CONTEST_NAMES.index(str(fault.data["given"]))]


def check(examiner: Examiner, boards: Iterable[BoardLike], report: Callable[[int], None]) -> Finding | None:
    """Run the program on `boards` in order. Return its first failure with a simplified board, or None.

    `report` is called with the number of boards passed so far. After a failure, an interrupt (Ctrl-C) ends only the
    current step: the search for a simpler board, or the search for common mistakes that explain the failure. Raises an
    `InputError` for invalid arguments.

    >>> found = check(Examiner(["echo", "Aoki"]), [Board.parse("1,2,3/4,5,6/7,8,9")], print)
    >>> str(found.fault)
    "the program answers 'Aoki' for this board: expected Takahashi"
    """
    if not isinstance(examiner, Examiner):
        raise InputError(
            N_("examiner={given}: expected an Examiner, such as Examiner('./a.out')"), given=shown(examiner)
        )
    if not callable(report):
        raise InputError(N_("report={given}: expected a function of one number, such as print"), given=shown(report))
    trial = _Trial(examiner)
    for number, board in enumerate(boards_in(boards, "boards"), start=1):
        fault = trial.fault(board)
        if isinstance(fault, TimeLimitError):
            return Finding(number, board, fault, slowest=trial.slowest)
        if fault:
            small, fault = trial.shrunk(board, fault)
            return Finding(number, small, fault, trial.mistakes(small))
        report(number)
    return None


def smallest(
    board: Board, fault: CheckError, examine: Callable[[Board], CheckError | None]
) -> tuple[Board, CheckError]:
    """Return a board with small weights on which a program still fails, and the failure on this board.

    `examine` runs the program on a board. The number of runs is limited. If the sum of the weights is odd, it stays
    odd, so that the game still cannot end in a tie. An interrupt ends the search.
    """
    tries, until = _SHRINKING_RUNS, time.monotonic() + _SHRINKING_SECONDS
    smaller = _smaller(board)
    # If the user interrupts the search, return the failure found so far: it matters more than a simpler board.
    with contextlib.suppress(KeyboardInterrupt):
        while tries and time.monotonic() < until and (candidate := next(smaller, None)):
            tries -= 1
            if found := examine(candidate):
                board, fault, smaller = candidate, found, _smaller(candidate)
    return board, fault


def _smaller(board: Board) -> Iterator[Board]:
    """Yield boards with smaller weights: first all weights scaled down, then one weight changed, then two.

    The parity of the sum stays the same.
    """
    flat = board.flat
    largest = max(map(abs, flat))
    yield from (_scaled(board, most, largest) for most in (1, 3, 9, 99, 9_999, 999_999) if most < largest)
    for cell, weight in enumerate(flat):
        size = abs(weight)
        half = size // 2 + (size - size // 2) % 2
        for smaller in sorted({size % 2, half, size - 2 if size < _SMALL_STEPS else half}):
            if 0 <= smaller < size:
                yield _changed(board, {cell: smaller if weight > 0 else -smaller})
    for one, first in enumerate(flat):
        for other, second in enumerate(flat[:one]):
            if 0 < abs(first) < _SMALL_STEPS and 0 < abs(second) < _SMALL_STEPS:
                yield _changed(board, {one: _nearer(first), other: _nearer(second)})


def _scaled(board: Board, most: int, largest: int) -> Board:
    flat = board.flat
    scaled = [weight * most // largest if weight > 0 else -(-weight * most // largest) for weight in flat]
    scaled[0] += (sum(scaled) - sum(flat)) % 2
    return _changed(board, dict(enumerate(scaled)))


def _nearer(weight: int) -> int:
    return weight - 1 if weight > 0 else weight + 1


def _changed(board: Board, weights: dict[int, int]) -> Board:
    """Return a copy of the board with new weights: `weights` contains the new weight of some cells."""
    changed = [weights.get(cell, weight) for cell, weight in enumerate(board.flat)]
    return Board(board.by_row(changed), board.line)
