"""Syntax trees of the sources of the package, parsed once per process on demand."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import yomikiri

SOURCE = Path(yomikiri.__file__).parent


def name_of(path: Path) -> str:
    """Return the module name of a source file."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def trees() -> dict[str, ast.Module]:
    """Return the syntax tree of every module by name."""
    return {name_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
