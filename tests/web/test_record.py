"""The record that the page's script keeps in the browser: results of days and puzzles, and notes.

Also tests its export, import and deletion.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from tests.web.browser import Browser
from tests.web.client import get

from yomikiri.hitblow.practice.play import number_of
from yomikiri.web.play_address import newest_day

TEA = "/practise?v=1&difficulty=easy&seed=tea&lang=en"
DAY = "/play?v=1&day=2026-11-20&lang=en"
HELD: dict[str, Any] = {
    "days": {"2026-11-20": {"guesses": 4, "found": True}},
    "puzzles": {"/hitblow?v=1&turn=012:0H1B&puzzle=1": False, "/hitblow?v=1&turn=345:0H1B&puzzle=1": True},
    "solved": [False, True],
    "notes": {"game tea": {"1": "out"}},
}


@pytest.fixture
def fresh(scripted: Browser, tmp_path: Path) -> Iterator[Browser]:
    """Return a browser with an empty record, which downloads into the folder of the test."""
    scripted.go("/")
    scripted.driver.execute_script("localStorage.clear()")
    saving = {"behavior": "allow", "downloadPath": str(tmp_path)}
    scripted.driver.execute_cdp_cmd("Browser.setDownloadBehavior", saving)
    yield scripted
    scripted.driver.execute_script("localStorage.clear()")


def record(browser: Browser) -> dict[str, Any]:
    """Return the stored record."""
    kept: dict[str, Any] = json.loads(browser.driver.execute_script("return localStorage.record ?? '{}'"))
    return {name: kept[name] for name in HELD if name in kept}


def store_record(browser: Browser, stored: dict[str, Any]) -> None:
    """Store a record."""
    browser.driver.execute_script("localStorage.record = JSON.stringify(arguments[0])", stored)


def read(browser: Browser, file: Path, content: object) -> None:
    """Import a file with this content, as the menu does."""
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    browser.go(TEA).menu()
    browser.driver.execute_script("window.old = true")
    browser.driver.find_element(By.CSS_SELECTOR, "[data-import]").send_keys(str(file))


def guess(browser: Browser, *codes: str) -> None:
    """Type each code into the pad of the page and send it."""
    for code in codes:
        for digit in code:
            browser.tap(digit, ".typing .keys")
        browser.tap("Guess", ".typing")


# --- days -------------------------------------------------------------------------------------------------------------


def test_histogram_counts_the_first_result_of_a_day(fresh: Browser):
    code = number_of(date(2026, 11, 20)).program_secret
    other = "012" if code != "012" else "345"
    guess(fresh.go(DAY), other, code)
    assert record(fresh)["days"] == {"2026-11-20": {"guesses": 2, "found": True, "late": True}}
    assert [bar.get_dom_attribute("aria-label") for bar in fresh.all("[data-histogram] li")] == [
        "Guesses: 1, days: 0", "Guesses: 2, days: 1"
    ]  # fmt: skip
    guess(fresh.go(DAY), code)
    guess(fresh.go(DAY), other)
    fresh.menu().tap("End the game")
    assert record(fresh)["days"] == {"2026-11-20": {"guesses": 2, "found": True, "late": True}}


def test_day_given_up_ends_the_streak(fresh: Browser):
    guess(fresh.go(DAY), "012")
    fresh.menu().tap("End the game")
    assert not record(fresh)["days"]["2026-11-20"]["found"]
    assert fresh.find("[data-total=streak]").text == "0"


@pytest.mark.parametrize(("missed", "row"), [(None, 4), (0, 3), (1, 1), (2, 2)])
def test_streak_lasts_until_today_is_played(fresh: Browser, missed: int | None, row: int):
    fresh.driver.execute_script(
        """const days = {};
        for (let ago = 0; ago < 4; ago++) {
            const date = new Date(); date.setDate(date.getDate() - ago);
            const two = (part) => String(part).padStart(2, "0");
            const name = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
            if (ago !== arguments[0]) days[name] = { guesses: 3, found: true };
        }
        localStorage.record = JSON.stringify({ days });""",
        missed,
    )
    fresh.go("/?lang=en")
    assert re.findall(r"(\d+) days in a row", fresh.text) == ([str(row)] if row > 1 else [])
    assert len(fresh.all(".week li")) == 7
    assert len(fresh.all(".week .yes")) == (4 if missed is None else 3)


def test_late_result_does_not_extend_the_streak(fresh: Browser):
    for ago in (2, 1):
        day = fresh.driver.execute_script(
            "const d = new Date(); d.setDate(d.getDate() - arguments[0]); return d.toLocaleDateString('sv')", ago
        )
        guess(fresh.go(f"/play?v=1&day={day}&lang=en"), number_of(date.fromisoformat(day)).program_secret)
    assert "days in a row" not in fresh.text
    fresh.go("/?lang=en")
    assert "days in a row" not in fresh.text
    assert not fresh.all(".week .yes")


def test_only_guesses_made_in_this_browser_count(fresh: Browser):
    code = number_of(date(2026, 11, 20)).program_secret
    other = "012" if code != "012" else "345"
    for ending in (f"&me={code}", f"&me={other}&give-up=1", "&give-up=1"):
        fresh.go(f"{DAY}{ending}")
        assert record(fresh).get("days", {}) == {}
        assert fresh.find("[data-foreign]").is_displayed()
    guess(fresh.go(f"{DAY}&me={other}"), code)  # the first guess is from a link
    assert record(fresh).get("days", {}) == {}
    fresh.tap("Play today’s number yourself")
    assert "day=" in fresh.address
    assert "me=" not in fresh.address
    guess(fresh.go(DAY), other, code)
    assert not fresh.find("[data-foreign]").is_displayed()
    assert record(fresh)["days"] == {"2026-11-20": {"guesses": 2, "found": True, "late": True}}


def test_day_that_has_not_begun_cannot_be_played(fresh: Browser):
    ahead = (newest_day() + timedelta(days=1)).isoformat()
    page = get(f"/play?v=1&day={ahead}&me=012&lang=en")
    assert page.status == 400
    assert f"number of {ahead} is not available yet" in page.text
    fresh.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Pacific/Pago_Pago"})
    try:  # in the time zone where a day begins last, the script leads to the page of the device's date
        here = fresh.driver.execute_script("return new Date().toLocaleDateString('sv')")
        fresh.go(f"/play?v=1&day={newest_day()}&lang=en")
        assert newest_day().isoformat() == here or fresh.waits_until(f"return location.search.includes('{here}')")
    finally:
        fresh.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


def test_giving_up_asks_first(scripted: Browser):
    scripted.go("/play?v=1&seed=tea&me=012&lang=en")
    assert not scripted.all("main [href*=give-up]")
    scripted.find(".menu > summary").click()
    scripted.tap("Give up", ".menu")
    assert "give-up" not in scripted.address
    scripted.tap("End the game", ".menu")
    assert "You gave up" in scripted.text


def test_today_follows_the_clock_of_the_device(fresh: Browser):
    fresh.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Pacific/Kiritimati"})
    try:
        fresh.go("/")
        here = fresh.driver.execute_script("return new Date().toLocaleDateString('sv')")
        assert f"day={here}" in str(fresh.find("[data-today] a").get_property("href"))
    finally:
        fresh.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


def test_first_page_shows_the_found_number_and_the_next_one(fresh: Browser):
    fresh.driver.execute_script("""
        const day = new Date(); day.setDate(day.getDate() - 1);
        localStorage.record = JSON.stringify({ days: { [day.toLocaleDateString("sv")]: { guesses: 2, found: true } } });
    """)
    assert not fresh.go("/?lang=en").find("[data-how]").is_displayed()
    day = fresh.driver.execute_script("return new Date().toLocaleDateString('sv')")
    code = number_of(date.fromisoformat(day)).program_secret
    guess(fresh.go(f"/play?v=1&day={day}&lang=en"), code)
    ended = fresh.address
    assert [figure.text for figure in fresh.all("[data-total]")] == ["2", "2", "2", "2"]
    assert [bar.get_dom_attribute("class") for bar in fresh.all(".tally")] == ["tally now", "tally"]
    assert re.search(r"Next number in \d+:\d\d", fresh.text)
    fresh.go("/?lang=en")
    assert "".join(tile.text for tile in fresh.all(".today > .tiles .tile:not(.down)")) == code
    assert re.search(r"Next number in \d+:\d\d", fresh.text)
    fresh.tap("Found in 1, see it")
    assert fresh.address == ended


def test_first_page_explains_the_game_before_the_first_number(fresh: Browser):
    fresh.go("/?lang=en")
    assert "Guess three different digits." in fresh.find(".today").text
    assert not fresh.all("[data-row]:not([hidden])")
    store_record(fresh, HELD)
    fresh.go("/?lang=en")
    assert "1 in a row" in fresh.find(".doors").text
    assert "Your own mistakes: 1" in fresh.find(".doors").text


def test_share_sends_text_link_and_picture(fresh: Browser):
    shares = "navigator.share = async (shared) => { window.shared = shared; }; navigator.canShare = () => true;"
    added = fresh.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": shares})
    fresh.go("/play?v=1&seed=tea&me=012&me=307&lang=en")
    fresh.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    fresh.find("[data-share]").click()
    assert fresh.waits_until("return window.shared")
    text, kind, size = fresh.driver.execute_script(
        "const [file] = shared.files; return [shared.text, file.type, file.size]"
    )
    assert text.splitlines()[0] == "yomikiri · Hit & Blow · 2 guesses"
    assert text.splitlines()[1:] == ["🔶⬜⬜", "🟢🟢🟢", f"{fresh.server}/play?v=1&seed=tea&beat=2"]
    assert kind == "image/png"
    assert size > 2_000


# --- the game to continue ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "end"),
    [
        ("/hitblow?v=1&turn=012:0H1B&lang=en", "/hitblow?v=1&turn=012:0H1B&turn=371:3H0B&lang=en"),
        ("/match?v=1&me=012:0H1B&lang=en", "/match?v=1&me=012:0H1B&they=012:0H1B&me=371:3H0B&lang=en"),
        ("/play?v=1&seed=tea&me=012&lang=en", "/play?v=1&seed=tea&me=012&me=307&lang=en"),
        ("/tictactoe?v=1&board=1,2,3/4,5,6/7,8,9&moves=a1&lang=en",
         "/tictactoe?v=1&board=1,2,3/4,5,6/7,8,9&moves=a1,b1,a2,b2,a3&lang=en"),
    ],
)  # fmt: skip
def test_first_page_continues_the_last_game_until_its_end(fresh: Browser, path: str, end: str):
    fresh.go(path).go("/?lang=en").tap("Continue")
    assert fresh.address == path
    fresh.go("/play?v=1&seed=green&me=012&give-up=1&lang=en").go("/?lang=en")  # the end of another game
    assert fresh.find("[data-resume]").is_displayed()
    fresh.go(end).go("/?lang=en")
    assert not fresh.find("[data-resume]").is_displayed()


# --- notes ------------------------------------------------------------------------------------------------------------


def test_notes_on_keys_belong_to_one_game(fresh: Browser):
    fresh.go("/play?v=1&seed=tea&lang=en")
    assert not fresh.find("[data-legend]").is_displayed()
    fresh.find("[data-notes]").click()
    assert fresh.find("[data-legend]").is_displayed()
    key = fresh.find("button[name=add][value='7']")
    key.click()
    assert "out" in str(key.get_dom_attribute("class"))
    key.click()
    assert fresh.find("#guess").get_property("value") == ""
    assert "sure" in str(fresh.reloaded().find("button[name=add][value='7']").get_dom_attribute("class"))
    assert record(fresh)["notes"] == {"game tea": {"7": "sure"}}
    assert fresh.find("[data-legend]").is_displayed()
    assert not fresh.go("/play?v=1&seed=green&lang=en").all(".key.sure")
    assert not fresh.find("[data-legend]").is_displayed()


# --- saved, read, deleted ---------------------------------------------------------------------------------------------


def test_record_survives_export_delete_and_import(fresh: Browser, tmp_path: Path):
    store_record(fresh, HELD)
    fresh.go(TEA).menu().find("[data-export]").click()
    file = tmp_path / "yomikiri-record.json"
    assert _comes(file)
    assert {name: json.loads(file.read_text())[name] for name in HELD} == HELD
    fresh.driver.execute_script("document.querySelector('[data-delete]').scrollIntoView()")
    fresh.find("[data-delete]").click()
    assert "Deleted" in fresh.find(".menu").text
    assert "Your own mistakes" not in fresh.text
    assert record(fresh) == {}
    assert fresh.driver.execute_script("return localStorage.game") is None
    read(fresh, tmp_path / "again.json", json.loads(file.read_text()))
    assert fresh.waits_until("return !window.old && localStorage.record")
    assert record(fresh) == HELD
    assert "Your own mistakes: 1" in fresh.text


def test_import_merges_and_is_idempotent(fresh: Browser, tmp_path: Path):
    first, second = HELD["puzzles"]
    here = {
        "days": {"2026-11-20": {"guesses": 6, "found": True}, "2026-11-21": {"guesses": 3, "found": True}},
        "puzzles": {first: True, second: False},
        "solved": [True],
        "notes": {"game green": {"3": "sure"}},
    }
    store_record(fresh, here)
    for _time in range(2):
        read(fresh, tmp_path / "other.json", HELD)
        assert fresh.waits_until("return !window.old")
        assert record(fresh) == {
            "days": here["days"],
            "puzzles": {first: True, second: True},
            "solved": [False, True],
            "notes": {"game tea": {"1": "out"}, "game green": {"3": "sure"}},
        }


BROKEN = {
    "no JSON": "hello",
    "a list": [1],
    "nothing": {},
    "days of another form": {**HELD, "days": {"2026-11-20": None}},
    "a million guesses": {**HELD, "days": {"2026-11-20": {"guesses": 1_000_000, "found": True}}},
    "puzzles of another form": {**HELD, "puzzles": {"/hitblow": "yes"}},
    "notes of another form": {**HELD, "notes": {"game tea": {"1": "maybe"}}},
}


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(
            content, id=name, marks=[pytest.mark.exhaustive] * (name not in ("no JSON", "notes of another form"))
        )
        for name, content in BROKEN.items()
    ],
)
def test_invalid_file_is_rejected_as_a_whole(fresh: Browser, tmp_path: Path, content: object):
    store_record(fresh, HELD)
    read(fresh, tmp_path / "letter.json", content)
    assert fresh.waits_until("return !document.querySelector('[data-refused]').hidden")
    assert "letter.json is not a record" in fresh.find(".menu").text
    assert record(fresh) == HELD


def test_imported_links_stay_on_the_site(fresh: Browser, tmp_path: Path):
    away = ["//evil.example/", "/\\evil.example/", "javascript:alert(1)", "https://evil.example/"]
    read(fresh, tmp_path / "away.json", {**HELD, "puzzles": dict.fromkeys(away, False)})
    assert fresh.waits_until("return !window.old")
    assert "Your own mistakes" not in fresh.text


# --- without a network ------------------------------------------------------------------------------------------------


def test_offline_message_names_the_kept_file(fresh: Browser):
    fresh.go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B&lang=en")
    notice_script = "return document.querySelector('[data-offline]').textContent.replace(/\\s+/g, ' ')"
    hidden = "return document.querySelector('[data-kept]').hidden"
    assert "Your game is safe" in fresh.driver.execute_script(notice_script)
    assert fresh.driver.execute_script(hidden)
    fresh.menu().find("[data-keep]").click()
    fresh.reloaded()
    assert not fresh.driver.execute_script(hidden)
    assert "still answers for Hit & Blow: open it from your downloads." in fresh.driver.execute_script(notice_script)
    fresh.driver.execute_script("document.querySelector('[data-offline]').hidden = false")
    top, bottom, window = fresh.driver.execute_script(
        "const at = document.querySelector('[data-offline]').getBoundingClientRect();"
        "return [at.top, at.bottom, innerHeight]"
    )
    assert 0 < top < bottom <= window


def test_record_is_absent_without_scripts():
    assert 'data-kept="' in get(TEA).html
    for name in ("data-kept", "data-refused", "data-offline"):
        assert all(" hidden" in tag for tag in _tags(get(TEA).html, name)), name


def _tags(html: str, name: str) -> list[str]:
    return [f"<{part.partition('>')[0]}>" for part in html.split("<") if f" {name}" in part.partition(">")[0]]


def _comes(file: Path) -> bool:
    """Wait for a file. Return False if it does not appear in time."""
    for _time in range(100):
        if file.exists():
            return True
        time.sleep(0.1)
    return False
