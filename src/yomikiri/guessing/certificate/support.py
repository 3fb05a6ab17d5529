"""The error for games that certificates do not support."""

from __future__ import annotations

from yomikiri.common.errors import N_, InputError


def require_support(why: str | None) -> None:
    """Raise an `InputError` if `why` is not empty.

    `why` names the options, or the property of the game, that certificates do not support.
    """
    if why:
        raise InputError(N_("certificates do not support {why}: choose other rules or options"), why=why)
