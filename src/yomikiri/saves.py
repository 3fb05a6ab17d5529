"""Games in progress on disk, and the past secrets of opponents: the only writer of a user's files.

Every game and every opponent has its own file, which only this user may read. It is written beside, brought to the disk
and renamed, so that a crash does not damage it. Who plays a game holds a lock beside its file, which goes with the
process: of two terminals that take a game up, one gets it, and the other is not offered it.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from yomikiri.common.errors import N_, InputError, YomikiriError
from yomikiri.common.file_errors import unreadable_file
from yomikiri.common.locks import alone, is_held, locked, unlock
from yomikiri.hitblow.advice.items import NO_ITEMS, Items
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import PastSecrets, check_name
from yomikiri.hitblow.model.rules import Rules, Words

if TYPE_CHECKING:
    from yomikiri.hitblow.practice.record import Record


def default_folder(name: str = "games") -> Path:
    """Where this user's games are kept, or what else is."""
    from platformdirs import user_data_path

    return user_data_path("yomikiri", appauthor=False) / name


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole, or leave it as it was."""
    beside = path.with_suffix(".tmp")
    with open(beside, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


G = TypeVar("G", Knowledge, Match)


@dataclass(frozen=True, slots=True)
class SavedGame(Generic[G]):
    """A game of Hit & Blow, or a match, on disk, with the items of who plays it and their words for hits and blows."""

    path: Path
    game: G
    saved_at: float
    items: Items = Items()
    words: Words = Words.HIT


@dataclass
class Keeper(Generic[G]):
    """Keeps one game in one file; a new game gets a new file, and a finished one is removed.

    `kind` is the type of the game: `Knowledge` on a single board, or `Match`. `who` guesses, if it is not the person:
    a keeper finds only the games with its own.
    """

    kind: type[G]
    folder: Path = field(default_factory=default_folder)
    who: str = ""
    path: Path | None = None
    _lock: int | None = None  # an open file, locked while the game is this keeper's

    def keep(self, game: G, items: Items = NO_ITEMS, words: Words | None = None) -> None:
        """Write the game as it is now, by default with the usual words of its rules; an empty game has nothing to lose
        and no file. Raises `OSError`."""
        if not game.facts:
            self.drop()
            return
        from yomikiri.api.saved import write

        self.folder.mkdir(parents=True, exist_ok=True)
        if self.path is None:
            self.path = self.folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(4).hex()}.json"
            self._lock = locked(_lock_of(self.path))
        _replace(self.path, write(game, items, words, self.who))

    def drop(self) -> None:
        """Remove the file: the game is over, or was given up."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            self.release()

    def release(self) -> None:
        """Leave the file for another time; what comes is another game."""
        if self.path is not None and self._lock is not None:
            unlock(_lock_of(self.path), self._lock)
        self.path = self._lock = None

    def games(self, *rules: Rules) -> list[SavedGame[G]]:
        """The saved games, of these rules if any are given (see `rules_of`), the one that was saved last first; games
        that are played now are passed over, and files that cannot be read."""
        games = (saved for saved in self._games(rules) if not is_held(_lock_of(saved.path)))
        return sorted(games, key=lambda saved: saved.saved_at, reverse=True)

    def latest(self, *rules: Rules) -> SavedGame[G] | None:
        """The first of them, if any."""
        return next(iter(self.games(*rules)), None)

    def played_elsewhere(self, *rules: Rules) -> bool:
        """Whether another terminal plays such a saved game now."""
        return any(is_held(_lock_of(saved.path)) for saved in self._games(rules))

    def newer(self) -> list[Path]:
        """The files of games that a newer version of the program saved, which this one cannot read."""
        from yomikiri.api.saved import is_newer

        return [path for path, data in self._files() if is_newer(data)]

    def take_up(self, game: SavedGame[G]) -> bool:
        """Make the saved game this keeper's; False if another terminal was faster."""
        try:
            lock = locked(_lock_of(game.path))
        except OSError:
            return False
        self.path, self._lock = game.path, lock
        if game.path.exists():
            return True
        self.release()  # it was finished or deleted meanwhile
        return False

    def _games(self, rules: tuple[Rules, ...]) -> Iterator[SavedGame[G]]:
        from yomikiri.api.saved import read

        for path, data in self._files():
            with contextlib.suppress(OSError, ValueError, YomikiriError):
                game, items, words = read(data, self.kind, self.who)
                if game.facts and (not rules or rules == rules_of(game)):
                    yield SavedGame(path, game, path.stat().st_mtime, items, words)

    def _files(self) -> Iterator[tuple[Path, bytes]]:
        """What is in the folder; only ordinary files are opened, since a pipe would wait for its writer."""
        try:
            paths = sorted(path for path in self.folder.glob("*.json") if path.is_file())
        except OSError:
            return
        for path in paths:
            with contextlib.suppress(OSError):
                yield path, path.read_bytes()


