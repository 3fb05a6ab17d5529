"""Hit & Blow: rules, knowledge, advice. The names below are public; they are imported when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from yomikiri.hitblow.advice import suggest
    from yomikiri.hitblow.assistant import Assistant
    from yomikiri.hitblow.knowledge import Knowledge
    from yomikiri.hitblow.match.assistant import MatchAssistant
    from yomikiri.hitblow.match.match import Match
    from yomikiri.hitblow.rules import Hint, Rules, Turn
    from yomikiri.hitblow.search.solve import solve
    from yomikiri.hitblow.strategy.strategy import Objective, Strategy, Task
    from yomikiri.hitblow.strategy.verify import verify

__all__ = [
    "Assistant",
    "Hint",
    "Knowledge",
    "Match",
    "MatchAssistant",
    "Objective",
    "Rules",
    "Strategy",
    "Task",
    "Turn",
    "solve",
    "suggest",
    "verify",
]

_HOMES = {
    "Assistant": "assistant",
    "Hint": "rules",
    "Knowledge": "knowledge",
    "Match": "match.match",
    "MatchAssistant": "match.assistant",
    "Objective": "strategy.strategy",
    "Rules": "rules",
    "Strategy": "strategy.strategy",
    "Task": "strategy.strategy",
    "Turn": "rules",
    "solve": "search.solve",
    "suggest": "advice",
    "verify": "strategy.verify",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
