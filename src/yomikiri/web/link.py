"""A link: a path of this program with the names and values of its query, in order.

Every game is written as a link and read from the pairs of one. This module contains what all addresses share.
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
    """A path of this program with the names and values of its query. A form sends the same pairs."""

    path: str
    pairs: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, path: str, pairs: Iterable[tuple[str, str]]) -> Link:
        """Return the link with these pairs, without those whose value is empty."""
        return cls(path, tuple(with_values(pairs)))

    def __str__(self) -> str:
        return f"{self.path}?{urlencode(self.pairs, safe=_READABLE)}" if self.pairs else self.path

    def but(self, **values: str) -> Link:
        """Return the link with these values instead of its own, without empty values."""
        names = {name.replace("_", "-"): value for name, value in values.items()}
        return Link.of(self.path, [*self.without(*names).pairs, *names.items()])

    def without(self, *names: str) -> Link:
        """Return the link without the pairs of these names."""
        return Link(self.path, tuple(pair for pair in self.pairs if pair[0] not in names))


def with_values(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """Return the pairs with a value; a name without a value has no meaning in an address."""
    return [(name, value) for name, value in pairs if value]


def check_version(parameters: Mapping[str, str]) -> None:
    """Raise an `InputError` for an address written by a later version of the program."""
    if (version := parameters.get("v", VERSION)) != VERSION:
        raise InputError(N_("unknown version {given!r} of an address: expected {known}"), given=version, known=VERSION)


def language_in(parameters: Mapping[str, str]) -> str | None:
    """Return the language that an address names, or None if it is missing or unknown."""
    language = parameters.get("lang")
    return language if language in LANGUAGES else None
