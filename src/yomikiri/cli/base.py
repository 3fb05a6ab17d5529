"""Base classes of the commands: translated help, groups that import their commands lazily, common options."""

from __future__ import annotations

import gettext
import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from gzip import compress
from importlib import import_module
from math import isnan
from os.path import isfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click
from click.exceptions import NoSuchCommand

from yomikiri.cli.text import erase_notice, hung, padded, width
from yomikiri.common.errors import N_, InputError, Place
from yomikiri.common.file_errors import unwritable_file
from yomikiri.settings import Conflict, HelpHeading, Setting
from yomikiri.wording import LANGUAGES, LOCALE, _, sentence, use_language

if TYPE_CHECKING:
    from yomikiri.api.results import Document

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Decorator: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]

INTERRUPTED = 130


class _TranslatedHelp:
    """A help text that is stored in English, one line per paragraph, and translated on each access.

    The help text of a command is the docstring of its function.
    """

    _help: str | None = None

    @property
    def help(self) -> str | None:
        """The help text in the current language."""
        return _(self._help) if self._help else self._help

    @help.setter
    def help(self, text: str | None) -> None:
        self._help = text and re.sub(r"(?<!\n)\n(?!\n)", " ", inspect.cleandoc(text))


# Maps the placeholders of values that click writes in help to those of this program.
_METAVARS = {
    "FILE": N_("FILE"),
    "FLOAT RANGE": N_("SECONDS"),
    "INTEGER RANGE": N_("INTEGER"),
    "NUMBER": N_("NUMBER"),
    "TEXT": N_("TEXT"),
}


