"""Values to JSON documents: one schema, written by the commands and served by the page.

Keys and names stand for themselves in every language. A key is never renamed or removed under the same version.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["SCHEMA_VERSION", "versioned"]

SCHEMA_VERSION = 1


def versioned(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its `schema_version` first."""
    return {"schema_version": SCHEMA_VERSION, **document}
