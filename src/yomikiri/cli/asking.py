"""Command-line options for the settings of a query, and queries built from the options that the user gave.

A setting (`Setting`) is a named parameter of the program, with its type, default and help text. A query (`Query`) is a
question that the program answers, such as a request for the next guess.

When the user gives an option, its value is stored as text in the click context, under the name of the setting. Queries
are parsed from these texts. A group of commands may have an option that its commands have, too. If the user gives the
option twice, before and after the name of the command, the second value counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from yomikiri.cli.base import Decorator, Option, WordChoice, all_of, given_values, is_given, option, store_value
from yomikiri.cli.files import read_text
from yomikiri.common.file_errors import FileText
from yomikiri.settings import Kind, Setting, values

if TYPE_CHECKING:
    from yomikiri.api.query import Query

_SHOWN = {Kind.INTEGER: "INTEGER", Kind.NUMBER: "NUMBER", Kind.LINES: "FILE"}


class SettingOption(Option):
    """The command-line option of a setting. It stores its value as text in the context of the command."""

    def __init__(self, decls: list[str], *, setting: Setting, **settings: Any) -> None:
        super().__init__(decls, expose_value=False, group=setting.group, **settings)
        self.setting = setting

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Parse the value, and store it if the user gave it.

        A callback cannot do this, because the value that click passes to a callback depends on the version of click.
        """
        value, rest = super().handle_parse_result(ctx, opts, args)
        if is_given(ctx, self.name or "") and not ctx.resilient_parsing:
            store_value(ctx, self.setting.name, self._text(value))
        return value, rest

    def _text(self, value: Any) -> str:
        if self.setting.kind is Kind.LINES:
            return FileText(read_text(value), value)
        return str(int(value)) if self.setting.kind is Kind.FLAG else str(value)

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return the remarks that follow the help text of the option, with the default of the setting.

        They also contain the bounds of the setting if it has an upper bound.
        """
        extra, setting = super().get_help_extra(ctx), self.setting
        if setting.default_text and setting.kind is not Kind.FLAG:
            extra["default"] = setting.default_text
        if setting.most is not None:
            extra["range"] = f"{setting.least or 0:.15g}–{setting.most:.15g}"
        return extra


def option_of(setting: Setting) -> Decorator:
    """Return a decorator that adds the option of a setting to a command."""
    name, kind = f"--{setting.name}", setting.kind
    shape: dict[str, Any] = {}
    if kind is Kind.FLAG:
        shape = {"is_flag": True, "default": bool(setting.default)}
        if setting.default:
            name, shape["show_default"] = f"{name}/--no-{setting.name}", True
    elif kind is Kind.WORD:
        shape = {"type": WordChoice([str(word) for word in setting.words])}
    elif shown := setting.shown or _SHOWN.get(kind, ""):
        shape = {"metavar": shown}
    return option(name, cls=SettingOption, setting=setting, help=setting.help, **shape)


def options_of(*settings: Setting) -> Decorator:
    """Return a decorator that adds the options of several settings to a command. Help lists them in this order."""
    return all_of(*map(option_of, settings))


def with_settings(*settings: Setting) -> Decorator:
    """Return a decorator that adds the options of some settings to a command, and passes it their values by keyword."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @options_of(*settings)
        @click.pass_context
        @wraps(command)
        def with_values(ctx: click.Context, /, *args: Any, **rest: Any) -> Any:
            return command(*args, **values(settings, given_values(ctx)), **rest)

        return with_values

    return decorate


def with_query(
    kind: type[Query[Any]],
    *,
    takes_turns: bool = False,
    required: bool = False,
    without: Iterable[Setting] = (),
    fixed: Mapping[str, str] | None = None,
    more: Callable[[click.Context], Iterable[tuple[str, str]]] = lambda _ctx: (),
) -> Decorator:
    """Return a decorator that adds the options of a query to a command, and passes it the query as `question`.

    `kind` is the class of the query. With `takes_turns` the command also has the argument TURNS. If it is `required`,
    the user must give at least one turn.

    The command has no options for the settings in `without` and in `fixed`. The settings in `without` keep their
    defaults. `fixed` maps the name of a setting to its value. `more` returns further (name, value) pairs for the query,
    from other options.
    """
    fixed = fixed or {}
    hidden = {*fixed, *(setting.name for setting in without)}
    settings = [setting for setting in kind.settings() if setting.name not in hidden]
    names = {setting.name for setting in settings}

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @options_of(*settings)
        @click.pass_context
        @wraps(command)
        def with_question(ctx: click.Context, /, *args: Any, turns: tuple[str, ...] = (), **rest: Any) -> Any:
            given = [(name, value) for name, value in given_values(ctx).items() if name in names]
            question = kind.of([*given, *fixed.items(), *more(ctx), *kind.turns(turns)])
            return command(*args, question=question, **rest)

        if not takes_turns:
            return with_question
        return click.argument("turns", nargs=-1, required=required)(with_question)

    return decorate
