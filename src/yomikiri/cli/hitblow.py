"""`yomikiri hitblow`: the group; each command stands in its own file."""

from __future__ import annotations

import click

from yomikiri.cli.base import Group, language_option, words_option

COMMANDS = {
    "assist": "yomikiri.cli.hitblow_assist:assist",
    "suggest": "yomikiri.cli.hitblow_suggest:suggest",
    "candidates": "yomikiri.cli.hitblow_suggest:candidates",
    "review": "yomikiri.cli.hitblow_review:review",
    "simulate": "yomikiri.cli.hitblow_simulate:simulate",
    "solve": "yomikiri.cli.hitblow_solve:solve",
    "export": "yomikiri.cli.hitblow_strategy:export",
    "book": "yomikiri.cli.hitblow_strategy:book",
    "verify": "yomikiri.cli.hitblow_strategy:verify",
    "play": "yomikiri.cli.hitblow_play:play",
    "match": "yomikiri.cli.hitblow_match:match",
    "race": "yomikiri.cli.hitblow_race:race",
}


@click.group(cls=Group, lazy=COMMANDS, help="Hit & Blow: propose guesses, narrow down, play.")
@words_option
@language_option
def hitblow() -> None:
    """Hit & Blow."""
