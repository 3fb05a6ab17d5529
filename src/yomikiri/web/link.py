"""A link: the path of a page, and its query as an ordered list of (name, value) pairs.

The address of every game is written as a link, and read from the pairs of a link. This module contains what all
addresses have in common.
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
    """The path of a page, and its query as (name, value) pairs. A form can send the same pairs."""

    path: str
    pairs: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, path: str, pairs: Iterable[tuple[str, str]]) -> Link:
        """Return a link with these pairs, except those with an empty value."""
        return cls(path, tuple(with_values(pairs)))

    def __str__(self) -> str:
        return f"{self.path}?{urlencode(self.pairs, safe=_READABLE)}" if self.pairs else self.path

    def but(self, **values: str) -> Link:
        """Return the link with some values replaced or added. An empty value removes its pair.

        The new pairs come last. In the names of the arguments, `-` is written as `_`.
        """
        names = {name.replace("_", "-"): value for name, value in values.items()}
        return Link.of(self.path, [*self.without(*names).pairs, *names.items()])

    def without(self, *names: str) -> Link:
        """Return the link without the pairs that have one of these names."""
        return Link(self.path, tuple(pair for pair in self.pairs if pair[0] not in names))


def with_values(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """Return the pairs whose value is not empty. In an address, an empty value means the same as a missing pair."""
    return [(name, value) for name, value in pairs if value]


def check_version(parameters: Mapping[str, str]) -> None:
    """Raise an `InputError` if the address has a version of the address format that this program does not know."""
    if (version := parameters.get("v", VERSION)) != VERSION:
        raise InputError(N_("unknown version {given!r} of an address: expected {known}"), given=version, known=VERSION)


def language_in(parameters: Mapping[str, str]) -> str | None:
    """Return the language in an address, or None if it is missing or unknown."""
    language = parameters.get("lang")
    return language if language in LANGUAGES else None
