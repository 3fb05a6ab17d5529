"""A session at a terminal: read lines until `quit`, each of them a command or a move of the game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar, Generic, Protocol, TypeVar, final

from yomikiri.cli.base import INTERRUPTED
from yomikiri.cli.commands import (
    ALIASES,
    SessionCommand,
    nearest,
    other_names,
    rows_of_help,
    split_command,
    with_digits,
)
from yomikiri.cli.history import History
from yomikiri.cli.terminal import Dialogue
from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, InputError, YomikiriError
from yomikiri.wording import _

S = TypeVar("S")
_SHORT = 8  # maximum number of lines of the short help
_EVERYTHING = ("all", "すべて", "全部")


class Saves(Protocol):
    """The interface through which a session saves, resumes and releases its games."""

    def offer(self, state: Any, given: Collection[str], resume: bool, /) -> Any:
        """Return the game to start with, or None if the user quits.

        `state` is a new game, `given` contains the names of the options that the user gave, and `resume` means that the
        user wants to resume the game that was saved last.
        """

    def open_numbered(self, state: Any, rest: str, /) -> Any:
        """Return the state of the saved game with the number `rest`, or list the saved games if `rest` is empty.

        Returns None if no game is chosen.
        """

    def keep(self, state: Any, /) -> None:
        """Save the game."""

    def is_saved(self, state: Any, /) -> bool:
        """Return True if the file of the game remains when the user quits."""

    def has_failed(self, state: Any, /) -> bool:
        """Return True if the game could not be saved."""

    def leave(self, state: Any, /) -> None:
        """Unlock the file of the game, because another game starts."""

    def release(self) -> None:
        """Unlock the file of the game at the end of the session."""


class SessionGame(ABC, Generic[S]):
    """Base class of the games of a session.

    The state of play is an immutable value that the session stores. The methods get this state as an argument. They
    print it, and return the state after the user's input.
    """

    can_restart = False
    """True if `new` starts another game."""

    can_undo = True
    """True if the commands `undo` and `redo` exist."""

    giving_up: ClassVar[str] = "quit"
    """The command that `giveup` and its aliases run if the game has no such command of its own."""

    @abstractmethod
    def read(self, state: S, line: str) -> S | None:
        """Return the state after a line that is not a command.

        If the result is None, the state stays the same. If it is `state` itself, the session prints the state again.
        Raises a `YomikiriError` for an invalid line.
        """

    @abstractmethod
    def show(self, state: S) -> S:
        """Print the state, and return it.

        If it is the program's turn, the program moves, and the result contains its move. `undo` takes that move back
        together with the line before it.
        """

    @abstractmethod
    def commands(self, state: S) -> dict[str, SessionCommand[S]]:
        """Return the commands of this game by name, in the order of `help`."""

    @abstractmethod
    def input_forms(self, state: S) -> Sequence[tuple[str, str]]:
        """Return the accepted input other than commands, as (form, meaning) pairs, for `help`."""

    @property
    @abstractmethod
    def quit_help(self) -> str:
        """The effect of the command `quit`, as text for `help`."""

    @abstractmethod
    def opening(self, state: S) -> Sequence[str]:
        """Return the first lines: the name of the game and the turns so far."""

    @property
    def new_help(self) -> str:
        """The effect of the command `new`, as text for `help`."""
        return _("start another game")

    def undo(self, state: S) -> S:
        """Return the game without its last turn.

        Called if the session has no earlier state to return to, for example in a resumed game. Raises an `InputError`
        if there is no turn.
        """
        raise NotImplementedError

    def new_game(self, state: S) -> S:
        """Return a new game of the same kind."""
        raise NotImplementedError

    def frame(self, state: S) -> Sequence[str]:
        """Return the top part of a screen that is redrawn in place: the name of the game and the turns so far."""
        return [*self.opening(state), *self.lines(state)]

    @property
    def short_help(self) -> Collection[str]:
        """The names of the commands that the short help lists."""
        return ("undo", "why", "new")

    def lines(self, _state: S) -> Sequence[str]:
        """Return the turns so far as lines of text. After each step, the session prints the lines that are new."""
        return ()

    def print_effect(self, before: S, now: S) -> None:
        """Print the effect of a step of the game: of the change from the state `before` to the state `now`.

        Called before `show`.
        """

    def prompt(self, _state: S) -> str:
        """Return the text in front of the user's input."""
        return "> "

    def wait(self, state: S) -> S:
        """Continue a search until the user types; return the state with the result of the search."""
        return state

    def stop_search(self) -> None:
        """End the search of `wait`, because the user has pressed Enter or Ctrl-C."""

    def is_move(self, _state: S, _line: str) -> bool:
        """Return True if a line is a move of the game, even if it starts with the name of a command."""
        return False

    def abbreviations(self, _state: S) -> Mapping[str, str]:
        """Return the abbreviations that exist in this state only, each with the command that it means."""
        return {}

    def on_quit(self, state: S) -> None:
        """Print the final message for a user who quits."""