def rules_of(game: Knowledge | Match) -> tuple[Rules, ...]:
    """The rules by which a saved game is chosen: of its secret, and of both in a match whose secrets have others."""
    return tuple(dict.fromkeys((game.rules, game.own_rules))) if isinstance(game, Match) else (game.rules,)


def _lock_of(path: Path) -> Path:
    return path.with_suffix(".lock")


@dataclass(frozen=True)
class Opponents:
    """The past secrets of opponents, a file for each.

    All but `all` raise an `InputError` for a name that is none, and for a file that is damaged or of a newer version.
    """

    folder: Path = field(default_factory=lambda: default_folder("opponents"))

    def all(self) -> list[PastSecrets | InputError]:
        """Everything that is recorded, by name; for a file that cannot be read, the reason."""
        return [self._read_or_why_not(path) for path in sorted(self.folder.glob("*.json"))]

    def read(self, name: str) -> PastSecrets:
        """What is recorded of an opponent; nothing for one that is not known."""
        try:
            return self._read(self._path(name))
        except (FileNotFoundError, NotADirectoryError):
            return PastSecrets(name)

    def change(self, name: str, changed: Callable[[PastSecrets], PastSecrets]) -> PastSecrets:
        """What is recorded of an opponent, changed on the disk too; where no secret is left there is no file.

        Only one program changes it at a time. Raises `OSError`, and what `changed` raises.
        """
        path = self._path(name)
        self.folder.mkdir(parents=True, exist_ok=True)
        with alone(self.folder / ".lock"):
            now = changed(self.read(name))
            if now.codes:
                from yomikiri.api.saved import write_opponent

                _replace(path, write_opponent(now))
            else:
                path.unlink(missing_ok=True)
        return now

    def _path(self, name: str) -> Path:
        return self.folder / f"{check_name(name)}.json"

    def _read_or_why_not(self, path: Path) -> PastSecrets | InputError:
        try:
            return self._read(path)
        except InputError as error:
            return error

    def _read(self, path: Path) -> PastSecrets:
        from yomikiri.api.saved import is_newer, read_opponent

        data = _content(path)
        try:
            past = read_opponent(data)
            if check_name(past.name) == path.stem:
                return past
        except (ValueError, YomikiriError):
            if is_newer(data):
                raise InputError(N_("{given} was saved by a newer version: use that one"), given=str(path)) from None
        raise _damaged(path)


@dataclass(frozen=True)
class Records:
    """What is remembered of the person who learns here, in one file."""

    folder: Path = field(default_factory=lambda: default_folder("learning"))

    def read(self) -> Record:
        """The record, empty before the first; raises an `InputError` for a file that is damaged."""
        from yomikiri.api.saved_record import read_record
        from yomikiri.hitblow.practice.record import Record

        path = self.folder / "record.json"
        try:
            return read_record(_content(path))
        except (FileNotFoundError, NotADirectoryError):
            return Record()
        except ValueError:
            raise _damaged(path) from None

    def change(self, changed: Callable[[Record], Record]) -> Record:
        """The record, changed on the disk too; only one program changes it at a time. Raises `OSError`, and what `read`
        does."""
        from yomikiri.api.saved_record import write_record

        self.folder.mkdir(parents=True, exist_ok=True)
        with alone(self.folder / ".lock"):
            before = self.read()
            now = changed(before)
            if now != before:
                _replace(self.folder / "record.json", write_record(now))
        return now


def _content(path: Path) -> bytes:
    """Return what a file holds; raises an `InputError` that says why a file that is there cannot be read."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as error:
        raise unreadable_file(str(path), error) from error


def _damaged(path: Path) -> InputError:
    return InputError(N_("{given} is damaged: remove it, or bring it back from a copy"), given=str(path))
