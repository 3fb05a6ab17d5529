"""Accessibility: axe-core finds no barrier of WCAG A or AA; small screens and large text fit."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from selenium.webdriver.common.by import By
from tests.web.browser import Browser

PAGES = {
    "home": "/",
    "start": "/hitblow",
    "middle": "/hitblow?turn=012:0H1B&turn=134:1H0B&guess=345",
    "facts": "/hitblow?turn=012:0H1B&fact=at=1@3&say=nonsense",
    "mending": "/hitblow?turn=012:0H1B&turn=134:1H0B&edit=1",
    "mending a fact": "/hitblow?turn=012:0H1B&fact=has=3&edit=2",
    "contradiction": "/hitblow?turn=012:0H1B&turn=012:1H1B",
    "wrong guess": "/hitblow?guess=343",
    "absent": "/hitblow?absent=7&preset=bulls",
    "pegs": "/hitblow?preset=mastermind",
    "found": "/hitblow?turn=012:0H1B&turn=345:1H0B&turn=390:1H1B&turn=307:3H0B",
    "again": "/hitblow?turn=012:0H1B&try=345",
    "numbers": "/hitblow?turn=012:0H1B&turn=134:1H0B&numbers=1",
    "review": "/hitblow?turn=345:1H0B&turn=123:0H2B&turn=012:0H1B&turn=371:3H0B&review=1",
    "puzzle": "/hitblow?turn=345:1H0B&turn=123:0H2B&turn=012:0H1B&turn=371:3H0B&puzzle=3&guess=062&clues=3",
    "practise": "/practise?seed=tea&clues=1",
    "a guess in practise": "/practise?v=1&difficulty=easy&seed=tea&guess=012",
    "items": "/match?preset=numeron&items=slash,high,target&me=012:0E1B&they=345:0E0B",
    "settings": "/match?preset=numeron&terms=1",
    "own rules": "/?preset=own",
    "day": "/play?day=2026-11-25&me=012&give-up=1",
    "match": "/match",
    "my turn": "/match?secret=314&shown=7&me=012:0H1B&they=012:1H0B&me=134:1H0B&they=725:0H0B",
    "their turn": "/match?first=opponent",
    "mending a match": "/match?me=012:0H1B&they=345:0H0B&edit=2",
    "match lost": "/match?shown=7&me=012:0H1B&they=345:1H0B&me=134:1H0B&they=361:3H0B",
    "alone": "/play?seed=tea&me=012&hint=2",
    "alone, found": "/play?seed=tea&me=012&me=345&me=307",
    "race begins": "/play?seed=tea&race=1",
    "race shows": "/play?seed=tea&race=1&secret=314",
    "race": "/play?seed=tea&race=1&secret=314&shown=7&me=012&they=180&me=345&they=894&me=678&they=591&me=890&they=835"
    "&me=123&they=054",
    "pegs, given up": "/play?preset=mastermind&seed=tea&me=1122&give-up=1",
    "boards": "/tictactoe",
    "board": "/tictactoe?board=-2,0,-1/-1,-1,0/-1,-1,-2&moves=b1,a1",
    "board, over": "/tictactoe?board=0,0,0/0,0,0/0,0,0&moves=b2,b1,a1,c3,a3,a2,c1",
    "wrong answers": "/hitblow?slips=1&turn=012:0H1B&turn=345:1H0B&turn=067:1H0B&turn=067:0H1B",
    "found, one wrong": "/hitblow?slips=1&turn=012:0H1B&turn=134:2H0B&turn=156:3H0B",
    "found, not fitting": "/hitblow?slips=1&turn=012:0H1B&turn=134:1H0B&turn=375:3H0B",
    "nothing": "/nowhere",
}
THEMES, LANGUAGES = ("light", "dark"), ("en", "ja")
WHOLE = pytest.mark.exhaustive
OFTEN = ["home", "contradiction", "my turn", "board", "review", "puzzle"]
EACH = [page if page in OFTEN else pytest.param(page, marks=WHOLE) for page in PAGES]
WITHOUT_SCRIPTS = [pytest.param(page, False, marks=WHOLE if page in OFTEN else pytest.mark.release) for page in PAGES]


def with_language(path: str, language: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}lang={language}"


def enlarged_is_too_wide(browser: Browser) -> int:
    """Return the excess width of a page in pixels, at a zoom of 200 % or with double text size."""
    zoomed = browser.resized(160, 320).too_wide()
    browser.resized(640, 900).driver.execute_script("document.documentElement.style.fontSize = '200%'")
    return max(zoomed, browser.too_wide())


@pytest.mark.parametrize("page", OFTEN)
def test_page_fits_a_small_phone_and_has_no_barrier(scripted: Browser, page: str):
    for theme, language in zip(THEMES, LANGUAGES, strict=True):
        scripted.resized(320, 740).themed(theme).go(with_language(PAGES[page], language)).unfold()
        assert scripted.too_wide() <= 0
        assert scripted.barriers() == []
        assert enlarged_is_too_wide(scripted) <= 0
    scripted.themed("light")


# The record of mistakes in the browser; only with it does the first page show the tag that links to them.
RECORDED = """
localStorage.setItem("record", JSON.stringify({puzzles: {"/practise?seed=a": false, "/practise?seed=b": false}}));
"""


@pytest.mark.parametrize("page", EACH)
def test_no_part_reaches_beyond_its_card(scripted: Browser, page: str):
    scripted.driver.execute_script(RECORDED)
    for language in LANGUAGES:
        scripted.go(with_language(PAGES[page], language))
        for width in (320, 390, 1280):
            assert scripted.resized(width, 740).outside() == [], (width, language)
    scripted.driver.execute_script("localStorage.clear()")


@pytest.mark.parametrize("page", EACH)
def test_page_links_its_styles_and_obeys_its_policy(scripted: Browser, page: str):
    scripted.complaints()
    assert scripted.go(PAGES[page]).unstyled() == []
    assert [said for said in scripted.complaints() if "Content Security Policy" in said] == []


@pytest.mark.parametrize(
    ("page", "scripts"), [*(pytest.param(page, True, marks=WHOLE) for page in PAGES), *WITHOUT_SCRIPTS]
)
def test_page_fits_every_width_theme_and_language(scripted: Browser, page: str, scripts: bool):
    """The findings about contrast depend on the theme alone, the others on the script and the layout.

    Only the widths of texts depend on the language.
    """
    for language in LANGUAGES:
        with nullcontext() if scripts else scripted.without_its_script():
            scripted.go(with_language(PAGES[page], language)).unfold()
        assert scripted.find(".working").get_dom_attribute("hidden") == "true"
        for width in (360, 768):
            assert scripted.resized(width, 740).too_wide() <= 0
        for width in (320, 1280):
            assert scripted.resized(width, 740).too_wide() <= 0
            if language == "en" or width == 320:
                assert scripted.barriers(colours=False) == []
        for theme in THEMES if scripts and language == "en" else ():
            assert scripted.themed(theme).barriers(colours=True) == []
        assert enlarged_is_too_wide(scripted) <= 0
        scripted.themed("light")


@pytest.mark.parametrize(
    "page",
    ["home", "start", "middle", "contradiction", "absent", "my turn", "race", "review", "puzzle", "board", "found"],
)
def test_tap_targets_are_large_enough(scripted: Browser, page: str):
    scripted.resized(320, 640).go(PAGES[page])
    counts = []
    for _fold in range(2):
        count, small = scripted.smaller(40, 44)
        assert not small
        counts.append(count)
        scripted.unfold()
    assert 1 < counts[0] <= counts[1]


@pytest.mark.parametrize(
    "game", ["preset=bulls", pytest.param("digits=6&symbols=0123456", marks=pytest.mark.exhaustive)]
)
def test_answers_of_many_digits_fit_their_keys(scripted: Browser, game: str):
    scripted.resized(320, 640).go(f"/hitblow?{game}")
    keys = scripted.boxes("a.answer")
    for parts, inside in (("b, small", -1), (".pips i", 1)):  # a line of text includes some space around the letters
        for part in scripted.boxes(f"a.answer :is({parts})"):
            [key] = [key for key in keys if key.top <= part.top < key.bottom and key.left <= part.left < key.right]
            assert key.left + inside <= part.left, key.text
            assert part.right <= key.right - inside, key.text


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_heads_of_both_boards_fit_their_cards(scripted: Browser, lang: str):
    for scale in ("100%", "200%"):
        scripted.resized(320, 640).go(f"{PAGES['race']}&lang={lang}")
        scripted.driver.execute_script("document.documentElement.style.fontSize = arguments[0]", scale)
        card, tag = scripted.find(".duo .on").rect, scripted.find(".duo .tag").rect
        assert tag["x"] + tag["width"] <= card["x"] + card["width"], scale


def test_elements_do_not_overlap_with_double_text_size(scripted: Browser):
    def enlarged(page: str) -> Browser:
        scripted.resized(320, 640).go(PAGES[page])
        scripted.driver.execute_script("document.documentElement.style.fontSize = '200%'")
        return scripted

    logo, languages = (enlarged("home").find(css).rect for css in (".logo", ".bar nav"))
    assert logo["x"] + logo["width"] <= languages["x"] or logo["y"] + logo["height"] <= languages["y"]
    for part in enlarged("board").all(".board > a.cell > *"):
        cell = part.find_element(By.XPATH, "..").rect
        assert cell["x"] <= part.rect["x"] <= part.rect["x"] + part.rect["width"] <= cell["x"] + cell["width"]


def test_news_goes_into_a_live_region(scripted: Browser):
    scripted.go("/hitblow?turn=012:0H1B&turn=134:1H0B")
    assert scripted.waits_for("[role=status]", "134: 1 hit, 0 blows. 45 candidates. Guess 156")
    assert scripted.driver.title.startswith("Guess 156")
