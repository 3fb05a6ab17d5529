"""Options, reports and files of the commands that write and check certificates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from gzip import GzipFile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from yomikiri.cli.base import INTERRUPTED, Decorator, Seconds, WholeNumber, all_of, echo_json, option
from yomikiri.cli.terminal import searching
from yomikiri.cli.text import say
from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.common.errors import N_, CheckError
from yomikiri.common.file_errors import unreadable_file, unwritable_file
from yomikiri.wording import _, sentence
from yomikiri.wording import proof as wording

if TYPE_CHECKING:
    from yomikiri.api.results import Document

G = TypeVar("G")

limits: Decorator = all_of(
    option("--workers", type=WholeNumber(1, 1024),
           help="Number of processes, for a certificate in several parts; all processor cores by default."),
    option("--seconds", type=Seconds(min=0), help="Time limit in seconds. An unfinished check decides nothing."),
    option("--memory", type=WholeNumber(1, 1 << 20), default=2048, show_default=True,
           help="Memory limit for the table of each process, in MiB; larger games are rejected."),
)  # fmt: skip
"""The options that limit a check: `workers`, `seconds` and `memory`."""


def report(
    check: Callable[[], G], document: Callable[[G], Document], sentences: Callable[[G], Iterable[str]], *, as_json: bool
) -> int:
    """Run a check, print its result, and return the exit status.

    `document` and `sentences` convert the result of `check` to JSON and to text. The status is 130 if `check` raises
    `Stopped`, otherwise 0. A `CheckError`, for a rejected certificate, is raised again. With `as_json`, it is first
    printed as JSON.
    """
    from yomikiri.api.results_strategy import NotAccepted

    try:
        game = check()
    except CheckError as fault:
        if as_json:
            echo_json(NotAccepted(False, sentence(fault)))
        raise
    except Stopped:
        message = _("Not decided: the check stopped before the end of the certificate.")
        if as_json:
            echo_json(NotAccepted(None, message))
        else:
            click.echo(message)
        return INTERRUPTED
    if as_json:
        echo_json(document(game))
    else:
        say(*sentences(game))
    return 0


def accept(file: str, check: Callable[[Any, Budget], G], seconds: float | None = None) -> G:
    """Return the result of `check` for the certificate in a file. `check` gets the open file and a budget.

    Raises an `InputError` if the file cannot be opened, a `CheckError` if the certificate is rejected, and `Stopped` if
    the time limit or Ctrl-C came first.
    """
    from yomikiri.guessing.certificate import checker as lists
    from yomikiri.hitblow.certificate import checker as codes

    try:
        opening = codes.open_file(file)
    except (OSError, ValueError) as error:
        raise unreadable_file(file, error) from None
    with opening as content, searching(_("Checking the certificate."), wording.progress) as budget:
        try:
            return check(content, budget.at_most(seconds))
        except (codes.Rejected, lists.NotAProof) as error:
            raise CheckError(
                N_("the certificate in {given} is rejected: {reason}"), given=file, reason=str(error)
            ) from None


def require_claim(claim: str, expected: str) -> None:
    """Raise a `CheckError` unless a certificate proves the expected claim.

    A claim is the first line of a certificate. It states a game and a total that no strategy for this game goes below.
    `claim` comes from the certificate. `expected` contains the total of the strategy that the certificate is compared
    with.
    """
    if claim != expected:
        raise CheckError(
            N_("the certificate proves {claim!r}: expected {expected!r}, the cost of the strategy"),
            claim=claim, expected=expected,
        )  # fmt: skip


def write(
    path: Path, writer: Callable[[Callable[[str], object], Budget], object], progress: Callable[[Progress], str]
) -> None:
    """Write a certificate to a file, and show the progress. Raises `Stopped` after Ctrl-C.

    The function `writer` writes the certificate. It gets a function that writes one line, and a budget. `progress`
    converts a progress report to text.
    """
    with _written(path) as file, searching(_("Writing the certificate."), progress) as budget:
        writer(lambda line: file.write(f"{line}\n".encode()), budget)


@contextmanager
def _written(path: Path) -> Iterator[Any]:
    """Open an output file, compressed if the name ends with .gz.

    The file has a temporary name until it is complete, and is deleted after an error. Raises an `InputError`.
    """
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


def write_and_check(path: Path, write: Callable[[], object], check: Callable[[], object]) -> bool:
    """Write the certificate of a solved game to `path`, then check it. Returns False if Ctrl-C ended a step.

    In that case, a message says which of the two steps. Ctrl-C during the writing leaves no file. Ctrl-C during the
    check leaves a certificate that is not checked.
    """
    try:
        write()
    except Stopped:
        click.echo(_("Interrupted. The proof is complete, but its certificate is not written."), err=True)
        return False
    try:
        check()
    except Stopped:
        message = _("Interrupted. The proof is complete, and its certificate is in {file}, but not checked.")
        click.echo(message.format(file=path), err=True)
        return False
    return True
