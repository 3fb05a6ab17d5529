"""What goes on and takes a while, said to whoever listens: a logger in Python, a line at the terminal."""

from __future__ import annotations

from collections.abc import Callable

listeners: list[Callable[[str, dict[str, object]], None]] = []
"""Who is told of every notice: its English message, in which `{name}` stands for what the data has under that name."""


def notice(message: str, **data: object) -> None:
    """Tell the logger `yomikiri`, and all listeners."""
    import logging

    logging.getLogger("yomikiri").info(message.format(**data))
    for listener in listeners:
        listener(message, data)
