"""Checks of the values that a learning program passes to an environment: settings, options of `reset`, and actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from yomikiri.common.enums import not_one_of, not_whole
from yomikiri.common.errors import N_, Choices, InputError

RENDER_MODES = ("ansi",)


def action_of(space: spaces.Discrete, action: Any) -> int:
    """Return an action of the space as an `int`. Raises an `InputError` for any other value."""
    if not space.contains(action):
        raise InputError(
            N_("{given!r} is not an action: expected a whole number from {first} to {last}, a member of {space}"),
            given=str(action),
            first=int(space.start),
            last=int(space.start + space.n - 1),
            space=str(space),
        )
    return int(action)


def options_of(options: Any, *names: str) -> Mapping[str, Any]:
    """Return the `options` of `reset`, or an empty mapping for None.

    Raises an `InputError` if `options` is not a mapping, or contains a name that is not in `names`.
    """
    if options is None:
        return {}
    known = Choices(", ".join(names))
    if not isinstance(options, Mapping):
        raise InputError(N_("options {given!r}: expected a dict with {known}"), given=str(options), known=known)
    for name in options:
        if name not in names:
            raise InputError(N_("unknown option {given!r}: expected {known}"), given=str(name), known=known)
    return options


def text_of(name: str, value: Any) -> str:
    """Return the value of an option or setting if it is text. Raises an `InputError` for any other type."""
    if not isinstance(value, str):
        raise InputError(N_("{parameter}={given}: expected text, such as '345'"), parameter=name, given=str(value))
    return str(value)


def whole_of(name: str, value: Any, least: int, most: int) -> int:
    """Return an integer from `least` to `most` as an `int`. Raises an `InputError` for any other value."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
        raise not_whole(name, str(value), str(least), str(most))
    return int(value)


def one_of(name: str, value: Any, known: Iterable[Any]) -> Any:
    """Return the member of `known` with the value and the type of `value`. Raises an `InputError` if there is none."""
    known = tuple(known)
    for member in known:
        if type(member) is type(value) and member == value:
            return member
    raise not_one_of(name, str(value), map(str, known))


def no_game() -> InputError:
    """Return the error for a move before the first `reset`, or after the end of a game."""
    return InputError(N_("no game is in progress: call reset first"))


def is_over(agent: str) -> InputError:
    """Return the error for a move of an agent after the end of the game."""
    return InputError(N_("the game is over for {agent}: pass None as the action, or call reset"), agent=agent)
