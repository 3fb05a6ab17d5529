"""`yomikiri tictactoe check`: find a board on which another program errs."""

from __future__ import annotations

from itertools import islice

import click

from yomikiri.cli.base import Command, Option, language_option, seed_option
from yomikiri.cli.progress import progress
from yomikiri.cli.tictactoe_generate import refuse_choice
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
@click.pass_context
def check(
    ctx: click.Context,
    /,
    program: str,
    arguments: tuple[str, ...],
    count: int,
    complete: bool,
    seconds: float,
    tie: str | None,
    seed: int,
) -> None:
    """Check a program."""
    from yomikiri.tictactoe.check import Examiner, first_fault, telling_boards
    from yomikiri.tictactoe.generate import complete_set

    rule = Tie(tie) if tie else None
    if complete:
        refuse_choice(ctx, "count", "seed", "tie")
        boards = list(complete_set())
    else:
        boards = list(islice(telling_boards(seed, rule), count))
    with progress(_("boards"), len(boards)) as report:
        found = first_fault(Examiner((program, *arguments), seconds, rule), boards, report)
    if found is None:
        text = ngettext("{count} board, no fault.", "{count} boards, no fault.", len(boards))
        click.echo(text.format(count=f"{len(boards):,}"))
        return
    click.echo(write_board(found.board))
    found.fault.add_note(wording.first_seen(found.number, found.board))
    raise found.fault
