"""Another program against this one: boards in the contest's format in, a name out, and the smallest board it fails on.

The program is started afresh for every board. It fails by naming the wrong winner, by ending with a status other than
0, by taking too long, or by writing without end.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from tempfile import TemporaryFile
from threading import Thread
from typing import IO
from uuid import uuid4

from psutil import Error, Process, process_iter

from yomikiri.errors import N_, BoardError, CheckError
from yomikiri.tictactoe.batch import searched
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.generator import Wanted, generate
from yomikiri.tictactoe.notation import CONTEST_NAMES, write_board
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.signs import follows_from_signs, winner_by_signs

MOST_OUTPUT = 1 << 16
_MOST_TOLD = 1 << 12  # bytes of standard error that are shown,
_MOST_LINES_TOLD = 12  # and lines
# What a program started may start more while it is being ended.
_KILLS, _SECONDS_BETWEEN_KILLS = 100, 0.01
# What is spent on making the board smaller, and the weights for which steps of one or two are worth a run.
_SHRINKING_RUNS = 300
_SHRINKING_SECONDS = 20.0
_SMALL_STEPS = 32

_BILLION = 10**9
# What brings out the faults that people make: the second player wins only against a bad memo or bad greed, negative
# weights make lines decide, a single winning move hangs on every rule, and large weights overflow.
_KINDS = (
    Wanted(-3, 3, winner=-1),
    Wanted(-9, -1, winner=1, unique=True),
    Wanted(-_BILLION, _BILLION, winner=-1),
    Wanted(-_BILLION, -1, winner=1, unique=True),
    Wanted(-_BILLION, _BILLION, winner=1),
)
_TIED = Wanted(-3, 3, winner=0)


def telling_boards(seed: int, tie: Tie | None = None) -> Iterator[Board]:
    """Boards on which wrong programs show themselves, without end; every third one ties if there is a rule for ties."""
    kinds = [generate(wanted, seed) for wanted in _KINDS]
    order = cycle(kinds)
    tied = generate(_TIED, seed)
    while True:
        if tie is not None:
            yield next(tied)
            yield next(next(order))
        yield next(next(order))


def ask(command: Sequence[str], board: Board, seconds: float) -> str:
    """What the program prints for `board`; raises the `CheckError` that says how it failed.

    Raises a `BoardError` if the program cannot be started.

    What it wrote to its standard error is a note on that error: its last lines.
    """
    received, printed = os.pipe()
    # All that it starts inherits this name, and is found by it even where it left the process group.
    name, value = "YOMIKIRI_CHECK", uuid4().hex
    with TemporaryFile() as given, TemporaryFile() as told:
        given.write((write_board(board) + "\n").encode())
        given.seek(0)
        try:
            process = subprocess.Popen(
                command,
                stdin=given,
                stdout=printed,
                stderr=told,
                start_new_session=True,
                env={**os.environ, name: value},
            )
        except (OSError, ValueError):
            os.close(received)
            raise BoardError(
                N_("cannot start {given}: expected a program and its arguments"), given=" ".join(command)
            ) from None
        finally:
            os.close(printed)
        try:
            try:
                output = _read(received, seconds)
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                raise _late(seconds) from None
            finally:
                _end(process, name, value)
            if process.returncode:
                raise CheckError(
                    N_("the program ends with status {status} on this board: expected 0"), status=process.returncode
                )
        except CheckError as error:
            error.hint = _last_lines(told)
            raise
    return output.decode("utf-8", "replace").strip()


def _read(received: int, seconds: float) -> bytes:
    """All that comes through the pipe, which is closed at its end; raises a `CheckError`."""
    output: list[bytes] = []

    def read() -> None:
        # Alone with the pipe, so that a reader which never sees the end holds up nobody.
        with os.fdopen(received, "rb") as answer:
            output.append(answer.read(MOST_OUTPUT + 1))

    reader = Thread(target=read, daemon=True)
    reader.start()
    reader.join(seconds)
    if not output:
        raise _late(seconds)
    if len(output[0]) > MOST_OUTPUT:
        raise CheckError(
            N_("the program writes more than {most} bytes for this board: expected one word"), most=MOST_OUTPUT
        )
    return output[0]


def _last_lines(file: IO[bytes]) -> str:
    """The end of what was written to a file, printable, a few lines at most."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _MOST_TOLD))
    text = file.read(_MOST_TOLD).decode("utf-8", "replace")
    lines = ["".join(c if c.isprintable() else " " for c in line) for line in text.splitlines()]
    return "\n".join(lines[-_MOST_LINES_TOLD:])


