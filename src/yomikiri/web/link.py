"""A link: a page of this program, and what its address says, as names and values in order.

A game is written as one, and read from the pairs of one; what an address and its links have in common stands here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from yomikiri.common.errors import N_, InputError
from yomikiri.wording import LANGUAGES

VERSION = "1"
Pairs = list[tuple[str, str]]
_READABLE = ":,/"


@dataclass(frozen=True, slots=True)
class Link:
    """A path of this program, and the names and values of its query; a form sends the same pairs along."""

    path: str
    pairs: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, path: str, pairs: Iterable[tuple[str, str]]) -> Link:
        """The link with those pairs; a name without a value says nothing."""
        return cls(path, tuple(with_values(pairs)))

    def __str__(self) -> str:
        return f"{self.path}?{urlencode(self.pairs, safe=_READABLE)}" if self.pairs else self.path

    def but(self, **told: str) -> Link:
        """The same with these values in place of its own; those that are empty are left out."""
        names = {name.replace("_", "-"): value for name, value in told.items()}
        return Link.of(self.path, [*self.without(*names).pairs, *names.items()])

    def without(self, *names: str) -> Link:
        """The same without what has one of these names."""
        return Link(self.path, tuple(pair for pair in self.pairs if pair[0] not in names))


def with_values(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """What an address says: a name without a value says nothing."""
    return [(name, value) for name, value in pairs if value]


def check_version(told: Mapping[str, str]) -> None:
    """Raise an `InputError` for an address that a later program wrote."""
    if (version := told.get("v", VERSION)) != VERSION:
        raise InputError(N_("unknown version {given!r} of an address: expected {known}"), given=version, known=VERSION)


def language_in(told: Mapping[str, str]) -> str | None:
    """The language that an address names, if it is one of ours."""
    asked = told.get("lang")
    return asked if asked in LANGUAGES else None
