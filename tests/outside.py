"""Running programs as if no checkout and no environment were around."""

from __future__ import annotations

import os


def environment(**changed: str) -> dict[str, str]:
    """Return environment variables for a program that must not see this checkout or its virtual environment."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return {**kept, **changed}
