"""`yomikiri hitblow`: the group; each command stands in its own file."""

from __future__ import annotations

import click

from yomikiri.cli.base import Group, language_option


@click.group(cls=Group, lazy={}, help="Hit & Blow: propose guesses, narrow down, play.")
@language_option
def hitblow() -> None:
    """Hit & Blow."""
