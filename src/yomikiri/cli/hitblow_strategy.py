"""`yomikiri hitblow solve`, `verify`, `export`, `book` and `simulate`: strategies as files."""

from __future__ import annotations

import logging
import sys
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial, wraps
from gzip import GzipFile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yomikiri.budget import Budget, Stopped
from yomikiri.cli.base import (
    INTERRUPTED,
    Idle,
    Seconds,
    command,
    deliver,
    echo_json,
    file_to_write,
    json_option,
    option,
    seed_option,
    write_file,
    write_text,
)
from yomikiri.cli.files import MOST_TEXT, no_longer, read_file, unreadable_file
from yomikiri.cli.hitblow_shared import game_options, weights_option
from yomikiri.cli.terminal import progress, searching, set_aside
from yomikiri.cli.text import padded
from yomikiri.errors import N_, CheckError, InputError, MachineCodeError, RulesError
from yomikiri.hitblow.game import Game
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import write_hint
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES, policy_named
from yomikiri.hitblow.policies.base import simulate as play_all
from yomikiri.hitblow.rules import Words
from yomikiri.hitblow.strategy.book import VOLUMES, held, write_volume
from yomikiri.hitblow.strategy.file import read_strategy, write_strategy
from yomikiri.hitblow.strategy.render import as_csv, as_dot, as_text
from yomikiri.hitblow.strategy.strategy import Cost, Evidence, Kind, Objective, Strategy, Task
from yomikiri.hitblow.strategy.verify import verify as replay
from yomikiri.wording import _, sentence
from yomikiri.wording import strategy as wording

