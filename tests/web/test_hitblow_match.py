"""Whole matches in a real browser: both boards, with my secret and without, with scripts and without.

Also tests `web/match_cards.py`: the cards of a match.
"""

from __future__ import annotations

import re

import pytest
from tests.web.browser import Browser
from tests.web.client import get
from tests.web.test_hitblow import proposed

from yomikiri.hitblow.model.rules import hint
from yomikiri.web import limits


def test_facts_of_both_sides_are_typed_and_tapped():
    path = "/match?v=1&secret=314&me=012:0H1B"
    for side, typed, line in (("me", "has+5", "me=has%3D5"), ("they", "has+3", "they=has%3D3"),
                              ("they", "345:1H1B", "they=345:1H1B")):  # fmt: skip
        page = get(f"{path}&say={typed}&side={side}")
        assert page.headers["location"] == f"{path}&{line}"
        assert get(page.headers["location"]).status == 200
    assert "does not fit your secret" in get(f"{path}&say=has+9&side=they").text
    assert "is out of turn" in get(f"{path}&say=345+1H1B&side=me").text
    assert get(f"{path}&say=1H1B&side=they").status == 400
    assert re.search('<button class="btn" name="me" value="at=1@1">', get(path).html)
    edited = get(f"{path}&me=has%3D5&edit=2&say=has+6").headers["location"]
    assert edited == f"{path}&me=has%3D6"


def test_lost_match_lists_the_remaining_candidates():
    page = get("/match?v=1&me=012:0H1B&they=345:1H0B&me=134:1H0B&they=361:3H0B&lang=en")
    assert "Candidates at the end 45 candidates" in page.text
    assert " 156 " in page.text
    assert "still possible" not in get("/match?v=1&me=012:3H0B").text


SOLVED = "return !document.querySelector('.proposal .tug').textContent.includes('about')"


def shown_chance(browser: Browser) -> str:
    return browser.find(".proposal .tug").text


@pytest.mark.parametrize("path", ["/match?v=1&lang=en", "/match?v=1&lang=en&secret=314&me=012:0H1B"])
def test_script_replaces_an_estimate_by_the_solved_chance(
    scripted: Browser, monkeypatch: pytest.MonkeyPatch, path: str
):
    monkeypatch.setattr(limits, "SECONDS", 60.0)
    monkeypatch.setattr(limits, "MATCH_SECONDS", 60.0)  # also enough on a busy machine
    scripted.complaints()  # clear the messages of earlier pages
    assert scripted.go(path).waits_until(SOLVED)
    solved = shown_chance(scripted.reloaded())
    assert "about" not in solved
    assert scripted.all("[data-again]") == []
    with monkeypatch.context() as late:
        late.setattr(limits, "SECONDS", -60.0)
        assert shown_chance(scripted.go(path)).count("about") == 2
        assert ("not enough time" in get(path).text) is ("me=" not in path)
    assert scripted.waits_until(SOLVED)
    assert shown_chance(scripted) == solved
    assert "not enough time" not in scripted.text
    assert scripted.complaints() == []


def test_script_adds_the_effect_of_an_item_once_it_is_known(scripted: Browser, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "SECONDS", 60.0)
    monkeypatch.setattr(limits, "MATCH_SECONDS", 60.0)
    with monkeypatch.context() as late:
        late.setattr(limits, "SECONDS", -60.0)
        scripted.go("/match?v=1&preset=numeron&items=slash&lang=en")
        assert "There was no time to compute how much it helps." in scripted.find("#use").text
    assert scripted.waits_until("return document.querySelector('#use').textContent.includes('→')")
    assert re.search(r"You win \d+% → \d+%", scripted.find("#use").text)
    assert "no time" not in scripted.find("#use").text


def test_script_never_replaces_the_shown_guess(scripted: Browser, monkeypatch: pytest.MonkeyPatch):
    path = "/match?v=1&lang=en&me=012:0H1B&they=045:0H1B"
    with monkeypatch.context() as late:
        late.setattr(limits, "SECONDS", -1.0)
        scripted.go(path)
    scripted.driver.execute_script("document.querySelector('.proposal .tile').textContent = 'x'")
    before = shown_chance(scripted)
    assert not scripted.waits_until(SOLVED, 3)
    assert shown_chance(scripted) == before


def test_chances_of_the_opponent_end_with_their_success():
    soon = "found next turn"
    path = "/match?v=1&first=opponent&equal-turns=1&lang=en"
    found = get(f"{path}&they=012:3H0B").text
    assert soon not in found
    assert "only a right guess now still draws" in found
    assert soon in get(f"{path}&they=012:1H0B").text
    assert soon in get("/match?v=1&equal-turns=1&me=012:3H0B&lang=en").text


