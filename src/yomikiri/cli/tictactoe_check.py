"""`yomikiri tictactoe generate` and `check`: boards with given properties, and tests of other programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from yomikiri.cli.base import INTERRUPTED, Decorator, Seconds, command, option
from yomikiri.cli.terminal import progress
from yomikiri.settings import Conflict
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.notation import write_board
from yomikiri.tictactoe.position import Position, Tie
from yomikiri.wording import _, ngettext

_WINNERS = {"first": 1, "second": -1, "draw": 0}

_seed_option: Decorator = option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed."
)


@command(conflicts=(Conflict(("count", "seed", "low", "high", "winner", "opening", "unique"), beside="complete"),))
@option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="Number of boards.")
@_seed_option
@option("--low", type=int, default=-9, show_default=True, help="Minimum weight.")
@option("--high", type=int, default=9, show_default=True, help="Maximum weight.")
@option("--winner", type=click.Choice([*_WINNERS]), help="Winner under best play.")
@option(
    "--opening",
    type=click.Choice(["corner", "edge", "centre"]),
    help="The first player wins only by starting on a cell of this kind.",
)
@option("--unique", is_flag=True, help="Exactly one first move wins for the first player.")
@option(
    "--complete",
    is_flag=True,
    help="All 17,600 boards, one for every way in which the weights can decide a game.",
)
def generate(count: int, seed: int, winner: str | None, complete: bool, **wanted: Any) -> None:
    """Generate 3x3 boards with the given properties, separated by blank lines.

    Unless you ask for a draw, the weights have an odd total, so that there are no ties. The same seed gives the
    same boards.
    """
    from yomikiri.tictactoe.generator import Opening, Wanted, complete_set
    from yomikiri.tictactoe.generator import generate as boards_wanted

    if complete:
        boards = complete_set()
    else:
        opening = wanted.pop("opening")
        properties = Wanted(winner=_WINNERS[winner] if winner else None, opening=opening and Opening(opening), **wanted)
        boards = islice(boards_wanted(properties, seed), count)
    for number, board in enumerate(boards):
        click.echo(("\n" if number else "") + write_board(board))


@command(
    context_settings={"allow_interspersed_args": False},
    conflicts=(Conflict(("count", "seed", "tie"), beside="complete"),),
)
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@option("--count", type=click.IntRange(min=1), default=100, show_default=True, help="Number of boards.")
@option("--complete", is_flag=True, help="Use all 17,600 boards of generate --complete.")
@option(
    "--seconds",
    type=Seconds(0.01, 86_400),
    default=2.0,
    show_default=True,
    help="Time limit for one board.",
)
@option(
    "--tie",
    type=click.Choice([str(tie) for tie in Tie]),
    help="Include boards with equal sums; who wins them.",
)
@_seed_option
@click.pass_context
def check(
    ctx: click.Context, /, program: str, arguments: tuple[str, ...], seconds: float, tie: str | None, **selection: Any
) -> None:
    """Run a contest solution on many boards and show a small board that it gets wrong, with the likely mistake.

    PROGRAM is a Python file (a.py), a C++ file (a.cpp, which is compiled first), another program, or a command. It is
    started for every board with its ARGUMENTS, reads three rows of three integers and answers Takahashi or Aoki.
    Options come before it. The exit status is 4 if it gets a board wrong.
    """
    from yomikiri.tictactoe.advice import analyze
    from yomikiri.tictactoe.checker import Examiner
    from yomikiri.tictactoe.checker import check as first_fault
    from yomikiri.tictactoe.programs import command_of
    from yomikiri.wording.tictactoe_check import found_fault

    _say_what_the_program_gets(ctx, arguments)
    rule = Tie(tie) if tie else None
    boards, count = _boards_to_check(rule, **selection)
    passed = 0
    with TemporaryDirectory() as folder, progress(_("boards"), count) as show:
        examiner = Examiner(command_of(program, arguments, Path(folder)), seconds, rule)

        def report(done: int) -> None:
            nonlocal passed
            passed = done
            show(done)

        try:
            found = first_fault(examiner, boards, report)
        except KeyboardInterrupt:
            click.echo(("\n" if sys.stderr.isatty() else "") + _passed(passed), err=True)
            ctx.exit(INTERRUPTED)
    if found is None:
        click.echo(_passed(passed))
        return
    click.echo(write_board(found.board))
    if found.stderr:
        click.echo(_("The program wrote to its standard error:"), err=True)
        click.echo("\n".join(f"  | {line}" for line in found.stderr.splitlines()), err=True)
    found.fault.hint = found_fault(found, analyze(Position(found.board)), rule)
    raise found.fault


def _boards_to_check(tie: Tie | None, *, complete: bool, count: int, seed: int) -> tuple[Iterator[Board], int]:
    """Return the boards that the options select, and their number."""
    from yomikiri.tictactoe.checker import boards_to_check
    from yomikiri.tictactoe.generator import COMPLETE, complete_set

    return (complete_set(), COMPLETE) if complete else (islice(boards_to_check(seed, tie), count), count)


def _passed(count: int) -> str:
    text = ngettext("{count} board checked, no wrong answer.", "{count} boards checked, no wrong answers.", count)
    return text.format(count=f"{count:,}")


def _say_what_the_program_gets(ctx: click.Context, arguments: tuple[str, ...]) -> None:
    """Print a note if an option of this command comes after PROGRAM. Such an option is passed to that program."""
    own = {name for option in ctx.command.params if isinstance(option, click.Option) for name in option.opts}
    if taken := [argument for argument in arguments if argument.partition("=")[0] in own]:
        text = _("Note: {options} comes after the program and is passed to it; options of check go before it.")
        click.echo(text.format(options=" ".join(taken)), err=True)
