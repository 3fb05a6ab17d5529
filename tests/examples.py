"""The number of examples for tests of properties."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

SHARES = {"quick": 10, "thorough": 3, "all": 1}


def before_release() -> bool:
    """Return True if the tests run with --all."""
    return settings.get_current_profile_name() == "all"


def examples(most: int, **others: Any) -> settings:
    """Return settings with `most` examples under --all, a third with --thorough, and a tenth otherwise."""
    return settings(max_examples=most // SHARES[settings.get_current_profile_name()], **others)
