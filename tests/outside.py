"""Running programs as if no checkout and no environment were around."""

from __future__ import annotations

import os


def environment(**changed: str) -> dict[str, str]:
    """The environment for a program that must not see this checkout or the environment that the tests run in."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return {**kept, **changed}
