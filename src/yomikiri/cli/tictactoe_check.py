"""`yomikiri tictactoe check`: find a board on which another program errs."""

from __future__ import annotations

from itertools import islice

import click

from yomikiri.cli.base import Command, Option, language_option, seed_option
from yomikiri.cli.progress import progress
from yomikiri.tictactoe.notation import write_board
from yomikiri.tictactoe.position import Tie
from yomikiri.wording import _, ngettext
from yomikiri.wording import tictactoe as wording


@click.command(
    cls=Command,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    help="Run a contest solution on many boards and show a small one on which it errs.\n\n"
    "PROGRAM is started for every board with its ARGUMENTS, reads three rows of three integers and answers Takahashi "
    "or Aoki. Options come before it. Exit status 4 when it errs.",
)
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--count", cls=Option, type=click.IntRange(min=1), default=100, show_default=True, help="How many boards."
)
@click.option("--complete", cls=Option, is_flag=True, help="All 17,600 boards of generate --complete instead.")
@click.option(
    "--seconds",
    cls=Option,
    type=click.FloatRange(min=0.01),
    default=2.0,
    show_default=True,
    help="Time limit for one board.",
)
@click.option(
    "--tie",
    cls=Option,
    type=click.Choice(["draw", "first", "second"]),
    help="Give boards with equal sums as well; who wins them.",
)
@seed_option
@language_option
def check(
    program: str,
    arguments: tuple[str, ...],
    count: int,
    complete: bool,
    seconds: float,
    tie: str | None,
    seed: int,
) -> None:
    """Check a program."""  # fmt: skip
    from yomikiri.tictactoe.check import fault, smallest, telling_boards
    from yomikiri.tictactoe.generate import complete_set

    rule = Tie(tie) if tie else None
    command = (program, *arguments)
    boards = list(complete_set() if complete else islice(telling_boards(seed, rule), count))
    with progress(_("boards"), len(boards)) as report:
        for number, board in enumerate(boards, start=1):
            found = fault(command, board, seconds, rule)
            if found is None:
                report(number)
                continue
            small = smallest(board, lambda smaller: fault(command, smaller, seconds, rule) is not None)
            break
        else:
            click.echo(
                ngettext("{count} board, no fault.", "{count} boards, no fault.", len(boards)).format(count=len(boards))
            )
            return
    click.echo(write_board(small))
    final = fault(command, small, seconds, rule) or found
    final.add_note(wording.first_seen(number, small))
    raise final
