"""A game of Hit & Blow at a terminal as it is saved: after every line that changes it, and taken up again.

A person is offered the saved games, a program takes the last one up with `--resume` only, and leaves none of its own
behind.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from yomikiri.cli.hitblow_shared import WEIGHTS
from yomikiri.cli.terminal import Conversation, Dialogue
from yomikiri.enums import fold
from yomikiri.errors import N_, InputError
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.rules import Words
from yomikiri.saves import Keeper, SavedGame, rules_of
from yomikiri.wording import _
from yomikiri.wording import hitblow as wording

if TYPE_CHECKING:
    from yomikiri.hitblow.match.assistant import MatchAssistant

A = TypeVar("A", Assistant, "MatchAssistant")
_RULES = {f"{prefix}{name}" for prefix in ("", "secret-") for name in ("digits", "symbols", "repeats", "no-leading")}
_RULES.add("preset")
# So many saved games are listed at the start; `games` lists all.
_FEW = 5


class SavedSession(Conversation, Generic[A]):
    """One sitting at a game; `assistant` is the game as it stands. `keeper` saves it; without one it is not saved."""

    assistant: A

    def __init__(self, dialogue: Dialogue, assistant: A, words: Words, keeper: Keeper[Any] | None = None) -> None:
        self.dialogue, self.words, self.keeper = dialogue, words, keeper
        self.assistant = assistant
        self._advised: A | None = None  # the same with the advice that is shown, where that was not given all its time
        self._said: list[str] = []  # that advice, line by line,
        self._searching = False  # and whether there may be better
        self._done: list[A] = []  # the game before each action that can be undone,
        self._undone: list[A] = []  # and after each that was
        self._saved: list[SavedGame[Any]] = []  # as they were last listed
        self._refused = False  # whether the disk has refused to keep the game

    @property
    @abstractmethod
    def state(self) -> Knowledge | Match:
        """The game, as it is saved."""

    @abstractmethod
    def resumed(self, saved: Any) -> A:
        """The assistant of a saved game."""

    @abstractmethod
    def opening(self) -> Iterator[str]:
        """What is said first: which game it is, and the lines so far of one that is taken up."""

    def run(self, given: Collection[str], resume: bool) -> None:
        """Take up a saved game if that is wanted, then talk; at the end leave it to others.

        `given` are the names of what the caller told of the game: where rules are among them, only games of these rules
        are taken up.
        """
        try:
            if not self.state.facts and (resume or self.dialogue.interactive):
                self._offer_saved(given, resume)
            self.talk()
        except KeyboardInterrupt:
            self.dialogue.say("")
            self._say_saved()
            raise
        finally:
            if self.keeper:
                self.keeper.release()

    def talk(self) -> None:
        """Say which game it is and talk; say in the end that the game is saved if it is."""
        self.dialogue.say(*self.opening())
        super().talk()
        self._say_saved()

    def _say_saved(self) -> None:
        if self._kept and self.state.facts and not self.assistant.finished:
            self.dialogue.say(_("Game saved. Use --resume to continue."))

    def _keep(self) -> None:
        """Save the game; a finished one needs no file. A disk that refuses is said once and stops nothing."""
        if not self._kept:
            return
        assert self.keeper
        try:
            if self.assistant.finished:
                self.keeper.drop()
            else:
                self.keeper.keep(self.state, self.assistant.items, self.words)
        except OSError as error:
            self._refused = True
            click.echo(_("The game cannot be saved: {reason}").format(reason=error.strerror or error), err=True)

    @property
    def _kept(self) -> bool:
        """Whether the game is saved: a person's is, a program's only where it has taken up a saved one."""
        if self.keeper is None or self._refused:
            return False
        return self.dialogue.interactive or self.keeper.path is not None

    def _leave(self) -> None:
        """What comes is another game: this one keeps its file if it is not over."""
        if self.keeper:
            self.keeper.drop() if self.assistant.finished else self.keeper.release()

    def _begin(self, assistant: A) -> None:
        """Go on with another game, of which nothing was typed yet."""
        self.assistant = assistant
        self._forget_advice()
        self._done.clear()
        self._undone.clear()

    def _forget_advice(self) -> None:
        """Nothing is shown of the game as it now stands."""
        self._advised, self._said, self._searching = None, [], False

    def _take_up(self, saved: SavedGame[Any], given: Collection[str] = ()) -> bool:
        """Go on with a saved game, unless another terminal was faster."""
        assert self.keeper
        own = replace(self.keeper, path=None, _lock=None)
        if not own.take_up(saved):
            self.dialogue.say(_("The saved game is open in another terminal."))
            return False
        self._leave()
        self.keeper, before = own, self.state
        items = replace(self.assistant.items, since=len(saved.game.facts)) if "items" in given else saved.items
        self._begin(replace(self.resumed(saved.game), items=items))
        if not {"preset", "words"}.intersection(given):
            self.words = saved.words
        names = [name for name in given if _told(before, name) != _told(self.state, name)]
        if names:
            message = _("The saved game goes on with its own settings, without {options}.")
            self.dialogue.say(message.format(options=" ".join(f"--{name}" for name in names)))
        return True

    def _offer_saved(self, given: Collection[str], resume: bool) -> None:
        """Take up the last saved game if asked to, or the one that the person at the terminal wants."""
        assert self.keeper
        for path in self.keeper.newer():
            self.dialogue.say(_("{file} was saved by a newer version and is left as it is.").format(file=path))
        rules = rules_of(self.state) if _RULES.intersection(given) else ()
        if resume:
            if saved := self.keeper.latest(*rules):
                self._take_up(saved, given)
            elif self.keeper.played_elsewhere(*rules):
                self.dialogue.say(_("The saved game is open in another terminal."))
            else:
                said = _("There is no saved game with these rules.") if rules else _("There is no saved game.")
                self.dialogue.say(said)
            return
        games = self.keeper.games(*rules)
        if len(games) > 1:
            self._list_saved(games[:_FEW])
        number = 1
        while number <= len(games):
            choice = self._wanted(games, number)
            if choice == "s":
                return
            number = int(choice) if choice.isdecimal() else number
            if choice not in ("n", "d") and self._take_up(games[number - 1], given):
                return
            if choice == "d":
                games[number - 1].path.unlink(missing_ok=True)
            number += 1

    def _wanted(self, games: Sequence[SavedGame[Any]], number: int) -> str:
        """What the person wants of a saved game: a letter, or the number of another one."""
        if len(games) > 1:
            question = _("Resume game {number}? [y]es / [n]o, the next / [d]elete / [s]tart a new one, or a number")
            return self.dialogue.confirm(question.format(number=number), "ynds", len(games))
        question = _("A game is saved ({turns}). Resume it? [y]es / [n]o / [d]elete")
        turns = " ".join(map(str, games[0].game.facts))
        return self.dialogue.confirm(question.format(turns=turns), "ynd")

    def _games(self, rest: str) -> None:
        """List the saved games, or go on with the one of that number."""
        assert self.keeper
        if not rest:
            self._list_saved(self.keeper.games())
            return
        games = self._saved or self.keeper.games()
        if not (fold(rest).isdecimal() and 1 <= int(fold(rest)) <= len(games)):
            raise InputError(N_("{given!r} is not a saved game: expected a number that 'games' lists"), given=rest)
        if self._take_up(games[int(fold(rest)) - 1]):
            self.dialogue.say(*self.opening())
            self.show()

    def _list_saved(self, games: Sequence[SavedGame[Any]]) -> None:
        self._saved = list(games)
        if not games:
            self.dialogue.say(_("There is no other saved game."))
        for place, saved in enumerate(games, start=1):
            when = time.strftime("%m-%d %H:%M", time.localtime(saved.saved_at))
            game = saved.game
            text = wording.saved(game.rules, game.absent, game.facts, saved.words)
            self.dialogue.say(f"  {place}. {when}  {text}")


def _told(game: Knowledge | Match, name: str) -> object:
    """What a game has under the name of an option; None if that is none of its settings."""
    return getattr(game, "prior" if name in WEIGHTS else name.replace("-", "_"), None)
