"""Errors as sentences."""

from __future__ import annotations

from yomikiri.errors import YomikiriError
from yomikiri.wording.language import _

_LONGEST = 60


class _Shown(str):
    """Text made fit to be shown; its `repr` only adds the quotes, so that nothing is escaped twice."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"'{self}'"


def sentence(error: YomikiriError) -> str:
    """The error in the language in use, on one line: overlong input is shortened, line breaks are shown as such."""
    return _(error.message).format(**{name: _shown(str(value)) for name, value in error.data.items()})


def _shown(text: str) -> _Shown:
    plain = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[: _LONGEST + 1])
    return _Shown(plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…")
