"""Stores: files of records that outlive the run that found them, SQLite with a write-ahead log.

The head says of what kind a store is, in which format, and what it is about. Records are added whole transactions at a
time, so that a crash leaves all of one or nothing. Each carries a digest of itself and the head, and all are checked as
they are read: a file that is not as it was written is refused and left as it is.
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

from yomikiri.common.errors import N_, InputError
from yomikiri.common.locks import locked, unlock

Value: TypeAlias = str | int | float | bytes | None

_MAGIC = b"SQLite format 3\0"


def _older(given: str, number: str, expected: int) -> InputError:
    return InputError(
        N_("{given} has format {number} of an earlier version, expected {format}: begin with a new file"),
        given=given,
        number=number,
        format=expected,
    )


@dataclass(frozen=True, slots=True)
class StoreKind:
    """What the stores of one kind have in common: their name, their format, and their tables with the columns of each.

    The format is raised when the same records would mean something else, or may be wrong; `older` makes the error that
    refuses a file of an earlier format, and says why, of its name, its format and the one that is expected.
    """

    name: str
    format: int
    tables: Mapping[str, tuple[str, ...]]  # columns as SQL declares them; number and digest are added
    older: Callable[[str, str, int], InputError] = _older


def kind_of(path: Path) -> str:
    """The name of the kind of which a file says that it is, "" if of none; whether it is is seen when it is read."""
    try:
        _check_magic(path)
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
            return str(dict(file.execute("select name, value from head")).get("kind", ""))
    except (sqlite3.Error, ValueError, InputError):
        return ""


class StoreReader:
    """A store, open for reading; another run may be using it. Raises an `InputError` for any other file."""

    def __init__(self, path: Path, kind: StoreKind) -> None:
        self.path, self._kind = path.absolute(), kind
        _check_magic(self.path)
        with self.believed():
            self._file = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)
        try:
            with self.believed():
                self._read_head()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def rows(self, table: str) -> Iterator[tuple[Value, ...]]:
        """The records of a table in the order in which they were added; to be read where the store is `believed`."""
        for *values, digest in self._file.execute(f"select {self._columns(table)}, digest from {table} order by id"):
            if digest != _digest(self._head, *values):
                raise ValueError("damaged")
            yield tuple(values)

    @contextmanager
    def believed(self) -> Iterator[None]:
        """Where what a record says is put to use: the store is damaged if that fails."""
        try:
            yield
        except (sqlite3.Error, OSError, ValueError, KeyError, TypeError):
            raise InputError(
                N_("{given} is damaged and is not believed: go on from a copy, or begin with a new file"),
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
                N_("{given} was written by a newer version of the program: its format is {number}, expected {format}"),
                given=str(self.path),
                number=number,
                format=self._kind.format,
            )
        if self._head != _digest(self._kind.name, number, self.about):
            raise ValueError("damaged")
        if number != str(self._kind.format):
            raise self._kind.older(str(self.path), number, self._kind.format)


class StoreFile(StoreReader):
    """The store of one run, which no other run uses meanwhile: a new file, an empty one, or one about the same.

    `about` is the text of the head that says what: JSON, an object or several. Raises an `InputError` for any other
    file.
    """

    def __init__(self, path: Path, kind: StoreKind, about: str) -> None:
        self.path, self._kind = path.absolute(), kind
        if self.path.exists() and not self.path.is_file():  # beside it no lock is made
            raise _unusable(self.path)
        self._lock = self.path.with_name(f"{self.path.name}.lock")
        self._held = _held(self.path, self._lock)
        try:
            self._open(about)
        except BaseException:
            unlock(self._lock, self._held)
            raise

    def close(self) -> None:
        """Let others use the file."""
        super().close()
        unlock(self._lock, self._held)

    def add(self, table: str, *values: Value, number: int | None = None) -> None:
        """Add a record, or put it in the place of the one of that number; `save` keeps it. Raises an `InputError`."""
        marks = ", ".join("?" * (len(values) + 2))
        row = number, *values, _digest(self._head, *values)
        with self._written():
            self._file.execute(
                f"insert or replace into {table} (id, {self._columns(table)}, digest) values ({marks})", row
            )

    def save(self) -> None:
        """Keep what was added, all of it or nothing; raises an `InputError` if it does not fit there."""
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
                N_("cannot write to {given} ({reason}): what was found before is kept; make room and run it again"),
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
            with self.believed():
                self._file.execute("pragma journal_mode = wal")
                self._file.execute("pragma synchronous = normal")
                if new or not self._file.execute("select 1 from sqlite_master").fetchone():
                    self._begin(about)
                self._read_head()
            if self.about != about:
                raise InputError(
                    N_("{given} is about another game, {game}: choose a new file, or the game and facts it is about"),
                    given=str(self.path),
                    game=described(self.about),
                )
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
    """What a store is about as a person reads it, without what does not hold: `digits 5, symbols 01234567`."""
    read = json.loads(about)
    games = read if isinstance(read, list) else [read]
    return "; ".join(", ".join(_told(name, value) for name, value in game.items() if value) for game in games)


def _told(name: str, value: object) -> str:
    told = [] if value is True else value if isinstance(value, list) else [value]
    return " ".join([name.replace("_", "-"), *map(str, told)])


def _digest(*parts: Value) -> str:
    texts = [sha256(part).hexdigest() if isinstance(part, bytes) else part for part in parts]
    return sha256(json.dumps(texts).encode()).hexdigest()[:32]


def _held(path: Path, lock: Path) -> int:
    try:
        return locked(lock)
    except BlockingIOError:
        raise InputError(
            N_("{given} is in use: another run keeps its work in it; wait for its end, or choose another file"),
            given=str(path),
        ) from None
    except OSError:
        raise _unusable(path) from None


def _check_magic(path: Path) -> None:
    """Raise an `InputError` for what is no SQLite file; nothing is written into it, and no pipe is waited for."""
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
    return InputError(N_("{given} cannot keep this work: choose a file that you may read and write"), given=str(path))


def _foreign(path: Path) -> InputError:
    return InputError(
        N_("{given} is no store of this kind: choose a new file, or one that the same command wrote"), given=str(path)
    )