if TYPE_CHECKING:
    # numpy comes with it: only what really solves may load it.
    from yomikiri.hitblow.search.solution import Solution


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
    @weights_option
    @option("--objective", "kind", type=click.Choice([kind.value for kind in Kind]),
            default=Kind.EXPECTED.value, show_default=True,
            help="What to minimise: the average number of guesses; the worst case and then the average; or the worst "
                 "case, then the number of secrets that take so many guesses, then the average.")  # fmt: skip
    @option("--within", type=click.IntRange(1, 99), help="Maximum number of guesses for any secret.")
    @option("--consistent", is_flag=True, help="Guess only candidates.")
    @option("--memory", type=click.IntRange(1, 1 << 20), default=256, show_default=True,
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
        known = game.known
        task = Task(known.rules, known.absent, known.facts, Objective(Kind(kind), within, consistent), known.prior)
        return command(*args, request=Request(task, game.words, memory * _MEBIBYTE), **rest)

    return with_task


def prove(
    request: Request,
    *,
    ties: bool = True,
    seconds: float | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    store: Path | None = None,
    err: bool = True,
) -> tuple[Solution, int]:
    """Solve the task, with progress on standard error where a person is watching; and the exit status.

    After so many seconds, and at Ctrl-C, it is the best so far. What is certain by then is said at once, on standard
    error or with `err` off on standard output; what it takes to put a strategy together a second Ctrl-C ends. Raises
    `Stopped` where there is none.
    """
    from yomikiri.hitblow.search.proof.crew import Workers, usable_cores
    from yomikiri.hitblow.search.solution import Outcome, Solution
    from yomikiri.hitblow.search.solve import solve as search

    def tell(outcome: Outcome) -> None:
        task = [] if err else wording.task_lines(request.task)
        with set_aside(wording.growing()):
            for line in (*task, *wording.stopped(outcome.lower, outcome.upper, outcome.guess)):
                click.echo(line, err=err)

    with ExitStack() as stack:
        who = Workers(workers or usable_cores())
        if cluster is not None:
            from yomikiri.hitblow.search.proof.cluster import Cluster

            executor = stack.enter_context(Cluster(cluster))
            logging.getLogger("distributed.client").setLevel("CRITICAL")  # a lost scheduler is told in a line
            who = Workers(executor.count, executor)
        budget = stack.enter_context(searching(wording.starting(), wording.progress))
        try:
            proven = search(
                request.task,
                memory=request.memory,
                budget=budget.at_most(seconds),
                ties=ties,
                workers=who,
                store=store,
                stopped=tell,
            )
            return proven, 0
        except Stopped as stopped:
            if isinstance(stopped.best, Solution):
                return stopped.best, INTERRUPTED if budget.spent() else 0
            raise


@command(
    help="Compute and prove an optimal strategy from scratch: smallest total of guesses, then smallest maximum.\n\n"
    "With TURNS, each GUESS:HINT such as 012:0H1B, the rest of the game is solved. Ctrl-C shows the best so far.",
    idle=(
        Idle(("no_ties",), unless={"kind": (Kind.EXPECTED.value, Kind.WORST.value)}),
        Idle(("no_ties", "workers", "cluster", "store"), beside="weights"),
        Idle(("workers",), beside="cluster"),
    ),
)
@task_options
@option("--no-ties", is_flag=True, help="Prove the total only; of the strategies that attain it take any.")
@option("--seconds", type=Seconds(min=0), help="Stop after so many seconds with the best so far.")
@option("--workers", type=click.IntRange(1, 1024),
        help="Number of threads that search, with a table of --memory for each that they share; all processor cores by "
             "default. They start once a proof has taken ten seconds.")  # fmt: skip
@option("--cluster", metavar="ADDRESS",
        help="Search on the Dask cluster of the scheduler at ADDRESS, such as tcp://host:8786, from the beginning. It "
             "runs code that comes over the network: use it in trusted networks only.")  # fmt: skip
@option("--store", metavar="FILE",
        help="Save the progress of a long proof in FILE; the same command continues from it.")  # fmt: skip
@option("--output", help="File to write the strategy to, proven or the best so far.")
@option("--certificate", metavar="FILE",
        help="File to write a certificate to that nothing takes fewer guesses in total, which 'check' then "
             "accepts.")  # fmt: skip
@json_option
def solve(
    request: Request,
    no_ties: bool,
    seconds: float | None,
    workers: int | None,
    cluster: str | None,
    store: str | None,
    output: str | None,
    certificate: str | None,
    as_json: bool,
) -> int:
    """Solve and say what was proven."""
    path, target, shown = (name if name is None else file_to_write(name) for name in (store, output, certificate))
    if shown:
        from yomikiri.cli.certificates import checked, claimable

        claimable(request.task)
    solution, status = prove(
        request, ties=not no_ties, seconds=seconds, workers=workers, cluster=cluster, store=path, err=as_json
    )
    strategy = solution.strategy
    if target and strategy:
        write_text(target, write_strategy(strategy))
    if shown and strategy and status == 0:
        solution, status = checked(solution, strategy, shown, request.memory)
        strategy = solution.strategy
        if target and strategy:
            write_text(target, write_strategy(strategy))
    if as_json:
        from yomikiri.documents import strategies as documents

        echo_json(documents.solved(solution))
    else:
        for line in wording.solved(solution.task, strategy, ties=solution.ties):
            click.echo(line)
        click.echo(wording.effort(solution.nodes, solution.cpu_seconds, solution.tie_break_cpu_seconds))
    return status


_COMPRESSED = b"\x1f\x8b"  # so does a file begin that gzip has made


@command(
    help="Replay every secret with the strategy in FILE (- for standard input) and count its cost again.\n\n"
    "This proves that the strategy finds every secret at this cost, not that no other strategy costs less. "
    "A certificate shows that.",
)
@click.argument("file")
@option("--certificate", metavar="FILE", help="A certificate that no strategy takes less, to be checked as well.")
@json_option
def verify(file: str, certificate: str | None, as_json: bool) -> None:
    """Say what holds, or what is wrong and where."""
    from yomikiri.documents import strategies as documents

    try:
        strategy, cost = replayed(file)
        if certificate is not None:
            from yomikiri.cli.certificates import check_bound

            check_bound(strategy, cost, certificate)
    except CheckError as fault:
        if as_json:
            echo_json(documents.Unverified(False, sentence(fault)))
        raise
    if as_json:
        echo_json(documents.verified(strategy, cost, checked=certificate is not None))
        return
    for line in wording.verified(strategy, cost, checked=certificate is not None):
        click.echo(line)


def replayed(file: str) -> tuple[Strategy, Cost]:
    """The strategy in a file (`-` is standard input) and its cost; raises an `InputError` and a `StrategyFault`."""
    strategy = read_strategy(_contents(file))
    return strategy, replay(strategy)


def _contents(file: str) -> bytes:
    """What a file holds, which may be compressed."""
    content = read_file(file)
    if not content.startswith(_COMPRESSED):
        return content
    try:
        return no_longer(file, GzipFile(fileobj=BytesIO(content)).read(MOST_TEXT + 1))
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable_file(file, error) from None


_FORMATS = ("json", "text", "dot", "csv", "html")


@command(
    help="Write an optimal strategy: a file that 'verify' checks, an indented tree, a graph for Graphviz, one row "
    "for each secret, or a page for a phone that works offline.\n\n"
    "Standard games come from the book; other games, and the rest of a game after TURNS, are solved first.",
)
@task_options
@option("--format", "form", type=click.Choice(_FORMATS), default="json", show_default=True,
        help="Output format.")  # fmt: skip
@option("--output", help="File to write to instead of standard output.")
def export(request: Request, form: str, output: str | None) -> int:
    """Write the strategy of the book, or the one that a search finds."""
    tasks = [request.task]
    if form == "html":
        from yomikiri.web.offline import tasks_of_page

        tasks = tasks_of_page(request.task)
    strategies = [held(task) or _solved(replace(request, task=task)) for task in tasks]
    content = "".join(_rendered(strategies, form, request.words))
    deliver(content, output)
    proven = all(strategy.proof.kind is Evidence.OPTIMAL for strategy in strategies)
    return 0 if proven else INTERRUPTED


def _solved(request: Request) -> Strategy:
    strategy = prove(request)[0].strategy
    if strategy is None:
        within = request.task.objective.within
        assert within is not None, "only a limit can be impossible"
        raise InputError(
            N_("no strategy finds every secret within {within} guesses: choose a larger --within"), within=within
        )
    return strategy


def _rendered(strategies: Sequence[Strategy], form: str, words: Words) -> Iterable[str]:
    name, strategy = partial(write_hint, words=words), strategies[0]
    match form:
        case "html":
            from yomikiri.web.offline import offline_page

            return (offline_page(strategies, words),)
        case "text":
            return as_text(strategy, name)
        case "dot":
            return as_dot(strategy, name)
        case "csv":
            return as_csv(strategy)
        case _:
            return (write_strategy(strategy),)


@command(
    help="Compute from scratch everything that comes with the program and write it to FOLDER: proven strategies, and "
    "forms of the race.",
)
@click.argument("folder")
def book(folder: str) -> None:
    """Solve, verify and write every volume; then the forms of the standard race."""
    for volume in VOLUMES:
        strategy = _solved(Request(volume.task, Words.HIT))
        if strategy.proof.kind is not Evidence.OPTIMAL:
            raise click.Abort
        cost = replay(strategy)
        write_file(file_to_write(folder) / volume.file, write_volume(strategy))
        click.echo(wording.volume(volume.file, cost))
    from yomikiri.hitblow.race.public.race import shipped_forms
    from yomikiri.hitblow.race.public.stored_tables import FILE

    forms = shipped_forms()
    write_file(file_to_write(folder) / FILE, forms)
    click.echo(wording.race_forms(FILE, len(forms)))


_IN_FILE = ("policy", "seed", "preset", "digits", "symbols", "repeats", "no_leading", "absent", "weights", "secrets_of")
# Proven play follows the book where there is one.
COMPARED = tuple(name for name in POLICIES if name != "book")


@command(
    help="Play a policy against every secret: total, mean, maximum and distribution of guesses.",
    idle=(
        Idle(_IN_FILE, beside="file"),
        Idle(("seed",), unless={"policy": ("random", "all")}),
    ),
)
@game_options
@weights_option
@option(
    "--policy", type=click.Choice([*POLICIES, "all"]), default=DEFAULT_POLICY, show_default=True,
    help="The policy to play, or all of them for comparison.",
)  # fmt: skip
@option("--strategy", "file", help="A strategy file to play instead of a policy, with the rules that it names.")
@seed_option
@json_option
def simulate(game: Game, policy: str, file: str | None, seed: int, as_json: bool) -> None:
    """Play every secret."""
    if file is not None:
        _strategy, cost = replayed(file)
        _report(cost, as_json)
        return
    start = game.known
    names = COMPARED if policy == "all" else (policy,)
    costs: dict[str, Cost] = {}
    for name in names:
        try:
            costs[name] = _played(name, seed, start)
        except (RulesError, MachineCodeError) as error:
            if policy != "all":
                raise
            click.echo(sentence(error), err=True)
    if policy != "all":
        _report(costs[policy], as_json)
    elif as_json:
        from yomikiri.documents import strategies as documents

        echo_json(documents.simulations(costs))
    else:
        _compare(costs)


def _played(name: str, seed: int, start: Knowledge) -> Cost:
    """What the policy of that name costs; proven play takes all the time it needs, or its total would prove nothing."""
    policy = policy_named(name, seed, seconds=None)
    with progress(name, start.total) as bar:
        return play_all(policy, start, Budget(progress=lambda known: bar(known.done)))


def _report(cost: Cost, as_json: bool) -> None:
    """One policy: the figures, and the distribution as bars."""
    if as_json:
        from yomikiri.documents import strategies as documents

        echo_json(documents.cost(cost))
        return
    click.echo(wording.total(cost))
    widest = max(cost.histogram)
    for guesses, count in enumerate(cost.histogram, start=1):
        bar = "█" * -(-count * 40 // widest) if sys.stdout.isatty() else ""
        click.echo(f"{guesses:>3} {count:>6} {bar}".rstrip())


def _compare(costs: dict[str, Cost]) -> None:
    """All policies: a line each, columns aligned; the distribution comes last."""
    rows = [(_("policy"), _("total"), _("mean"), _("max"), _("found at guess 1, 2, 3, ..."))]
    for name, cost in costs.items():
        distribution = " ".join(map(str, cost.histogram))
        rows.append((name, str(cost.total_guesses), f"{cost.mean:.4f}", str(cost.max_guesses), distribution))
    for *cells, last in rows:
        click.echo("".join(map(padded, cells, (14, 9, 9, 6))) + last)
