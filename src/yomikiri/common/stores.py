"""Stores: files of records that outlive the process, in SQLite with a write-ahead log.

The head contains the kind of the store, the number of its format, and its subject, such as a game. Records are added in
transactions, so that a crash leaves either all records of a transaction or none. Each record carries a digest of itself
and the head. Digests are checked on reading: a file with a wrong digest is rejected and left unchanged.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Self, TypeAlias

from yomikiri.common.errors import N_, InputError, Place
from yomikiri.common.locks import acquire_lock, unlock

Value: TypeAlias = str | int | float | bytes | None

_MAGIC = b"SQLite format 3\0"


def _older(given: str, number: str, expected: int) -> InputError:
    return InputError(
        N_("{given} has format {number} of an earlier version, expected {format}: start a new file"),
        given=given,
        number=number,
        format=expected,
    )


def _other(given: str, about: str, _wanted: str) -> InputError:
    return InputError(
        N_("{given} belongs to another game, {game}: choose a new file, or give that game and its facts"),
        given=given,
        game=described(about),
    )


@dataclass(frozen=True, slots=True)
class StoreKind:
    """Properties shared by all stores of one kind: their name, format, and tables with their columns.

    Increase `format` when the meaning of stored records changes, or when stored records may be wrong. `older` builds
    the error for a file with an earlier format, from the file's name, its format and the expected format. `other`
    builds the error for a store with another subject, from the file's name, its subject and the expected subject.
    """

    name: str
    format: int
    tables: Mapping[str, tuple[str, ...]]  # column declarations in SQL; id and digest are added
    older: Callable[[str, str, int], InputError] = _older
    other: Callable[[str, str, str], InputError] = _other


def kind_of(path: Path) -> str:
    """Return the kind of store that the head of a file names, or an empty string. The digests are not checked."""
    try:
        _check_magic(path)
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
            return str(dict(file.execute("select name, value from head")).get("kind", ""))
    except (sqlite3.Error, ValueError, InputError):
        return ""


class StoreReader:
    """A store open for reading. Another process may be writing to it.

    Raises an `InputError` if the file is not a store of this kind.
    """

    def __init__(self, path: Path, kind: StoreKind) -> None:
        self.path, self._kind = path.absolute(), kind
        _check_magic(self.path)
        with self.reporting_damage():
            self._file = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)
        try:
            with self.reporting_damage():
                self._read_head()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def rows(self, table: str) -> Iterator[tuple[Value, ...]]:
        """Yield the records of a table in the order of insertion.

        Call it inside a `reporting_damage` block, because damaged records raise errors of several kinds.
        """
        for *values, digest in self._file.execute(f"select {self._columns(table)}, digest from {table} order by id"):
            if digest != _digest(self._head, *values):
                raise ValueError("damaged")
            yield tuple(values)

    @contextmanager
    def reporting_damage(self) -> Iterator[None]:
        """Convert errors that occur in the `with` block, when the store is read, into an `InputError`.

        The error says that the store is damaged.
        """
        try:
            yield
        except (sqlite3.Error, OSError, ValueError, KeyError, TypeError):
            raise InputError(
                N_("{given} is damaged: continue from a backup, or start a new file"),
                given=str(self.path),
            ) from None

    def _columns(self, table: str) -> str:
        return ", ".join(column.split()[0] for column in self._kind.tables[table])

    def _read_head(self) -> None:
        if not self._file.execute("select 1 from sqlite_master where name = 'head'").fetchone():
            raise _foreign(self.path)
        head = dict(self._file.execute("select name, value from head"))
        if head.get("kind") != self._kind.name:
            raise _foreign(self.path)
        number, self.about, self._head = head["format"], head["game"], head["digest"]
        if number.isdecimal() and int(number) > self._kind.format:
            raise InputError(
                N_("{given} comes from a newer version of yomikiri: its format is {number}, expected {format}"),
                given=str(self.path),
                number=number,
                format=self._kind.format,
            )
        if self._head != _digest(self._kind.name, number, self.about):
            raise ValueError("damaged")
        if number != str(self._kind.format):
            raise self._kind.older(str(self.path), number, self._kind.format)


class StoreFile(StoreReader):
    """A store open for writing by one process: a new file, an empty file, or a store with the same subject.

    `about` is the subject as JSON text: an object or a list of objects. Raises an `InputError` for any other file.
    """

    def __init__(self, path: Path, kind: StoreKind, about: str) -> None:
        self.path, self._kind = path.absolute(), kind
        # Check this first, because no lock file may be created next to a device or folder.
        if self.path.exists() and not self.path.is_file():
            raise _unusable(self.path)
        if not self.path.parent.is_dir():
            raise InputError(
                N_("cannot write {given}: {folder} is not an existing folder; create it, or choose another file"),
                given=Place(self.path),
                folder=Place(self.path.parent),
            )
        self._lock = self.path.with_name(f"{self.path.name}.lock")
        self._lock_descriptor = _lock_store(self.path, self._lock)
        try:
            self._open(about)
        except BaseException:
            unlock(self._lock, self._lock_descriptor)
            raise

    def close(self) -> None:
        """Close the file and release its lock."""
        super().close()
        unlock(self._lock, self._lock_descriptor)

    def add(self, table: str, *values: Value, number: int | None = None) -> None:
        """Add a record. It is permanent only after `save`. Raises an `InputError`.

        If `number` is given, it is the id of the record, and a record with the same id is replaced.
        """
        marks = ", ".join("?" * (len(values) + 2))
        row = number, *values, _digest(self._head, *values)
        with self._written():
            self._file.execute(
                f"insert or replace into {table} (id, {self._columns(table)}, digest) values ({marks})", row
            )

    def save(self) -> None:
        """Commit the added records, all or none. Raises an `InputError` if the file cannot hold them."""
        with self._written():
            self._file.commit()

    @contextmanager
    def _written(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._file.rollback()
            raise InputError(
                N_(
                    "cannot write to {given} ({reason}): earlier results are safe; free some space and run the "
                    "command again"
                ),
                given=str(self.path),
                reason=str(error),
            ) from None

    def _open(self, about: str) -> None:
        new = not self.path.exists() or self.path.stat().st_size == 0
        if not new:
            _check_magic(self.path)
        try:
            self._file = sqlite3.connect(self.path)
        except sqlite3.Error:
            raise _unusable(self.path) from None
        try:
            with self.reporting_damage():
                self._file.execute("pragma journal_mode = wal")
                self._file.execute("pragma synchronous = normal")
                if new or not self._file.execute("select 1 from sqlite_master").fetchone():
                    self._begin(about)
                self._read_head()
            if self.about != about:
                raise self._kind.other(str(self.path), self.about, about)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, about: str) -> None:
        head = {"kind": self._kind.name, "format": str(self._kind.format), "game": about}
        head["digest"] = _digest(*head.values())
        self._file.execute("create table head (name text primary key, value text not null)")
        for table, columns in self._kind.tables.items():
            every = "id integer primary key", *columns, "digest text not null"
            self._file.execute(f"create table {table} ({', '.join(every)})")
        self._file.executemany("insert into head values (?, ?)", head.items())
        self._file.commit()


def described(about: str) -> str:
    """Return the subject of a store as readable text, without false or empty values: `digits 5, symbols 01234567`."""
    read = json.loads(about)
    games = read if isinstance(read, list) else [read]
    return "; ".join(", ".join(_describe_value(name, value) for name, value in game.items() if value) for game in games)


def _describe_value(name: str, value: object) -> str:
    values = [] if value is True else value if isinstance(value, list) else [value]
    return " ".join([name.replace("_", "-"), *map(str, values)])


def _digest(*parts: Value) -> str:
    texts = [sha256(part).hexdigest() if isinstance(part, bytes) else part for part in parts]
    return sha256(json.dumps(texts).encode()).hexdigest()[:32]


def _lock_store(path: Path, lock: Path) -> int:
    try:
        return acquire_lock(lock)
    except BlockingIOError:
        raise InputError(
            N_("{given} is in use by another run: wait until it ends, or choose another file"),
            given=str(path),
        ) from None
    except OSError:
        raise _unusable(path) from None


def _check_magic(path: Path) -> None:
    """Raise an `InputError` unless the path is an SQLite file. Never writes to it, and never waits for a pipe."""
    try:
        if path.is_file():
            with path.open("rb") as file:
                if file.read(len(_MAGIC)) == _MAGIC:
                    return
            raise _foreign(path)
    except OSError:
        pass
    raise _unusable(path)


def _unusable(path: Path) -> InputError:
    return InputError(
        N_("{given} cannot be used as a store: choose a file that you can read and write"), given=str(path)
    )


def _foreign(path: Path) -> InputError:
    return InputError(
        N_("{given} is not a store of this command: choose a new file, or one that this command wrote"), given=str(path)
    )
