"""`yomikiri tictactoe winner`: the winner of each board under best play; and the reading of boards.

Without `--json`, the output has one line per board, in the format of the programming contest that the game comes from.
"""

from __future__ import annotations

import io
import select
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial

import click

from yomikiri.cli.asking import options_of, with_settings
from yomikiri.cli.base import INTERRUPTED, WholeNumber, all_of, command, given_values, json_option, option
from yomikiri.cli.files import STDIN, open_input
from yomikiri.cli.terminal import interruptible, searching
from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.enums import number
from yomikiri.common.file_errors import unreadable_file
from yomikiri.settings import Conflict
from yomikiri.tictactoe.board import DEFAULT_LINE, MAX_SIDE, Board
from yomikiri.tictactoe.notation import BOARD, CONTEST_NAMES, LINE, POSITION, TIE, no_board, read_board
from yomikiri.tictactoe.position import Position, Tie
from yomikiri.tictactoe.text import boards_of_text, winners_of_text
from yomikiri.wording import _

_BLOCK = 1 << 22
# Longer than any valid row. The rest of a longer line counts as the next line, which is then rejected.
_LONGEST_LINE = 1 << 20


def _typed() -> Iterator[bytes]:
    """Yield the lines that the user types, up to Ctrl-D.

    Ctrl-D also ends the input in the middle of a line. The terminal then passes on that line without a line end.
    """
    click.echo(_("Type the board, then press Ctrl-D."), err=True)
    with open_input(STDIN) as keyboard:
        while line := keyboard.read1(_BLOCK):
            yield line
            if not line.endswith(b"\n"):
                click.echo(err=True)
                return


def _is_typed(name: str) -> bool:
    return name == STDIN and sys.stdin.isatty()


def blocks_of(name: str) -> Iterator[bytes]:
    """Yield the content of a file (`-` for standard input) in blocks of up to 4 MiB, as soon as it is available.

    Standard output is flushed before each wait for input, so that all answers so far are written. Raises an
    `InputError`.
    """
    if _is_typed(name):
        for line in _typed():
            yield line
            sys.stdout.flush()
        return
    with open_input(name) as file:
        while block := _available(file, name):
            yield block
            sys.stdout.flush()


def lines_of(name: str) -> Iterator[str]:
    """Yield the lines of a file (`-` for standard input); raise an `InputError` on failure."""
    if _is_typed(name):
        yield from (line.decode("utf-8", "replace") for line in _typed())
        return
    with open_input(name) as file:
        try:
            while line := file.readline(_LONGEST_LINE):
                yield line.decode("utf-8", "replace")
        except OSError as error:
            raise unreadable_file(name, error) from None


def _available(file: io.BufferedReader, name: str) -> bytes:
    try:
        parts = [file.read1(_BLOCK)]
        left = _BLOCK - len(parts[0])
        while parts[-1] and left and _ready(file):
            parts.append(file.read1(left))
            left -= len(parts[-1])
    except OSError as error:
        raise unreadable_file(name, error) from None
    return b"".join(parts)


def _ready(file: io.BufferedReader) -> bool:
    """Return True if reading would not wait. Returns False if the system cannot find out."""
    try:
        return bool(select.select([file], [], [], 0)[0])
    except (OSError, ValueError):
        return False


BOARD_CONFLICT = Conflict(("board",), beside="file")


# Options for `position_pairs`: FILE or `--board` (see `BOARD_CONFLICT`), `--line` and `--moves`.
position_options = all_of(click.argument("file", required=False), options_of(*POSITION))


def position_pairs(ctx: click.Context, file: str | None) -> list[tuple[str, str]]:
    """Return the settings of the position as (name, value) pairs.

    The board comes from `--board`, from FILE, or otherwise from standard input. Raises an `InputError`.
    """
    given = {setting.name: given_values(ctx)[setting.name] for setting in POSITION if setting.name in given_values(ctx)}
    if BOARD.name not in given:
        given[BOARD.name] = str(read_board(lines_of(file or STDIN), number(given, LINE.name, DEFAULT_LINE)))
    return [*given.items()]


def options_for(board: Board) -> str:
    """Return the options that describe this board."""
    return f"--board={board}" if board.line == DEFAULT_LINE else f"--board={board} --line {board.line}"


