"""One sitting at a game at a terminal: lines are read until `quit`, each a command or a part of the game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar, Generic, Protocol, TypeVar, final

from yomikiri.cli.base import INTERRUPTED
from yomikiri.cli.commands import ALSO, Command, nearest, other_names, rows_of_help, split_command, with_digits
from yomikiri.cli.history import History
from yomikiri.cli.terminal import Dialogue
from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, InputError, YomikiriError
from yomikiri.wording import _

S = TypeVar("S")
_SHORT = 8  # lines of a short help
_EVERYTHING = ("all", "すべて", "全部")


class Saves(Protocol):
    """What a session needs of the games that are saved on the disk."""

    def offer(self, state: Any, given: Collection[str], resume: bool, /) -> Any:
        """Return the game to start with, or None if the person quits."""

    def chosen(self, state: Any, rest: str, /) -> Any:
        """Return the saved game that the person names, or None; list the games if `rest` is empty."""

    def keep(self, state: Any, /) -> None:
        """Save the game."""

    def are_kept(self, state: Any, /) -> bool:
        """Return True if the game stays on the disk when the person quits."""

    def is_lost(self, state: Any, /) -> bool:
        """Return True if the game could not be saved."""

    def leave(self, state: Any, /) -> None:
        """Prepare for another game."""

    def release(self) -> None:
        """Give up the file of the game, at the end of the session."""


class Game(ABC, Generic[S]):
    """A game as a sitting plays it: what a line does to its state, and what is said of it. States are frozen values."""

    can_restart = False
    """Whether `new` starts another game."""

    can_undo = True
    """Whether what was typed can be taken back."""

    giving_up: ClassVar[str] = "quit"
    """The command that `give up` calls."""

    @abstractmethod
    def read(self, state: S, line: str) -> S | None:
        """The game after a line that is no command; None where the line changes nothing, and that has been said."""

    @abstractmethod
    def show(self, state: S) -> S:
        """Say how the game stands; return it with what the program does, which is undone with the line before."""

    @abstractmethod
    def commands(self, state: S) -> dict[str, Command[S]]:
        """The game's own commands by name, in the order in which `help` shows them."""

    @abstractmethod
    def heard(self, state: S) -> Sequence[tuple[str, str]]:
        """Lines that are no commands, as `help` shows them, with what each means."""

    @property
    @abstractmethod
    def leaving(self) -> str:
        """What `quit` does, as `help` shows it."""

    @abstractmethod
    def opening(self, state: S) -> Sequence[str]:
        """What is said first: which game it is, and the lines so far."""

    @property
    def restarting(self) -> str:
        """What `new` does, as `help` shows it."""
        return _("start another game")

    def undo(self, state: S) -> S:
        """The game without its last turn, when nothing done in this sitting is left to undo; raises an `InputError`."""
        raise NotImplementedError

    def fresh(self, state: S) -> S:
        """Another game of the same kind."""
        raise NotImplementedError

    def frame(self, state: S) -> Sequence[str]:
        """What stands above everything where a screen is drawn: which game it is, and the lines so far."""
        return [*self.opening(state), *self.lines(state)]

    @property
    def basics(self) -> Collection[str]:
        """The commands that a short `help` shows."""
        return ("undo", "why", "new")

    def lines(self, _state: S) -> Sequence[str]:
        """The lines of the game so far, each as it was understood; the new ones are said after each step."""
        return ()

    def follow(self, before: S, now: S) -> None:
        """Say what a step did, before the state of the game is shown."""

    def prompt(self, _state: S) -> str:
        """What a person at a terminal is asked with."""
        return "> "

    def wait(self, state: S) -> S:
        """The game with all that is found out for a person until they type."""
        return state

    def rest(self) -> None:
        """Find out no more of this state of the game: Enter was pressed."""

    def is_move(self, _state: S, _line: str) -> bool:
        """Whether a line that begins like a command is a part of the game all the same."""
        return False

    def short(self, _state: S) -> Mapping[str, str]:
        """Commands by names that they have at this moment only."""
        return {}

    def left(self, state: S) -> None:
        """Say what a person who leaves is to know."""


