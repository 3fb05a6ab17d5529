"""The options that choose a game of Hit & Blow, the same for every command."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce, wraps
from typing import Any, TypeVar

import click

from yomikiri.cli.base import told, told_option, words_option
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import Game, game_of
from yomikiri.hitblow.repair import repairs
from yomikiri.hitblow.rules import PRESETS, Repeats
from yomikiri.wording.hitblow import contradiction_error

_REPEATS = click.Choice([str(kind) for kind in Repeats])
_RULES = (
    told_option("--preset", type=click.Choice(list(PRESETS)), help="A standard game; the options below override it."),
    told_option("--digits", metavar="INTEGER", help="Number of digits in a code, 1 to 6."),
    told_option("--symbols", help="The symbols used in codes, at most 16."),
    told_option("--repeats", type=_REPEATS, help="Where a symbol may repeat: nowhere, in guesses, or in all codes."),
    told_option("--absent", help="Symbols known not to be in the secret."),
    words_option,
)
_SECRET_RULES = (
    told_option("--secret-digits", metavar="INTEGER", help="Number of digits of your own secret, if different."),
    told_option("--secret-symbols", help="The symbols of your own secret, if different."),
    told_option("--secret-repeats", type=_REPEATS, help="Where a symbol may repeat in your own secret, if different."),
)

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def rule_options(command: Decorated) -> Decorated:
    """Give a command the rule options; what they say is in `told`."""
    return reduce(lambda decorated, option: option(decorated), reversed(_RULES), command)


def secret_rule_options(command: Decorated) -> Decorated:
    """Give a command the options for the rules of the own secret, where they differ; they stand below the others."""
    return reduce(lambda decorated, option: option(decorated), reversed(_SECRET_RULES), command)


def game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the rule options; it is called with `game=Game(...)`, in which are its `turns` if it has any."""

    @rule_options
    @click.pass_context
    @wraps(command)
    def with_game(ctx: click.Context, /, *args: Any, turns: tuple[str, ...] = (), **rest: Any) -> Any:
        game = game_of([*told(ctx).items(), *(("turn", text) for text in turns)])
        return command(*args, game=game, **rest)

    return with_game


def known_from(game: Game) -> Knowledge:
    """What a game tells; a contradiction is raised with the likeliest slip as its note."""
    known = Knowledge(game.rules, game.absent, game.turns)
    if not known.count:
        raise contradiction_error(known.turns, known.turns, repairs(known), game.words)
    return known
