"""Screens of `yomikiri tictactoe analyze` at different window sizes.

Also tests `wording/tictactoe_screens.py`: the text next to and below a board.
"""

from __future__ import annotations

import pytest
from tests.terminal import Terminal

from yomikiri.cli.text import width

EDGE = "--board=-2,0,-1/-1,-1,0/-1,-1,-2"
ANALYSIS = """\
Takahashi (X) to move: wins by 1 with b1 or c2
     a    b    c     Best play: b1 a1 b2 b3 c2 a2 a3 c1 c3. Takahashi wins by
1   -2    0   -1     score, -4 to -5.
    -1  [+1]  -1     After b1: Takahashi completes a line or ends with b1 c2 a3
2   -1   -1    0     and either a1 b3 (-4 to -5) or a2 c3 (-4 to -5), against
    -1   -1  [+1]    any reply by Aoki.
3   -1   -1   -2        a b c      a b c
    -1   -1   -1      1 X X O    1 O X O
                      2 O O X    2 X O X
                      3 X X O    3 X O X
above: the weight   below: Takahashi's margin   [+1]: best"""


def shown(*arguments: str, columns: int = 80, rows: int = 40) -> str:
    """Run an analysis in a terminal and return its final screen."""
    with Terminal("tictactoe", "analyze", *arguments, columns=columns, rows=rows) as terminal:
        assert terminal.wait() == 0
        return terminal.screen


def test_analysis_fits_one_screen_with_the_reason_next_to_the_board():
    assert shown(EDGE) == ANALYSIS


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("columns", [40, 60, 120])
def test_screen_fits_the_window_with_complete_pictures(columns: int, lang: str):
    screen = shown(EDGE, "--moves", "b2", "--lang", lang, columns=columns)
    assert max(map(width, screen.splitlines())) <= columns
    assert sum(line.count("a b c") for line in screen.splitlines()) == 4
    assert "[+1]" in screen


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_low_window_drops_pictures_before_sentences(lang: str):
    screen = shown(EDGE, "--lang", lang, columns=40, rows=20)
    assert screen.startswith({"en": "Takahashi (X) to move", "ja": "高橋君"}[lang])
    assert "b1 c2 a3" in screen.replace("\n", " ")
    assert screen.count("a b c") == 0


@pytest.mark.parametrize(
    ("board", "moves", "headline"),
    [
        ("0,0,0/0,0,0/0,0,0", "", "Takahashi (X) to move: draws with any move"),
        ("1,1,1/1,1,1/1,1,1", "a1 a2 b1", "Aoki (O) to move: loses"),
        ("9,8,9/9,3,-8/0,6,5", "a1 a2 b1 b3", "Takahashi (X) to move: wins by a line in 1 with c1"),
        ("-9,-9,-9/-9,9,-9/-9,-9,-9", "", "Takahashi (X) to move: wins by"),
    ],
)
def test_headline_states_player_result_and_moves(board: str, moves: str, headline: str):
    given = [f"--board={board}", *(["--moves", moves] if moves else [])]
    assert shown(*given).startswith(headline)
