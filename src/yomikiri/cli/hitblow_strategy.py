"""`yomikiri hitblow verify`: a strategy file held against the rules."""

from __future__ import annotations

import sys
from typing import Any

import click

from yomikiri.cli.base import Command, echo_json, json_option, language_option
from yomikiri.errors import StrategyFault, UnreadableFile
from yomikiri.hitblow.strategy.file import head, read_strategy
from yomikiri.hitblow.strategy.strategy import Strategy
from yomikiri.hitblow.strategy.tree import Cost
from yomikiri.hitblow.strategy.verify import verify as replay
from yomikiri.wording import sentence
from yomikiri.wording import strategy as wording

STDIN = "-"


@click.command(
    cls=Command,
    help="Replay every secret of the strategy in FILE (- for standard input) by the rules and recount its cost.\n\n"
    "Proves that the strategy finds every secret at this cost, not that no other costs less.",
)
@click.argument("file")
@json_option
@language_option
def verify(file: str, as_json: bool) -> None:
    """Say what holds, or what is wrong and where."""
    data = _contents(file)
    try:
        strategy = read_strategy(data)
        cost = replay(strategy)
    except StrategyFault as fault:
        if as_json:
            echo_json({"valid": False, "error": sentence(fault)})
        raise
    if as_json:
        echo_json({"valid": True, **_document(strategy, cost)})
        return
    for line in wording.verified(strategy, cost):
        click.echo(line)


def _contents(file: str) -> bytes:
    try:
        if file == STDIN:
            return sys.stdin.buffer.read()
        with open(file, "rb") as opened:
            return opened.read()
    except (OSError, ValueError):
        raise UnreadableFile(file) from None


def _document(strategy: Strategy, cost: Cost) -> dict[str, Any]:
    return {
        **head(strategy.task),
        "secrets": cost.secrets,
        "total_guesses": cost.total_guesses,
        "mean": cost.mean,
        "max_guesses": cost.max_guesses,
        "histogram": list(cost.histogram),
        "proof": strategy.proof.kind.value,
        "lower_bound": strategy.proof.lower_bound,
        "proof_checked": False,
    }