def test_review_of_a_match_grades_by_winning_chance():
    path = "/match?v=1&me=012:1H0B&they=345:1H0B&me=has=3&me=134:1H2B&they=361:0H1B&me=314:3H0B&lang=en"
    end = get(path)
    assert "You won!" in end.text
    assert re.search(r'<svg class="curve"[^>]*aria-label="You: \d+%, ', end.html)
    review = get(f"{path}&review=1").text
    assert re.findall(r"(\d \d \d) \d \d \d \d hits?, \d blows?", review.partition("All turns")[2])[:1]
    assert "Skill" not in review
    forced = end.text.partition("Learn from this game")[2].partition("Your chance to win")[0]
    assert forced.count("The only candidate.") == 1  # the last guess has no grade


def tap_digits(browser: Browser, guess: str) -> None:
    for digit in guess:
        browser.tap(digit, ".typing .keys")


def type_guess(browser: Browser, guess: str) -> None:
    """Tap the digits of a guess, and the button if the pad waits for it."""
    tap_digits(browser, guess)
    if browser.all("form[data-waits]"):
        browser.tap(browser.find("form[data-waits] .go").text, ".typing .btns")


@pytest.mark.parametrize("language", ["en", pytest.param("ja", marks=pytest.mark.exhaustive)])
def test_match_is_won_with_answers_from_my_secret(browser: Browser, language: str):
    browser.go(f"/match?first=opponent&absent=7&lang={language}")
    browser.tap({"en": "Settings", "ja": "設定"}[language])
    browser.find("#secret").send_keys("314")
    browser.tap({"en": "Save", "ja": "保存"}[language])
    assert "314" not in browser.text
    browser.tap({"en": "Back to the game", "ja": "ゲームに戻る"}[language])
    for guess in ("012", "345", "672", "198", "513", "604", "890"):
        type_guess(browser, guess)
        assert str(hint(guess, "314")) in browser.find(".told").text
        answer = hint(proposed(browser), "508")
        browser.tap(str(answer), ".said .answers")
        if answer.hits == 3:
            break
    assert {"en": "You won!", "ja": "あなたの勝ち！"}[language] in browser.text
    browser.tap({"en": "Learn from this game", "ja": "このゲームを振り返る"}[language])
    assert len(browser.all(".judged > li")) == browser.address.count("me=")


def test_page_asks_for_my_answer_without_my_secret(browser: Browser):
    browser.go("/match?v=1&me=012:0H1B")
    type_guess(browser, "345")
    browser.tap("1H1B", ".answers")
    assert browser.address == "/match?v=1&me=012:0H1B&they=345:1H1B"
    assert proposed(browser) == "134"


def test_one_tap_fixes_a_wrong_answer_on_either_board(browser: Browser):
    browser.go("/match?v=1&me=012:0H1B&they=345:0H0B&me=012:0H2B")
    assert "Look at their answers." in browser.text
    browser.tap("Another mistake").tap("0H1B", ".alert")
    assert browser.address == "/match?v=1&me=012:0H1B&they=345:0H0B&me=012:0H1B"
    browser.go("/match?v=1&first=opponent&they=345:0H0B&me=012:0H1B&they=345:1H1B")
    assert "Look at your answers." in browser.text


def test_editor_replaces_turns_of_both_sides(browser: Browser):
    browser.go("/match?v=1&secret=314&me=012:0H1B&they=345:1H1B").tap("012", ".turns")
    browser.tap("1H0B", ".editor .answers")
    assert browser.address == "/match?v=1&secret=314&me=012:1H0B&they=345:1H1B&misled=2"
    browser.tap("345", ".turns")
    type_guess(browser, "354")
    assert browser.address == "/match?v=1&secret=314&me=012:1H0B&they=354:2H0B&misled=2"


@pytest.mark.parametrize(
    ("turns", "offered"),
    [
        ("equal-turns=1&me=012:3H0B&they=345:1H1B&edit=1", True),
        ("equal-turns=1&me=012:1H0B&they=345:1H1B&edit=1", True),
        ("equal-turns=1&me=012:3H0B&they=345:1H1B&edit=1&guess=013", True),
        ("equal-turns=1&me=012:1H0B&they=345:1H1B&edit=2", True),
        ("equal-turns=1&me=012:1H0B&they=345:1H1B&me=013:0H1B&edit=1", False),
        ("me=012:1H0B&they=345:1H1B&edit=1", False),
    ],
)
def test_editor_offers_a_win_if_the_later_turns_may_follow_it(turns: str, offered: bool):
    page = get(f"/match?v=1&{turns}&lang=en")
    assert page.status == 200
    assert any(re.search(r"%3A3H0B|:3H0B", link.split("misled")[0]) for link in page.links("3H0B")) is offered


