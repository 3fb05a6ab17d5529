"""Errors as sentences."""

from __future__ import annotations

from yomikiri.errors import YomikiriError
from yomikiri.wording.language import _

_LONGEST = 60


def sentence(error: YomikiriError) -> str:
    """The error in the language in use, on one line: overlong input is shortened, line breaks are shown as such."""
    data = {name: _shown(value) if isinstance(value, str) else value for name, value in error.data.items()}
    return _(error.message).format(**data)


def _shown(text: str) -> str:
    plain = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"
