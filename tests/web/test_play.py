"""A game against the program on the page: its address is the whole of it, and every road through it holds.

Also holds `wording/web_play.py`: sentences, where they are said.
"""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.web.browser import Browser
from tests.web.client import get
from tests.web.test_hitblow_match import type_guess

from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.play import Level, Play
from yomikiri.hitblow.rules import PRESETS, hint
from yomikiri.web.play import Address, read

TEA = "/play?v=1&seed=tea"  # 307


def test_without_a_seed_it_leads_to_a_fresh_one_each_time():
    found = {get("/play?preset=bulls").headers["location"] for _ in range(3)}
    assert len(found) == 3
    assert all(re.fullmatch(r"/play\?preset=bulls&seed=[0-9a-f]{10}", link) for link in found)


@pytest.mark.parametrize("day", ["2026-11-22", "2027-01-01"])
def test_the_number_of_a_day_is_the_same_in_every_address(day: str):
    kept = Play(seed=f"day-{day}").kept
    for lang in ("en", "ja"):
        assert kept in get(f"/play?v=1&day={day}&give-up=1&lang={lang}").text
        assert kept not in get(f"/play?v=1&day={day}&lang={lang}").html


@st.composite
def addresses(draw: st.DrawFn) -> Address:
    """Games in progress."""
    known = draw(st.sampled_from([PRESETS["hitblow"], PRESETS["numeron"], PRESETS["mastermind"]]))
    raced = draw(st.booleans())
    digits = known.rules.digits
    guesses = st.lists(st.sampled_from([known.rules.symbols[:digits], known.rules.symbols[1:][:digits]]), max_size=3)
    secret = draw(st.sampled_from(["", known.rules.symbols[: known.rules.digits]])) if raced else ""
    first = draw(st.sampled_from(Side)) if raced else Side.ME
    mine = tuple(draw(guesses))
    play = Play(
        known.rules,
        draw(st.sampled_from(["tea", "0-a"])),
        raced,
        draw(st.sampled_from([Level.RANDOM, Level.CONSISTENT])) if raced else Level.CONSISTENT,
        first,
        draw(st.booleans()) if raced else True,
        secret,
        draw(st.sampled_from(["", known.rules.symbols[5]])) if raced else "",
        mine,
        mine if raced else (),
    )
    return Address(play, known.words, "", tuple(draw(st.sets(st.integers(1, 5)))), draw(st.booleans()),
                   draw(st.sampled_from([None, "en", "ja"])))  # fmt: skip


