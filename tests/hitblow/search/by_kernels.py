"""The search from a position in machine code, with an engine for the tests."""

from __future__ import annotations

from functools import lru_cache

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.search.engine import MEMORY, SearchEngine
from yomikiri.hitblow.search.position import KernelSearch


@lru_cache(maxsize=1)
def engine_of(start: Knowledge) -> SearchEngine:
    """Return the engine of a game. The last one is cached."""
    return SearchEngine(start.rules, start.absent, start.facts, consistent=False, memory=MEMORY)


def by_kernels(known: Knowledge, budget: Budget = UNLIMITED) -> KernelSearch:
    """Return the search from a position."""
    return KernelSearch(engine_of(known.start), known, budget)
