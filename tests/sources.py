"""The sources of the package, for tests of how they are written: each parsed once a process, when first asked for."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import yomikiri

SOURCE = Path(yomikiri.__file__).parent


def name_of(path: Path) -> str:
    """The name under which a source file is imported."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def trees() -> dict[str, ast.Module]:
    """Every module by its name."""
    return {name_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
