"""The options that choose a game of Hit & Blow, the same for every command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from yomikiri.cli.base import Option, words_asked, words_option
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import parse_code, parse_turn
from yomikiri.hitblow.rules import PRESETS, Repeats, Rules, Turn, Words, preset
from yomikiri.wording.hitblow import fitting


@dataclass(frozen=True, slots=True)
class Game:
    """What the options say: the rules, the symbols known to be absent, and the words to speak in."""

    rules: Rules
    absent: str
    words: Words

    def turns(self, texts: tuple[str, ...]) -> tuple[Turn, ...]:
        """Read the turns given as arguments."""
        return tuple(parse_turn(text, self.rules, self.words) for text in texts)

    def known(self, texts: tuple[str, ...]) -> Knowledge:
        """What the turns given as arguments tell.

        A contradiction is raised with the likeliest slip as its note.
        """
        return fitting(Knowledge(self.rules, self.absent, self.turns(texts)), self.words)


def rule_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the rule options; it is called with `game=Game(...)` in their place."""

    @click.option("--preset", "preset_name", cls=Option, type=click.Choice(list(PRESETS)), default="hitblow",
                  help="A game by its name; the options below override it.")  # fmt: skip
    @click.option("--digits", cls=Option, type=int, help="How many digits a code has, 1 to 6.")
    @click.option("--symbols", cls=Option, help="The symbols codes are made of, up to 16.")
    @click.option("--repeats", cls=Option, type=click.Choice([kind.value for kind in Repeats]),
                  help="Where a symbol may repeat: nowhere, in guesses, or in all codes.")  # fmt: skip
    @click.option("--absent", cls=Option, default="", help="Symbols known not to be in the secret.")
    @words_option
    @click.pass_context
    @wraps(command)
    def with_game(
        ctx: click.Context,
        /,
        *args: Any,
        preset_name: str,
        digits: int | None,
        symbols: str | None,
        repeats: str | None,
        absent: str,
        **rest: Any,
    ) -> Any:
        base = preset(preset_name)
        rules = _with(base.rules, digits, symbols, repeats)
        words = Words(words_asked(ctx) or base.words)
        game = Game(rules, rules.check_absent(parse_code(absent, rules)), words)
        return command(*args, game=game, **rest)

    return with_game


def secret_rule_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command that has the rule options those of the own secret, where they differ.

    It is called with `own_rules=Rules(...)` in their place. They stand below the rule options.
    """

    @click.option("--secret-digits", cls=Option, type=int, help="How many digits your own secret has, if it differs.")
    @click.option("--secret-symbols", cls=Option, help="The symbols of your own secret, if they differ.")
    @click.option("--secret-repeats", cls=Option, type=click.Choice([kind.value for kind in Repeats]),
                  help="Where a symbol may repeat in your own secret, if it differs.")  # fmt: skip
    @wraps(command)
    def with_own_rules(
        *args: Any,
        game: Game,
        secret_digits: int | None,
        secret_symbols: str | None,
        secret_repeats: str | None,
        **rest: Any,
    ) -> Any:
        own_rules = _with(game.rules, secret_digits, secret_symbols, secret_repeats)
        return command(*args, game=game, own_rules=own_rules, **rest)

    return with_own_rules


def _with(base: Rules, digits: int | None, symbols: str | None, repeats: str | None) -> Rules:
    """Rules that differ from others in what is given."""
    return Rules(
        base.digits if digits is None else digits,
        base.symbols if symbols is None else symbols,
        base.repeats if repeats is None else Repeats(repeats),
    )
