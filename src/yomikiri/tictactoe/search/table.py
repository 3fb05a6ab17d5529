"""The transposition table: what is known of states already searched, bounded in size.

It fills one dictionary, then a second, and when that is full too the older one is dropped: what was used lately stays,
and nothing has to be chosen.
"""

from __future__ import annotations

from typing import NamedTuple

NO_MOVE = -1


class Entry(NamedTuple):
    """The value of a state lies from `lower` to `upper`; `move` is the rank tried first next time, or `NO_MOVE`."""

    lower: int
    upper: int
    move: int


class Table:
    """Entries by key, `capacity` of them at most."""

    def __init__(self, capacity: int) -> None:
        self._half = max(1, capacity // 2)
        self._recent: dict[int, Entry] = {}
        self._older: dict[int, Entry] = {}

    def __len__(self) -> int:
        return len(self._recent) + len(self._older)

    def get(self, key: int) -> Entry | None:
        """The entry of that key, if it is still here."""
        return self._recent.get(key) or self._older.get(key)

    def put(self, key: int, entry: Entry) -> None:
        """Remember `entry`, in place of what was known under that key."""
        if len(self._recent) >= self._half:
            self._older, self._recent = self._recent, {}
        self._recent[key] = entry
