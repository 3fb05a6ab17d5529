"""`yomikiri hitblow store`: the content of a stored proof or race, and the merging of two proofs."""

from __future__ import annotations

from pathlib import Path

import click

from yomikiri.cli.base import Group, file_to_write, force_option, new_file, option, write_output
from yomikiri.common.errors import N_, InputError
from yomikiri.common.file_errors import unreadable_file
from yomikiri.common.stores import kind_of
from yomikiri.wording import proof as wording


class _ShowByDefault(Group):
    """A group in which `store FILE` means `store show FILE`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the command `show` if the first argument is a file or an option."""
        if args and args[0] not in (*self.list_commands(ctx), "-h", "--help"):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_ShowByDefault)
def store() -> None:
    """Show a proof saved by solve --store or a race saved by race --store.

    'store FILE' shows the file, and 'store merge' joins two proofs.
    """


_FORMATS = ("text", "json", "html", "cells")


@store.command()
@click.argument("file")
@option("--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True,
        help="Output format. html: one file with a picture. cells: one line for each proven cell, with its turns "
             "and total.")  # fmt: skip
@option("--output", help="File to write to instead of standard output.")
@force_option
def show(file: str, form: str, output: str | None, force: bool) -> None:
    """Show the bounds, the gap and the remaining work in FILE; for a race, its progress. Same as 'store FILE'."""
    target = None if output is None else new_file(output, force)
    from yomikiri.hitblow.search.proof.store import read_store
    from yomikiri.hitblow.search.proof.summary import proven_cells, summary_of

    path = _existing_path(file)
    if _is_of_a_race(path):
        write_output(f"{_race_as(form, path)}\n", target)
        return
    contents = read_store(path)
    summary = summary_of(contents)
    if form == "cells":
        content = "\n".join(" ".join(map(str, (*turns, total))) for turns, total in proven_cells(contents))
    elif form == "json":
        from yomikiri.api.results import as_text
        from yomikiri.api.results_strategy import StoredProof

        content = as_text(StoredProof.of(summary))
    elif form == "html":
        content = wording.page(summary)
    else:
        content = "\n".join(wording.lines(summary))
    write_output(f"{content}\n", target)


def _existing_path(file: str) -> Path:
    """Return the path of an existing file; raise an `InputError` otherwise."""
    if not file or not Path(file).exists():
        raise unreadable_file(file, FileNotFoundError())
    return Path(file)


def _is_of_a_race(path: Path) -> bool:
    from yomikiri.hitblow.race.public.store import KIND

    return kind_of(path) == KIND.name


def _race_as(form: str, path: Path) -> str:
    """Return the stored race as text, JSON or HTML.

    Raises an `InputError` for the format `cells`. This format lists the positions of a proof with their proven totals
    of guesses, and a race has no such totals.
    """
    from yomikiri.hitblow.race.public.store import stored_games

    if form == "cells":
        raise InputError(
            N_("{given} is the store of a race, which has no proven cells: expected the store of a proof"),
            given=str(path),
        )
    games = stored_games(path)
    if form == "json":
        from yomikiri.api.results import as_text
        from yomikiri.api.results_match import StoredRace

        return as_text(StoredRace.of(games))
    return wording.as_page(wording.race_lines(games)) if form == "html" else "\n".join(wording.race_lines(games))


@store.command()
@click.argument("first")
@click.argument("second")
@option("--output", required=True, help="File to write the new store to.")
def merge(first: str, second: str, output: str) -> None:
    """Write the contents of the stores FIRST and SECOND to a new one.

    Stores of different games, or that contradict each other, are refused.
    """
    from yomikiri.hitblow.search.proof.store import merge as join
    from yomikiri.hitblow.search.proof.summary import summary_of

    for file in (first, second):
        if _is_of_a_race(_existing_path(file)):
            raise InputError(N_("{given} is the store of a race: expected two stores of proofs"), given=file)
    for line in wording.lines(summary_of(join(Path(first), Path(second), file_to_write(output)))):
        click.echo(line)
