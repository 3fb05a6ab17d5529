"""Cutting and wrapping of English and Japanese text to the columns of a terminal."""

from __future__ import annotations

import click
import pytest
from tests.cli.run import run
from tests.terminal import Terminal

from yomikiri.cli.text import cut, width, wrapped


@pytest.mark.parametrize("text", ["a line of plain letters", "局面を読み切っています", "mixed 局面 and letters", ""])
def test_cut_limits_text_to_its_columns(text: str):
    for columns in range(1, 40):
        shown = cut(text, columns)
        assert width(shown) <= columns
        assert shown == text if width(text) <= columns else shown == text[: len(shown) - 1] + "…"


LONG = (
    "6 手目は 378（候補 6 通り）。378 の勝率は「66.67 %」、147 では 56.67 % です。 No word is broken, whatever comes."
)


@pytest.mark.parametrize("columns", range(12, 90))
@pytest.mark.parametrize("margin", ["", "  "])
def test_wrapped_breaks_between_words_and_japanese_characters(columns: int, margin: str):
    lines = wrapped(margin + LONG, columns).split("\n")
    assert all(width(line) <= columns for line in lines)
    assert all(line.startswith(margin) and line == line.rstrip() for line in lines)
    assert "".join("".join(lines).split()) == "".join(LONG.split())
    assert all(any(word in line for line in lines) for word in ("66.67", "broken,", "whatever"))
    assert not any(line.lstrip()[0] in "、。）」" or line[-1] in "（「" for line in lines)
    assert len(lines) <= 2 + 2 * width(LONG) // columns


def test_wrapped_keeps_the_columns_of_a_list():
    assert wrapped("  why [345]     why this guess", 24) == "  why [345]     why this\n                guess"
    assert wrapped("  答え          予想の答え", 22) == "  答え          予想の\n                答え"


def test_wrapped_keeps_fitting_lines_and_ignores_the_width_of_styles():
    assert wrapped("  a  b \nc", 7) == "  a  b \nc"
    styled = click.style("012", bold=True)
    assert wrapped(f"1. Guess {styled} (720 candidates).", 28) == f"1. Guess {styled} (720\ncandidates)."
    assert wrapped(f"1. Guess {styled} now", 16) == f"1. Guess {styled} now"


@pytest.mark.parametrize("columns", [40, 60])
def test_terminal_output_is_wrapped_but_piped_output_is_not(columns: int):
    analysis = ("tictactoe", "analyze", "--board=-2,0,-1/-1,-1,0/-1,-1,-2")
    with Terminal(*analysis, COLUMNS=str(columns)) as terminal:
        assert terminal.wait() == 0
        shown = terminal.shown.rpartition("\x1b[K")[2].replace("\r", "").splitlines()  # without the progress line
    assert max(map(width, shown)) <= columns
    [sentence] = [line for line in run(*analysis).stdout.splitlines() if line.startswith("After b1: ")]
    assert width(sentence) > 100
    if columns == 40:  # a wider window shows a board to its left
        assert sentence in " ".join(" ".join(shown).split())