@given(addresses())
@settings(max_examples=40)
def test_an_address_says_the_whole_game_and_leads_to_a_page(address: Address):
    again = read(parse_qsl(str(address).partition("?")[2]))
    assert again is not None
    assert str(again) == str(address)
    page = get(str(address))
    for _step in range(2):
        if page.status == 303:
            page = get(page.headers["location"])
    assert page.status == 200
    assert len(page.body) < 60_000


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("seed=a b", "seed 'a b': expected 1 to 40 letters"),
        ("seed=a&day=2026-11-22", "seed= and day= each name a secret"),
        ("day=tomorrow", "day=tomorrow: expected a date such as 2026-11-22"),
        ("seed=a&me=0123", "'0123' is not a code"),
        ("seed=a&level=godlike", "level=godlike: expected one of random, consistent, fewest, perfect"),
        ("seed=a&preset=bulls&race=1&level=perfect", "level perfect plays games of at most 720 codes"),
        ("seed=a&digits=6", "too many for the page"),
        ("seed=a&race=1&secret=31", "'31' is not a code"),
        ("seed=a&race=1&secret=314&shown=3", "you revealed '3'"),
        ("seed=a" + "&me=012" * 31, "31 turns are too many"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(query: str, said: str):
    page = get(f"/play?{query}")
    assert page.status == 400
    assert said in page.text


def test_neither_the_secret_nor_a_candidate_stands_on_the_page_of_a_game_in_progress():
    page = get(f"{TEA}&me=012&me=345")
    assert "307" not in page.html
    assert "candidate" not in page.text


def test_a_hint_is_counted_in_the_address_and_in_the_result():
    page = get(f"{TEA}&me=012")
    (link,) = page.links("Give me a hint")
    assert link == f"{TEA}&me=012&hint=2"
    assert "Hint: 134" in get(link).text
    assert "3 guesses, 1 hint" in get(f"{TEA}&me=012&me=345&me=307&hint=2").text


def test_a_review_says_what_it_comes_to_and_after_a_loss_no_code_that_was_not_found():
    won = get(f"{TEA}&me=012&me=345&me=307")
    assert "Found 307 in 3 guesses" in won.text
    lost = get(f"{TEA}&me=012&me=345&give-up=1&lang=en")
    assert re.search(r"Game review .*(luck|Luck)", lost.text)
    assert "3. Guess" not in lost.text


def test_the_result_is_text_without_codes_and_a_picture():
    page = get(f"{TEA}&me=012&me=345&me=307")
    assert "yomikiri Hit & Blow 3 guesses ○·· ●·· ●●●" in page.text
    picture = get(page.links("Save a picture")[0])
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.html.count("<circle") == 9
    assert get(f"/play.svg{TEA.removeprefix('/play')}").status == 400


def test_the_answer_as_json_is_the_same_game():
    document = json.loads(get("/api/v1/hitblow/play?seed=tea&race=1&secret=314&shown=7&me=012").body)
    assert [turn["side"] for turn in document["turns"]] == ["me", "opponent"]
    assert document["secret"] is None
    theirs = document["turns"][1]
    assert theirs["hint"] == str(hint(theirs["guess"], "314"))
    over = json.loads(get("/api/v1/hitblow/play?seed=tea&me=307").body)
    assert (over["winner"], over["secret"]) == ("me", "307")


# --- in a browser -----------------------------------------------------------------------------------------------------


def test_a_secret_is_found_with_a_tap_for_each_digit(browser: Browser):
    browser.go(f"{TEA}&lang=en")
    for guess in ("012", "345", "307"):
        type_guess(browser, guess)
    assert browser.address == f"{TEA}&lang=en&me=012&me=345&me=307"
    assert "You found it" in browser.text
    assert len(browser.all(".judged > li")) == 3


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", ["You", "The program"])
def test_a_race_is_won_or_lost_against_the_program(browser: Browser, first: str):
    browser.go("/?lang=en").tap("Hit & Blow race")
    assert "Choose your secret" in browser.text
    browser.go(f"{TEA}&race=1&lang=en").tap("fewest guesses").tap(first)
    type_guess(browser, "314")
    if first == "You":
        browser.tap("7", ".now .pad")
        assert "shown=7" in browser.address
    else:
        assert "not used:" in browser.find(".rules").text
    for guess in ("012", "345", "678", "901", "234", "567", "890", "123"):
        if browser.all(".result"):
            break
        type_guess(browser, guess)
        if not browser.all(".result"):
            assert browser.all(".turns .strip")[1].text.count("\n") >= 2  # they have guessed, too
    assert "The secret was" in browser.text
    assert "What was still possible" in browser.text
    browser.driver.back()
    browser.driver.forward()
    assert "The secret was" in browser.text


def test_a_new_game_keeps_the_terms_and_takes_another_seed(browser: Browser):
    browser.go("/play?v=1&preset=numeron&seed=tea&race=1&level=random&secret=314&shown=7&lang=en").tap("New game")
    browser.tap("Start a new game")
    assert "Choose your secret" in browser.text
    assert "314" not in browser.address
    assert "level=random" in browser.address
    assert "seed=tea" not in browser.address


def test_my_own_secret_is_out_of_sight_until_it_is_asked_for(browser: Browser):
    browser.go("/play?v=1&seed=tea&race=1&secret=314&shown=7&lang=en")
    assert "314" not in browser.text
    browser.tap("Show my secret")
    assert "314" in browser.text


def test_pegs_have_colours_and_keep_their_symbols(scripted: Browser):
    scripted.go("/play?v=1&preset=mastermind&seed=tea&lang=en")
    keys = scripted.all(".typing .key")
    assert [key.text for key in keys] == list("123456")
    assert len({key.value_of_css_property("background-color") for key in keys}) == 6


def test_what_was_typed_can_be_read_and_a_peg_that_was_tapped_keeps_its_colour(scripted: Browser):
    for width in (320, 360):
        scripted.resized(width, 740).go("/play?v=1&preset=mastermind&seed=tea&lang=en")
        before = [key.value_of_css_property("background-color") for key in scripted.all(".typing .key")]
        for symbol in "112":
            scripted.tap(symbol, ".pad")
        field = scripted.find("#guess")
        assert field.get_property("value") == "112"
        fits = "const field = arguments[0]; field.value = '1122'; return field.scrollWidth <= field.clientWidth"
        assert scripted.driver.execute_script(fits, field)
        assert [key.value_of_css_property("background-color") for key in scripted.all(".typing .key")] == before
        rows = {element.rect["y"] for element in scripted.all(".typed > *")}
        assert len(rows) == 1
