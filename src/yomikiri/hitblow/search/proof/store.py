"""A persistent proof: all bounds that were found, in one SQLite file.

Every result is one transaction, so after a crash the file contains the result completely or not at all. The header
contains the game and the format. A record contains the bounds of one cell, or of one guess at a cell, and the effort.
Records are never changed or deleted. Each record has a digest of itself and the header, and all digests are checked
before any record is used.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from pathlib import Path

from yomikiri.common.errors import N_, CheckError, InputError
from yomikiri.common.stores import StoreFile, StoreKind, StoreReader, Value, described
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn
from yomikiri.hitblow.search.proof.bound_table import BoundKey, BoundTable, CostBounds, Effort
from yomikiri.hitblow.search.subproblem import Count
from yomikiri.hitblow.strategy.strategy import Task


def _may_be_wrong(given: str, number: str, expected: int) -> InputError:
    return InputError(
        N_(
            "{given} has format {number}, expected {format}: earlier versions may have stored wrong lower bounds; "
            "start a new file"
        ),
        given=given,
        number=number,
        format=expected,
    )


KIND = StoreKind(
    "yomikiri proof",
    # format of the file; files of format 1 may contain false bounds, because of an error when several threads searched
    2,
    {
        "answers": (
            *("cost text not null", "within integer", "turns text not null", "guess text not null"),
            *("lower integer not null", "upper integer not null", "best text not null", "split integer not null"),
            *("seconds real not null", "nodes integer not null", "worker text not null"),
        ),
        "progress": ("share real not null",),
    },
    _may_be_wrong,
)

_COSTS = {Count.TOTAL: "total", Count.LAST: "last", Count.FEWEST: "fewest", Count.NOTHING: "possible"}
_COUNTS = {name: count for count, name in _COSTS.items()}


def game_text(task: Task) -> str:
    """Return the text that identifies the game of a store: rules and knowledge at the start, without the objective."""
    about = {
        **asdict(task.rules),
        "absent": task.absent,
        "facts": [str(fact) for fact in task.facts],
        "consistent": task.objective.consistent,
    }
    return json.dumps(about, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class StoredBounds:
    """One record of a store: bounds with their key, and the effort to find them."""

    key: BoundKey
    known: CostBounds
    effort: Effort

    @property
    def row(self) -> tuple[Value, ...]:
        """The record as a row of the table in the store's SQLite file."""
        count, limit, turns, guess = self.key
        cell = _COSTS[count], limit, " ".join(map(str, turns)), guess
        known = self.known.lower, self.known.upper, self.known.best, int(self.known.split)
        return *cell, *known, round(self.effort.seconds, 6), self.effort.nodes, self.effort.worker

    @classmethod
    def of(cls, row: tuple[Value, ...]) -> StoredBounds:
        """Parse a row of the table in the store's SQLite file.

        Raises `ValueError` or `KeyError` if the row is invalid.
        """
        cost, limit, turns, guess, lower, upper, best, split, seconds, nodes, worker = row
        key = BoundKey(_COUNTS[str(cost)], limit, tuple(map(Turn.parse, str(turns).split())), str(guess))  # type: ignore[arg-type]
        known = CostBounds(int(lower), int(upper), str(best), bool(split))  # type: ignore[arg-type]
        return cls(key, known, Effort(float(seconds), int(nodes), str(worker)))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class StoreContents:
    """The contents of a store: the game, the records, and an estimate of the part of the last proof that is done."""

    game: str
    records: list[StoredBounds] = field(default_factory=list)
    share: float | None = None

    def bound_table(self) -> BoundTable:
        """Return a table with the bounds of all records. Raises `CheckError` if they contradict each other."""
        bound_table = BoundTable()
        for record in self.records:
            bound_table.learn(record.key, record.known)
        return bound_table


def read_store(path: Path) -> StoreContents:
    """Read a store, even if another run uses it. Raises `InputError` for a damaged file or one that is not a store."""
    with StoreReader(path, KIND) as file:
        return _contents(file)


def merge(first: Path, second: Path, output: Path) -> StoreContents:
    """Write the contents of two stores to a new one, and return these contents.

    Raises `CheckError` if the stores are about different games or contradict each other, and `InputError` for a file
    that cannot be used or exists already.
    """
    one, other = read_store(first), read_store(second)
    if one.game != other.game:
        raise CheckError(
            N_("{first} and {second} are about different games: {game} and {other}"),
            first=str(first),
            second=str(second),
            game=described(one.game),
            other=described(other.game),
        )
    if output.exists():
        raise InputError(N_("{given} already exists: choose another file"), given=str(output))
    both = StoreContents(one.game, list(dict.fromkeys([*one.records, *other.records])))
    both.bound_table()  # check for contradictions before the file is created
    with ProofStore(output, one.game) as store:
        for record in both.records:
            store.learn(record.key, record.known, record.effort)
    return both


class ProofStore(BoundTable):
    """The bound table of a game in a file that only this run uses.

    Raises `InputError` if the file cannot be used, and `CheckError` if its records contradict each other.
    """

    is_persistent = True

    def __init__(self, path: Path, game: str) -> None:
        super().__init__()
        self._spent: defaultdict[Count, float] = defaultdict(float)
        self._share: float | None = None  # part of the proof (0 to 1) that the file contains
        # The kind of cost, such as the total, that the last run before this one minimised. After the first call of
        # `begin`, it is None, because only that call can continue the earlier run.
        self._continued: Count | None = None
        self._file = StoreFile(path, KIND, game)
        try:
            contents = _contents(self._file)
            for record in contents.records:
                self._merge(record.key, record.known)
                self._spent[record.key.cost] += record.effort.seconds
                self._continued = record.key.cost
            self._share = contents.share
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> ProofStore:
        return self

    def __exit__(self, *_: object) -> None:
        with self._file:
            self.save()

    def spent(self, count: Count) -> float:
        return self._spent[count]

    def begin(self, count: Count) -> float | None:
        if self._continued is not count:
            self._share = None
        self._continued = None
        return self._share

    def save(self, share: float | None = None) -> None:
        """Write all new records to the file, in one transaction. Raises `InputError` if there is not enough space."""
        if share is not None and share != self._share:
            self._file.add("progress", share, number=1)
            self._share = share
        self._file.save()

    def _store(self, key: BoundKey, known: CostBounds, effort: Effort) -> None:
        self._file.add("answers", *StoredBounds(key, known, effort).row)


def _contents(file: StoreReader) -> StoreContents:
    """Read and check the contents of an open store."""
    with file.reporting_damage():
        records = [StoredBounds.of(row) for row in file.rows("answers")]
        share = next((float(row[0]) for row in file.rows("progress")), None)  # type: ignore[arg-type]
        return StoreContents(file.about, records, share)


def read_game(game: str) -> tuple[Rules, str, tuple[str, ...], bool]:
    """Return (rules, absent symbols, facts, `consistent`) from a text that `game_text` has written.

    Facts are pieces of knowledge, such as turns, here as text. `consistent` is True if every guess must be a candidate.
    """
    about = json.loads(game)
    rules = Rules(about["digits"], about["symbols"], Repeats(about["repeats"]), about["no_leading"])
    return rules, about["absent"], tuple(about["facts"]), about["consistent"]
