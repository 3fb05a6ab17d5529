"""A proof that outlives its process: everything found, in one SQLite file.

Every answer is one transaction, so that after a crash the file holds it whole or not at all. The head says which game
it is about and in which format; a record is bounds of one cell, or of one guess for a cell, and what it took to find
them. Records are only ever added. Each carries a digest of itself and the head, and all are read and checked before any
of them is believed.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from types import TracebackType

from yomikiri.errors import N_, CheckError, InputError
from yomikiri.hitblow.rules import Repeats, Rules, Turn
from yomikiri.hitblow.search.proof.ledger import Effort, Known, Ledger, Place
from yomikiri.hitblow.search.subproblem import Count
from yomikiri.hitblow.strategy.strategy import Task
from yomikiri.locks import locked, unlock

FORMAT = 1
"""Raise it when the same records would mean something else."""

_KIND = "yomikiri proof"
_MAGIC = b"SQLite format 3\0"
_TABLES = (
    "create table head (name text primary key, value text not null)",
    "create table answers (id integer primary key, cost text not null, within integer, turns text not null, "
    "guess text not null, lower integer not null, upper integer not null, best text not null, "
    "split integer not null, seconds real not null, nodes integer not null, worker text not null, "
    "digest text not null)",
    "create table progress (id integer primary key, share real not null, digest text not null)",
)
_COLUMNS = "cost, within, turns, guess, lower, upper, best, split, seconds, nodes, worker, digest"
_COSTS = {Count.TOTAL: "total", Count.LAST: "last", Count.NOTHING: "possible"}
_COUNTS = {name: count for count, name in _COSTS.items()}


def game_text(task: Task) -> str:
    """What a store is about: the game and what is known at its start. The objective may differ from run to run."""
    about = {
        **asdict(task.rules),
        "absent": task.absent,
        "facts": [str(fact) for fact in task.facts],
        "consistent": task.objective.consistent,
    }
    return json.dumps(about, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Record:
    """What was found of one place, and what that took."""

    place: Place
    known: Known
    effort: Effort

    def row(self, head: str) -> tuple[str | int | float | None, ...]:
        """The columns of the table, with the digest."""
        count, limit, turns, guess = self.place
        cell = _COSTS[count], limit, " ".join(map(str, turns)), guess
        known = self.known.lower, self.known.upper, self.known.best, int(self.known.split)
        effort = round(self.effort.seconds, 6), self.effort.nodes, self.effort.worker
        return *cell, *known, *effort, _digest(head, *cell, *known, *effort)

    @classmethod
    def of(cls, head: str, row: tuple[str | int | float | None, ...]) -> Record:
        """The record in a row; raises `ValueError` if it is not as it was written."""
        cost, limit, turns, guess, lower, upper, best, split, seconds, nodes, worker, digest = row
        if digest != _digest(head, *row[:-1]):
            raise ValueError("damaged")
        place = Place(_COUNTS[str(cost)], limit, tuple(map(Turn.parse, str(turns).split())), str(guess))  # type: ignore[arg-type]
        known = Known(int(lower), int(upper), str(best), bool(split))  # type: ignore[arg-type]
        return cls(place, known, Effort(float(seconds), int(nodes), str(worker)))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Contents:
    """What a store holds: the game that it is about, the digest of its head, its records, and roughly how much of the
    last proof was done."""

    game: str
    head: str
    records: list[Record] = field(default_factory=list)
    share: float | None = None


def read_store(path: Path) -> Contents:
    """What a store holds; another run may be using it. Raises an `InputError` for any other file, or a damaged one."""
    _check_kind(path)
    try:
        file = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            return _contents(file, path)
        finally:
            file.close()
    except (sqlite3.Error, OSError):
        raise _damaged(path) from None


def merge(first: Path, second: Path, output: Path) -> Contents:
    """Write what two stores hold into a new one, and return it.

    Raises a `CheckError` if they are about different games or contradict each other, and an `InputError` for a file
    that cannot be used or is there already.
    """
    one, other = read_store(first), read_store(second)
    if one.game != other.game:
        raise CheckError(
            N_("{first} and {second} are about different games: {game} and {other}"),
            first=str(first),
            second=str(second),
            game=one.game,
            other=other.game,
        )
    if output.exists():
        raise InputError(N_("{given} is there already: choose a new file"), given=str(output))
    records = list(dict.fromkeys([*one.records, *other.records]))
    ledger = Ledger()
    for record in records:
        ledger.learn(record.place, record.known)
    with Store(output, one.game) as store:
        for record in records:
            store.learn(record.place, record.known, record.effort)
    return Contents(one.game, one.head, records)


class Store(Ledger):
    """What is known of a game, kept in a file that no other run uses meanwhile.

    Raises an `InputError` if the file cannot be used, and a `CheckError` if its records contradict each other.
    """

    lasts = True

    def __init__(self, path: Path, game: str) -> None:
        super().__init__()
        self._path, self._game = path.absolute(), game
        self._spent: defaultdict[Count, float] = defaultdict(float)
        lock = self._path.with_name(f"{self._path.name}.lock")
        held = _held(self._path, lock)
        self._lock = lock, held
        try:
            self._open()
        except BaseException:
            unlock(lock, held)
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        try:
            self.save()
        finally:
            self._file.close()
            unlock(*self._lock)

    def spent(self, count: Count) -> float:
        return self._spent[count]

    def save(self, share: float | None = None) -> None:
        """Bring what was learned to the file, all of it or nothing; raises an `InputError` if it does not fit there."""
        try:
            if share is not None:
                row = 1, share, _digest(self._head, share)
                self._file.execute("insert or replace into progress values (?, ?, ?)", row)
            self._file.commit()
        except sqlite3.Error as error:
            raise _full(self._path, error) from None

    def _keep(self, place: Place, known: Known, effort: Effort) -> None:
        marks = ", ".join("?" * len(_COLUMNS.split(",")))
        row = Record(place, known, effort).row(self._head)
        try:
            self._file.execute(f"insert into answers ({_COLUMNS}) values ({marks})", row)
        except sqlite3.Error as error:
            raise _full(self._path, error) from None

    def _open(self) -> None:
        new = not self._path.exists() or self._path.stat().st_size == 0
        if not new:
            _check_kind(self._path)
        try:
            self._file = sqlite3.connect(self._path)
        except sqlite3.Error:
            raise _unusable(self._path) from None
        try:
            self._file.execute("pragma journal_mode = wal")
            self._file.execute("pragma synchronous = normal")
            if new or not self._file.execute("select 1 from sqlite_master").fetchone():
                self._begin()
            contents = _contents(self._file, self._path)
            if contents.game != self._game:
                raise InputError(
                    N_("{given} is about another game, {game}: choose a new file, or the game and facts it is about"),
                    given=str(self._path),
                    game=contents.game,
                )
            self._head = contents.head
            for record in contents.records:
                self._take_in(record.place, record.known)
                self._spent[record.place.cost] += record.effort.seconds
        except sqlite3.Error:
            self._file.close()
            raise _damaged(self._path) from None
        except BaseException:
            self._file.close()
            raise

    def _begin(self) -> None:
        head = {"kind": _KIND, "format": str(FORMAT), "game": self._game}
        head["digest"] = _digest(*head.values())
        for table in _TABLES:
            self._file.execute(table)
        self._file.executemany("insert into head values (?, ?)", head.items())
        self._file.commit()


def _contents(file: sqlite3.Connection, path: Path) -> Contents:
    """Everything in an open store, checked."""
    if not file.execute("select 1 from sqlite_master where name = 'head'").fetchone():
        raise _foreign(path)
    head = dict(file.execute("select name, value from head"))
    if head.get("kind") != _KIND:
        raise _foreign(path)
    number = head.get("format", "")
    if number.isdecimal() and int(number) > FORMAT:
        raise InputError(
            N_("{given} was written by a newer version of the program: its format is {number}, expected {format}"),
            given=str(path),
            number=number,
            format=FORMAT,
        )
    game, digest = head.get("game", ""), head.get("digest", "")
    if number != str(FORMAT) or digest != _digest(_KIND, number, game):
        raise _damaged(path)
    try:
        rows = file.execute(f"select {_COLUMNS} from answers order by id")
        records = [Record.of(digest, row) for row in rows]
        progress = file.execute("select share, digest from progress").fetchone()
        if progress and progress[1] != _digest(digest, progress[0]):
            raise _damaged(path)
        return Contents(game, digest, records, progress and progress[0])
    except (ValueError, KeyError, TypeError, InputError):
        raise _damaged(path) from None


def read_game(game: str) -> tuple[Rules, str, tuple[str, ...], bool]:
    """The rules, absent symbols, facts and kind of guesses in the text of `game_text`."""
    about = json.loads(game)
    rules = Rules(about["digits"], about["symbols"], Repeats(about["repeats"]), about["no_leading"])
    return rules, about["absent"], tuple(about["facts"]), about["consistent"]


def _digest(*parts: str | int | float | None) -> str:
    return sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _held(path: Path, lock: Path) -> int:
    try:
        return locked(lock)
    except BlockingIOError:
        raise InputError(
            N_("{given} is in use: another run keeps its proof in it; wait for its end, or choose another file"),
            given=str(path),
        ) from None
    except OSError:
        raise _unusable(path) from None


def _check_kind(path: Path) -> None:
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
    return InputError(N_("{given} cannot keep a proof: choose a file that you may read and write"), given=str(path))


def _foreign(path: Path) -> InputError:
    return InputError(N_("{given} is no proof store: choose a new file, or one that --store wrote"), given=str(path))


def _damaged(path: Path) -> InputError:
    return InputError(
        N_("{given} is damaged and is not believed: go on from a copy, or begin with a new file"), given=str(path)
    )


def _full(path: Path, error: sqlite3.Error) -> InputError:
    return InputError(
        N_("cannot write to {given} ({reason}): what was found before is kept; make room and run it again"),
        given=str(path),
        reason=str(error),
    )
