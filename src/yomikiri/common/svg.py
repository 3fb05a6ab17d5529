"""Pictures as SVG and tables as HTML, for the page and for notebooks, from plain values.

Pictures load nothing, and all text is escaped. Lines and letters take the colour of the surrounding text, and the fixed
colours contrast with both white and black, so that a picture is readable in light and dark themes. Pictures contain the
notation of the games but no words. `label` is the alternative text for screen readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import log2

BLUE, AMBER = "#3b7dd8", "#b3701e"
SHADE = 0.5  # greatest opacity of a colour behind letters
_SHORT = 7  # number of letters that fit into a square


def _tag(name: str, inside: str = "", **attributes: object) -> str:
    attribute_text = "".join(f' {key.replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items())
    return f"<{name}{attribute_text}>{inside}</{name}>"


def _text(x: float, y: float, text: object, size: int = 12, **attributes: object) -> str:
    style = {"text_anchor": "middle", "font_size": size, "fill": "currentColor", **attributes}
    return _tag("text", escape(str(text)), x=f"{x:g}", y=f"{y:g}", **style)


def _box(x: float, y: float, wide: float, high: float, inside: str = "", **attributes: object) -> str:
    style = {"fill": "none", "stroke": "currentColor", "stroke_opacity": 0.5, **attributes}
    return _tag("rect", inside, x=f"{x:g}", y=f"{y:g}", width=f"{wide:g}", height=f"{high:g}", **style)


def picture(kind: str, wide: float, high: float, label: str, parts: Iterable[str]) -> str:
    """Return a picture of this size. `kind` is its CSS class."""
    return _tag(
        "svg", "".join(parts), xmlns="http://www.w3.org/2000/svg", **{"class": kind}, role="img", aria_label=label,
        viewBox=f"0 0 {wide:g} {high:g}", width=f"{wide:g}", height=f"{high:g}", font_family="sans-serif",
    )  # fmt: skip


def curve(counts: Sequence[int], label: str) -> str:
    """Return a line chart of decreasing counts on a logarithmic scale: two or more counts, each at least 1."""
    most, step = max(1.0, log2(counts[0])), 300 / (len(counts) - 1)
    points = [(round(20 + at * step), round(22 + 90 * (1 - log2(n) / most)), n) for at, n in enumerate(counts)]
    line = _tag("polyline", points=" ".join(f"{x},{y}" for x, y, _n in points), fill="none", stroke=BLUE,
                stroke_width=2.5)  # fmt: skip
    dots = (_tag("circle", cx=x, cy=y, r=4, fill=BLUE) + _text(x, y - 7, n) for x, y, n in points)
    return picture("curve", 340, 124, label, [line, *dots])


def bars(counts: Sequence[int], label: str) -> str:
    """Return a bar chart of counts. Below each bar is its position, counted from 1."""
    most, parts = max(1, *counts), []
    for place, count in enumerate(counts, start=1):
        x, high = 40 * place - 20, 80 * count / most
        parts.append(_box(x - 14, 100 - high, 28, high, fill=BLUE, stroke="none"))
        parts += [_text(x, 94 - high, count), _text(x, 116, place, opacity=0.7)]
    return picture("bars", 40 * len(counts), 122, label, parts)


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a whole, for `blocks`.

    `depth` is its level from 0. `start` and `end` are its bounds as fractions of the whole. `text` is its label, and
    `title` its tooltip.
    """

    depth: int
    start: float
    end: float
    text: str
    title: str


def blocks(given: Sequence[Block], high: int, label: str) -> str:
    """Return a chart of a whole that is divided into parts, which are divided again: one column for each level.

    `high` is the height in pixels. Very small parts are left out.
    """
    parts, wide = [], 90
    for block in given:
        x, y, tall = wide * block.depth, high * block.start, high * (block.end - block.start)
        if tall >= 2:
            shade = 0.3 if block.depth % 2 else 0.15
            parts.append(_box(x, y, wide, tall, _tag("title", escape(block.title)), fill=BLUE, fill_opacity=shade))
        if tall >= 12:
            parts.append(_text(x + 5, y + tall / 2 + 4, block.text, 11, text_anchor="start", pointer_events="none"))
    return picture("blocks", wide * (1 + max(block.depth for block in given)), high, label, parts)


@dataclass(frozen=True, slots=True)
class Square:
    """A cell of a board: weight, owner (`X`, `O` or empty), note for an empty cell, and `strong` to highlight it."""

    weight: str
    mark: str = ""
    note: str = ""
    strong: bool = False


def board(squares: Sequence[Square], columns: int, label: str) -> str:
    """Return a board of tic-tac-toe with letters above the columns and numbers beside the rows."""
    size, edge, rows = 60, 20, len(squares) // columns
    parts = [_text(edge + size * (column + 0.5), 14, "abcdefgh"[column], opacity=0.7) for column in range(columns)]
    parts += [_text(10, edge + size * (row + 0.5) + 4, row + 1, opacity=0.7) for row in range(rows)]
    for cell, square in enumerate(squares):
        x, y = edge + size * (cell % columns), edge + size * (cell // columns)
        parts.append(_box(x, y, size, size, fill=AMBER, fill_opacity=SHADE if square.strong else 0))
        weight = square.weight if len(square.weight) <= _SHORT else f"{square.weight[: _SHORT - 1]}…"
        middle = x + size / 2
        if square.mark:
            colour = "currentColor" if square.strong else BLUE if square.mark == "X" else AMBER
            parts.append(_text(middle, y + 36, square.mark, 28, fill=colour, font_weight="bold"))
            parts.append(_text(middle, y + 53, weight, 11))
        else:
            parts.append(_text(middle, y + (26 if square.note else 36), weight, 15))
            parts.append(_text(middle, y + 48, square.note, 12, font_weight="bold"))
    return picture("board", edge + size * columns + 2, edge + size * rows + 2, label, parts)


def table(caption: str, heads: Sequence[str], rows: Iterable[tuple[str, Sequence[float]]]) -> str:
    """Return an HTML table of fractions, as percentages, with darker cells for larger values."""
    lines = [_tag("tr", _tag("td") + "".join(_tag("th", escape(head), scope="col") for head in heads))]
    for name, shares in rows:
        cells = (_tag("td", f"{100 * share:.0f}%", style=_shaded(share)) for share in shares)
        lines.append(_tag("tr", _tag("th", escape(name), scope="row") + "".join(cells)))
    return _tag("table", _tag("caption", escape(caption), style="white-space:nowrap") + "".join(lines))


def _shaded(share: float) -> str:
    red, green, blue = (int(BLUE[at : at + 2], 16) for at in (1, 3, 5))
    return f"text-align:right;background:rgba({red},{green},{blue},{SHADE * share:.2f})"


def fills(parts: Sequence[tuple[str, int, float]], label: str) -> str:
    """Return a bar chart of the progress of several parts.

    Each part is (name, size, fraction done from 0 to 1). Its bar is as long as its size, and filled by this fraction.
    """
    most, shown = max(size for _name, size, _done in parts), []
    for row, (name, size, done) in enumerate(parts):
        y, wide = 24 * row + 4, max(2.0, 300 * size / most)
        shown.append(_text(52, y + 13, name, text_anchor="end"))
        shown.append(_box(60, y, wide * done, 16, fill=BLUE, stroke="none"))
        shown += [_box(60, y, wide, 16), _text(66 + wide, y + 13, f"{size:,}", 11, text_anchor="start", opacity=0.7)]
    return picture("fills", 420, 24 * len(parts) + 8, label, shown)
