"""`yomikiri hitblow verify`, `export` and `book`: strategies as files."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

import click

from yomikiri.cli.base import INTERRUPTED, Command, Option, echo_json, json_option, language_option, unreadable_file
from yomikiri.cli.hitblow_solve import Request, prove, task_options
from yomikiri.errors import N_, InputError, RulesError, StrategyFault
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import write_hint
from yomikiri.hitblow.rules import Hint, Words
from yomikiri.hitblow.strategy.book import VOLUMES, held, write_volume
from yomikiri.hitblow.strategy.file import read_strategy, write_strategy
from yomikiri.hitblow.strategy.render import as_csv, as_dot, as_text
from yomikiri.hitblow.strategy.strategy import Evidence, Strategy, Task
from yomikiri.hitblow.strategy.tree import Cost
from yomikiri.hitblow.strategy.verify import verify as replay
from yomikiri.wording import sentence
from yomikiri.wording import strategy as wording

STDIN = "-"
_MOST_TEXT = 1 << 26  # bytes; the proven strategies of five digits take some ten million


@click.command(
    cls=Command,
    help="Replay every secret with the strategy in FILE (- for standard input) and count its cost again.\n\n"
    "This proves that the strategy finds every secret at this cost, not that no other strategy costs less.",
)
@click.argument("file")
@json_option
@language_option
def verify(file: str, as_json: bool) -> None:
    """Say what holds, or what is wrong and where."""
    if as_json:
        _verify_for_programs(file)
        return
    strategy, cost = replayed(file)
    for line in wording.verified(strategy, cost):
        click.echo(line)


def _verify_for_programs(file: str) -> None:
    from yomikiri.documents import hitblow as documents

    try:
        strategy, cost = replayed(file)
    except StrategyFault as fault:
        echo_json(documents.Unverified(False, sentence(fault)))
        raise
    echo_json(documents.verified(strategy, cost))


def replayed(file: str) -> tuple[Strategy, Cost]:
    """The strategy in a file (`-` is standard input) and its cost; raises an `InputError` and a `StrategyFault`."""
    strategy = read_strategy(_contents(file))
    return strategy, replay(strategy)


def _contents(file: str) -> bytes:
    try:
        if file == STDIN:
            return _all(sys.stdin.buffer, file)
        with open(file, "rb") as opened:
            return _all(opened, file)
    except (OSError, ValueError) as error:
        raise unreadable_file(file, error) from None


def _all(opened: IO[bytes], file: str) -> bytes:
    """What a file holds; it need not end, so more than a strategy ever takes is not read."""
    content = opened.read(_MOST_TEXT + 1)
    if len(content) > _MOST_TEXT:
        raise InputError(
            N_("{given} is too long for a strategy: expected at most {limit} MiB of text"),
            given=file,
            limit=_MOST_TEXT >> 20,
        )
    return content


_FORMATS = ("json", "text", "dot", "csv", "html")


@click.command(
    cls=Command,
    help="Write an optimal strategy: a file that 'verify' checks, an indented tree, a graph for Graphviz, one row "
    "for each secret, or a page for a phone that works offline.\n\n"
    "Standard games come from the book; other games, and the rest of a game after TURNS, are solved first.",
)
@task_options
@click.option("--format", "form", cls=Option, type=click.Choice(_FORMATS), default="json", show_default=True,
              help="Output format.")  # fmt: skip
@click.option("--output", cls=Option, help="File to write to instead of standard output.")
@language_option
def export(request: Request, form: str, output: str | None) -> int:
    """Write the strategy of the book, or the one that a search finds."""
    tasks = _tasks_of_page(request.task) if form == "html" else [request.task]
    strategies = [_found(replace(request, task=task)) for task in tasks]
    content = "".join(_rendered(strategies, form, request.words))
    if output is None:
        click.echo(content, nl=False)
    else:
        _write(Path(output), content.encode())
    unproven = next((strategy for strategy in strategies if strategy.proof.kind is not Evidence.OPTIMAL), None)
    if unproven is None:
        return 0
    click.echo(wording.unproven(unproven), err=True)
    return INTERRUPTED


def _tasks_of_page(task: Task) -> list[Task]:
    """The task, and where nothing is known at its start the same with one absent symbol, whichever that be."""
    from yomikiri.web.offline import MOST_SECRETS

    count = Knowledge(task.rules, task.absent, task.turns).count
    if count > MOST_SECRETS:
        raise InputError(
            N_(
                "{given} secrets are too many for one page: give turns until at most {limit} are left, or"
                " choose another --format"
            ),
            given=count,
            limit=MOST_SECRETS,
        )
    try:
        absent = task.rules.check_absent(task.rules.symbols[-1])
    except RulesError:
        return [task]
    return [task] if task.absent or task.turns else [task, replace(task, absent=absent)]


def _found(request: Request) -> Strategy:
    return held(request.task) or _solved(request)


def _solved(request: Request) -> Strategy:
    strategy = prove(request).strategy
    if strategy is None:
        within = request.task.objective.within
        assert within is not None, "only a limit can be impossible"
        raise InputError(
            N_("no strategy finds every secret within {within} guesses: choose a larger --within"), within=within
        )
    return strategy


def _rendered(strategies: Sequence[Strategy], form: str, words: Words) -> Iterable[str]:
    def name(hint: Hint) -> str:
        return write_hint(hint, words)

    strategy = strategies[0]
    match form:
        case "html":
            from yomikiri.web.offline import offline_page

            return (offline_page(strategies, name),)
        case "text":
            return as_text(strategy, name)
        case "dot":
            return as_dot(strategy, name)
        case "csv":
            return as_csv(strategy)
        case _:
            return (write_strategy(strategy),)


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except (OSError, ValueError):
        raise InputError(N_("cannot write {given}: choose a file that you may write"), given=str(path)) from None


@click.command(
    cls=Command,
    help="Compute from scratch everything that comes with the program and write it to FOLDER: proven strategies, and "
    "forms of the race.",
)
@click.argument("folder")
@language_option
def book(folder: str) -> None:
    """Solve, verify and write every volume; then the forms of the standard race."""
    for volume in VOLUMES:
        strategy = _solved(Request(volume.task, Words.HIT))
        if strategy.proof.kind is not Evidence.OPTIMAL:
            raise click.Abort
        cost = replay(strategy)
        _write(Path(folder, volume.file), write_volume(strategy))
        click.echo(wording.volume(volume.file, cost))
    from yomikiri.hitblow.race.public import shipped_tables
    from yomikiri.hitblow.race.public.race import shipped_forms

    forms = shipped_forms()
    _write(Path(folder, shipped_tables.FILE), forms)
    click.echo(wording.race_forms(shipped_tables.FILE, len(forms)))