@final
class TerminalSession(Generic[S]):
    """A session in which the user, or a program through a pipe, plays one game after another.

    `saves` stores the games on the disk. A line that is both a command and a move is a move. With `/` in front it is
    the command. An error is printed and the session continues. If the input is not a terminal, the exit status at its
    end is 2 after an error.
    """

    def __init__(self, dialogue: Dialogue, game: SessionGame[S], state: S, saves: Saves | None = None) -> None:
        self.dialogue, self.game, self.saves = dialogue, game, saves
        self.history = History(state)

    @property
    def now(self) -> S:
        """The current state of the game."""
        return self.history.now

    def run(self, given: Collection[str] = (), resume: bool = False) -> None:
        """Offer the saved games, then read lines until `quit` or the end of the input.

        `given` and `resume` are passed to `Saves.offer`.
        """
        try:
            if self.saves:
                with self.dialogue.hiding_keys():
                    state = self.saves.offer(self.now, given, resume)
                if state is None:
                    return
                self.history = History(state)
            self.run_loop()
        finally:
            if self.saves:
                self.saves.release()

    def run_loop(self) -> None:
        """Print the opening and read lines until `quit`, the end of the input or Ctrl-C."""
        with self.dialogue.hiding_keys():
            try:
                self._open()
                line = self._next_line()
                while line is not None and self._handle_line(line):
                    line = self._next_line()
            except KeyboardInterrupt:
                if self.dialogue.interactive:
                    self.dialogue.say("")  # Start a new line, because the terminal has echoed ^C.
                self._leave()
                raise SystemExit(INTERRUPTED) from None  # No message is needed, because everything has been printed.
            self._leave()
        if self.dialogue.has_errors and not self.dialogue.interactive:
            raise SystemExit(InputError.status)

    def _open(self) -> None:
        """Print the name of the game, and show its state."""
        if not self.dialogue.draws:
            self.dialogue.say(*self.game.opening(self.now))
        self._show()

    def _leave(self) -> None:
        self.game.on_quit(self.now)
        if self.saves and self.saves.is_saved(self.now):
            self.dialogue.say(_("Saved. Start the program again to continue."))
        elif self.saves and self.saves.has_failed(self.now):
            self.dialogue.say(_("The game was not saved."))

    def _next_line(self) -> str | None:
        try:
            if self.dialogue.draws:
                self.dialogue.screen.frame = lambda: self.game.frame(self.now)
                self.dialogue.completions = [*self.commands, "help", "quit"]
            self._replace_state(self.game.wait(self.now))
        except KeyboardInterrupt:  # Between two lines of input, Ctrl-C can only interrupt a search.
            if not self.dialogue.interactive:
                raise
            self.game.stop_search()
        return self.dialogue.ask(self.game.prompt(self.now))

    def _handle_line(self, line: str) -> bool:
        """Execute a line of input; return False for `quit`. Ctrl-C stops this work, but not the session."""
        try:
            with self.dialogue.notes():
                return self._execute(line)
        except KeyboardInterrupt:
            if not self.dialogue.interactive:
                raise
            self.dialogue.note(_("Stopped."))
        return True

    def _execute(self, line: str) -> bool:
        if not line:
            self.game.stop_search()
            return True
        try:
            name, rest = self._parse_command(line)
            if name == "quit":
                return False
            if name == "help":
                self._help(rest)
                return True
            state = self._run(name, rest) if name else self._read(line)
            if state is self.now:
                self._show()
            elif state is not None:
                self._go_to(self.history.step(state))
        except YomikiriError as error:
            self.dialogue.complain(error)
        return True

    def _run(self, name: str, rest: str) -> S | None:
        command = self.commands[name]
        if rest and not command.has_argument:
            raise InputError(N_("'{command} {rest}': expected '{command}' alone"), command=name, rest=rest)
        return command.run(self.now, rest)

    def _parse_command(self, line: str) -> tuple[str, str]:
        """Split a line into the name of a command and its argument. If the line is a move, the name is "".

        Raises an `InputError` for an unknown command after `/`.
        """
        line = self.game.abbreviations(self.now).get(fold(line), line)
        typed, _rest = split_command(line)
        name, rest = self._split_name(line)
        if name in self._names:
            if typed.startswith("/") or not self.game.is_move(self.now, line):
                return name, rest
            if not rest:
                self.dialogue.say(
                    _("Read as part of the game. For the command, type '/{command}'.").format(command=typed)
                )
        if typed.startswith("/"):
            raise self._unknown(typed)
        return "", rest

    def _split_name(self, line: str) -> tuple[str, str]:
        """Split a line into its first word and the rest. An alias is replaced by the name of its command."""
        first, rest = split_command(line)
        whole = " ".join(fold(line).split())
        if whole in ALIASES:  # an alias of two words
            first, rest = whole, ""
        word = first.removeprefix("/")
        name = ALIASES.get(word, word)
        if name == "giveup" and name not in self.commands:
            name = self.game.giving_up
        return name, rest

    @property
    def _names(self) -> list[str]:
        return ["help", "quit", *self.commands]

    def _read(self, line: str) -> S | None:
        """Return the state after a line that is not a command.

        The error for a line that looks mistyped suggests the command or the move that it probably means.
        """
        try:
            return self.game.read(self.now, line)
        except YomikiriError as error:
            meant = with_digits(line)
            if meant != line and self.game.is_move(self.now, meant):
                raise InputError(
                    N_("cannot read {given!r}: did you mean {meant!r}?"), given=line, meant=meant
                ) from error
            word, _rest = split_command(line)
            if word.isalpha() and word not in self._names and (suggestion := self._suggestion(word)):
                raise suggestion from error
            raise

    def _unknown(self, word: str) -> InputError:
        """Return the error for an unknown command, with a suggestion if there is a similar one."""
        expected = InputError(N_("{given!r} is not a command: expected one that 'help' lists"), given=word)
        return self._suggestion(word) or expected

    def _suggestion(self, word: str) -> InputError | None:
        """Return the error that suggests a command for a word, or None if no command is similar."""
        given = word.removeprefix("/")
        if self.saves and given in ("save", "保存"):
            return InputError(
                N_("{given!r} is not needed: each turn is saved, and 'games' lists the games"), given=word
            )
        meant = nearest(given, [*self._names, "giveup"])
        if not meant:
            return None
        return InputError(N_("{given!r} is not a command: did you mean {meant!r}?"), given=word, meant=meant)

    @property
    def commands(self) -> dict[str, SessionCommand[S]]:
        """All commands except `help` and `quit`, in the order of `help`."""
        commands: dict[str, SessionCommand[S]] = {}
        if self.game.can_undo:
            commands["undo"] = SessionCommand(self._undo, _("undo"), _("undo your last entry"))
            commands["redo"] = SessionCommand(self._redo, _("redo"), _("redo the last undone entry"))
        commands |= self.game.commands(self.now)
        if self.game.can_restart:
            commands["new"] = SessionCommand(self._new, _("new"), self.game.new_help)
        if self.saves:
            games = _("the saved games; 'games 2' resumes the second")
            commands["games"] = SessionCommand(self._games, _("games"), games, has_argument=True)
        return commands

    def _help(self, about: str) -> None:
        """Print the short help, everything, or the help of one command."""
        if about and fold(about) not in _EVERYTHING:
            self._explain(about)
            return
        forms, commands, last = [*self.game.input_forms(self.now)], self.commands, (_("quit"), self.game.quit_help)
        one = (_("help COMMAND"), _("explain one command"))
        rows = [*forms, *((each.usage, each.meaning) for each in commands.values()), one, last]
        if len(rows) > _SHORT and not about:
            names = [commands[name] for name in self.game.short_help if name in commands]
            short = [*forms[:2], *((each.usage, each.meaning) for each in names)]
            rows = [*short[: _SHORT - 2], (_("help all"), _("all other commands and input")), last]
        self.dialogue.show_pages([*rows_of_help(rows, self.dialogue.is_terminal)])

    def _explain(self, about: str) -> None:
        """Print the help of one command or one kind of move."""
        name, _rest = self._split_name(about)
        commands = {
            "help": (_("help COMMAND"), _("explain one command; 'help all' lists all you can type")),
            "quit": (_("quit"), self.game.quit_help),
            **{name: (each.usage, each.meaning) for name, each in self.commands.items()},
        }
        rows = [commands[name]] if name in commands else []
        rows += [row for row in self.game.input_forms(self.now) if split_command(about)[0] in fold(row[0]).split()]
        if not rows:
            raise self._unknown(about)
        self.dialogue.say(*rows_of_help(rows, self.dialogue.is_terminal), *filter(None, [other_names(name)]))

    # --- steps --------------------------------------------------------------------------------------------------------

    def _undo(self, _now: S, _rest: str) -> None:
        self._go_to(self.history.undo(self.game.undo))

    def _redo(self, _now: S, _rest: str) -> None:
        self._go_to(self.history.redo())

    def _new(self, _now: S, _rest: str) -> None:
        kept = self.saves and self.saves.is_saved(self.now)
        if self.saves:
            self.saves.leave(self.now)
        self.history = History(self.game.new_game(self.now))
        if kept:
            self.dialogue.say(_("The game so far is saved; 'games' lists it."))
        self._open()

    def _games(self, _now: S, rest: str) -> None:
        assert self.saves
        state = self.saves.open_numbered(self.now, rest)
        if state is not None:
            self.history = History(state)
            self._open()

    def _go_to(self, history: History[S]) -> None:
        """Replace the history of the session, and print how the turns of its current state differ from those before."""
        before, self.history = self.now, history
        was, now = self.game.lines(before), self.game.lines(self.now)
        if self.saves:
            self.saves.keep(self.now)
        if len(now) < len(was):
            # A line without a turn number, such as the absent symbols, may have been replaced by a new version. Then it
            # was not undone, and only the new version is printed.
            added = [line for line in now if line not in was]
            gone = [line for line in was if line not in now and (line[:1].isdecimal() or not added)]
            self.dialogue.say(_("Undone: {turns}").format(turns=_(", ").join(gone)), *added)
        elif not self.dialogue.draws:
            self.dialogue.say(*(line for line in now if line not in was))
        self.game.print_effect(before, self.now)
        self._show()

    def _show(self) -> None:
        with self.dialogue.body():
            self._replace_state(self.game.show(self.now))

    def _replace_state(self, state: S) -> None:
        """Replace the current state without adding a step that `undo` could take back.

        The change comes from the program, for example advice or its own move, and not from the user.
        """
        self.history = replace(self.history, now=state)


def seeds(seed: str | None, check: Callable[[str], str] = str) -> Iterator[str]:
    """Yield the seeds for the games of a session: `seed`, then seeds derived from it.

    If `seed` is None, the seeds are random. Otherwise it is checked when it is first used.
    """
    if seed is None:
        from secrets import token_hex

        while True:
            yield token_hex(5)
    yield check(seed)
    for number in count(2):
        yield f"{seed}-{number}"
