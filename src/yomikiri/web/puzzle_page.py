"""What the pages of puzzles of both games share: how many clues are shown, and how hard a puzzle is asked to be."""

from __future__ import annotations

from typing import ClassVar, Protocol

from yomikiri.enums import number
from yomikiri.grades import Difficulty
from yomikiri.web.link import Link

_CLUES = 3


def clues_shown(told: dict[str, str]) -> int:
    """How many of the clues an address asks for."""
    return min(_CLUES, max(0, number(told, "clues", 0)))


class _Shown(Protocol):
    @property
    def link(self) -> Link: ...

    @property
    def shown(self) -> int: ...


class Practised:
    """The page of a puzzle with its `link`, of whose clues so many are `shown`."""

    difficulties: ClassVar[tuple[Difficulty, ...]] = tuple(Difficulty)

    @property
    def next_clue(self: _Shown) -> Link | None:
        """The page with one clue more."""
        return self.link.but(clues=str(self.shown + 1)) if self.shown < _CLUES else None

    @property
    def difficulty(self: _Shown) -> str:
        """How hard it is asked to be."""
        return dict(self.link.pairs).get("difficulty", "")

    @property
    def lang(self: _Shown) -> str:
        """The language that the address asks for, if it does."""
        return dict(self.link.pairs).get("lang", "")