class Option(_TranslatedHelp, click.Option):
    """An option with translated help, listed under the heading `group`."""

    def __init__(self, *args: Any, group: HelpHeading = HelpHeading.QUESTION, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = group

    def make_metavar(self, ctx: click.Context) -> str:
        """Return the placeholder of the value in help, in the current language."""
        text = super().make_metavar(ctx)
        return _(_METAVARS.get(text, text))


option = partial(click.option, cls=Option)


def all_of(*options: Decorator) -> Decorator:
    """Combine several option decorators into one; help lists the options in this order."""
    return lambda command: reduce(lambda decorated, option: option(decorated), reversed(options), command)


def is_given(ctx: click.Context, name: str) -> bool:
    """Return True if the user gave the parameter, even with its default value."""
    return ctx.get_parameter_source(name) not in (None, click.core.ParameterSource.DEFAULT)


def _display_name(parameter: click.Parameter) -> str:
    """Return the name of a parameter as the user writes it on the command line."""
    return parameter.opts[0] if isinstance(parameter, click.Option) else str(parameter.name).upper()


class _Formatter(click.HelpFormatter):
    """A help formatter with the colons of the current language and line breaks that suit Japanese."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, _("Usage: ") if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        self.write(" " * self.current_indent + _("{heading}:").format(heading=heading) + "\n")

    def write_text(self, text: str) -> None:
        margin = " " * self.current_indent
        self.write("\n\n".join(hung(margin, paragraph, self.width) for paragraph in text.split("\n\n")) + "\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write terms and their meanings in two columns; a term wider than its column gets a line of its own."""
        margin = " " * self.current_indent
        rows = list(rows)
        first = min(max(width(term) for term, _text in rows), col_max) + col_spacing
        for term, text in rows:
            begin = margin + padded(term, first)
            if width(term) + col_spacing > first:
                self.write(margin + term + "\n")
                begin = " " * (len(margin) + first)
            self.write(hung(begin, text, self.width) + "\n")


class _Context(click.Context):
    formatter_class = _Formatter


_LANGUAGE = "yomikiri.language"


def set_language(code: str) -> None:
    """Set the language of all messages.

    This also sets the global gettext domain, because click takes its own messages from there.
    """
    use_language(code)
    os.environ["LANGUAGE"] = code
    gettext.bindtextdomain("yomikiri", str(LOCALE))
    gettext.textdomain("yomikiri")


def _keep_language(ctx: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value:
        ctx.meta[_LANGUAGE] = value


class _Common(_TranslatedHelp):
    """Base class of commands and groups: translated help, `-h` and `--lang`."""

    context_class: type[click.Context] = _Context
    params: list[click.Parameter]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language = Option(
            ["--lang"], type=click.Choice(LANGUAGES), expose_value=False, callback=_keep_language,
            group=HelpHeading.OUTPUT, help="Language of messages.",
        )  # fmt: skip
        self.params.append(language)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples of the command, one per line so that the user can copy them."""
        from yomikiri.cli.examples import examples_of

        formatter.write_paragraph()
        formatter.write_heading(_("Examples"))
        for example in examples_of(ctx.command_path):
            formatter.write(f"  {example}\n")

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option `-h`, `--help`."""

        def show(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
            if value and not ctx.resilient_parsing:
                click.echo(ctx.get_help(), color=ctx.color)
                ctx.exit()

        return Option(
            ["-h", "--help"],
            group=HelpHeading.OUTPUT,
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=show,
            help=N_("Show this help and exit."),
        )


class Command(_Common, click.Command):
    """A command. It rejects the combinations of options in `conflicts`, because one option would have no effect."""

    def __init__(self, *args: Any, conflicts: Sequence[Conflict] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conflicts = tuple(conflicts)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; raise a `UsageError` if an option that the user gave would have no effect.

        The option `--lang` sets the language first, whether it comes before or after the name of the command. Without
        it, the environment determines the language. `Root.main` has already set a language before the options were
        parsed. That may be wrong, because it takes any `--lang` in the arguments, even one that is the value of another
        option.
        """
        if wanted := ctx.meta.get(_LANGUAGE, ctx.find_root().obj):
            set_language(wanted)
        # The names of options without dashes, because a `Conflict` contains such names.
        known = {parameter.opts[0].lstrip("-"): parameter for parameter in self.params}
        given = [name for name, parameter in known.items() if is_given(ctx, parameter.name or "")]
        for rule in self.conflicts:
            try:
                rule.check(given, lambda name: _value(ctx, known[name]), lambda name: _display_name(known[name]))
            except InputError as error:
                raise click.UsageError(sentence(error), ctx) from None
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings, those of the command itself first."""
        groups: dict[HelpHeading, list[tuple[str, str]]] = {group: [] for group in HelpHeading}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, Option) and (record := parameter.get_help_record(ctx)):
                groups[parameter.group].append(record)
        for group, records in groups.items():
            if records:
                with formatter.section(_(group.value)):
                    formatter.write_dl(records)


def _value(ctx: click.Context, parameter: click.Parameter) -> str | None:
    """Return the value of a command-line parameter as text.

    The parameter may be the option of a `Setting`. The result is then None if the user did not give the option and the
    setting has no default.
    """
    setting = getattr(parameter, "setting", None)
    if isinstance(setting, Setting):
        return given_values(ctx).get(setting.name, setting.default_text)
    return str(ctx.params[parameter.name or ""])


command = partial(click.command, cls=Command)


class Group(_Common, click.Group):
    """A command group that imports its commands on first use.

    `lazy` maps the name of each module to the names of its commands. The order is that of help.
    """

    command_class = Command
    group_class = type

    def __init__(self, *args: Any, lazy: Mapping[str, Sequence[str]] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = {name: module for module, names in (lazy or {}).items() for name in names}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands, *self.lazy]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.lazy:
            command = getattr(import_module(f"yomikiri.cli.{self.lazy[cmd_name]}"), cmd_name)
            assert isinstance(command, click.Command)
            return command
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for an unknown name, suggest similar names and commands of that name in the subgroups."""
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as error:
            groups = {name: each for name, each in self.commands.items() if isinstance(each, click.Group)}
            whole = [f"{name} {error.command_name}" for name, group in groups.items()
                     if error.command_name in group.list_commands(ctx)]  # fmt: skip
            if whole:
                message = _("No such command {name!r}.").format(name=error.command_name)
                meant = ", ".join(f"'{ctx.command_path} {each}'" for each in whole)
                raise click.UsageError(_with_suggestion(message, meant), ctx) from None
            raise NoSuchCommand(error.command_name, possibilities=self.list_commands(ctx), ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with the whole first sentence of its help."""
        rows = [(name, command.get_short_help_str(_WHOLE)) for name in self.list_commands(ctx)
                if (command := self.get_command(ctx, name))]  # fmt: skip
        with formatter.section(_("Commands")):
            formatter.write_dl(rows)


def _with_suggestion(message: str, known: str) -> str:
    """Append "Did you mean …?" to an error message."""
    meant = _("Did you mean {known}?").format(known=known)
    return f"{message} {meant}"


# The limit in characters for the first sentence of a help text, so large that click never abbreviates a sentence.
_WHOLE = 1 << 10


class WordChoice(click.Choice[str]):
    """A choice from a few words; the error for another word suggests similar ones."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return click's message, with suggestions if there are similar words."""
        from difflib import get_close_matches

        message = super().get_invalid_choice_message(value, ctx)
        near = ", ".join(map(repr, get_close_matches(str(value), map(str, self.choices))))
        return _with_suggestion(message, near) if near else message


class WholeNumber(click.IntRange):
    """An integer within bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            text = _("expected a whole number of {least} or more, not {given!r}.")
            if self.max is not None:
                text = _("expected a whole number from {least} to {most}, not {given!r}.")
            self.fail(text.format(least=self.min, most=self.max, given=value), param, ctx)


class Seconds(click.FloatRange):
    """A number of seconds within bounds. `nan` is rejected separately, because it passes click's check."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        with suppress(click.BadParameter):
            seconds = super().convert(value, param, ctx)
            if not isnan(seconds):
                return seconds
        text = _("expected {least} or more seconds, not {given!r}.")
        if self.max is not None:
            text = _("expected {least} to {most} seconds, not {given!r}.")
        message = text.format(least=f"{self.min:g}", most=f"{self.max or 0:g}", given=value)
        raise click.BadParameter(message, ctx, param)


_GIVEN_VALUES = "yomikiri.given"


def store_value(ctx: click.Context, name: str, text: str) -> None:
    """Store the text of an option under the name of its setting.

    A later call for the same setting replaces the text. So an option after the name of a command replaces the same
    option before it.
    """
    ctx.meta.setdefault(_GIVEN_VALUES, {})[name] = text


def given_values(ctx: click.Context) -> dict[str, str]:
    """Return the texts that the user gave for settings, by the name of the setting."""
    return dict(ctx.meta.get(_GIVEN_VALUES, {}))


def _keep_words(ctx: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        store_value(ctx, "words", value)


# The values of the enumeration `Words`, repeated because importing the game would slow down the other commands.
WORDS = ("hit", "eat", "bull", "black")

# Groups accept `--words` too, for the commands in them.
words_option: Decorator = option(
    "--words", type=click.Choice(WORDS), expose_value=False, callback=_keep_words,
    help="Names for hits and blows.",
)  # fmt: skip

json_option: Decorator = option("--json", "as_json", is_flag=True, group=HelpHeading.OUTPUT, help="Write JSON.")


def echo_json(document: Document) -> None:
    """Print a document as JSON, with `schema_version` as its first key."""
    from yomikiri.api.results import as_text

    erase_notice()
    click.echo(as_text(document))


def file_to_write(name: str) -> Path:
    """Return the path of an output file; raise an `InputError` for an empty name."""
    if not name:
        raise InputError(N_("the file name is empty: give one"))
    return Path(name)


def store_to_write(name: str | None) -> Path | None:
    """Return the path of the file that stores the progress of a search, or None without a name.

    Raises an `InputError` for an empty name, and for an existing file without content. Such a file is probably the
    output of another program, named by mistake.
    """
    path = None if name is None else file_to_write(name)
    if path and path.is_file() and not path.stat().st_size:
        raise InputError(
            N_("{file} is empty: expected the name of a new file, or a store of this command"), file=Place(path)
        )
    return path


force_option: Decorator = option("--force", is_flag=True, group=HelpHeading.OUTPUT,
                                 help="Replace an existing file.")  # fmt: skip


def new_file(name: str, force: bool) -> Path:
    """Return the path of an output file.

    Raises an `InputError` for an empty name, and for an existing file unless `force` allows replacing it.
    """
    path = file_to_write(name)
    if isfile(path) and not force:  # Path.is_file raises an error if the name is too long
        raise InputError(N_("{given} already exists: choose another name, or --force to replace it"), given=str(path))
    return path


def write_file(path: Path, content: bytes) -> None:
    """Write bytes to a file; raise an `InputError` on failure."""
    try:
        path.write_bytes(content)
    except (OSError, ValueError) as error:
        raise unwritable_file(path, error) from None


def write_text(path: Path, text: str) -> None:
    """Write text to a file, compressed if the name ends with .gz; raise an `InputError` on failure."""
    content = text.encode()
    write_file(path, compress(content, mtime=0) if path.suffix == ".gz" else content)


def write_output(content: str, output: Path | None) -> None:
    """Write text to the file `output`, or to standard output if it is None; raise an `InputError` on failure."""
    if output is None:
        click.echo(content, nl=False)
    else:
        write_text(output, content)
