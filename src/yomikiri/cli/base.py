"""What every command shares: click's classes with translated help, groups that load late, the common options."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from math import isnan
from typing import Any, TypeVar

import click

from yomikiri.documents import versioned
from yomikiri.errors import N_, InputError
from yomikiri.wording import LANGUAGES, _

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

INTERRUPTED = 130


class _TranslatedHelp:
    """The help text is kept as the English message and read in the language in use."""

    _help: str | None = None

    @property
    def help(self) -> str | None:
        """The help text in the language in use."""
        return _(self._help) if self._help else self._help

    @help.setter
    def help(self, text: str | None) -> None:
        self._help = text


class Option(_TranslatedHelp, click.Option):
    """An option with translated help."""


class Command(_TranslatedHelp, click.Command):
    """A command with translated help."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """`-h` and `--help`."""
        return _help_option()


class Group(_TranslatedHelp, click.Group):
    """A group whose commands are imported when they are asked for: `lazy` maps a name to `module:attribute`."""

    command_class = Command
    group_class = type

    def __init__(self, *args: Any, lazy: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = dict(lazy or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order they were declared in."""
        return [*self.commands, *self.lazy]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported if need be."""
        if cmd_name in self.lazy:
            module, _colon, attribute = self.lazy[cmd_name].partition(":")
            command = getattr(import_module(module), attribute)
            assert isinstance(command, click.Command)
            return command
        return super().get_command(ctx, cmd_name)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """`-h` and `--help`."""
        return _help_option()


def _help_option() -> click.Option | None:
    def show(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()

    return click.Option(
        ["-h", "--help"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help=_("Show this help and exit."),
    )


class Seconds(click.FloatRange):
    """A number of seconds within a range; unlike numbers in general never `nan`, which is within any."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or click's own error."""
        seconds = super().convert(value, param, ctx)
        if isnan(seconds):
            self.fail(_("{given!r} is not a number of seconds.").format(given=value), param, ctx)
        return seconds


def language_option(command: Decorated) -> Decorated:
    """`--lang`, before or after the command; it is read before anything is parsed (see `main`), here only checked."""
    option = click.option(
        "--lang", cls=Option, type=click.Choice(LANGUAGES), expose_value=False, help="Language of messages."
    )
    return option(command)


# Known here without importing the game, so that a program that does not play it starts as fast.
WORDS = ("hit", "eat", "bull", "black")
_WORDS_ASKED = "yomikiri.words"


def words_option(command: Decorated) -> Decorated:
    """`--words`, before or after the command; the innermost one counts, see `words_asked`."""

    def keep(ctx: click.Context, _parameter: click.Parameter, value: str | None) -> None:
        if value:
            ctx.meta[_WORDS_ASKED] = value

    option = click.option(
        "--words",
        cls=Option,
        type=click.Choice(WORDS),
        expose_value=False,
        callback=keep,
        help="What hits and blows are called.",
    )
    return option(command)


def words_asked(ctx: click.Context) -> str | None:
    """The words that were asked for, if any."""
    asked: str | None = ctx.meta.get(_WORDS_ASKED)
    return asked


def json_option(command: Decorated) -> Decorated:
    """`--json`: the answer as one JSON document on standard output."""
    return click.option("--json", "as_json", cls=Option, is_flag=True, help="Write JSON.")(command)


def echo_json(document: Mapping[str, Any]) -> None:
    """Write one document with its `schema_version` first."""
    click.echo(json.dumps(versioned(document), ensure_ascii=False, indent=2))


seed_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--seed", cls=Option, type=click.IntRange(min=0), default=0, show_default=True, help="Seed of everything random."
)


def unreadable_file(name: str) -> InputError:
    """The error for a file that cannot be opened, or is not text."""
    return InputError(N_("cannot read {given}: expected a text file in UTF-8"), given=name)
