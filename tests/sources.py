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


def lines_of_code(path: Path) -> int:
    """Return the number of lines of a file that are neither blank nor part of a docstring."""
    source = path.read_text(encoding="utf-8")
    docstring_lines = set[int]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            docstring_lines |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate(source.splitlines(), start=1)
    return sum(1 for number, line in lines if line.strip() and number not in docstring_lines)
