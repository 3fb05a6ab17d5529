"""Winners of many boards, by sums for 3x3 boards with three in a row and by a search for all others.

Sixteen sums decide a 3x3 board (see `sums`). The search of other boards can run on several cores.

The sums fit into int64 if no weight exceeds 10**18 in absolute value: each player's sum, and the difference of the two
sums, is then at most 9 * 10**18 < 2**63 in absolute value. The search accepts weights of any size.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import closing, contextmanager
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeGuard

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.common.enums import shown, whole
from yomikiri.common.errors import N_, BoardError, InputError
from yomikiri.common.lazy import NDArray, np
from yomikiri.machine.library import available
from yomikiri.tictactoe.board import DEFAULT_LINE, MAX_SIDE, Board, BoardLike, boards_in, ordered, wrong_size
from yomikiri.tictactoe.position import Position, Tie

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

# Limit on the absolute value of a weight if 64-bit integers are used for the players' sums on a 3x3 board, so that no
# sum overflows.
BOUND = 10**18
MOST_WORKERS = 1_024  # limit on the number of worker processes

# Number of boards that numpy solves in one step, so few that their arrays stay in the processor's cache.
_BLOCK = 4096
# Number of 3x3 boards that are solved before the budget is checked again, and before an invalid weight (beyond `BOUND`)
# is reported. The compiled library solves this number of boards in one call.
_PART = 1 << 20
# Number of boards in one task of a worker process, and limit on the number of tasks that are submitted but not done.
_BOARDS_PER_TASK = 16
_MOST_TASKS = 64
_SECONDS_BETWEEN_POLLS = 0.1  # seconds between two checks of the budget while waiting for a worker process


def winners(
    boards: NDArray[Any] | Iterable[BoardLike],
    tie: str = Tie.DRAW,
    *,
    line: int = DEFAULT_LINE,
    workers: int | None = 1,
    executor: Executor | None = None,
    budget: Budget = UNLIMITED,
) -> NDArray[np.int8]:
    """Return the winner of each board under best play: 1 the first player, -1 the second, 0 a draw.

    `boards` is an array of integers, shape (n, rows, columns), or (n, 9) for 3x3, row by row. Boards of one shape may
    also be given in any other form, such as text. `line` is the length of a winning line. `tie` says who wins if the
    sums are equal: "draw" (the default, no one), "first" or "second". Returns an int8 array of shape (n,). Raises an
    `InputError` for invalid arguments. On 3x3 with three in a row, a weight above 10**18 in absolute value is invalid.

    All boards except 3x3 with three in a row need a search. These boards are searched by `workers` processes (None: one
    per core), or by `executor`, any executor of `concurrent.futures`. The threads of an executor search in parallel
    only if there is a compiled library for the processor. Progress reports contain the number of boards done. If the
    budget ends, raises `Stopped` with the results so far, shape (m,) with m <= n.

    >>> winners(np.array([[-1, 1, 0, -4, -2, -5, -4, -1, -5], [0, 0, 0, 0, 1, 0, 0, 0, 0]]))
    array([-1,  1], dtype=int8)
    >>> winners(np.zeros((2, 3, 4), dtype=int))
    array([1, 1], dtype=int8)
    """
    rule = Tie.read(tie, "tie")
    line = whole(line, "line", 1, MAX_SIDE)
    workers = workers if workers is None else whole(workers, "workers", 1, MOST_WORKERS)
    if not (executor is None or isinstance(executor, Executor) or callable(getattr(executor, "submit", None))):
        raise InputError(
            N_("executor={given}: expected an executor of concurrent.futures, or None"), given=shown(executor)
        )
    budget = Budget.read(budget, "budget")
    given = _boards(boards)
    found = np.empty(len(given), dtype=np.int8)
    plain = given.shape[1:] == (3, 3) and line == DEFAULT_LINE
    parts = (
        _by_sums(given.reshape(len(given), 9), rule, found)
        if plain
        else _by_search(given, rule, line, found, workers, executor, budget)
    )
    started = perf_counter()
    done = 0
    # Close the generator here: if the garbage collector closes it, in any thread, waiting for processes may deadlock.
    with closing(parts):
        try:
            for done in parts:
                budget.report(Progress(seconds=perf_counter() - started, done=done, of=len(given)))
                if done < len(given):
                    budget.check()
        except Stopped:
            raise Stopped(found[:done]) from None
    return found


def _by_sums(rows: NDArray[Any], tie: Tie, found: NDArray[np.int8]) -> Generator[int]:
    """Decide 3x3 boards by the players' sums on full boards, without a search. Yields how many boards are done so far.

    `rows` contains the boards, shape (n, 9). The winners are written to `found`. A *full board* has no empty cell and
    no line.
    """
    answer = _by_kernel if available() else _by_numpy
    for start in range(0, len(rows), _PART):
        part = rows[start : start + _PART]
        try:
            answer(part, tie, found[start : start + _PART])
        except _WeightTooLarge:
            board, cell = divmod(int(np.flatnonzero((rows > BOUND) | (rows < -BOUND))[0]), 9)
            raise BoardError(
                N_("board {number}: the weight {given} is too large for an array: expected -{bound} to {bound}"),
                number=board,
                given=str(rows[board, cell]),
                bound=BOUND,
            ) from None
        yield start + len(part)


def _by_search(
    boards: NDArray[Any],
    tie: Tie,
    line: int,
    found: NDArray[np.int8],
    workers: int | None,
    executor: Executor | None,
    budget: Budget,
) -> Generator[int]:
    """Decide boards of any shape by a search of each board. Yields how many boards are done so far.

    The winners are written to `found`.
    """
    made = (Board(rows.tolist(), line) for rows in boards)
    with closing(searched(made, tie, workers=workers, executor=executor, budget=budget)) as answers:
        for number, answer in enumerate(answers):
            found[number] = answer
            yield number + 1


def searched(
    boards: Iterable[Board],
    tie: Tie = Tie.DRAW,
    *,
    workers: int | None = 1,
    executor: Executor | None = None,
    budget: Budget = UNLIMITED,
) -> Generator[int]:
    """Yield the winners of boards of any shape, found by search, in order and as soon as they are known.

    The winner of a board is 1 for the first player, -1 for the second, and 0 for a draw. `workers` and `executor` are
    those of the function `winners`. With several workers or an executor, up to a thousand boards are read ahead. An
    error from `boards` is raised after the results of the boards before it. Raises `Stopped` if the budget ends. A
    caller that does not take all results must close the generator.
    """
    if workers == 1 and executor is None:
        alone = replace(budget, progress=lambda _: None)
        for board in boards:
            yield _winner(board, tie, alone)
        return
    errors: list[BoardError] = []
    parts = _parts(boards, errors)
    waiting: deque[Future[list[int]]] = deque()
    with _pool(workers, executor) as pool:
        try:
            while True:
                while len(waiting) < _MOST_TASKS and (part := next(parts, None)):
                    waiting.append(pool.submit(_winners_of_part, part, tie))
                if not waiting:
                    break
                try:
                    answers = waiting[0].result(_SECONDS_BETWEEN_POLLS)
                except FutureTimeoutError:
                    budget.check()
                    continue
                waiting.popleft()
                yield from answers
        finally:
            for future in waiting:
                future.cancel()
    for error in errors:
        raise error


def _parts(boards: Iterable[Board], errors: list[BoardError]) -> Iterator[list[Board]]:
    """Yield boards in lists of up to 16, one list for each task of a worker.

    If `boards` raises a `BoardError`, the error is appended to `errors`. The last list then ends with the board before
    the error.
    """
    part: list[Board] = []
    try:
        for board in boards:
            part.append(board)
            if len(part) == _BOARDS_PER_TASK:
                yield part
                part = []
    except BoardError as error:
        errors.append(error)
    if part:
        yield part


@contextmanager
def _pool(workers: int | None, executor: Executor | None) -> Iterator[Executor]:
    if executor is not None:
        yield executor
        return
    # Start worker processes by spawn, not fork: a forked copy would never release locks that other threads hold.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    context = get_context("spawn")
    stop_event = context.Event()
    pool = ProcessPoolExecutor(workers, context, _initialise_worker, (stop_event,))
    try:
        yield pool
    finally:
        # Set an event to stop the searches, because an executor cannot cancel a running search, which may take hours.
        stop_event.set()
        pool.shutdown(cancel_futures=True)


# Budget of the searches in a worker process. It ends when the parent process sets an event that all workers share.
_worker_budget = UNLIMITED


def _initialise_worker(stop_event: Event) -> None:
    """Initialise a worker process: make it ignore SIGINT, and end its searches when the event `stop_event` is set.

    If the user presses Ctrl-C, the workers and the parent process get SIGINT. The parent process then ends the workers.
    """
    global _worker_budget
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker_budget = Budget(cancelled=stop_event.is_set)


def _winners_of_part(boards: list[Board], tie: Tie) -> list[int]:
    return [_winner(board, tie, _worker_budget) for board in boards]


def _winner(board: Board, tie: Tie, budget: Budget) -> int:
    from yomikiri.tictactoe.search.margins import winner

    return int(winner(Position(board), tie, budget) or 0)


def _boards(boards: object) -> NDArray[Any]:
    """Return `boards` as an array of shape (n, rows, columns), without a copy if possible.

    Raises an `InputError` if they are not boards of one shape.
    """
    if not isinstance(boards, np.ndarray):
        boards = _array(boards)
    elif boards.dtype == object:
        boards = _array(boards.tolist())
    if boards.dtype.kind in "iu" and boards.dtype.itemsize < 8:
        boards = boards if boards.dtype == np.int32 else boards.astype(np.int64)
    if boards.dtype in (np.int64, np.int32):
        if boards.shape[1:] == (9,):
            return boards.reshape(len(boards), 3, 3)
        if boards.ndim == 3:
            if not all(1 <= side <= MAX_SIDE for side in boards.shape[1:]):
                raise wrong_size(*boards.shape[1:])
            return boards
    raise _not_boards(f"{boards.dtype} {boards.shape}")


def _array(boards: object) -> NDArray[np.int64]:
    """Return boards of one shape as an array of shape (n, rows, columns).

    Each board may be given in any form that `Board` accepts, or as nine integers.
    """
    given = [[row[:3], row[3:6], row[6:]] if _is_flat(row) else row for row in ordered(boards, "boards")]
    rows = [board.weights for board in boards_in(given, "boards")]
    if any((len(each), len(each[0])) != (len(rows[0]), len(rows[0][0])) for each in rows):
        raise BoardError(N_("boards of different shapes: expected boards of one shape, or one call for each shape"))
    try:
        return np.array(rows, dtype=np.int64).reshape(len(rows), *(np.shape(rows[0]) if rows else (3, 3)))
    except OverflowError:
        raise BoardError(
            N_("boards with a weight beyond 64 bits: needs smaller weights, or winner for one board")
        ) from None


def _is_flat(row: object) -> TypeGuard[Sequence[int]]:
    return isinstance(row, list | tuple) and len(row) == 9 and all(isinstance(weight, int) for weight in row)


def _by_kernel(rows: NDArray[Any], tie: Tie, found: NDArray[np.int8]) -> None:
    """Write the winners of 3x3 boards to the array `found`, computed by the compiled library.

    `rows` contains the weights of the boards: int64 or int32, shape (m, 9). `found` has shape (m,).
    """
    from yomikiri.tictactoe.sums import winners_of_int32, winners_of_int64

    winners_of = winners_of_int64 if rows.dtype == np.int64 else winners_of_int32
    _check_bound(*map(int, winners_of(np.ascontiguousarray(rows), np.int8(tie.player or 0), found)))


def _by_numpy(rows: NDArray[Any], tie: Tie, found: NDArray[np.int8]) -> None:
    """Write the winners of 3x3 boards to the array `found`, computed by numpy.

    This function is for processors without a compiled library.
    """
    from yomikiri.tictactoe.sums import decisive, sums

    for start in range(0, len(rows), _BLOCK):
        columns = np.ascontiguousarray(rows[start : start + _BLOCK].T, dtype=np.int64)
        _check_bound(int(columns.max()), int(columns.min()))
        total, second = sums(tuple(columns))
        winner = np.sign(total - 2 * decisive(second))
        found[start : start + _BLOCK] = np.where(winner == 0, tie.player or 0, winner)


class _WeightTooLarge(Exception):
    """The error for a weight above 10**18 in absolute value, because sums of such weights may not fit into 64 bits."""


def _check_bound(*extremes: int) -> None:
    if not all(-BOUND <= weight <= BOUND for weight in extremes):
        raise _WeightTooLarge


def _not_boards(given: str) -> BoardError:
    return BoardError(
        N_(
            "boards={given}: expected boards, as an array of int64 or less, shape (n, rows, columns), or (n, 9) for 3x3"
        ),
        given=given,
    )
