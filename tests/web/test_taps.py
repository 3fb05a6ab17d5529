"""Tapping: no tap hits an element that has just appeared, edits stay in place, and everything fits on the screen."""

from __future__ import annotations

from itertools import pairwise

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.remote.webelement import WebElement
from tests.web.browser import Browser


def shown(browser: Browser, css: str) -> list[WebElement]:
    """Return the matching visible elements."""
    return [element for element in browser.all(css) if element.is_displayed()]


def double_tap(browser: Browser, element: WebElement) -> None:
    """Tap twice at the same place within a quarter of a second, whatever element is there the second time."""
    ActionChains(browser.driver, duration=0).move_to_element(element).click().pause(0.25).click().perform()


@pytest.mark.parametrize(
    ("path", "answer"), [("/hitblow?v=1", "0H1B"), ("/match?v=1&first=opponent&they=345:1H1B", "1H0B")]
)
def test_double_tap_enters_one_turn(browser: Browser, path: str, answer: str):
    browser.go(path).at_its_own_pace()
    before = browser.address.count(":")
    (key,) = [key for key in shown(browser, "a.answer") if answer in key.text]
    browser.wait_until_settled()
    double_tap(browser, key)
    assert browser.address.count(":") == before + 1


def test_double_tap_guard_does_not_delay_keys(scripted: Browser):
    scripted.go("/hitblow?v=1").at_its_own_pace()
    scripted.driver.execute_script("document.querySelector('a.answer').focus()")
    scripted.press("\ue007")
    assert scripted.becomes("/hitblow?v=1&turn=012:0H0B")


def test_answers_are_dimmed_while_disabled(scripted: Browser):
    scripted.go("/hitblow?v=1").at_its_own_pace()
    opacity = "return Number(getComputedStyle(document.querySelector('a.answer')).opacity)"
    assert (
        scripted.driver.execute_script(f"document.getAnimations().forEach(a => a.currentTime = 100); {opacity}") < 0.8
    )
    scripted.wait_until_settled()
    assert scripted.driver.execute_script(opacity) == 1


