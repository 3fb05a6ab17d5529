"""Tic-tac-toe on a phone, with scripts and without."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.by import By
from tests.web.browser import Browser

EDGE = "/tictactoe?v=1&board=-2,0,-1/-1,-1,0/-1,-1,-2"
LARGE = "/tictactoe?v=1&board=" + "/".join(["-100000000000,5,123456,0,-7"] * 5) + "&line=5"


def take(browser: Browser, name: str) -> None:
    """Tap a cell by its label for screen readers."""
    browser.find(f".board a[aria-label^='{name}']").click()


def test_best_play_ends_as_predicted(browser):
    browser.go("/?lang=en").tap("tic-tac-toe").tap("Only an edge wins")
    assert browser.address == f"{EDGE}&lang=en"
    assert "Takahashi wins with b1 or c2" in browser.text
    for number in range(9):
        browser.find(".step.next").click()
        assert browser.address.count(",") == f"{EDGE}".count(",") + number
    assert "Takahashi wins by score, −4 to −5." in browser.text
    browser.tap("Undo")
    assert "Takahashi wins" in browser.text
    browser.driver.back()
    browser.driver.refresh()
    assert "Takahashi wins by score, −4 to −5." in browser.text


def test_back_undoes_a_move_and_its_reply(browser):
    browser.go(f"{EDGE}&lang=ja").tap("あなたが先手（X）")
    assert not browser.all(".worth")
    take(browser, "a1")
    assert "あなたの番" in browser.text
    browser.tap("評価値を表示")
    assert browser.all(".worth")
    browser.driver.back()
    browser.driver.back()
    assert browser.address == f"{EDGE}&me=first&lang=ja"


def test_weights_are_typed_into_cells(browser):
    browser.go("/tictactoe?lang=en").tap("Rows of text, as in the contest")
    browser.find("textarea").send_keys("3 1 4\n1 5 9\n2 6 5")
    browser.tap("Use this board")
    assert browser.address == "/tictactoe?v=1&board=3,1,4/1,5,9/2,6,5&lang=en"
    field = browser.all(".edit input")[4]
    field.clear()
    field.send_keys("-7")
    browser.tap("Use these")
    assert browser.address == "/tictactoe?v=1&board=3,1,4/1,-7,9/2,6,5&lang=en"


def test_board_of_the_day_is_played_and_ends_with_a_result(browser):
    browser.go("/tictactoe?lang=en")
    assert "Today’s board" in browser.find(".today").text
    browser.tap("Play first (X)")
    assert browser.query["me"] == ["first"]
    board = browser.query["board"][0]
    assert len(board.split("/")) == 3
    while not browser.all(".felt"):
        browser.all("a.cell")[0].click()
    assert browser.find(".felt").get_dom_attribute("class") in ("felt won", "felt lost", "felt drawn")
    for cell in browser.all(".board:not(.edit) .cell:not(.taken)"):
        assert cell.value_of_css_property("box-shadow") == "none"
    browser.tap("Play the other side")
    assert browser.query == {"v": ["1"], "board": [board], "me": ["second"], "lang": ["en"]} | {
        name: value for name, value in browser.query.items() if name == "moves"
    }


def test_score_bar_is_wide_on_a_narrow_screen(scripted):
    scripted.resized(320, 740).go(f"{EDGE}&moves=b1,a1&lang=en")
    (bar,) = scripted.boxes(".tug .gauge")
    assert bar.right - bar.left > 200


def test_moves_have_four_buttons(browser):
    browser.go(f"{EDGE}&moves=b1,a1&lang=en")
    for name, moves in (("Previous move", "b1"), ("Next move", "b1,"), ("To the start", "")):
        browser.find(f"a[aria-label='{name}']").click()
        assert browser.address.partition("moves=")[2].partition("&")[0].startswith(moves)
    browser.find("a[aria-label='To the end']").click()
    assert browser.address.partition("moves=")[2].count(",") == 8


def test_random_board_form_works(browser):
    browser.go("/tictactoe?lang=en")
    browser.find("select[name=random]").find_element(By.CSS_SELECTOR, "[value=second]").click()
    browser.tap("Generate")
    assert "Aoki wins whatever Takahashi plays" in browser.text


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("path", ["/tictactoe", "/tictactoe?text=x", f"{EDGE}&moves=b1,a1", f"{EDGE}&me=second", LARGE])
def test_board_has_no_accessibility_barriers(scripted, theme, path):
    scripted.resized(320, 640).themed(theme).go(path)
    for summary in scripted.all("main summary"):
        summary.click()
    assert scripted.barriers() == []
    assert scripted.too_wide() <= 0
    scripted.resized(160, 320)  # as at a zoom of 200 %
    assert scripted.too_wide() <= 0