@final
class Sitting(Generic[S]):
    """A person, or a pipe, at one game after the other; `saves` keeps them on the disk, without it they are not kept.

    Where a line would do as a command and as a part of the game it is a part of the game; behind a `/` it is a command.
    What is wrong with a line is said, and the sitting goes on; at the end of a pipe the exit status says so.
    """

    def __init__(self, dialogue: Dialogue, game: Game[S], state: S, saves: Saves | None = None) -> None:
        self.dialogue, self.game, self.saves = dialogue, game, saves
        self.history = History(state)

    @property
    def now(self) -> S:
        """The game as it stands."""
        return self.history.now

    def run(self, given: Collection[str] = (), resume: bool = False) -> None:
        """Go on with a saved game if that is wanted, then read lines until `quit` or the end of input.

        `given` are the names of the options that the caller gave: where rules are among them, only games of these
        rules are taken up.
        """
        try:
            if self.saves:
                with self.dialogue.seated():
                    state = self.saves.offer(self.now, given, resume)
                if state is None:
                    return
                self.history = History(state)
            self.talk()
        finally:
            if self.saves:
                self.saves.release()

    def talk(self) -> None:
        """Say which game it is and read lines until `quit`, the end of input or Ctrl-C."""
        with self.dialogue.seated():
            try:
                self._open()
                line = self._listen()
                while line is not None and self._take(line):
                    line = self._listen()
            except KeyboardInterrupt:
                self.dialogue.say("")
                self._leave()
                raise SystemExit(INTERRUPTED) from None  # all that is to be said is said
            self._leave()
        if self.dialogue.refused and not self.dialogue.interactive:
            raise SystemExit(InputError.status)

    def _open(self) -> None:
        """Say which game it is, and how it stands."""
        if not self.dialogue.draws:
            self.dialogue.say(*self.game.opening(self.now))
        self._show()

    def _leave(self) -> None:
        self.game.left(self.now)
        if self.saves and self.saves.are_kept(self.now):
            self.dialogue.say(_("Saved. Start again to continue."))
        elif self.saves and self.saves.is_lost(self.now):
            self.dialogue.say(_("The game was not saved."))

    def _listen(self) -> str | None:
        try:
            if self.dialogue.draws:
                self.dialogue.screen.frame = lambda: self.game.frame(self.now)
                self.dialogue.known = [*self.commands, "help", "quit"]
            self._amend(self.game.wait(self.now))
        except KeyboardInterrupt:  # between two lines there is nothing to end but a search that goes on
            if not self.dialogue.interactive:
                raise
            self.game.rest()
        return self.dialogue.ask(self.game.prompt(self.now))

    def _take(self, line: str) -> bool:
        """Do what a line says; False if it is `quit`. Ctrl-C ends what a line has set going, and not the sitting."""
        try:
            with self.dialogue.notes():
                return self._do(line)
        except KeyboardInterrupt:
            if not self.dialogue.interactive:
                raise
            self.dialogue.note(_("Stopped."))
        return True

    def _do(self, line: str) -> bool:
        if not line:
            self.game.rest()
            return True
        try:
            name, rest = self._called(line)
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
        if rest and not command.takes_more:
            raise InputError(N_("'{command} {rest}': expected '{command}' alone"), command=name, rest=rest)
        return command.run(self.now, rest)

    def _called(self, line: str) -> tuple[str, str]:
        """The name of the command that a line is, with the rest of it; no name if it is a part of the game."""
        line = self.game.short(self.now).get(fold(line), line)
        typed, _rest = split_command(line)
        name, rest = self._named(line)
        if name in self._names:
            if typed.startswith("/") or not self.game.is_move(self.now, line):
                return name, rest
            if not rest:
                self.dialogue.say(_("Read as a part of the game: '/{command}' is the command.").format(command=typed))
        if typed.startswith("/"):
            raise self._unknown(typed)
        return "", rest

    def _named(self, line: str) -> tuple[str, str]:
        """Return the first word of a line as the name of a command, if it is one, and the rest of the line."""
        first, rest = split_command(line)
        whole = " ".join(fold(line).split())
        if whole in ALSO:  # an alias of two words
            first, rest = whole, ""
        word = first.removeprefix("/")
        name = ALSO.get(word, word)
        if name == "giveup" and name not in self.commands:
            name = self.game.giving_up
        return name, rest

    @property
    def _names(self) -> list[str]:
        return ["help", "quit", *self.commands]

    def _read(self, line: str) -> S | None:
        """Return the game after a line that is no command; an error names the command, or the line, that a mistyped
        one probably means."""
        try:
            return self.game.read(self.now, line)
        except YomikiriError as error:
            meant = with_digits(line)
            if meant != line and self.game.is_move(self.now, meant):
                raise InputError(
                    N_("cannot read {given!r}: did you mean {meant!r}?"), given=line, meant=meant
                ) from error
            word, _rest = split_command(line)
            if word.isalpha() and word not in self._names and (told := self._meant(word)):
                raise told from error
            raise

    def _unknown(self, word: str) -> InputError:
        """Return the error for what is no command, with the one that it probably means."""
        expected = InputError(N_("{given!r} is not a command: expected one that 'help' lists"), given=word)
        return self._meant(word) or expected

    def _meant(self, word: str) -> InputError | None:
        """Return the error that names the command that a word probably means; None if there is none."""
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
    def commands(self) -> dict[str, Command[S]]:
        """All commands by name but `help` and `quit`, in the order in which `help` shows them."""
        commands: dict[str, Command[S]] = {}
        if self.game.can_undo:
            commands["undo"] = Command(self._undo, _("undo"), _("take back what you typed last"))
            commands["redo"] = Command(self._redo, _("redo"), _("do again what was taken back"))
        commands |= self.game.commands(self.now)
        if self.game.can_restart:
            commands["new"] = Command(self._new, _("new"), self.game.restarting)
        if self.saves:
            games = _("the saved games; 'games 2' goes on with the second")
            commands["games"] = Command(self._games, _("games"), games, takes_more=True)
        return commands

    def _help(self, about: str) -> None:
        """List what can be typed: in eight lines, or everything; or explain one command."""
        if about and fold(about) not in _EVERYTHING:
            self._explain(about)
            return
        heard, commands, last = [*self.game.heard(self.now)], self.commands, (_("quit"), self.game.leaving)
        one = (_("help COMMAND"), _("explain one command"))
        rows = [*heard, *((each.usage, each.meaning) for each in commands.values()), one, last]
        if len(rows) > _SHORT and not about:
            basics = [commands[name] for name in self.game.basics if name in commands]
            short = [*heard[:2], *((each.usage, each.meaning) for each in basics)]
            rows = [*short[: _SHORT - 2], (_("help all"), _("everything else that can be typed")), last]
        self.dialogue.show_pages([*rows_of_help(rows, self.dialogue.watched)])

    def _explain(self, about: str) -> None:
        """Explain one command, or one form of other input."""
        name, _rest = self._named(about)
        commands = {
            "help": (_("help COMMAND"), _("explain one command; 'help all' lists everything that can be typed")),
            "quit": (_("quit"), self.game.leaving),
            **{name: (each.usage, each.meaning) for name, each in self.commands.items()},
        }
        rows = [commands[name]] if name in commands else []
        rows += [row for row in self.game.heard(self.now) if split_command(about)[0] in fold(row[0]).split()]
        if not rows:
            raise self._unknown(about)
        self.dialogue.say(*rows_of_help(rows, self.dialogue.watched), *filter(None, [other_names(name)]))

    # --- steps --------------------------------------------------------------------------------------------------------

    def _undo(self, _now: S, _rest: str) -> None:
        self._go_to(self.history.undo(self.game.undo))

    def _redo(self, _now: S, _rest: str) -> None:
        self._go_to(self.history.redo())

    def _new(self, _now: S, _rest: str) -> None:
        kept = self.saves and self.saves.are_kept(self.now)
        if self.saves:
            self.saves.leave(self.now)
        self.history = History(self.game.fresh(self.now))
        if kept:
            self.dialogue.say(_("The game so far is saved; 'games' lists it."))
        self._open()

    def _games(self, _now: S, rest: str) -> None:
        assert self.saves
        state = self.saves.chosen(self.now, rest)
        if state is not None:
            self.history = History(state)
            self._open()

    def _go_to(self, history: History[S]) -> None:
        """Go on with the game as it then is, and say what was understood."""
        before, self.history = self.now, history
        was, now = self.game.lines(before), self.game.lines(self.now)
        if self.saves:
            self.saves.keep(self.now)
        if len(now) < len(was):
            # What stands above the numbered lines and has only changed is told anew, not taken back.
            told = [line for line in now if line not in was]
            gone = [line for line in was if line not in now and (line[:1].isdecimal() or not told)]
            self.dialogue.say(_("Taken back: {turns}").format(turns=_(", ").join(gone)), *told)
        elif not self.dialogue.draws:
            self.dialogue.say(*(line for line in now if line not in was))
        self.game.follow(before, self.now)
        self._show()

    def _show(self) -> None:
        with self.dialogue.body():
            self._amend(self.game.show(self.now))

    def _amend(self, state: S) -> None:
        """Put the same place of the game in another form, with what the program has found out or done."""
        self.history = replace(self.history, now=state)


def seeds(seed: str | None, check: Callable[[str], str] = str) -> Iterator[str]:
    """The seeds of the games of a sitting: the one that is given, then others made of it, else fresh ones.

    The one that is given is checked when it is used.
    """
    if seed is None:
        from secrets import token_hex

        while True:
            yield token_hex(5)
    yield check(seed)
    for number in count(2):
        yield f"{seed}-{number}"
