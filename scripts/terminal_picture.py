"""Draw the terminal that the READMEs show: python scripts/terminal_picture.py [FOLDER], by default docs/assets.

A session of the assistant runs in a pseudo-terminal, in English and in Japanese. The picture is its screen after two
answers and `why`, as SVG. It loads no font, so each piece of text gets its width explicitly.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from html import escape
from itertools import groupby
from pathlib import Path

from pyte.screens import Char

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.terminal import Terminal  # noqa: E402

COLUMNS, ROWS = 80, 24
# The text that the screen has to show, and the line to type then.
TYPED = (("012", "0H1B\r"), ("134", "1H0B\r"), ("156", "why\r"))
LAST = "3H0B"
COLUMN, LINE, MARGIN, BAR = 9, 21, 16, 34  # pixels
COLOURS = {"default": "#d6dae0", "green": "#7ec98a", "red": "#f08080", "brown": "#e0b860", "cyan": "#76c7d6"}
FAINT = "#8a93a0"

Piece = tuple[int, int, str, str, bool]  # column, number of columns, text, colour, bold


def session(language: str) -> list[list[Piece]]:
    """Return the lines of the screen after all input."""
    with tempfile.TemporaryDirectory() as home:
        named = {"HOME": home, "XDG_DATA_HOME": home, "LANGUAGE": language, "NO_COLOR": "", "COLORTERM": ""}
        with Terminal(columns=COLUMNS, rows=ROWS, **named) as terminal:
            for shown, line in TYPED:
                terminal.see(shown, " >")
                terminal.type(line)
            terminal.see(LAST, " >")
            lines = [list(pieces(terminal.cells[row])) for row in range(ROWS)]
    while not lines[-1]:
        lines.pop()
    return lines


def pieces(row: Mapping[int, Char]) -> Iterator[Piece]:
    """Yield the words of a row. A wide character fills two columns, the second of which is an empty text."""
    for (colour, bold, is_blank), group in groupby(
        range(COLUMNS), key=lambda at: (row[at].fg, row[at].bold, row[at].data == " ")
    ):
        columns = list(group)
        if not is_blank:
            yield columns[0], len(columns), "".join(row[at].data for at in columns), colour, bold


def drawing(lines: list[list[Piece]], label: str) -> str:
    """Return the picture of a window with these lines."""
    wide, high = 2 * MARGIN + COLUMN * COLUMNS, BAR + MARGIN + LINE * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img"'
        f' aria-label="{escape(label)}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="15">',
        f'<rect width="{wide}" height="{high}" rx="8" fill="#1b1f26"/>',
    ]
    parts += [f'<circle cx="{MARGIN + 6 + 18 * i}" cy="17" r="5.5" fill="#3c434f"/>' for i in range(3)]
    for number, line in enumerate(lines):
        for column, columns, text, colour, bold in line:
            fill = FAINT if set(text) == {"─"} else COLOURS.get(colour, COLOURS["default"])
            weight = ' font-weight="700"' if bold else ""
            parts.append(
                f'<text x="{MARGIN + COLUMN * column}" y="{BAR + LINE * number + 15}" textLength="{COLUMN * columns}"'
                f' lengthAdjust="spacingAndGlyphs" fill="{fill}"{weight}>{escape(text)}</text>'
            )
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Draw the session in both languages."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs/assets")
    os.environ.pop("LC_ALL", None)
    for language in ("en", "ja"):
        lines = session(language)
        label = "\n".join(" ".join(text for _, _, text, _, _ in line) for line in lines)
        (folder / f"terminal-{language}.svg").write_text(drawing(lines, label), encoding="utf-8")


if __name__ == "__main__":
    main()
