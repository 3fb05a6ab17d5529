"""The user's files: games in progress, past secrets of opponents, and the learning record.

Every game and every opponent has its own file, which only this user can read. A file is written under another name,
flushed to disk and renamed, so that a crash does not damage it. The process that plays a game holds a lock file beside
the file of the game. Therefore only one terminal can resume a game, and other terminals do not offer it.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from errno import EINVAL
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from yomikiri.common.errors import N_, InputError, YomikiriError
from yomikiri.common.file_errors import unreadable_file
from yomikiri.common.locks import acquire_lock, exclusive_lock, is_held, unlock
from yomikiri.hitblow.advice.items import NO_ITEMS, Items
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import PastSecrets, check_name
from yomikiri.hitblow.model.rules import Rules, Words

if TYPE_CHECKING:
    from yomikiri.hitblow.practice.record import Record


def default_folder(name: str = "games") -> Path:
    """Return the user's folder `name`, in which the program keeps data. `games` contains the saved games."""
    from platformdirs import user_data_path

    return user_data_path("yomikiri", appauthor=False) / name


def _replace(path: Path, content: bytes) -> None:
    """Replace a file atomically."""
    beside = path.with_suffix(".tmp")
    with open(beside, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


G = TypeVar("G", Knowledge, Match)


@dataclass(frozen=True, slots=True)
class SavedGame(Generic[G]):
    """A saved game or match, with the player's items and words for hits and blows."""

    path: Path
    game: G
    saved_at: float
    items: Items = Items()
    words: Words = Words.HIT


@dataclass
class GameStorage(Generic[G]):
    """Storage of one game in one file. A new game gets a new file, and the file of a finished game is removed.

    `kind` is the type of the game: `Knowledge` for one board, or `Match`. `who` names the player who guesses, and is
    empty if this is the user. A keeper finds only games with the same `kind` and `who`.
    """

    kind: type[G]
    folder: Path = field(default_factory=default_folder)
    who: str = ""
    path: Path | None = None
    _lock: int | None = None  # file descriptor of the lock file, while this keeper has the game

    def keep(self, game: G, items: Items = NO_ITEMS, words: Words | None = None) -> None:
        """Save the game. By default, `words` are the usual words of its rules.

        A game without turns or facts has no file: an existing file is removed. Raises `OSError`.
        """
        if not game.facts:
            self.delete()
            return
        from yomikiri.api.saved import write_game

        self.folder.mkdir(parents=True, exist_ok=True)
        if self.path is None:
            self.path = self.folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(4).hex()}.json"
            self._lock = acquire_lock(_lock_of(self.path))
        _replace(self.path, write_game(game, items, words, self.who))

    def delete(self) -> None:
        """Remove the file of the game and release its lock, if there is a file."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            self.release()

    def release(self) -> None:
        """Release the file for a later session. The next game gets another file."""
        if self.path is not None and self._lock is not None:
            unlock(_lock_of(self.path), self._lock)
        self.path = self._lock = None

    def games(self, *rules: Rules) -> list[SavedGame[G]]:
        """Return the saved games, most recent first. If `rules` are given, return only games with these rules.

        The function `rules_of` returns the rules of a game in this form. Unreadable files are left out, and so are
        games that a running program has open.
        """
        games = (saved for saved in self._games(rules) if not is_held(_lock_of(saved.path)))
        return sorted(games, key=lambda saved: saved.saved_at, reverse=True)

    def latest(self, *rules: Rules) -> SavedGame[G] | None:
        """Return the most recently saved game, or None. `rules` are those of `games`."""
        return next(iter(self.games(*rules)), None)

    def played_elsewhere(self, *rules: Rules) -> bool:
        """Return True if another terminal is playing a saved game with these rules."""
        return any(is_held(_lock_of(saved.path)) for saved in self._games(rules))

    def newer_files(self) -> list[Path]:
        """Return the files that a newer version of the program saved, which this version cannot read."""
        from yomikiri.api.saved import is_newer

        return [path for path, data in self._files() if is_newer(data)]

    def resume(self, game: SavedGame[G]) -> SavedGame[G]:
        """Take over a saved game, and return it as its file is now, because another terminal may have continued it.

        Raises `BlockingIOError` if another terminal has it open, `FileNotFoundError` if another terminal has finished
        or deleted it, and another `OSError` if a file cannot be created or read.
        """
        lock = acquire_lock(_lock_of(game.path))
        self.path, self._lock = game.path, lock
        try:
            return self._saved(game.path, game.path.read_bytes())
        except OSError:
            self.release()
            raise
        except (ValueError, YomikiriError):
            self.release()
            raise OSError(EINVAL, os.strerror(EINVAL), str(game.path)) from None

    def _games(self, rules: tuple[Rules, ...]) -> Iterator[SavedGame[G]]:
        for path, data in self._files():
            with contextlib.suppress(OSError, ValueError, YomikiriError):
                saved = self._saved(path, data)
                if saved.game.facts and (not rules or rules == rules_of(saved.game)):
                    yield saved

    def _saved(self, path: Path, data: bytes) -> SavedGame[G]:
        """Return the saved game with the content `data`.

        Raises an `InputError` or `ValueError` for the file of another game, and `OSError` if the file is gone.
        """
        from yomikiri.api.saved import read_game

        game, items, words = read_game(data, self.kind, self.who)
        return SavedGame(path, game, path.stat().st_mtime, items, words)

    def _files(self) -> Iterator[tuple[Path, bytes]]:
        """Yield the path and the content of each JSON file.

        Only regular files are opened, because a pipe would block.
        """
        try:
            paths = sorted(path for path in self.folder.glob("*.json") if path.is_file())
        except OSError:
            return
        for path in paths:
            with contextlib.suppress(OSError):
                yield path, path.read_bytes()


def rules_of(game: Knowledge | Match) -> tuple[Rules, ...]:
    """Return the rules of a saved game's secret. For a match, return those of both secrets if they differ."""
    return tuple(dict.fromkeys((game.rules, game.own_rules))) if isinstance(game, Match) else (game.rules,)


