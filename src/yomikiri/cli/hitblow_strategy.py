"""`yomikiri hitblow solve`, `verify`, `export`, `book` and `simulate`: strategies as files."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yomikiri.api.queries_hitblow import NO_TIES, WORKERS, SimulateQuery, Solved, SolveQuery
from yomikiri.api.shared_settings import SECONDS_IN_ALL
from yomikiri.cli.base import (
    INTERRUPTED,
    command,
    echo_json,
    file_to_write,
    force_option,
    json_option,
    new_file,
    option,
    store_to_write,
    write_file,
    write_output,
    write_text,
)
from yomikiri.cli.files import read_compressed
from yomikiri.cli.hitblow_shared import with_game_query
from yomikiri.cli.tables import histogram_chart
from yomikiri.cli.terminal import progress, searching, set_aside
from yomikiri.cli.text import columns_of
from yomikiri.common.budget import Budget
from yomikiri.common.errors import N_, CheckError, InputError, MachineCodeError, RulesError
from yomikiri.hitblow.model.notation import write_hint
from yomikiri.hitblow.model.rules import Words
from yomikiri.hitblow.policies.book import VOLUMES, book_strategy, write_volume
from yomikiri.hitblow.strategy.file import read_strategy, write_strategy
from yomikiri.hitblow.strategy.render import as_csv, as_dot, as_text
from yomikiri.hitblow.strategy.strategy import Cost, Evidence, Strategy
from yomikiri.hitblow.strategy.verify import verify as replay
from yomikiri.settings import Conflict, HelpHeading
from yomikiri.wording import _, sentence
from yomikiri.wording import strategy as wording

if TYPE_CHECKING:
    # This module imports NumPy, which only the commands that solve may load.
    from yomikiri.hitblow.search.solution import SearchBounds


def prove(
    question: SolveQuery,
    *,
    cluster: str | None = None,
    store: Path | None = None,
    err: bool = True,
) -> tuple[Solved, int]:
    """Solve a task with progress at a terminal; return the answer and the exit status.

    If Ctrl-C or the time limit stops the search, the proven bounds are printed at once, on standard error if `err`,
    otherwise on standard output. After that, the best strategy so far is built and returned. This takes about a second
    after Ctrl-C. After the time limit it may take longer, because the strategy is improved first. Raises `Stopped` if
    there is no strategy yet.

    `cluster` is the address of a Dask cluster. `store` is the file that stores the progress.
    """

    def print_bounds(outcome: SearchBounds) -> None:
        task = [] if err else wording.task_lines(question.task)
        with set_aside(_("Building the best strategy found so far. Press Ctrl-C to skip this.")):
            for line in (*task, *wording.stopped(outcome.lower, outcome.upper, outcome.guess)):
                click.echo(line, err=err)

    with ExitStack() as stack:
        pool = None
        if cluster is not None:
            from yomikiri.hitblow.search.proof.cluster import Cluster
            from yomikiri.hitblow.search.proof.worker_pool import Workers

            executor = stack.enter_context(Cluster(cluster))
            # Silence this logger of Dask, because the program itself reports a lost scheduler, in one line.
            logging.getLogger("distributed.client").setLevel("CRITICAL")
            pool = Workers(executor.count, executor)
        budget = stack.enter_context(searching(wording.starting(), wording.progress))
        solved = question.answer(budget, pool=pool, store=store, stopped=print_bounds)
        return solved, INTERRUPTED if solved.was_stopped and budget.spent() else 0


@command(
    conflicts=(
        *SolveQuery.CONFLICTS,
        Conflict(("cluster", "store"), beside="weights"),
        Conflict(("workers",), beside="cluster"),
    )
)
@with_game_query(SolveQuery, takes_turns=True)
@option("--cluster", metavar="ADDRESS",
        help="Search on a Dask cluster from the start. ADDRESS is its scheduler, such as tcp://host:8786. A "
             "cluster runs code from the network: use trusted networks only.")  # fmt: skip
@option("--store", metavar="FILE",
        help="Save the progress of a long proof in FILE; the same command continues from it.")  # fmt: skip
@option("--output", group=HelpHeading.OUTPUT, help="File to write the strategy to, proven or the best so far.")
@option("--certificate", metavar="FILE", group=HelpHeading.OUTPUT,
        help="Write a certificate to this file: a proof of the smallest total, for 'check'.")  # fmt: skip
@force_option
@json_option
def solve(
    question: SolveQuery,
    cluster: str | None,
    store: str | None,
    output: str | None,
    certificate: str | None,
    force: bool,
    as_json: bool,
) -> int:
    """Compute and prove an optimal strategy from scratch: smallest total of guesses, then smallest maximum.

    With TURNS, each GUESS:ANSWER such as 012:0H1B, the rest of the game is solved. Ctrl-C shows the best so far.
    """
    path = store_to_write(store)
    force |= path is not None and path.exists()  # if a proof continues, it may replace its earlier result
    target, shown = (name if name is None else new_file(name, force) for name in (output, certificate))
    if shown:
        from yomikiri.cli.hitblow_check import require_claimable, write_and_check

        require_claimable(question.task)
    solved, status = prove(question, cluster=cluster, store=path, err=as_json)
    solution, strategy = solved.solution, solved.solution.strategy
    if target and strategy:
        write_text(target, write_strategy(strategy))
    if shown and strategy and status == 0:
        solution, status = write_and_check(solution, strategy, shown, question.memory << 20)
        strategy = solution.strategy
        if target and strategy:
            write_text(target, write_strategy(strategy))
    if as_json:
        echo_json(question.document(solved._replace(solution=solution)))
    else:
        for line in wording.solved(solution.task, strategy, ties=solution.ties):
            click.echo(line)
        click.echo(wording.effort(solution.nodes, solution.cpu_seconds, solution.tie_break_cpu_seconds))
    return status


@command()
@click.argument("file")
@option(
    "--certificate",
    metavar="FILE",
    help="A certificate to check as well; it proves that no strategy takes fewer guesses.",
)
@json_option
def verify(file: str, certificate: str | None, as_json: bool) -> None:
    """Replay every secret with the strategy in FILE (- for standard input) and count its cost again.

    This proves that the strategy finds every secret at this cost, not that no other strategy costs less. A certificate
    shows that.
    """
    from yomikiri.api.results_strategy import Unverified, Verified

    try:
        strategy, cost = read_and_replay(file)
        if certificate is not None:
            from yomikiri.cli.hitblow_check import check_bound

            check_bound(strategy, cost, certificate)
    except CheckError as fault:
        if as_json:
            echo_json(Unverified(False, sentence(fault)))
        raise
    if as_json:
        echo_json(Verified.of(strategy, checked=certificate is not None))
        return
    for line in wording.verified(strategy, cost, checked=certificate is not None):
        click.echo(line)


def read_and_replay(file: str) -> tuple[Strategy, Cost]:
    """Return the strategy in a file (`-` for standard input) and its cost.

    Raises an `InputError` or a `StrategyFault`.
    """
    strategy = read_strategy(read_compressed(file))
    return strategy, replay(strategy)


_FORMATS = ("json", "text", "dot", "csv", "html")


@command()
@with_game_query(SolveQuery, takes_turns=True, without=(NO_TIES, SECONDS_IN_ALL, WORKERS))
@option("--format", "form", type=click.Choice(_FORMATS), default="json", show_default=True, group=HelpHeading.OUTPUT,
        help="Output format.")  # fmt: skip
@option("--output", group=HelpHeading.OUTPUT, help="File to write to instead of standard output.")
@force_option
def export(question: SolveQuery, form: str, output: str | None, force: bool) -> int:
    """Write an optimal strategy to a file.

    The default is a file that 'verify' checks. --format also offers indented text, a graph for Graphviz (dot), one row
    per secret (csv), and a page for a phone that works offline (html).

    The strategies of standard games come with the program. Other games, and the rest of a game after TURNS, are
    solved first.
    """
    path = None if output is None else new_file(output, force)
    tasks = [question.task]
    if form == "html":
        from yomikiri.web.offline import tasks_of_page

        tasks = tasks_of_page(question.task)
    strategies = [book_strategy(task) or _solved(replace(question, task=task)) for task in tasks]
    content = "".join(_rendered(strategies, form, question.words))
    write_output(content, path)
    proven = all(strategy.proof.kind is Evidence.OPTIMAL for strategy in strategies)
    return 0 if proven else INTERRUPTED


def _solved(question: SolveQuery) -> Strategy:
    strategy = prove(question)[0].solution.strategy
    if strategy is None:
        within = question.task.objective.within
        assert within is not None, "only a limit can be impossible"
        raise InputError(
            N_("no strategy finds every secret within {within:guess|guesses}: choose a larger --within"), within=within
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


@command()
@click.argument("folder")
def book(folder: str) -> None:
    """Compute from scratch all data that comes with the program and write it to FOLDER.

    The data are the proven strategies, and the tables with which matches are solved.
    """
    for volume in VOLUMES:
        strategy = _solved(SolveQuery(volume.task))
        if strategy.proof.kind is not Evidence.OPTIMAL:
            raise click.Abort
        cost = replay(strategy)
        write_file(file_to_write(folder) / volume.file, write_volume(strategy))
        click.echo(wording.volume(volume.file, cost))
    from yomikiri.hitblow.race.public.race import shipped_forms
    from yomikiri.hitblow.race.public.shipped_tables import FILE

    forms = shipped_forms()
    write_file(file_to_write(folder) / FILE, forms)
    click.echo(wording.race_forms(FILE, len(forms)))


_IN_FILE = ("turns", "secrets-of", *(setting.name for setting in SimulateQuery.settings()))


@command(conflicts=(Conflict(_IN_FILE, beside="strategy"), *SimulateQuery.CONFLICTS))
@with_game_query(SimulateQuery, takes_turns=True)
@option("--strategy", "file", help="A strategy file to play instead of a policy; its rules apply.")
@json_option
def simulate(question: SimulateQuery, file: str | None, as_json: bool) -> int:
    """Play a policy against every secret and show how many guesses it needs.

    With TURNS, only the secrets that fit them count. The result is the total, mean, maximum and distribution of
    guesses.
    """
    every, costs, status = question.policy == "all", dict[str, Cost](), 0
    if file is not None:
        every, costs[question.policy] = False, read_and_replay(file)[1]
    else:
        try:
            for name, cost in _played(question):
                costs[name] = cost
        except KeyboardInterrupt:
            if as_json:
                raise
            click.echo(wording.not_played(name for name in question.policies if name not in costs), err=True)
            status = INTERRUPTED
    if as_json:
        echo_json(question.document(costs))
    elif every and costs:
        _compare(costs)
    elif costs:
        _report(costs[question.policy])
    return status


def _played(question: SimulateQuery) -> Iterator[tuple[str, Cost]]:
    """Yield the name and the cost of each policy, and show a progress bar.

    If the user asked for all policies, those that cannot play this game are left out with a message.
    """
    for name in question.policies:
        try:
            with progress(name, question.known.total) as bar:
                yield name, question.cost_of(name, Budget(progress=lambda known: bar(known.done)))
        except (RulesError, MachineCodeError) as error:
            if question.policy != "all":
                raise
            click.echo(sentence(error), err=True)


def _report(cost: Cost) -> None:
    """Print the cost of one policy, with the distribution as bars."""
    click.echo(wording.total(cost))
    histogram_chart(cost.histogram)


def _compare(costs: dict[str, Cost]) -> None:
    """Print a table of all policies, with the distribution of guesses in the last column."""
    rows = [(_("policy"), _("total"), _("mean"), _("max"), _("found at guess 1, 2, 3, ..."))]
    for name, cost in costs.items():
        distribution = " ".join(map(str, cost.histogram))
        rows.append((name, str(cost.total_guesses), f"{cost.mean:.4f}", str(cost.max_guesses), distribution))
    for row in rows:
        click.echo(columns_of([*zip(row, (14, 9, 9, 6, 0), strict=True)]))