def test_editor_offers_the_recorded_win_before_a_change_of_the_secret():
    page = get("/hitblow?v=1&turn=012:3H0B&fact=shuffle&edit=1&lang=en")
    assert page.status == 200
    assert page.links("3H0B")


def test_settings_of_a_match_are_tapped(browser: Browser):
    browser.go("/match").tap("Settings").tap("They", ".terms")
    browser.tap("the second player has one more guess").tap("5", ".terms h3 + .keys")
    assert browser.address == "/match?v=1&first=opponent&equal-turns=1&absent=5&terms=1#terms"
    assert "They go first. They revealed 5. Both players get the same number of guesses." in browser.find(".terms").text
    browser.tap("Back to the game")
    assert browser.address == "/match?v=1&first=opponent&absent=5&equal-turns=1"
    assert "What did they guess?" in browser.text


@pytest.mark.slow
def test_items_are_advised_and_answered_before_the_guess(browser: Browser):
    browser.go("/match?v=1&preset=numeron&terms=1&lang=en").tap("SLASH", ".terms").tap("TARGET", ".terms")
    assert "items=slash,target" in browser.address
    browser.tap("Back to the game")
    items, guess = browser.find("[aria-labelledby=items]").rect, browser.find(".proposal").rect
    assert items["y"] + items["height"] <= guess["y"]
    browser.tap("SLASH", "[aria-labelledby=items]").tap("SLASH: 6", "[aria-labelledby=items]")
    assert "me=slash%3D6" in browser.address
    assert "used:" in str(browser.find("[aria-labelledby=items]").get_property("textContent"))


def test_guess_and_answers_fit_on_the_first_screen(browser: Browser):
    turns = "/match?v=1&secret=314&shown=7&me=012:0H1B&they=345:1H1B"
    more = f"{turns}&me=134:0H0B&they=501:0H1B"
    long = "&me=1234:0H1B&they=0129:1H0B&me=2345:1H1B&they=5786:0H1B&me=3457:0H1B&they=2690:0H0B"
    far = f"/match?digits=4&secret=3147{long}"
    small = [(path, 660) for path in ("/match?v=1", "/hitblow?v=1&turn=012:0H1B&turn=134:1H0B&turn=156:0H1B",
                                      turns, more, f"{more}&me=567:0H1B&they=830:0H1B")]  # fmt: skip
    large = [(path, 844) for path in (far, "/hitblow?preset=mastermind", "/hitblow?preset=bulls&turn=0123:0B1C")]
    for path, height in [*small, *large]:
        browser.resized(390, height).go(path)
        last = browser.all(".said .answers")[0].rect
        assert last["y"] + last["height"] <= height, path


def test_secret_with_a_revealed_digit_is_rejected(browser: Browser):
    browser.go("/match?shown=7").tap("Settings")
    browser.find("#secret").send_keys("317")
    browser.tap("Save")
    assert "secret '317': you revealed '7'" in browser.text


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_page_shows_doubtful_answers_and_passed_turns(lang):
    small = f"/match?v=1&lang={lang}&digits=2&symbols=01234"
    slipped = get(f"{small}&slips=1&me=01:0H1B&they=01:0H0B&me=23:0H1B&they=23:0H0B")
    passed = get(f"{small}&me=slash=2&me=pass&they=01:0H0B")
    assert (slipped.status, passed.status) == (200, 200)
    said = {"en": "1 answer may be wrong.", "ja": "答えのうち 1 つまでは間違い"}[lang]
    assert said in slipped.body.decode()
    assert "slips=1" in slipped.body.decode()
    assert {"en": "pass: no guess in this turn", "ja": "パス：この手番は予想しない"}[lang] in passed.body.decode()


@pytest.mark.slow
def test_wrong_turn_is_marked_after_the_match():
    turns = "me=012:0H1B&they=345:1H0B&me=134:0H2B&they=678:1H0B&me=345:2H0B&they=012:0H1B"
    page = get(f"/match?v=1&secret=371&me=absent=9&{turns}&me=340:0H1B")
    (further,) = page.links("Continue: one answer may be wrong")
    assert "slips=1" in further
    assert "1 answer may be wrong." in get(further).text
    over = f"/match?v=1&slips=1&secret=371&{turns.replace('345:2H0B', '345:1H0B')}&me=340:3H0B"
    assert get(over).html.count(">wrong</b>") == 1
    assert "The answer in turn 3 was wrong: 345 gives 2H0B, not 1H0B." in get(f"{over}&review=1").text
    assert "was wrong" not in get(f"/match?v=1&secret=371&{turns}&me=340:3H0B&review=1").text
