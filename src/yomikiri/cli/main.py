"""The program `yomikiri`: its root command and groups, and the one place where errors become messages and exit
statuses. Each command is in its own file, which is read when the command is asked for."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from yomikiri import __version__
from yomikiri.cli.base import INTERRUPTED, Group, Option, speak, words_option
from yomikiri.cli.text import emptied, window, wrapped
from yomikiri.common.budget import Stopped, listeners
from yomikiri.common.errors import YomikiriError
from yomikiri.wording import _, cause, language_wanted, sentence


class Root(Group):
    """The root command: chooses the language before parsing, and turns every error into one line and a status."""

    def main(self, args: Sequence[str] | None = None, *_args: Any, **_extra: Any) -> NoReturn:
        """Run and exit: 0 fine, 2 input, 3 contradiction, 4 failed check, 130 interrupted."""
        arguments = list(sys.argv[1:] if args is None else args)
        _prepare_streams()
        _name_terminal()
        usual = language_wanted((), os.environ)
        speak(language_wanted(arguments, os.environ))
        listeners[:] = [_tell]
        sys.exit(self._status(arguments, usual))

    def _status(self, arguments: list[str], usual: str) -> int:
        try:
            result = super().main(arguments, prog_name="yomikiri", standalone_mode=False, obj=usual)
            sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.ctx.get_help() if error.ctx else "", err=True)
            return 2
        except click.UsageError as error:
            return _complain(_usage_fault(error), _usage_hint(error))
        except click.ClickException as error:
            return _complain(error.format_message())
        except YomikiriError as error:
            return _complain(sentence(error), error.hint, status=error.status)
        except (KeyboardInterrupt, Stopped, click.Abort):
            # A terminal has written ^C on the line; a program knows by the status.
            click.echo("\n" + _("Interrupted.") if sys.stderr.isatty() else "", err=True)
            return INTERRUPTED
        except BrokenPipeError:
            # The reader of our output has gone; the rest of it goes quietly too.
            _drop_output()
            return 0
        except SystemExit as error:
            # The same, when click saw it first: it then exits with 1, which is no status of ours.
            if error.code != 1:
                raise
            _drop_output()
            return 0
        except OSError as error:
            # What commands read and keep, they answer for themselves: this is our output, on a full disk perhaps.
            _drop_output()
            return _complain(_("cannot write: {reason}").format(reason=cause(error)))
        return result if isinstance(result, int) else 0


def _prepare_streams() -> None:
    """Make the standard streams such that nothing written to them fails for its letters.

    Started without one (`<&-`), read nothing from it and write nowhere. Where the encoding lacks a letter, `?` stands
    for it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _name_terminal() -> None:
    """Call a terminal without a name dumb, so that the line editor and the tables write no escape sequences to it."""
    if sys.platform != "win32" and not os.environ.get("TERM"):
        os.environ["TERM"] = "dumb"


def _tell(message: str, data: dict[str, object]) -> None:
    """A notice as a line on standard error, in the place of one that is renewed; what its data says is translated as
    well."""
    named = {name: _(value) if isinstance(value, str) else value for name, value in data.items()}
    click.echo((emptied() if sys.stderr.isatty() else "") + _(message).format(**named), err=True)


def _drop_output() -> None:
    """Lose what is still to be written, so that Python does not try again, and complain, at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, hint: str | None = None, *, status: int = 2) -> int:
    """One `error:` line, at most one more as a hint; the exit status.

    What cannot be printed, such as the start of an escape sequence in what was typed, is left out.
    """
    line = "".join(letter for letter in " ".join(message.split()) if letter.isprintable())
    for text in filter(None, (_("error: {message}").format(message=line), hint)):
        click.echo(wrapped(text, window()) if sys.stderr.isatty() else text, err=True)
    return status


def _usage_fault(error: click.UsageError) -> str:
    """click's sentence, begun as ours are; that of a missing argument it builds from pieces, which Japanese cannot
    follow."""
    if isinstance(error, click.MissingParameter) and error.param:
        return _("missing argument {name}").format(name=error.param.get_error_hint(error.ctx))
    said = error.format_message().replace("。 ", "。")  # click parts its sentences by a blank, Japanese does not
    return said[:1].lower() + said[1:] if said[1:2].islower() else said


def _usage_hint(error: click.UsageError) -> str:
    path = error.ctx.command_path if error.ctx else "yomikiri"
    return _("See '{command} -h'.").format(command=path)


@click.group(
    cls=Root,
    invoke_without_command=True,
    lazy={"web": ("web", "site"), "programs": ("engine", "schema")},
)
@click.version_option(__version__, cls=Option, message="yomikiri %(version)s", help="Show the version and exit.")
@words_option
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Solve Hit & Blow and weighted tic-tac-toe: the best move, the reason, and whether it is proven.

    Without a command: the assistant for Hit & Blow with 3 digits of 0 to 9.
    """
    if ctx.invoked_subcommand is None:
        from yomikiri.cli.hitblow_assist import assist

        ctx.invoke(assist)


@cli.group(
    cls=Group,
    lazy={
        "hitblow_assist": ("assist",),
        "hitblow_suggest": ("suggest", "candidates", "review"),
        "hitblow_strategy": ("simulate", "solve", "export", "book", "verify"),
        "hitblow_store": ("store",),
        "hitblow_check": ("check",),
        "hitblow_play": ("play",),
        "hitblow_practice": ("practice", "daily"),
        "hitblow_match": ("match",),
        "hitblow_race": ("race",),
        "hitblow_opponents": ("opponents",),
        "programs": ("interact",),
    },
)
@words_option
def hitblow() -> None:
    """Hit & Blow: suggest guesses, help in a match, play, prove optimal strategies."""


@cli.group(
    cls=Group,
    lazy={
        "tictactoe_winner": ("winner",),
        "tictactoe_analyze": ("analyze",),
        "tictactoe_play": ("play",),
        "tictactoe_practice": ("practice",),
        "tictactoe_check": ("generate", "check"),
    },
)
def tictactoe() -> None:
    """Weighted tic-tac-toe: who wins, by which move, and why."""


def main() -> NoReturn:
    """The entry point of the program.

    After it is done, C++ threads that cannot be interrupted may still run for a while, and nothing handles an interrupt
    then: the next one ends the process at once. Another may come while the program is ending for the first.
    """
    # Nothing here multiplies matrices of floats: NumPy need not start a thread for each core to be ready for that.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    status: Any = None
    while True:
        try:
            status = _status() if status is None else status
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                signal.signal(signal.SIGINT, signal.SIG_DFL)
            break
        except KeyboardInterrupt:
            status = INTERRUPTED
    sys.exit(status)


def _status() -> Any:
    """Run the program; the status that it exits with."""
    try:
        cli.main()
    except SystemExit as end:
        return end.code
