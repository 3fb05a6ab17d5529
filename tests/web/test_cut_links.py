"""Links that a chat has cut off: the page shows the part before the cut, and says where the link ends."""

from __future__ import annotations

import pytest
from tests.web.browser import Browser
from tests.web.client import get

GAME = "/hitblow?v=1&lang=en&turn=012:0H1B"
MATCH = "/match?v=1&lang=en&me=012:0H1B"
PLAY = "/play?v=1&lang=en&seed=tea&me=012"
BOARD = "/tictactoe?v=1&lang=en&board=1,2,3/4,5,6/7,8,9&moves=a1"


@pytest.mark.parametrize("cut", ["", "3", "345", "345:", pytest.param("34", marks=pytest.mark.exhaustive)])
def test_link_cut_within_a_turn_shows_the_turns_before(cut: str):
    page = get(f"{GAME}&turn={cut}")
    assert page.status == 400
    assert "This link is cut off after turn 1." in page.text
    assert "252 candidates" in page.text
    assert get(f"/hitblow?v=1&lang=en&turn={cut}").text.count("cut off before the first turn") == 1


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (f"{MATCH}&they=34", "What did they guess?"),
        (f"{PLAY}&me=3", "Your guesses"),
        ("/play?v=1&lang=en&seed=tea&race=1&secret=314&shown=7&me=012&they=18", "Your turn"),
        (f"{BOARD},b", "B to move"),
    ],
)
def test_every_game_is_shown_up_to_the_cut(path: str, shown: str):
    page = get(path)
    assert page.status == 400
    assert "This link is cut off after turn 1." in page.text
    assert shown in page.html or path.startswith("/tictactoe")


def test_cut_board_fills_the_form():
    page = get("/tictactoe?v=1&lang=en&board=1,2,3/4,5")
    assert page.status == 400
    assert "This link is cut off in the board." in page.text
    assert "1 2 3\n4 5</textarea>" in page.html


@pytest.mark.parametrize("path", [f"{GAME}&turn=345:9H9B", f"{GAME}&turn=34:1H0B&turn=345:1H0B", f"{GAME}&turn=345.1H"])
def test_other_errors_are_no_cuts(path: str):
    page = get(path)
    assert page.status in (400, 409)
    assert "cut off" not in page.text


def test_cut_game_goes_on(browser: Browser):
    browser.go(f"{PLAY}&me=34")
    assert "This link is cut off after turn 1." in browser.text
    for digit in "345":
        browser.tap(digit, ".typing .keys")
    browser.tap("Guess", ".typing")
    assert browser.query["me"] == ["012", "345"]
    assert "cut off" not in browser.text
