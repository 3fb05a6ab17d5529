"""What enumerations of the package share."""

from __future__ import annotations

from enum import StrEnum


class Named(StrEnum):
    """One of a few words, each the same in options, files and JSON; its `repr` rebuilds it: `Tie.DRAW`."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
