"""Draw the packages and their imports: python scripts/architecture.py [FILE], by default docs/assets/architecture.svg.

A package is below every package that imports it. An arrow leads from a package to one that it imports; arrows that
follow from others are left out. Rows, arrows and boxes come from the imports alone.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src/yomikiri"
FILE = ROOT / "docs/assets/architecture.svg"
# Packages whose parts have boxes of their own.
DIVIDED = ("hitblow",)
# Imported by all others, so that arrows to it would hide the rest.
EVERYWHERE = "common"
WIDE, HIGH, GAP, BETWEEN = 116, 30, 16, 46

Graph = Mapping[str, frozenset[str]]


def boxes() -> dict[str, frozenset[str]]:
    """Return the packages and single modules with those that each of them imports."""
    found: dict[str, set[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if (box := _box_of(parts)) is None:
            continue
        imported = found.setdefault(box, set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("yomikiri"):
                for alias in node.names:
                    name = tuple(f"{node.module}.{alias.name}".split(".")[1:])
                    imported.add(_box_of(name) or "")
    return {box: frozenset(imported - {box, "", EVERYWHERE}) for box, imported in found.items() if box != EVERYWHERE}


def _box_of(parts: tuple[str, ...]) -> str | None:
    """Return the box of a module, given by its path; None for a package that only re-exports names."""
    if parts[0] in ("__init__", "__main__"):
        return None
    if parts[0] in DIVIDED:
        return f"{parts[0]}.{parts[1]}" if len(parts) > 1 and (SOURCE / parts[0] / parts[1]).is_dir() else None
    return parts[0] if (SOURCE / parts[0]).is_dir() or (SOURCE / f"{parts[0]}.py").is_file() else None


def rows(graph: Graph) -> list[list[str]]:
    """Return the boxes in rows, the uppermost first: each is above everything that it imports."""
    depth: dict[str, int] = {}
    while len(depth) < len(graph):
        depth |= {
            box: 1 + max((depth[each] for each in imported), default=-1)
            for box, imported in graph.items()
            if imported <= depth.keys()
        }
    return [sorted(box for box in graph if depth[box] == row) for row in range(max(depth.values()), -1, -1)]


def reduced(graph: Graph) -> Graph:
    """Return the graph without imports that follow from others."""

    def reached(box: str) -> set[str]:
        return {each for direct in graph[box] for each in (direct, *reached(direct))}

    return {
        box: frozenset(each for each in imported if not any(each in reached(other) for other in imported - {each}))
        for box, imported in graph.items()
    }


def drawing() -> str:
    """Return the picture as SVG."""
    graph = boxes()
    levels = rows(graph)
    across = max(map(len, levels))
    width, height = across * (WIDE + GAP) + GAP, len(levels) * (HIGH + BETWEEN) + HIGH + BETWEEN // 2
    place = {
        box: (GAP + (WIDE + GAP) * (column + (across - len(level)) / 2), row * (HIGH + BETWEEN) + GAP)
        for row, level in enumerate(levels)
        for column, box in enumerate(level)
    }
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"',
        ' font-family="sans-serif" font-size="12">',
        "<title>Packages of yomikiri and their imports</title>",
        "<style>rect{fill:#fff;stroke:#345}text{fill:#123;text-anchor:middle}path{stroke:#9ab}</style>",
        f'<rect width="{width}" height="{height}" stroke="none"/>',
    ]
    for box, imported in reduced(graph).items():
        x, y = place[box]
        for each in sorted(imported):
            to_x, to_y = place[each]
            lines.append(f'<path d="M{x + WIDE / 2:g} {y + HIGH:g}L{to_x + WIDE / 2:g} {to_y:g}"/>')
    for box, (x, y) in place.items():
        lines.append(f'<rect x="{x:g}" y="{y:g}" width="{WIDE}" height="{HIGH}" rx="4"/>')
        lines.append(f'<text x="{x + WIDE / 2:g}" y="{y + HIGH / 2 + 4:g}">{escape(box)}</text>')
    top = height - HIGH - GAP / 2
    lines.append(f'<rect x="{GAP}" y="{top:g}" width="{width - 2 * GAP}" height="{HIGH}" rx="4"/>')
    lines.append(f'<text x="{width / 2:g}" y="{top + HIGH / 2 + 4:g}">{EVERYWHERE}: imported by all</text>')
    return "\n".join([*lines, "</svg>", ""])


def main() -> None:
    """Write the picture."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    file.write_text(drawing(), encoding="utf-8")


if __name__ == "__main__":
    main()
