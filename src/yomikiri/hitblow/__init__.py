"""Hit & Blow: rules, knowledge, advice. The names below are public; they are imported when first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yomikiri.lazy import handed_out

if TYPE_CHECKING:
    from yomikiri.hitblow.advice import figures, suggest
    from yomikiri.hitblow.assistant import Assistant
    from yomikiri.hitblow.codes import hint_table
    from yomikiri.hitblow.judgement import review
    from yomikiri.hitblow.knowledge import Knowledge, repairs
    from yomikiri.hitblow.match.advice import Advisor
    from yomikiri.hitblow.match.assistant import MatchAssistant
    from yomikiri.hitblow.match.match import Match, Side
    from yomikiri.hitblow.policies import POLICIES, Policy, policy_named
    from yomikiri.hitblow.policies.base import simulate
    from yomikiri.hitblow.rules import PRESETS, Hint, Repeats, Rules, Turn, Words, hint
    from yomikiri.hitblow.search.solve import solve
    from yomikiri.hitblow.strategy.strategy import Objective, Strategy, Task
    from yomikiri.hitblow.strategy.verify import verify

__all__ = [
    "POLICIES",
    "PRESETS",
    "Advisor",
    "Assistant",
    "Hint",
    "Knowledge",
    "Match",
    "MatchAssistant",
    "Objective",
    "Policy",
    "Repeats",
    "Rules",
    "Side",
    "Strategy",
    "Task",
    "Turn",
    "Words",
    "figures",
    "hint",
    "hint_table",
    "policy_named",
    "repairs",
    "review",
    "simulate",
    "solve",
    "suggest",
    "verify",
]

_HOMES = {
    "POLICIES": "policies",
    "PRESETS": "rules",
    "Advisor": "match.advice",
    "Assistant": "assistant",
    "Hint": "rules",
    "Knowledge": "knowledge",
    "Match": "match.match",
    "MatchAssistant": "match.assistant",
    "Objective": "strategy.strategy",
    "Policy": "policies",
    "Repeats": "rules",
    "Rules": "rules",
    "Side": "match.match",
    "Strategy": "strategy.strategy",
    "Task": "strategy.strategy",
    "Turn": "rules",
    "Words": "rules",
    "figures": "advice",
    "hint": "rules",
    "hint_table": "codes",
    "policy_named": "policies",
    "repairs": "knowledge",
    "review": "judgement",
    "simulate": "policies.base",
    "solve": "search.solve",
    "suggest": "advice",
    "verify": "strategy.verify",
}
__getattr__, __dir__ = handed_out(__name__, _HOMES)
