"""Hit & Blow: rules, knowledge, advice. The names below are public; they are imported when first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yomikiri.lazy import handed_out

if TYPE_CHECKING:
    from yomikiri.hitblow.advice import figures, suggest
    from yomikiri.hitblow.assistant import Assistant
    from yomikiri.hitblow.codes import hint_table
    from yomikiri.hitblow.judgement import review
    from yomikiri.hitblow.knowledge import Knowledge
    from yomikiri.hitblow.match.advice import Advisor
    from yomikiri.hitblow.match.assistant import MatchAssistant
    from yomikiri.hitblow.match.match import Match, Side
    from yomikiri.hitblow.policies import POLICIES, Policy, policy_named
    from yomikiri.hitblow.policies.base import simulate
    from yomikiri.hitblow.race.terms import Reveals, Terms
    from yomikiri.hitblow.race.value import Information, race_value
    from yomikiri.hitblow.repair import repairs
    from yomikiri.hitblow.rules import PRESETS, Fact, Hint, Repeats, Rules, Turn, Words, hint
    from yomikiri.hitblow.search.solve import solve
    from yomikiri.hitblow.slips import Slips
    from yomikiri.hitblow.strategy.file import read_strategy, write_strategy
    from yomikiri.hitblow.strategy.render import as_csv, as_dot, as_networkx, as_text
    from yomikiri.hitblow.strategy.strategy import Objective, Strategy, Task
    from yomikiri.hitblow.strategy.verify import verify

__all__ = [
    "POLICIES",
    "PRESETS",
    "Advisor",
    "Assistant",
    "Fact",
    "Hint",
    "Information",
    "Knowledge",
    "Match",
    "MatchAssistant",
    "Objective",
    "Policy",
    "Repeats",
    "Reveals",
    "Rules",
    "Side",
    "Slips",
    "Strategy",
    "Task",
    "Terms",
    "Turn",
    "Words",
    "as_csv",
    "as_dot",
    "as_networkx",
    "as_text",
    "figures",
    "hint",
    "hint_table",
    "policy_named",
    "race_value",
    "read_strategy",
    "repairs",
    "review",
    "simulate",
    "solve",
    "suggest",
    "verify",
    "write_strategy",
]

_HOMES = {
    "POLICIES": "policies",
    "PRESETS": "rules",
    "Advisor": "match.advice",
    "Assistant": "assistant",
    "Fact": "rules",
    "Hint": "rules",
    "Information": "race.value",
    "Knowledge": "knowledge",
    "Match": "match.match",
    "MatchAssistant": "match.assistant",
    "Objective": "strategy.strategy",
    "Policy": "policies",
    "Repeats": "rules",
    "Reveals": "race.terms",
    "Rules": "rules",
    "Side": "match.match",
    "Slips": "slips",
    "Strategy": "strategy.strategy",
    "Task": "strategy.strategy",
    "Terms": "race.terms",
    "Turn": "rules",
    "Words": "rules",
    "as_csv": "strategy.render",
    "as_dot": "strategy.render",
    "as_networkx": "strategy.render",
    "as_text": "strategy.render",
    "figures": "advice",
    "hint": "rules",
    "hint_table": "codes",
    "policy_named": "policies",
    "race_value": "race.value",
    "read_strategy": "strategy.file",
    "repairs": "repair",
    "review": "judgement",
    "simulate": "policies.base",
    "solve": "search.solve",
    "suggest": "advice",
    "verify": "strategy.verify",
    "write_strategy": "strategy.file",
}
__getattr__, __dir__ = handed_out(__name__, _HOMES)
