"""`yomikiri hitblow solve`: an optimal strategy, proven from nothing; and what other commands that solve share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from yomikiri.budget import Stopped
from yomikiri.cli.base import INTERRUPTED, Command, Option, echo_json, json_option, language_option
from yomikiri.cli.hitblow_shared import game_options
from yomikiri.cli.progress import searching
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import Game
from yomikiri.hitblow.rules import Words
from yomikiri.hitblow.strategy.strategy import Evidence, Kind, Objective, Task
from yomikiri.wording import strategy as wording

if TYPE_CHECKING:
    # numba comes with it: only what really solves may load it.
    from yomikiri.hitblow.search.solve import Solution

_MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Request:
    """What the options ask for: the task, the words to speak in, and the bytes the search may remember with."""

    task: Task
    words: Words
    memory: int = 256 * _MEBIBYTE


def task_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command TURNS and the options of a game and a search.

    It is called with `request=Request(...)` in their place.
    """

    @click.argument("turns", nargs=-1)
    @game_options
    @click.option("--objective", "kind", cls=Option, type=click.Choice([kind.value for kind in Kind]),
                  default=Kind.EXPECTED.value, show_default=True,
                  help="What to minimise: the average number of guesses, or the worst case and then "
                       "the average.")  # fmt: skip
    @click.option("--within", cls=Option, type=click.IntRange(1, 99), help="Maximum number of guesses for any secret.")
    @click.option("--consistent", cls=Option, is_flag=True, help="Guess only candidates.")
    @click.option("--memory", cls=Option, type=click.IntRange(1, 1 << 20), default=256, show_default=True,
                  help="Size limit of the transposition table, in MiB; does not affect the result.")  # fmt: skip
    @wraps(command)
    def with_task(
        *args: Any,
        game: Game,
        kind: str,
        within: int | None,
        consistent: bool,
        memory: int,
        **rest: Any,
    ) -> Any:
        known = Knowledge(game.rules, game.absent, game.turns)
        task = Task(known.rules, known.absent, known.turns, Objective(Kind(kind), within, consistent))
        return command(*args, request=Request(task, game.words, memory * _MEBIBYTE), **rest)

    return with_task


def prove(request: Request) -> Solution:
    """Solve the task, with progress on standard error where a person is watching; at Ctrl-C the best so far.

    Raises `Stopped` where that is nothing.
    """
    from yomikiri.hitblow.search.solve import Solution
    from yomikiri.hitblow.search.solve import solve as search

    try:
        with searching(wording.starting(), wording.progress) as budget:
            return search(request.task, memory=request.memory, budget=budget)
    except Stopped as stopped:
        if isinstance(stopped.best, Solution):
            return stopped.best
        raise


@click.command(
    cls=Command,
    help="Compute and prove an optimal strategy from scratch: smallest total of guesses, then smallest maximum.\n\n"
    "With TURNS, each GUESS:HINT such as 012:0H1B, the rest of the game is solved. Ctrl-C shows the best so far.",
)
@task_options
@json_option
@language_option
def solve(request: Request, as_json: bool) -> int:
    """Solve and say what was proven."""
    solution = prove(request)
    strategy = solution.strategy
    if as_json:
        from yomikiri.documents import hitblow as documents

        echo_json(documents.solved(solution))
    else:
        for line in wording.solved(solution.task, strategy):
            click.echo(line)
        click.echo(wording.effort(solution.effort.nodes, solution.cpu_seconds, solution.tie_break_cpu_seconds))
    return INTERRUPTED if strategy and strategy.proof.kind is Evidence.HEURISTIC else 0
