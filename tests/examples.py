"""How many examples a property is tried on."""

from __future__ import annotations

from typing import Any

from hypothesis import settings


def thorough() -> bool:
    """Whether the tests run under --all."""
    return settings.get_current_profile_name() == "all"


def examples(most: int, **others: Any) -> settings:
    """So many under --all, a tenth of them without."""
    return settings(max_examples=most if thorough() else most // 10, **others)
