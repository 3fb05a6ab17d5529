"""Hit & Blow: rules, knowledge, advice. The names below are public; they are imported when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from yomikiri.hitblow.advice import suggest
    from yomikiri.hitblow.assistant import Assistant
    from yomikiri.hitblow.knowledge import Knowledge
    from yomikiri.hitblow.rules import Hint, Rules, Turn

__all__ = ["Assistant", "Hint", "Knowledge", "Rules", "Turn", "suggest"]

_HOMES = {
    "Assistant": "assistant",
    "Hint": "rules",
    "Knowledge": "knowledge",
    "Rules": "rules",
    "Turn": "rules",
    "suggest": "advice",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