def test_new_turn_is_listed_announced_and_undone(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B&lang=en").tap("0H0B", ".answers")
    news = str(browser.find("[data-news]").get_dom_attribute("data-news"))
    assert news.startswith("134: 0 hits, 0 blows. ")
    assert "candidates. Guess" in news
    assert browser.all(".turns .turn")[-1].rect["y"] < browser.find(".proposal").rect["y"]
    browser.tap("Undo")
    assert browser.address == "/hitblow?v=1&turn=012:0H1B&lang=en"


def test_earlier_turns_fold_from_the_fourth_on(browser: Browser):
    three = "/hitblow?v=1&turn=012:0H1B&turn=134:0H1B&turn=567:0H1B&lang=en"
    assert len(shown(browser.go(three), "a.turn")) == 3
    browser.go(f"{three}&turn=580:0H1B")
    assert len(shown(browser, "a.turn")) == 2
    browser.tap("2 earlier turns")
    assert len(shown(browser, "a.turn")) == 4


@pytest.mark.parametrize(
    ("path", "line", "mended"),
    [
        ("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B", 1, "/hitblow?v=1&turn=567:1H0B&turn=134:1H0B&misled=2"),
        ("/match?v=1&me=012:0H1B&they=345:0H0B&me=134:1H0B&they=678:0H0B", 1,
         "/match?v=1&me=567:1H0B&they=345:0H0B&me=134:1H0B&they=678:0H0B&misled=2,3,4"),
    ],
)  # fmt: skip
def test_editor_shows_no_other_card(browser: Browser, path: str, line: int, mended: str):
    browser.go(path)
    shown(browser, "a.turn")[line - 1].click()
    assert not shown(browser, ".proposal")
    assert browser.find(".editor").rect["y"] < 300
    browser.tap("Another guess", ".editor")
    for digit in "567":
        browser.tap(digit, ".editor .keys")
    assert not shown(browser, ".proposal")
    browser.tap("1H0B", ".editor .answers")
    assert browser.address == mended


def test_editor_marks_the_recorded_answer(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H0B&turn=345:0H2B&turn=637:1H0B&edit=2")
    now = browser.all(".editor .answer[aria-current]")
    assert ["0H2B" in key.text and "now" in key.text for key in now] == [True]
    ground = browser.find(".editor").value_of_css_property("background-color")
    for key in browser.all(".editor .answer:not(.win)"):
        assert key.value_of_css_property("color") == browser.find("h2").value_of_css_property("color"), key.text
        assert key.value_of_css_property("background-color") == ground, key.text


def test_next_best_guesses_scroll_into_view(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B").tap("Next best guesses", "#why")
    top = browser.driver.execute_script("return document.querySelector('#why').getBoundingClientRect().top")
    assert -1 <= top < 400


def test_pad_for_another_guess_is_in_view(browser: Browser):
    for path in (
        "/hitblow",
        "/hitblow?preset=bulls&turn=0123:0H1B",
        "/match?v=1&secret=314&shown=7&me=012:0H1B&they=345:1H1B",
    ):
        browser.go(path).tap("Another guess")
        assert not browser.boxes(".proposal, .said")
        bottom = max(key.bottom for key in browser.boxes(".typing .key"))
        assert bottom - browser.driver.execute_script("return scrollY") <= 740, path


@pytest.mark.parametrize("rules", ["digits=3", "preset=bulls", "preset=mastermind", "digits=5&symbols=0123456"])
def test_answers_fit_on_the_first_screen(browser: Browser, rules: str):
    browser.go(f"/hitblow?{rules}")
    keys, bars = browser.boxes("a.answer"), browser.boxes(".answers .pips .none")
    assert max(key.bottom for key in keys) <= 740
    assert len({round(key.right - key.left) for key in keys}) == 1
    assert all(bar.bottom - bar.top <= 4 for bar in bars)


@pytest.mark.parametrize(
    "path",
    ["/match?secret=314&shown=7&me=012:0H1B&they=012:1H0B", "/match?digits=4&me=0123:0H1B&they=4567:0H1B",
     "/play?seed=tea&race=1&secret=314&shown=7&me=012&they=346",
     *(pytest.param(path, marks=pytest.mark.exhaustive) for path in (
         "/match?me=012:0H1B&guess=345", "/match?me=012:0H1B", "/hitblow?digits=5&symbols=01234567",
         "/match?me=012:0H1B&they=345:1H1B&me=134:1H0B&they=361:1H1B", "/hitblow?turn=012:0H1B&turn=134:1H0B&edit=1",
         "/hitblow?turn=012:0H1B&guess=34"))],
)  # fmt: skip
def test_landscape_phone_shows_guess_and_answers(scripted: Browser, path: str):
    scripted.resized(740, 360).go(path)
    assert max(key.bottom for key in scripted.boxes(".answer, .typing .key")) <= 360
    assert all(tile.bottom <= 360 for tile in scripted.boxes(".xl .tile"))


def test_wide_screen_shows_knowledge_beside_the_guess(scripted: Browser):
    path = "/hitblow?turn=012:0H1B&turn=134:1H0B"
    rects = [scripted.resized(1280, 800).go(path).find(css).rect for css in (".proposal", "#keys")]
    assert rects[0]["x"] + rects[0]["width"] < rects[1]["x"]
    assert scripted.driver.execute_script("return document.documentElement.scrollHeight") <= 1200


def test_tablet_shows_answers_beside_the_guess(scripted: Browser):
    for width in (768, 820):
        scripted.resized(width, 1024).go("/hitblow?turn=012:0H1B&turn=134:1H0B")
        proposal, answers = scripted.find(".proposal").rect, scripted.find(".said").rect
        assert abs(proposal["x"] - answers["x"]) <= 1
        assert abs(proposal["width"] - answers["width"]) <= 1


def test_landscape_phone_shows_the_whole_board(scripted: Browser):
    for board in ("-2,0,-1/-1,-1,0/-1,-1,-2", "/".join(["0,0,0,0"] * 4)):
        scripted.resized(740, 360).go(f"/tictactoe?board={board}&line=3")
        assert max(cell.bottom for cell in scripted.boxes(".board:not(.edit) .cell")) <= 360


def test_background_of_a_short_page_fills_the_screen(scripted: Browser):
    scripted.resized(390, 844).go("/nowhere")
    ground = scripted.find("html").value_of_css_property("background-color")
    assert ground not in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)")


def test_single_answer_is_centred(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H3B&turn=120:0H3B")
    (key,) = browser.boxes("a.answer")
    assert abs((key.left + key.right) / 2 - 180) <= 2


@pytest.mark.parametrize(
    "path",
    ["/tictactoe?board=9,-9,9,-9,9,-9,9,-9&line=8", "/tictactoe?board=" + "/".join(["-9,8,-7,6,-5"] * 5) + "&line=5"],
)
def test_numbers_fit_their_cells(scripted: Browser, path: str):
    for width in (320, 360):
        scripted.resized(width, 740).go(path)
        wide = "e => e.scrollWidth > e.clientWidth + 1"
        assert (
            scripted.driver.execute_script(
                f"return [...document.querySelectorAll('.board:not(.edit) .cell')].filter({wide}).length"
            )
            == 0
        )


@pytest.mark.parametrize("path", ["/", "/hitblow?turn=012:0H1B", "/tictactoe"])
def test_header_fits_with_double_text_size(scripted: Browser, path: str):
    for language in ("en", "ja"):
        scripted.resized(360, 740).go(f"{path}{'&' if '?' in path else '?'}lang={language}")
        scripted.driver.execute_script("document.documentElement.style.fontSize = '200%'")
        assert scripted.too_wide() <= 0
        assert [box.text for box in scripted.boxes(".bar > *") if box.bottom - box.top > 210] == []


@pytest.mark.parametrize("path", ["/", "/hitblow", "/hitblow?turn=012:0H1B&edit=1", "/match", "/tictactoe", "/nowhere"])
def test_heading_levels_are_complete(scripted: Browser, path: str):
    scripted.go(path)
    levels = [int(heading.tag_name[1]) for heading in scripted.all("h1, h2, h3, h4")]
    assert levels[0] == 1
    assert all(later <= level + 1 for level, later in pairwise(levels))


@pytest.mark.parametrize("path", ["/hitblow", "/match", "/tictactoe?board=1,2,3/4,5,6/7,8,9"])
def test_name_of_the_game_is_visible(scripted: Browser, path: str):
    heading = scripted.go(path).find("h1")
    assert heading.rect["height"] > 15
    assert heading.rect["width"] > 50


def test_first_page_starts_a_game_with_own_rules(browser: Browser):
    browser.go("/?lang=en").tap("Own rules")
    for name, value in (("digits", "2"), ("symbols", "abcd")):
        field = browser.find(f".own-rules [name={name}]")
        field.clear()
        field.send_keys(value)
    browser.find(".own-rules [name=repeats] [value=all]").click()
    browser.tap("Help me guess", ".own-rules")
    assert "2 digits of abcd, repeats allowed" in browser.find("header").text
    assert "16 candidates" in browser.text
