"""The number of examples for tests of properties."""

from __future__ import annotations

from typing import Any

from hypothesis import settings


def thorough() -> bool:
    """Return True if the tests run with --all."""
    return settings.get_current_profile_name() == "all"


def examples(most: int, **others: Any) -> settings:
    """Return settings with `most` examples under --all and a tenth of them otherwise."""
    return settings(max_examples=most if thorough() else most // 10, **others)
