"""`yomikiri hitblow check`: certificates of optimality as files.

They are written after a proof, checked, and compared with a strategy.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from gzip import GzipFile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yomikiri.cli.base import INTERRUPTED, Seconds, Whole, command, echo_json, json_option, option
from yomikiri.cli.terminal import searching
from yomikiri.common.budget import Stopped
from yomikiri.common.errors import N_, CheckError
from yomikiri.common.file_errors import unreadable_file, unwritable_file
from yomikiri.common.host import usable_cores
from yomikiri.hitblow.strategy.strategy import Cost, Evidence, Strategy, Task
from yomikiri.wording import _, sentence
from yomikiri.wording import proof as wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yomikiri.hitblow.certificate.checker import CertificateGame
    from yomikiri.hitblow.search.solution import Solution


@command()
@click.argument("file")
@option("--workers", type=Whole(1, 1024),
        help="Number of processes, for a certificate in sections; all processor cores by default.")  # fmt: skip
@option("--seconds", type=Seconds(min=0), help="Time limit in seconds. An unfinished check decides nothing.")
@option("--memory", type=Whole(1, 1 << 20), default=2048, show_default=True,
        help="Memory limit for the table of each process, in MiB; larger games are rejected.")  # fmt: skip
@json_option
def check(file: str, workers: int | None, seconds: float | None, memory: int, as_json: bool) -> int:
    """Check a certificate: a proof that no strategy finds all secrets in fewer guesses in total.

    FILE may be compressed. You need not trust the author of a certificate, but make sure that it names the game you
    mean.
    """
    from yomikiri.api.results_strategy import Accepted, NotAccepted

    try:
        game = accept(file, workers=workers, seconds=seconds, memory=memory)
    except CheckError as fault:
        if as_json:
            echo_json(NotAccepted(False, sentence(fault)))
        raise
    except Stopped:
        said = _("Not decided: the check stopped before the end of the certificate.")
        if as_json:
            echo_json(NotAccepted(None, said))
        else:
            click.echo(said)
        return INTERRUPTED
    if as_json:
        echo_json(Accepted.of(game))
    else:
        for line in wording.accepted(game):
            click.echo(line)
    return 0


def claimable(task: Task) -> None:
    """Raise an `InputError` for a task that certificates do not support, before it is solved."""
    from yomikiri.hitblow.certificate.check import head

    head(task, 0)


def checked(solution: Solution, strategy: Strategy, path: Path, memory: int) -> tuple[Solution, int]:
    """Write a certificate of the proof and check it; return the solution marked as checked, and the exit status.

    After Ctrl-C the solution is unchanged and there is no certificate.
    """
    if strategy.proof.kind is not Evidence.OPTIMAL:
        return solution, 0
    try:
        _write(strategy, path, memory)
        check_bound(strategy, strategy.cost, str(path))
    except Stopped:
        click.echo(
            _("Interrupted. The proof is complete, but its certificate is not written or not checked."), err=True
        )
        return solution, INTERRUPTED
    return replace(solution, strategy=replace(strategy, proof=replace(strategy.proof, checked=True))), 0


def _write(strategy: Strategy, path: Path, memory: int) -> None:
    from yomikiri.hitblow.certificate.writer import write_certificate

    with _written(path) as file, searching(_("Writing the certificate."), wording.progress) as budget:
        write_certificate(
            strategy.task,
            strategy.cost.total_guesses,
            lambda line: file.write(f"{line}\n".encode()),
            memory=memory,
            budget=budget,
        )


@contextmanager
def _written(path: Path) -> Iterator[Any]:
    """Open an output file, compressed if the name ends with .gz; it gets its name once it is complete."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as plain:
            if path.suffix == ".gz":
                with GzipFile("", "wb", fileobj=plain, mtime=0) as packed:
                    yield packed
            else:
                yield plain
        part.replace(path)
    except (OSError, ValueError) as error:
        part.unlink(missing_ok=True)
        raise unwritable_file(path, error) from None
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def accept(
    file: str, *, workers: int | None = None, seconds: float | None = None, memory: int = 2048
) -> CertificateGame:
    """Check the certificate in a file and return the game with its claim.

    Raises an `InputError` if the file cannot be opened, a `CheckError` if the certificate is rejected, and `Stopped` if
    the time limit or Ctrl-C came first.
    """
    from yomikiri.hitblow.certificate.check import check_certificate
    from yomikiri.hitblow.certificate.checker import Rejected, opened

    try:
        opening = opened(file)
    except (OSError, ValueError) as error:
        raise unreadable_file(file, error) from None
    with opening as content, searching(_("Checking the certificate."), wording.progress) as budget:
        try:
            return check_certificate(
                content, workers=workers or usable_cores(), memory=memory << 20, budget=budget.at_most(seconds)
            )
        except Rejected as error:
            raise CheckError(
                N_("the certificate in {given} is rejected: {reason}"), given=file, reason=str(error)
            ) from None


def check_bound(strategy: Strategy, cost: Cost, file: str) -> None:
    """Check that a certificate proves that no strategy for the same game costs less; raises the errors of `accept`."""
    from yomikiri.hitblow.certificate.check import head

    expected = head(strategy.task, cost.total_guesses)
    game = accept(file)
    claim = f"certificate 1 {game.p} {game.q} {game.repeats} {game.absent} {game.total}"
    if sorted(expected.split()) != sorted([*claim.split(), *game.turns]) or not expected.startswith(claim):
        raise CheckError(
            N_("the certificate proves {claim!r}: expected {expected!r}, the cost of the strategy"),
            claim=" ".join([claim, *game.turns]),
            expected=expected,
        )