def _late(seconds: float) -> CheckError:
    return CheckError(N_("the program has not ended after {seconds} s on this board"), seconds=f"{seconds:g}")


def _end(process: subprocess.Popen[bytes], name: str, value: str) -> None:
    """End the program and what it started, if it still runs: its process group where there are such, and whatever
    bears the mark, this name and value in its environment.

    What clears its environment as well as its group escapes.
    """
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
    for _ in range(_KILLS):
        others = [other for other in process_iter() if other.pid != os.getpid()]
        marked = [other for other in others if _environment(other).get(name) == value]
        if not marked:
            return
        for other in marked:
            with contextlib.suppress(Error):
                other.kill()
        time.sleep(_SECONDS_BETWEEN_KILLS)


def _environment(process: Process) -> dict[str, str]:
    """What a process was given as its environment; nothing for those of others, and for those that have ended."""
    with contextlib.suppress(Error):
        found: dict[str, str] = process.environ()
        return found
    return {}


@dataclass(frozen=True, slots=True)
class Examiner:
    """A program to check: its command line, seconds a board, and who wins ties (None: no board given can tie)."""

    command: Sequence[str]
    seconds: float = 2.0
    tie: Tie | None = None

    def fault(self, board: Board) -> CheckError | None:
        """How the program fails on `board`, None if it does not; raises a `BoardError` if it cannot be started."""
        expected = CONTEST_NAMES[_winner(board, self.tie or Tie.DRAW)]
        try:
            output = ask(self.command, board, self.seconds)
        except CheckError as error:
            return error
        if output == expected:
            return None
        return CheckError(
            N_("the program answers {given!r} for this board: expected {expected}"), given=output, expected=expected
        )


def _winner(board: Board, tie: Tie) -> int:
    """Who wins a board: 1, -1 or 0. That of the contest follows from signs, any other is searched."""
    if follows_from_signs(board):
        return int(winner_by_signs(board.flat, tie) or 0)
    return next(searched([board], tie))


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, the shrunk board that shows it, and the number of the board on which the program first failed."""

    number: int
    board: Board
    fault: CheckError

    @property
    def stderr(self) -> str:
        """The last lines that the program wrote to its standard error on that board."""
        return self.fault.hint or ""


def check(examiner: Examiner, boards: Iterable[Board], report: Callable[[int], None]) -> Finding | None:
    """The first fault the program shows on `boards`, shrunk; `report` is called with the number of boards passed.

    >>> found = check(Examiner(["echo", "Aoki"]), [Board.parse("1,2,3/4,5,6/7,8,9")], print)
    >>> str(found.fault)
    "the program answers 'Aoki' for this board: expected Takahashi"
    """
    for number, board in enumerate(boards, start=1):
        if fault := examiner.fault(board):
            return Finding(number, *smallest(board, fault, examiner.fault))
        report(number)
    return None


def smallest(
    board: Board, fault: CheckError, examine: Callable[[Board], CheckError | None]
) -> tuple[Board, CheckError]:
    """A board with weights as near to zero as some tries find, on which the program still fails, and how it does.

    The sum stays odd if it is odd, so that a board that cannot tie stays one.
    """
    tries, until = _SHRINKING_RUNS, time.monotonic() + _SHRINKING_SECONDS
    smaller = _smaller(board)
    while tries and time.monotonic() < until and (candidate := next(smaller, None)):
        tries -= 1
        if found := examine(candidate):
            board, fault, smaller = candidate, found, _smaller(candidate)
    return board, fault


def _smaller(board: Board) -> Iterator[Board]:
    """Boards with weights nearer to zero, all of them or one or two, the boldest steps first, sums of like parity."""
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
    """The board with other weights in some cells, by their places row by row."""
    changed = [weights.get(cell, weight) for cell, weight in enumerate(board.flat)]
    return Board(board.by_row(changed), board.line)
