"""The program `yomikiri`: its root command and groups, and the conversion of errors to messages and exit statuses.

Each command is in its own module, imported on first use.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from yomikiri import __version__
from yomikiri.cli.base import INTERRUPTED, Group, Option, set_language, words_option
from yomikiri.cli.text import erase_notice, erase_sequence, window, wrapped
from yomikiri.common.budget import Stopped, listeners
from yomikiri.common.errors import YomikiriError
from yomikiri.wording import _, cause, language_wanted, sentence


class Root(Group):
    """The root command.

    It selects the language before parsing, and turns every error into a message and an exit status.
    """

    def main(self, args: Sequence[str] | None = None, *_args: Any, **_extra: Any) -> NoReturn:
        """Run and exit: 0 success, 2 bad input, 3 contradiction, 4 failed check, 130 interrupted."""
        arguments = list(sys.argv[1:] if args is None else args)
        _prepare_streams()
        _name_terminal()
        usual = language_wanted((), os.environ)
        set_language(language_wanted(arguments, os.environ))
        listeners[:] = [_print_notice]
        try:
            sys.exit(self._status(arguments, usual))
        finally:
            erase_notice()

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Ctrl-C raises `Stopped`, because click prints a blank line for a `KeyboardInterrupt`."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Stopped from None

    def _status(self, arguments: list[str], usual: str) -> int:
        try:
            result = super().main(arguments, prog_name="yomikiri", standalone_mode=False, obj=usual)
            sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.ctx.get_help() if error.ctx else "", err=True)
            return 2
        except click.UsageError as error:
            return _print_error(_usage_fault(error), _usage_hint(error))
        except click.ClickException as error:
            return _print_error(error.format_message())
        except YomikiriError as error:
            return _print_error(sentence(error), error.hint, status=error.status)
        except (KeyboardInterrupt, Stopped, click.Abort):
            # A terminal shows ^C in the current line, so start a new line. A program only needs the status.
            if sys.stderr.isatty():
                click.echo(("" if erase_notice() else "\n") + _("Interrupted."), err=True)
            return INTERRUPTED
        except BrokenPipeError:
            # The reader has closed the pipe: drop the rest of the output.
            _drop_output()
            return 0
        except SystemExit as error:
            # click may catch the broken pipe first. It then exits with 1, a status that this program never uses.
            if error.code != 1:
                raise
            _drop_output()
            return 0
        except OSError as error:
            # Commands handle the errors of their own files. So this error comes from the standard output, for instance
            # on a full disk.
            _drop_output()
            return _print_error(_("cannot write: {reason}").format(reason=cause(error)))
        return result if isinstance(result, int) else 0


def _prepare_streams() -> None:
    """Ensure that no character makes writing to a standard stream fail, and that no standard stream is closed.

    A character that the encoding of an output stream lacks becomes `?`. A closed stream (`<&-`) is replaced by the null
    device.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _name_terminal() -> None:
    """Set a missing TERM to `dumb`, so that the line editor and the tables write no escape sequences."""
    if sys.platform != "win32" and not os.environ.get("TERM"):
        os.environ["TERM"] = "dumb"


def _print_notice(message: str, data: dict[str, object]) -> None:
    """Print a notice on standard error, replacing a progress line. Strings in `data` are translated too."""
    named = {name: _(value) if isinstance(value, str) else value for name, value in data.items()}
    click.echo((erase_sequence() if sys.stderr.isatty() else "") + _(message).format(**named), err=True)


def _drop_output() -> None:
    """Discard pending output, because Python would try to write it at exit and report an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_error(message: str, hint: str | None = None, *, status: int = 2) -> int:
    """Print an `error:` line and, if there is a hint, a line with it; return the exit status.

    Characters of the message that cannot be printed are left out, such as the start of an escape sequence in the user's
    input.
    """
    line = "".join(letter for letter in " ".join(message.split()) if letter.isprintable())
    erase_notice()
    for text in filter(None, (_("error: {message}").format(message=line), hint)):
        click.echo(wrapped(text, window()) if sys.stderr.isatty() else text, err=True)
    return status


def _usage_fault(error: click.UsageError) -> str:
    """Return click's message in the style of the program's own messages.

    Click builds the message for a missing argument from pieces, which does not suit Japanese word order. Therefore the
    program has its own sentence for it.
    """
    if isinstance(error, click.MissingParameter) and error.param:
        return _("missing argument {name}").format(name=error.param.get_error_hint(error.ctx))
    message = error.format_message().replace("。 ", "。")  # click joins sentences with a space, Japanese does not
    return message[:1].lower() + message[1:] if message[1:2].islower() else message


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
        "guess": ("suggest", "candidates", "review", "solve"),
        "guess_strategy": ("simulate", "export", "verify"),
        "guess_check": ("check",),
        "guess_play": ("assist", "play", "interact"),
        "guess_match": ("match",),
        "guess_practice": ("practice",),
    },
)
def guess() -> None:
    """Guessing games with your own lists of codes: Wordle, Jotto, and others."""


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
    """Run the program and exit with its status. This is the entry point of the package.

    C++ threads that cannot be interrupted may still run after the command has ended. Therefore the default action of
    SIGINT is restored at the end, and the next Ctrl-C ends the process at once. Ctrl-C may come before that, for
    example while the program ends because of an earlier Ctrl-C. Then the status becomes 130, and the action is restored
    in another attempt.
    """
    # Nothing here multiplies matrices of floats, so NumPy need not start a thread per core.
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
    """Run the program and return its exit status."""
    try:
        cli.main()
    except SystemExit as end:
        return end.code
