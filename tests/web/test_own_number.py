"""The player's own number: every page of a match shows it face up or after one tap, also without scripts."""

from __future__ import annotations

import pytest
from tests.web.browser import Browser
from tests.web.client import get

_MATCH = "/match?v=1&secret=314&me=012:1H0B"
_RACE = "/play?v=1&seed=tea&race=1&secret=314"
# The number may not be face up while the opponent across the table can see the screen.
FACE_DOWN = {
    "my turn": f"{_MATCH}&they=345:1H1B",
    "their turn": _MATCH,
    "edited line": f"{_MATCH}&they=345:1H1B&edit=2",
    "contradiction": f"{_MATCH}&they=345:1H1B&me=012:0H2B",
    "review of a match": f"{_MATCH}&they=345:1H1B&me=134:1H2B&they=361:1H1B&me=314:3H0B&review=1",
    "review of a race": f"{_RACE}&shown=7&me=012&they=180&me=345&they=894&give-up=1&review=1",
}
FACE_UP = {
    "digit to reveal": _RACE,
    "race": f"{_RACE}&shown=7&me=012&they=180",
    "race given up": f"{_RACE}&shown=7&me=012&they=180&give-up=1",
    "race won": f"{_RACE}&shown=7&me=307",
    "match won": f"{_MATCH}&they=345:1H1B&me=089:3H0B",
    "match lost": f"{_MATCH}&they=314:3H0B",
}
_SHOWN = """
const seen = (each) => each.checkVisibility({visibilityProperty: true}) && each.getBoundingClientRect().width > 0;
return [...document.querySelectorAll(arguments[0])].filter(seen).map((each) => each.innerText.replace(/\\s/g, ""));
"""


def face_up(browser: Browser, css: str = ".tiles") -> list[str]:
    """Return the visible tiles, each code as the symbols of its tiles behind the text for screen readers."""
    return [text[len(text) // 2 :] for text in browser.driver.execute_script(_SHOWN, f"main {css}:not(.back)")]


@pytest.mark.parametrize("page", FACE_DOWN)
def test_one_tap_turns_my_number_over(browser: Browser, page: str):
    browser.go(f"{FACE_DOWN[page]}&lang=en")
    assert face_up(browser, ".own-number .tiles") == []
    browser.find(".own-number > summary").click()
    assert face_up(browser, ".own-number .tiles") == ["314"]
    browser.find(".own-number > summary").click()
    assert face_up(browser, ".own-number .tiles") == []


@pytest.mark.parametrize("page", FACE_UP)
def test_my_number_is_face_up(browser: Browser, page: str):
    browser.go(f"{FACE_UP[page]}&lang=en")
    assert "Your number" in browser.text
    assert "314" in face_up(browser)


def test_page_without_a_number_of_mine_shows_none():
    for path in ("/match?v=1&me=012:1H0B", "/match?v=1&me=012:3H0B", "/play?v=1&seed=tea&me=307", "/hitblow?v=1"):
        assert "Your number" not in get(f"{path}&lang=en").text.partition("Match settings")[0]
        assert "own-number" not in get(f"{path}&lang=en").html
