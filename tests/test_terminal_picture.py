"""Tests of `scripts/terminal_picture.py`: the pictures of the READMEs show the screen of a real session."""

from __future__ import annotations

import re
import runpy
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = SimpleNamespace(**runpy.run_path(str(ROOT / "scripts/terminal_picture.py")))


def words(drawing: str) -> list[str]:
    return [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", drawing)]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_picture_shows_the_current_screen(language: str):
    shown = [text for line in SCRIPT.session(language) for _column, _columns, text, _colour, _bold in line]
    drawn = (ROOT / f"docs/assets/terminal-{language}.svg").read_text(encoding="utf-8")
    assert words(drawn) == shown, "run python scripts/terminal_picture.py"


def test_wide_characters_fill_two_columns():
    cell = SimpleNamespace(fg="default", bold=False)
    row = dict.fromkeys(range(SCRIPT.COLUMNS), SimpleNamespace(**vars(cell), data=" "))
    row |= {1: SimpleNamespace(**vars(cell), data="数"), 2: SimpleNamespace(**vars(cell), data="")}
    assert list(SCRIPT.pieces(row)) == [(1, 2, "数", "default", False)]


def test_drawing_gives_each_word_its_width_and_escapes_it():
    drawing = SCRIPT.drawing([[(2, 3, "<-?", "green", True)]], "a & b")
    assert words(drawing) == ["<-?"]
    assert f'textLength="{3 * SCRIPT.COLUMN}"' in drawing
    assert 'aria-label="a &amp; b"' in drawing
