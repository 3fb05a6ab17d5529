"""The games of Hit & Blow that a sitting saves, each after every line that changes it, and takes up again.

A person is offered the saved games, a program takes the last one up with `--resume` only, and leaves none of its own
behind.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic

import click

from yomikiri.cli.proposing import A
from yomikiri.cli.terminal import Dialogue
from yomikiri.enums import fold
from yomikiri.errors import N_, InputError
from yomikiri.hitblow.game import RULES
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.match.notation import OWN_RULES
from yomikiri.hitblow.rules import Rules
from yomikiri.saves import Keeper, SavedGame, rules_of
from yomikiri.wording import _
from yomikiri.wording import hitblow as wording

if TYPE_CHECKING:
    from yomikiri.cli.hitblow_sitting import BoardGame

_RULES = {setting.name for setting in (*RULES, *OWN_RULES)}
# So many saved games are listed at the start; `games` lists all.
_FEW = 5


class SavedGames(Generic[A]):
    """The games of one sitting on the disk; `keeper` holds the file of the game that is played."""

    def __init__(self, dialogue: Dialogue, game: BoardGame[A], keeper: Keeper[Any]) -> None:
        self.dialogue, self.keeper = dialogue, keeper
        self.game: BoardGame[A] = game
        self._listed: list[SavedGame[Any]] = []  # as they were last listed
        self._refused = False  # whether the disk has refused to keep the game

    def say_kept(self, state: A) -> None:
        """Say that a game goes on another time, if it does."""
        if self.are_kept(state):
            self.dialogue.say(_("Game saved. Use --resume to continue."))

    def are_kept(self, state: A) -> bool:
        """Whether a game stays on the disk when it is left."""
        return self._kept and bool(state.facts) and not state.finished

    def keep(self, state: A) -> None:
        """Save the game; a finished one needs no file. A disk that refuses is said once and stops nothing."""
        if not self._kept:
            return
        try:
            if state.finished:
                self.keeper.drop()
            else:
                self.keeper.keep(self.game.saved_form(state), state.items, self.game.words)
        except OSError as error:
            self._refused = True
            click.echo(_("The game cannot be saved: {reason}").format(reason=error.strerror or error), err=True)

    @property
    def _kept(self) -> bool:
        """Whether the game is saved: a person's is, a program's only where it has taken up a saved one."""
        return not self._refused and (self.dialogue.interactive or self.keeper.path is not None)

    def leave(self, state: A) -> None:
        """What comes is another game: this one keeps its file if it is not over."""
        self.keeper.drop() if state.finished else self.keeper.release()

    def release(self) -> None:
        """Leave the file to others."""
        self.keeper.release()

    def _take_up(self, state: A, saved: SavedGame[Any], given: Collection[str] = ()) -> A | None:
        """A saved game in the place of `state`; None if another terminal was faster."""
        own = replace(self.keeper, path=None, _lock=None)
        if not own.take_up(saved):
            self.dialogue.say(_("The saved game is open in another terminal."))
            return None
        self.leave(state)
        self.keeper, before = own, self.game.saved_form(state)
        items = replace(state.items, since=len(saved.game.facts)) if "items" in given else saved.items
        if not {"preset", "words"}.intersection(given):
            self.game.words = saved.words
        names = [name for name in given if _told(before, name) != _told(saved.game, name)]
        if names:
            message = _("The saved game goes on with its own settings, without {options}.")
            self.dialogue.say(message.format(options=" ".join(f"--{name}" for name in names)))
        taken: A = replace(self.game.resumed(state, saved.game), items=items)
        return taken

    def offer(self, state: A, given: Collection[str], resume: bool) -> A:
        """The last saved game if that is asked for, or the one that the person at the terminal wants; else `state`, as
        where the game has begun already."""
        if state.facts or not (resume or self.dialogue.interactive):
            return state
        for path in self.keeper.newer():
            self.dialogue.say(_("{file} was saved by a newer version and is left as it is.").format(file=path))
        rules = rules_of(self.game.saved_form(state)) if _RULES.intersection(given) else ()
        if resume:
            return self._latest(state, given, *rules)
        games = self.keeper.games(*rules)
        if len(games) > 1:
            self._list(games[:_FEW])
        number = 1
        while number <= len(games):
            choice = self._wanted(games, number)
            if choice == "s":
                break
            number = int(choice) if choice.isdecimal() else number
            taken = None if choice in ("n", "d") else self._take_up(state, games[number - 1], given)
            if taken:
                return taken
            if choice == "d":
                games[number - 1].path.unlink(missing_ok=True)
            number += 1
        return state

    def _latest(self, state: A, given: Collection[str], *rules: Rules) -> A:
        if saved := self.keeper.latest(*rules):
            return self._take_up(state, saved, given) or state
        if self.keeper.played_elsewhere(*rules):
            self.dialogue.say(_("The saved game is open in another terminal."))
        else:
            said = _("There is no saved game with these rules.") if rules else _("There is no saved game.")
            self.dialogue.say(said)
        return state

    def _wanted(self, games: Sequence[SavedGame[Any]], number: int) -> str:
        """What the person wants of a saved game: a letter, or the number of another one."""
        if len(games) > 1:
            question = _("Resume game {number}? [y]es / [n]o, the next / [d]elete / [s]tart a new one, or a number")
            return self.dialogue.confirm(question.format(number=number), "ynds", len(games))
        question = _("A game is saved ({turns}). Resume it? [y]es / [n]o / [d]elete")
        turns = " ".join(map(str, games[0].game.facts))
        return self.dialogue.confirm(question.format(turns=turns), "ynd")

    def chosen(self, state: A, rest: str) -> A | None:
        """The saved game of that number; without one they are listed, and `state` goes on."""
        if not rest:
            self._list(self.keeper.games())
            return None
        games = self._listed or self.keeper.games()
        if not (fold(rest).isdecimal() and 1 <= int(fold(rest)) <= len(games)):
            raise InputError(N_("{given!r} is not a saved game: expected a number that 'games' lists"), given=rest)
        return self._take_up(state, games[int(fold(rest)) - 1])

    def _list(self, games: Sequence[SavedGame[Any]]) -> None:
        self._listed = list(games)
        if not games:
            self.dialogue.say(_("There is no other saved game."))
        for place, saved in enumerate(games, start=1):
            when = time.strftime("%m-%d %H:%M", time.localtime(saved.saved_at))
            game = saved.game
            text = wording.saved(game.rules, game.absent, game.facts, saved.words)
            self.dialogue.say(f"  {place}. {when}  {text}")


def _told(game: Knowledge | Match, name: str) -> object:
    """What a game has under the name of an option; None if that is none of its settings."""
    return getattr(game, "prior" if name in ("weights", "secrets-of") else name.replace("-", "_"), None)
