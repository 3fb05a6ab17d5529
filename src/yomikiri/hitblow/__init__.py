"""Hit & Blow: rules, knowledge, suggestions, exact search, proofs and two-player matches.

The names below are public and are imported on first use. Commands, the page, the API and `wording` import the modules
of this package; it imports neither them nor the other game. Begin with `model.rules` and `model.knowledge`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yomikiri.common.lazy import lazy_exports

if TYPE_CHECKING:
    from yomikiri.hitblow.advice.assistant import Assistant
    from yomikiri.hitblow.advice.review import review
    from yomikiri.hitblow.advice.suggestion import figures, suggest
    from yomikiri.hitblow.match.advice import Advisor
    from yomikiri.hitblow.match.assistant import MatchAssistant
    from yomikiri.hitblow.match.match import Match, Side
    from yomikiri.hitblow.model.codes import hint_table
    from yomikiri.hitblow.model.corrections import repairs
    from yomikiri.hitblow.model.facts import NamedFact
    from yomikiri.hitblow.model.knowledge import Knowledge
    from yomikiri.hitblow.model.rules import PRESETS, Fact, Hint, Repeats, Rules, Turn, Words, hint
    from yomikiri.hitblow.model.wrong_answers import Slips
    from yomikiri.hitblow.policies import POLICIES, Policy, policy_named
    from yomikiri.hitblow.policies.simulation import simulate
    from yomikiri.hitblow.race.terms import Reveals, Terms
    from yomikiri.hitblow.race.value import Information, race_value
    from yomikiri.hitblow.search.solve import solve
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
    "NamedFact",
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

_NAMES = {
    "advice.suggestion": ("figures", "suggest"),
    "advice.assistant": ("Assistant",),
    "model.codes": ("hint_table",),
    "model.facts": ("NamedFact",),
    "advice.review": ("review",),
    "model.knowledge": ("Knowledge",),
    "match.advice": ("Advisor",),
    "match.assistant": ("MatchAssistant",),
    "match.match": ("Match", "Side"),
    "policies": ("POLICIES", "Policy", "policy_named"),
    "policies.simulation": ("simulate",),
    "race.terms": ("Reveals", "Terms"),
    "race.value": ("Information", "race_value"),
    "model.corrections": ("repairs",),
    "model.rules": ("PRESETS", "Fact", "Hint", "Repeats", "Rules", "Turn", "Words", "hint"),
    "search.solve": ("solve",),
    "model.wrong_answers": ("Slips",),
    "strategy.file": ("read_strategy", "write_strategy"),
    "strategy.render": ("as_csv", "as_dot", "as_networkx", "as_text"),
    "strategy.strategy": ("Objective", "Strategy", "Task"),
    "strategy.verify": ("verify",),
}
__getattr__, __dir__ = lazy_exports(__name__, _NAMES)
