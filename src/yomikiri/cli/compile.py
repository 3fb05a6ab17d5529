"""`yomikiri compile`: machine code ahead, and away with it."""

from __future__ import annotations

import click

from yomikiri.cli.base import Command, Option, language_option
from yomikiri.wording import _


@click.command(
    cls=Command,
    name="compile",
    help="Compile the searches now, so that no command has to wait for it later.\n\n"
    "It takes about a minute, once on each machine. Until then small games are searched more slowly, without machine"
    " code.",
)
@click.option("--clear", cls=Option, is_flag=True, help="Remove all stored compiled code instead.")
@language_option
def compile_(clear: bool) -> None:
    """Compile, or remove what was compiled."""
    from yomikiri.numba_support import kernel_cache

    if clear:
        size = kernel_cache.clear()
        click.echo(_("Removed {size} MB of compiled code.").format(size=f"{size / 1e6:.1f}"))
        return
    from yomikiri.kernels import compile_kernels, missing

    for part in missing():
        part.announce()
    compile_kernels()
    click.echo(_("Everything is compiled."))