@command()
@click.argument("file", default=STDIN)
@with_settings(LINE, TIE)
@option("--rows", type=WholeNumber(1, MAX_SIDE), help="Rows of each board, if no blank lines separate them.")
@option("--workers", type=WholeNumber(1), default=1, show_default=True,
        help="Number of processes for boards other than 3x3, which are then read ahead.")  # fmt: skip
@json_option
def winner(file: str, rows: int | None, workers: int, as_json: bool, line: int, tie: str) -> None:
    """Print the winner under best play, one per board: Takahashi (first), Aoki (second) or Draw.

    FILE, or standard input, contains boards: rows of integers, with a blank line after each board. The boards may
    have different shapes. Without blank lines, three columns and a multiple of three rows are a list of 3x3 boards.
    """
    rule = Tie(tie)
    if as_json:
        boards, is_list = boards_of_text(blocks_of(file), rows, line)
        count = _write_documents([*boards] if is_list else boards, rule)
        if is_list:
            _say_list(count)
    else:
        search = partial(_searched, tie=rule) if workers == 1 else partial(_searched_ahead, tie=rule, workers=workers)
        found = winners_of_text(blocks_of(file), rule, line=line, rows=rows, other=search, on_list=_say_list)
        count = _write_names(found)
    if not count:
        raise no_board()


def _write_names(found: Iterable[list[int]]) -> int:
    """Print the winners by their names in the contest: Takahashi, Aoki or Draw. Return their number.

    Each element of `found` contains 1 for the first player, -1 for the second and 0 for a draw.
    """
    lines, count = [f"{name}\n" for name in CONTEST_NAMES], 0
    for signs in found:
        sys.stdout.write("".join([lines[sign] for sign in signs]))
        count += len(signs)
    return count


def _write_documents(boards: Iterable[Board], tie: Tie) -> int:
    """Print a line with a JSON object for the result of each board, and return the number of boards."""
    from msgspec import json

    from yomikiri.api.results import versioned
    from yomikiri.api.results_tictactoe import BoardResult
    from yomikiri.tictactoe.advice import analyze
    from yomikiri.wording import tictactoe as wording

    count = 0
    for board in boards:
        with searching("", partial(wording.progress, Position(board).to_move)) as budget:
            advice = analyze(board, budget)
        click.echo(json.encode(versioned(BoardResult.of((advice, tie)))))
        count += 1
    return count


def _say_list(count: int) -> None:
    """Print a note on standard error that the rows were read as boards of 3x3, because no blank line separates them."""
    click.echo(
        _(
            "note: read as {count} boards of 3x3, because no blank line separates them; "
            "use --rows for boards of another height"
        ).format(count=f"{count:,}"),
        err=True,
    )


def _searched(boards: Iterator[Board], tie: Tie) -> Iterator[int]:
    """Yield the winners of boards that need a search: 1 for the first player, -1 for the second, 0 for a draw.

    After Ctrl-C, print which part of the result is proven, and end the program.
    """
    # Imported here because 3x3 boards need no search and should start fast.
    from yomikiri.tictactoe.search.margins import winner
    from yomikiri.wording import tictactoe as wording

    for board in boards:
        position = Position(board)
        # Write the answers so far before a search that may take long.
        sys.stdout.flush()
        try:
            with searching("", partial(wording.progress, position.to_move)) as budget:
                found = winner(position, tie, budget)
        except Stopped as stopped:
            click.echo(wording.interrupted(wording.proven_result(position.to_move, stopped.best)), err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None
        yield int(found or 0)


def _searched_ahead(boards: Iterator[Board], tie: Tie, workers: int) -> Iterator[int]:
    """Yield the winners of boards that need a search, as `_searched` does. Several processes search at once."""
    from yomikiri.tictactoe.batch import searched

    with (
        interruptible() as cancelled,
        closing(searched(boards, tie, workers=workers, budget=Budget(cancelled=cancelled))) as winners,
    ):
        try:
            for found in winners:
                yield found
                sys.stdout.flush()
        except Stopped:
            raise click.exceptions.Exit(INTERRUPTED) from None
