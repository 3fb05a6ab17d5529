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

from yomikiri.cli.hitblow_shared import names_told
from yomikiri.cli.proposing import A
from yomikiri.cli.sitting import ALSO, Sitting, split_command
from yomikiri.cli.text import cut, window
from yomikiri.enums import fold
from yomikiri.errors import N_, InputError, YomikiriError
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
# So many saved games are listed at the start, by letters, since a number is an answer; `games` lists all.
_LETTERS = "abcde"


def sit_down(game: BoardGame[A], state: A, resume: bool = False) -> None:
    """A sitting at a game that is saved."""
    saves = SavedGames(game, Keeper(type(game.saved_form(state))))
    Sitting(game.dialogue, game, state, saves).run(names_told(click.get_current_context()), resume)


class SavedGames(Generic[A]):
    """The games of one sitting on the disk; `keeper` holds the file of the game that is played."""

    def __init__(self, game: BoardGame[A], keeper: Keeper[Any]) -> None:
        self.dialogue, self.keeper = game.dialogue, keeper
        self.game: BoardGame[A] = game
        self._listed: list[SavedGame[Any]] = []  # as they were last listed
        self._refused = False  # whether the disk has refused to keep the game

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
            said = _("The game cannot be saved: {reason}").format(reason=error.strerror or error)
            self.dialogue.note(said) if self.dialogue.draws else click.echo(said, err=True)

    @property
    def _kept(self) -> bool:
        """Whether the game is saved: a person's is, a program's only where it has taken up a saved one."""
        return not self._refused and (self.dialogue.interactive or self.keeper.path is not None)

    def leave(self, state: A) -> None:
        """What comes is another game: this one keeps its file if it is not over."""
        self.keeper.drop() if state.finished else self.keeper.release()

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

    def offer(self, state: A, given: Collection[str], resume: bool) -> tuple[A, str | None]:
        """The last saved game if that is asked for, or the one that the person at the terminal wants; else `state`, as
        where the game has begun already.

        With it comes a line that was typed for that game, and None where the person wants to leave.
        """
        if state.facts or not (resume or self.dialogue.interactive):
            return state, ""
        for path in self.keeper.newer():
            self.dialogue.say(_("{file} was saved by a newer version and is left as it is.").format(file=path))
        asked = self.game.saved_form(state)
        if resume:
            return self._latest(state, given, *(rules_of(asked) if _RULES.intersection(given) else ())), ""
        games = [
            saved
            for saved in self.keeper.games(*rules_of(asked))
            if all(_told(asked, name) == _told(saved.game, name) for name in given)
        ]
        return self._chosen_of(games, state, given) if games else (state, "")

    def _chosen_of(self, games: list[SavedGame[Any]], state: A, given: Collection[str]) -> tuple[A, str | None]:
        """The game that the person chooses of these, each by its letter, the first by what is typed for it."""
        screen, draws = self.dialogue.screen, self.dialogue.draws
        while games:
            shown = games[: len(_LETTERS)]
            with self.dialogue.body():
                self.dialogue.say(_("Saved games:"), *(self._lettered(shown)))
                self.dialogue.say(_("Enter goes on with the first, n begins a new game, 'delete a' deletes one."))
            letters = _LETTERS[0] if len(shown) == 1 else f"{_LETTERS[0]}-{_LETTERS[len(shown) - 1]}"
            line = self.dialogue.ask(_("{letters} or n [a] > ").format(letters=letters), blank=True)
            if line is None:
                return state, None
            if draws:
                screen.body = ()
            word, rest = split_command(line)
            word = ALSO.get(word, word)
            place = _LETTERS.find(word or "a") if len(word) < 2 and not rest else -1
            if word in ("n", "new") and not rest:
                return state, ""
            if word == "quit" and not rest:
                return state, None
            if word == "delete" and rest and _LETTERS.find(fold(rest)) in range(len(shown)):
                games.pop(_LETTERS.find(fold(rest))).path.unlink(missing_ok=True)
            elif 0 <= place < len(shown):
                if taken := self._take_up(state, games[place], given):
                    return taken, ""
                games.pop(place)
            elif taken := self._heard_by(games[0], state, given, line):
                return taken, line
        return state, ""

    def _heard_by(self, saved: SavedGame[Any], state: A, given: Collection[str], line: str) -> A | None:
        """The saved game, where a line is a part of it; else it is said what was wrong."""
        try:
            self.game.understood(replace(self.game.resumed(state, saved.game), items=saved.items), line)
        except YomikiriError:
            message = _("{given!r} is no letter of the list, and no answer in the first game.")
            self.dialogue.note(_("error: {message}").format(message=message.format(given=line)))
            return None
        return self._take_up(state, saved, given)

    def _lettered(self, games: Sequence[SavedGame[Any]]) -> list[str]:
        """The saved games, a line each."""
        rows = []
        for letter, saved in zip(_LETTERS, games, strict=False):
            turns = _(", ").join(wording.fact_text(fact, saved.words) for fact in saved.game.facts)
            rows.append(cut(f"  {letter}  {_when(saved)}  {turns}", window()))
        return rows

    def _latest(self, state: A, given: Collection[str], *rules: Rules) -> A:
        if saved := self.keeper.latest(*rules):
            return self._take_up(state, saved, given) or state
        if self.keeper.played_elsewhere(*rules):
            self.dialogue.say(_("The saved game is open in another terminal."))
        else:
            said = _("There is no saved game with these rules.") if rules else _("There is no saved game.")
            self.dialogue.say(said)
        return state

    def chosen(self, state: A, rest: str) -> A | None:
        """The saved game of that number; without one they are listed, and `state` goes on."""
        if not rest:
            self._list()
            return None
        games = self._listed or self.keeper.games()
        if not (fold(rest).isdecimal() and 1 <= int(fold(rest)) <= len(games)):
            raise InputError(N_("{given!r} is not a saved game: expected a number that 'games' lists"), given=rest)
        return self._take_up(state, games[int(fold(rest)) - 1])

    def _list(self) -> None:
        self._listed = self.keeper.games()
        if not self._listed:
            self.dialogue.say(_("There is no other saved game."))
        for place, saved in enumerate(self._listed, start=1):
            game = saved.game
            text = wording.saved(game.rules, game.absent, game.facts, saved.words)
            self.dialogue.say(f"  {place}. {_when(saved)}  {text}")


def _when(saved: SavedGame[Any]) -> str:
    """When a game was saved."""
    return time.strftime("%m-%d %H:%M", time.localtime(saved.saved_at))


def _told(game: Knowledge | Match, name: str) -> object:
    """What a game has under the name of an option; None if that is none of its settings."""
    return getattr(game, "prior" if name in ("weights", "secrets-of") else name.replace("-", "_"), None)
