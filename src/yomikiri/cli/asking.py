"""Options from settings, and queries from the options of a command.

The option of a setting stores its text in the context, under the name of the setting, and the query is parsed from
there. The option may come before or after the command; if it is given twice, the innermost one wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from yomikiri.cli.base import Decorator, Option, WordChoice, all_of, is_given, keep, option, told
from yomikiri.cli.files import read_text
from yomikiri.common.file_errors import FileText
from yomikiri.settings import Kind, Setting, values

if TYPE_CHECKING:
    from yomikiri.api.query import Query

_SHOWN = {Kind.INTEGER: "INTEGER", Kind.NUMBER: "NUMBER", Kind.LINES: "FILE"}


class SettingOption(Option):
    """The option of a setting."""

    def __init__(self, decls: list[str], *, setting: Setting, **settings: Any) -> None:
        super().__init__(decls, expose_value=False, group=setting.group, **settings)
        self.setting = setting

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Parse the value, and store it if the user gave it.

        A callback could not do this: what click passes to callbacks depends on its version.
        """
        value, rest = super().handle_parse_result(ctx, opts, args)
        if is_given(ctx, self.name or "") and not ctx.resilient_parsing:
            keep(ctx, self.setting.name, self._text(value))
        return value, rest

    def _text(self, value: Any) -> str:
        if self.setting.kind is Kind.LINES:
            return FileText(read_text(value), value)
        return str(int(value)) if self.setting.kind is Kind.FLAG else str(value)

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return the default and the bounds of the setting."""
        extra, setting = super().get_help_extra(ctx), self.setting
        if setting.text and setting.kind is not Kind.FLAG:
            extra["default"] = setting.text
        if setting.most is not None:
            extra["range"] = f"{setting.least or 0:.15g}–{setting.most:.15g}"
        return extra


def option_of(setting: Setting) -> Decorator:
    """Return the option of a setting."""
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
    """Return the options of several settings, in the order in which help lists them."""
    return all_of(*map(option_of, settings))


def takes(*settings: Setting) -> Decorator:
    """Add the options of some settings to a command, and pass their values to it by keyword."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @options_of(*settings)
        @click.pass_context
        @wraps(command)
        def with_values(ctx: click.Context, /, *args: Any, **rest: Any) -> Any:
            return command(*args, **values(settings, told(ctx)), **rest)

        return with_values

    return decorate


def asks(
    kind: type[Query[Any]],
    *,
    takes_turns: bool = False,
    required: bool = False,
    without: Iterable[Setting] = (),
    fixed: Mapping[str, str] | None = None,
    more: Callable[[click.Context], Iterable[tuple[str, str]]] = lambda _ctx: (),
) -> Decorator:
    """Add the options of a query to a command, and pass the query as `question`.

    With `takes_turns` the command also has the argument TURNS. The settings `without` keep their defaults, the `fixed`
    ones have the given values, and `more` adds pairs of name and value from other options.
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
            given = [(name, value) for name, value in told(ctx).items() if name in names]
            question = kind.of([*given, *fixed.items(), *more(ctx), *kind.turns(turns)])
            return command(*args, question=question, **rest)

        if not takes_turns:
            return with_question
        return click.argument("turns", nargs=-1, required=required)(with_question)

    return decorate
