"""Errors as sentences."""

from __future__ import annotations

from yomikiri.errors import Place, YomikiriError
from yomikiri.wording.language import _

_LONGEST = 60
_LONGEST_PLACE = 180


class _Shown(str):
    """Text made fit to be shown; its `repr` only adds the quotes, so that nothing is escaped twice."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"'{self}'"


def sentence(error: YomikiriError) -> str:
    """The error in the language in use, on one line: overlong input is shortened, line breaks are shown as such."""
    return _(error.message).format(**{name: _value(value) for name, value in error.data.items()})


def _value(value: object) -> str:
    if isinstance(value, YomikiriError):
        return sentence(value)
    return _shown(str(value), _LONGEST_PLACE if isinstance(value, Place) else _LONGEST)


def _shown(text: str, longest: int) -> _Shown:
    plain = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[: longest + 1])
    return _Shown(plain if len(plain) <= longest else plain[: longest - 1] + "…")
