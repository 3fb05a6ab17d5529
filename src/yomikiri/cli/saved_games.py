"""Saving and resuming the games of a Hit & Blow session.

A game at a terminal is saved after each change, and offered at the next start. In a pipe, a game is resumed only with
`--resume`, and no new game is saved.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic

import click

from yomikiri.cli.commands import ALIASES, NO, YES, split_command
from yomikiri.cli.hitblow_shared import given_names
from yomikiri.cli.proposing import A
from yomikiri.cli.session import TerminalSession
from yomikiri.cli.text import cut, window, window_lines
from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.match.notation import OWN_RULES
from yomikiri.hitblow.model.game import RULES
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules
from yomikiri.saves import GameStorage, SavedGame, rules_of
from yomikiri.wording import _, cause, ngettext
from yomikiri.wording import hitblow as wording

if TYPE_CHECKING:
    from yomikiri.cli.hitblow_session import BoardGame

_RULES = {setting.name for setting in (*RULES, *OWN_RULES)}
_LETTERS = "abcdefghijklm"  # up to m, because n, q and y have other meanings when the saved games are offered
_LINES_BESIDE = 8  # lines of the window that the list of games cannot use


def run_session(game: BoardGame[A], state: A, resume: bool = False, who: str = "") -> None:
    """Run a session that offers the saved games at its start. `who` names the player who guesses, "" for the user."""
    saves = SavedGames(game, GameStorage(type(game.saved_form(state)), who=who))
    TerminalSession(game.dialogue, game, state, saves).run(given_names(click.get_current_context()), resume)


class SavedGames(Generic[A]):
    """The saved games of one session. `storage` manages the file of the current game."""

    def __init__(self, game: BoardGame[A], storage: GameStorage[Any]) -> None:
        self.dialogue, self.storage = game.dialogue, storage
        self.game: BoardGame[A] = game
        self._listed: list[SavedGame[Any]] = []  # the games that the command `games` listed last
        self._refused = False  # True after the disk refused to save a game

    def release(self) -> None:
        """Unlock the file of the game at the end of the session, so that a later session can open it."""
        self.storage.release()

    def is_saved(self, state: A) -> bool:
        """Return True if the file of the game remains when the user quits."""
        return self._kept and bool(state.facts) and not state.finished

    def keep(self, state: A) -> None:
        """Save the game in its file. If the game is finished, delete the file.

        A disk error is reported to the user. After it, the session saves no game.
        """
        if not self._kept:
            return
        try:
            if state.finished:
                self.storage.delete()
            else:
                self.storage.keep(self.game.saved_form(state), state.items, self.game.words)
        except OSError as error:
            self._refused = True
            message = _("The game cannot be saved: {reason}").format(reason=cause(error))
            self.dialogue.note(message) if self.dialogue.draws else click.echo(message, err=True)

    def has_failed(self, state: A) -> bool:
        """Return True if the game is unfinished and could not be saved because of a disk error."""
        return self._refused and bool(state.facts) and not state.finished

    @property
    def _kept(self) -> bool:
        """True if the session saves the game: at a terminal always, in a pipe only if a saved game was resumed."""
        return not self._refused and (self.dialogue.interactive or self.storage.path is not None)

    def leave(self, state: A) -> None:
        """Unlock the file of this game before another game starts. If this game is over, delete the file."""
        self.storage.delete() if state.finished else self.storage.release()

    def _resume(self, state: A, saved: SavedGame[Any], given: Collection[str] = ()) -> A | None:
        """Resume a saved game in place of `state`, and return its state. None, after a message, if it cannot be opened.

        `given` contains the names of the options that the user gave. A message names the options that have no effect,
        because the saved game keeps its own settings.
        """
        own = replace(self.storage, path=None, _lock=None)
        try:
            saved = own.resume(saved)
        except OSError as error:
            self.dialogue.say(_not_opened(error))
            return None
        self.leave(state)
        self.storage, before = own, self.game.saved_form(state)
        items = replace(state.items, since=len(saved.game.facts)) if "items" in given else saved.items
        if not {"preset", "words"}.intersection(given):
            self.game.words = saved.words
        names = [name for name in given if _value_of(before, name) != _value_of(saved.game, name)]
        if names:
            message = _("The saved game keeps its own settings and ignores {options}.")
            self.dialogue.say(message.format(options=" ".join(f"--{name}" for name in names)))
        resumed: A = replace(self.game.resumed(state, saved.game), items=items)
        return resumed

    def offer(self, state: A, given: Collection[str], resume: bool) -> A | None:
        """Return the game to start with, or None if the user quits.

        `state` is a new game. With `resume`, the result is the game that was saved last. Otherwise, at a terminal, the
        user may choose among the saved games that have the rules of `state` and the `given` options. The result is
        `state` if there is no such game, or if `state` contains turns.
        """
        if state.facts or not (resume or self.dialogue.interactive):
            return state
        for path in self.storage.newer_files():
            self.dialogue.say(_("{file} needs a newer version of yomikiri; it was not changed.").format(file=path))
        wanted = self.game.saved_form(state)
        if resume:
            return self._latest(state, given, *(rules_of(wanted) if _RULES.intersection(given) else ()))
        all_games = self.storage.games()
        games = [
            saved
            for saved in all_games
            if rules_of(saved.game) == rules_of(wanted)
            and all(_value_of(wanted, name) == _value_of(saved.game, name) for name in given)
        ]
        return self._choose(games, len(all_games) - len(games), state, given)

    def _choose(self, games: list[SavedGame[Any]], others: int, state: A, given: Collection[str]) -> A | None:
        """Let the user choose a game by letter or number. Returns `state` for a new game, and None if the user quits.

        `others` is the number of saved games outside `games`. Invalid input is reported, and the list is shown again.
        """
        while games:
            shown = games[: max(1, min(len(_LETTERS), window_lines() - _LINES_BESIDE))]
            line = self._ask_for(shown, len(games) - len(shown) + others)
            if line is None:
                return None
            word, rest = split_command(line)
            word = ALIASES.get(word, word)
            chosen = _index_of(rest if word == "delete" else line, len(shown))
            if word == "delete" and chosen is not None:
                self._delete(games, chosen)
            elif chosen is not None or fold(line) in ("", *YES):
                saved = games[chosen or 0]
                if resumed := self._resume(state, saved, given):
                    return resumed
                games.remove(saved)
            elif word in (*NO, "new") and not rest:
                return state
            elif word == "quit" and not rest:
                return None
            else:
                self._refuse(line, word == "delete" and not rest)
        return state

    def _ask_for(self, shown: Sequence[SavedGame[Any]], more: int) -> str | None:
        """List saved games and return the user's reply; None at the end of the input.

        `more` is the number of saved games that are not listed.
        """
        with self.dialogue.body():
            self.dialogue.say(_("Saved games:"), *self._rows(shown))
            if more:
                message = ngettext(
                    "{count} more game: type n, then 'games'.",
                    "{count} more games: type n, then 'games'.",
                    more,
                )
                self.dialogue.say(message.format(count=more))
            self.dialogue.say(
                _("Enter resumes the first game, n starts a new one, q quits, 'delete a' deletes game a.")
            )
        letters = _LETTERS[0] if len(shown) == 1 else f"{_LETTERS[0]}-{_LETTERS[len(shown) - 1]}"
        line = self.dialogue.ask(_("{letters} or n [a] > ").format(letters=letters), blank=True)
        if self.dialogue.draws:
            self.dialogue.screen.body = ()
        return line

    def _refuse(self, line: str, lacks_letter: bool) -> None:
        """Print that the input was not understood, and which input is valid."""
        if lacks_letter:
            message = _("'delete' needs a letter from the list, such as 'delete a'.")
        else:
            message = _("{given!r} is not in the list. Type a letter from the list, or n for a new game.")
        self.dialogue.note(_("error: {message}").format(message=message.format(given=line)))

    def _delete(self, games: list[SavedGame[Any]], place: int) -> None:
        """Delete a saved game; if that fails, it stays in the list."""
        try:
            games[place].path.unlink(missing_ok=True)
            games.pop(place)
        except OSError as error:
            message = _("The game cannot be deleted: {reason}").format(reason=cause(error))
            self.dialogue.note(_("error: {message}").format(message=message))

    def _rows(self, games: Sequence[SavedGame[Any]]) -> list[str]:
        """Return the list of saved games, one line each."""
        rows = []
        for letter, saved in zip(_LETTERS, games, strict=False):
            turns = _(", ").join(wording.fact_text(fact, saved.words) for fact in saved.game.facts)
            rows.append(cut(f"  {letter}  {_when(saved)}  {turns}", window()))
        return rows

    def _latest(self, state: A, given: Collection[str], *rules: Rules) -> A:
        if saved := self.storage.latest(*rules):
            return self._resume(state, saved, given) or state
        if self.storage.played_elsewhere(*rules):
            self.dialogue.say(_("The saved game is open in another terminal."))
        else:
            message = _("You have no saved game with these rules.") if rules else _("You have no saved game.")
            self.dialogue.say(message)
        return state

    def open_numbered(self, state: A, rest: str) -> A | None:
        """Return the saved game with the number in `rest`. Without a number, list the games and return None.

        The result is also None if the game cannot be opened. Raises an `InputError` for a number that is not listed.
        """
        if not rest:
            self._list()
            return None
        games = self._listed or self.storage.games()
        if not (fold(rest).isdecimal() and 1 <= int(fold(rest)) <= len(games)):
            raise InputError(N_("{given!r} is not a saved game: expected a number that 'games' lists"), given=rest)
        return self._resume(state, games[int(fold(rest)) - 1])

    def _list(self) -> None:
        self._listed = self.storage.games()
        if not self._listed:
            self.dialogue.say(_("You have no other saved game."))
        for place, saved in enumerate(self._listed, start=1):
            game = saved.game
            text = wording.saved(game.rules, game.absent, game.facts, saved.words)
            self.dialogue.say(f"  {place}. {_when(saved)}  {text}")


def _index_of(text: str, count: int) -> int | None:
    """Return the 0-based index of the game that a letter, or a number from 1, means; None for other text.

    `count` is the number of games.
    """
    text = fold(text.strip())
    if len(text) == 1 and text in _LETTERS[:count]:
        return _LETTERS.index(text)
    return int(text) - 1 if text.isdecimal() and len(text) < 3 and 1 <= int(text) <= count else None


def _not_opened(error: OSError) -> str:
    """Return the message for a saved game that cannot be opened."""
    if isinstance(error, BlockingIOError):
        return _("The saved game is open in another terminal.")
    if isinstance(error, FileNotFoundError):
        return _("The saved game does not exist any more: another terminal finished or deleted it.")
    return _("The saved game cannot be opened: {reason}").format(reason=cause(error))


def _when(saved: SavedGame[Any]) -> str:
    """Return the time at which a game was saved."""
    return time.strftime("%m-%d %H:%M", time.localtime(saved.saved_at))


def _value_of(game: Knowledge | Match, name: str) -> object:
    """Return the value that a game has for the option `name`; None if the game has no such setting."""
    return getattr(game, "prior" if name in ("weights", "secrets-of") else name.replace("-", "_"), None)