def _lock_of(path: Path) -> Path:
    return path.with_suffix(".lock")


@dataclass(frozen=True)
class Opponents:
    """The past secrets of opponents, one file for each.

    All methods except `all` raise an `InputError` for an invalid name, and for a file that is damaged or was saved by a
    newer version.
    """

    folder: Path = field(default_factory=lambda: default_folder("opponents"))

    def all(self) -> list[PastSecrets | InputError]:
        """Return all records, sorted by name. An unreadable file is represented by its error."""
        return [self._read_or_error(path) for path in sorted(self.folder.glob("*.json"))]

    def read(self, name: str) -> PastSecrets:
        """Return the record of an opponent; it is empty for an unknown opponent."""
        try:
            return self._read(self._path(name))
        except (FileNotFoundError, NotADirectoryError):
            return PastSecrets(name)

    def change(self, name: str, changed: Callable[[PastSecrets], PastSecrets]) -> PastSecrets:
        """Replace the record of an opponent on disk by the result of `changed`, and return it.

        The file is removed if no secret remains. A lock keeps other programs from changing the record at the same time.
        Raises `OSError`, and the errors of `changed`.
        """
        path = self._path(name)
        self.folder.mkdir(parents=True, exist_ok=True)
        with exclusive_lock(self.folder / ".lock"):
            now = changed(self.read(name))
            if now.codes:
                from yomikiri.api.saved import write_opponent

                _replace(path, write_opponent(now))
            else:
                path.unlink(missing_ok=True)
        return now

    def _path(self, name: str) -> Path:
        return self.folder / f"{check_name(name)}.json"

    def _read_or_error(self, path: Path) -> PastSecrets | InputError:
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
class RecordStore:
    """The learning record of the user, in one file."""

    folder: Path = field(default_factory=lambda: default_folder("learning"))

    def read(self) -> Record:
        """Return the record, which is empty if there is no file.

        Raises an `InputError` for a damaged or unreadable file.
        """
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
        """Replace the record on disk by the result of `changed`, and return it.

        A lock keeps other programs from changing it at the same time. Raises `OSError`, and the errors of `read`.
        """
        from yomikiri.api.saved_record import write_record

        self.folder.mkdir(parents=True, exist_ok=True)
        with exclusive_lock(self.folder / ".lock"):
            before = self.read()
            now = changed(before)
            if now != before:
                _replace(self.folder / "record.json", write_record(now))
        return now


def _content(path: Path) -> bytes:
    """Return the contents of a file.

    Raises an `InputError` with the reason if an existing file cannot be read. For a missing file, it raises
    `FileNotFoundError` or `NotADirectoryError`.
    """
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as error:
        raise unreadable_file(str(path), error) from error


def _damaged(path: Path) -> InputError:
    return InputError(N_("{given} is damaged: delete it, or restore it from a backup"), given=str(path))
