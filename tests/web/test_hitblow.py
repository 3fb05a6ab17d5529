"""Whole games in a real browser, at the size of a phone, in both languages, with scripts and without.

Also holds `web/judged.py`: the review that ends a game.
Also holds `web/hitblow_view.py`: what its page shows.
Also holds `wording/web.py`: sentences, where they are said.
"""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from selenium.webdriver.common.keys import Keys
from tests.web.browser import Browser
from tests.web.client import get

from yomikiri.hitblow.rules import hint


def proposed(browser: Browser) -> str:
    """The guess in large letters."""
    return "".join(tile.text for tile in browser.all(".tiles .tile"))


@pytest.mark.parametrize("language", ["en", pytest.param("ja", marks=pytest.mark.exhaustive)])
def test_a_game_is_won_by_tapping_answers(browser: Browser, language: str):
    browser.go(f"/hitblow?lang={language}")
    for _turn in range(7):
        answer = hint(proposed(browser), "508")
        browser.tap(str(answer), ".said .answers")
        if answer.hits == 3:
            break
    assert "508" in browser.text
    assert browser.address.count("turn=") == _turn + 1
    assert not browser.all(".answers")


def test_answers_that_contradict_each_other_are_mended_with_one_tap(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B")
    assert proposed(browser) == "156"
    browser.tap("Something else").tap("0H2B", ".else")
    assert "These answers contradict each other" in browser.text
    browser.tap("0H1B", ".repairs")
    assert "These answers contradict each other" not in browser.text
    assert proposed(browser)


def test_no_impossible_answer_is_offered_until_it_is_asked_for(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B")
    shown = {answer.text for answer in browser.all(".answer > b") if answer.is_displayed()}
    assert shown == {"3H0B", "2H0B", "1H2B", "1H1B", "1H0B", "0H1B", "0H0B"}
    browser.tap("Something else")
    shown = {answer.text for answer in browser.all(".answer > b") if answer.is_displayed()}
    assert "0H2B" in shown
    assert "2H1B" not in shown


def test_another_guess_is_tapped_on_the_pad(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B").tap("Another guess")
    for digit in "345":
        browser.tap(digit, ".pad")
    assert proposed(browser) == "345"
    assert "345" in browser.find(".cells").text
    browser.tap("1H0B", ".said .answers")
    assert browser.address == "/hitblow?v=1&turn=012:0H1B&turn=345:1H0B"


def test_a_digit_of_the_pad_is_taken_back_and_none_is_tapped_twice(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B").tap("Another guess").tap("3", ".pad").tap("9", ".pad").tap("⌫")
    assert browser.find("#guess").get_property("value") == "3"
    assert [key.text for key in browser.all(".typing .key") if not key.is_enabled()] == ["3"]
    browser.tap("4", ".pad").tap("5", ".pad")
    assert proposed(browser) == "345"


def test_another_guess_is_typed(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B").tap("Another guess")
    browser.find("#guess").send_keys("34")
    browser.tap("Use this guess")
    assert "1 more digit" in browser.text
    browser.find("#guess").send_keys("3")
    browser.tap("Use this guess")
    assert "'3' occurs twice in '343'" in browser.text
    assert browser.find("#guess").get_property("value") == "343"


def test_a_turn_is_edited_in_its_place(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B").tap("012", ".turns")
    browser.tap("1H0B", ".editor .answers")
    assert browser.address == "/hitblow?v=1&turn=012:1H0B&turn=134:1H0B"
    browser.tap("134", ".turns").tap("Another guess", ".editor")
    for digit in "567":
        browser.tap(digit, ".editor .keys")
    browser.tap("0H1B", ".editor .answers")
    assert browser.address == "/hitblow?v=1&turn=012:1H0B&turn=567:0H1B"
    browser.tap("Edit", ".last").tap("Cancel")
    assert browser.address == "/hitblow?v=1&turn=012:1H0B&turn=567:0H1B"


def test_a_turn_is_taken_out(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B").tap("012", ".turns").tap("Delete turn")
    assert browser.address == "/hitblow?v=1&turn=134:1H0B"


def test_a_new_game_is_asked_for_twice(browser: Browser):
    browser.go("/hitblow?v=1&absent=7&turn=012:0H1B").tap("New game")
    assert browser.address == "/hitblow?v=1&absent=7&turn=012:0H1B"
    browser.tap("Start a new game")
    assert browser.address == "/hitblow?v=1"


def seen(browser: Browser) -> str:
    """What stands on the page, without the news for who listens, which a script adds a moment later."""
    return browser.text.replace(f"{browser.find('[data-news]').get_attribute('data-news')}\n", "")


def test_back_is_undo_and_reload_changes_nothing(browser: Browser):
    browser.go("/hitblow?v=1")
    for answer in ("0H1B", "1H0B"):
        browser.tap(answer, ".said .answers")
    there = seen(browser)
    browser.driver.refresh()
    assert seen(browser) == there
    browser.driver.back()
    assert browser.address == "/hitblow?v=1&turn=012:0H1B"
    assert proposed(browser) == "134"


def test_a_digit_of_the_table_is_tapped_away_and_back(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B").tap("7", "#table th")
    assert browser.address == "/hitblow?v=1&turn=012:0H1B&absent=7#table"
    assert "180 candidates" in browser.text
    browser.tap("7", "#table th")
    assert browser.address == "/hitblow?v=1&turn=012:0H1B#table"


def test_what_was_learned_of_a_digit_and_a_place_is_tapped_in_the_table(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B")
    row = browser.all("#table tbody tr")[1]
    row.find_elements("css selector", "summary")[1].click()
    browser.tap("1 is here", "#table")
    assert "place 3 is 1" in browser.find(".last").text
    assert "42 candidates" in browser.text
    browser.tap("Undo", ".last")
    assert "252 candidates" in browser.text


@pytest.mark.parametrize(
    ("typed", "line"),
    [("has 3", "fact=has%3D3"), ("at=5@2", "fact=at%3D5%402"), ("位置 2 5", "fact=at%3D5%402"),
     ("345 1H_", "turn=345:1H_"), ("345 HBM", "turn=345:HBM"), ("345 1 1", "turn=345:1H1B"), ("1H1B", "turn=134:1H1B"),
     ("slash 6", "fact=slash%3D6"), ("shuffle", "fact=shuffle")],
)  # fmt: skip
def test_what_was_learned_is_typed_in_the_words_of_the_terminal(typed: str, line: str):
    page = get(f"/hitblow?v=1&turn=012:0H1B&say={quote(typed)}")
    assert page.status == 303
    assert page.headers["location"] == f"/hitblow?v=1&turn=012:0H1B&{line}"
    assert get(page.headers["location"]).status == 200


def test_what_cannot_be_read_stays_in_its_field_with_the_reason():
    page = get("/hitblow?v=1&turn=012:0H1B&say=at+7+5")
    assert page.status == 400
    assert "there is no place 7" in page.text
    assert 'value="at 7 5"' in page.html


def test_what_was_learned_is_a_line_with_a_number_and_edited_like_one():
    page = get("/hitblow?v=1&turn=012:0H1B&fact=has%3D3&lang=en")
    strip = page.html.partition('<ol class="strip">')[2].partition("</ol>")[0]
    assert re.sub("<[^>]*>", " ", strip).split() == ["1", "0", "1", "2", "2", "in", "the", "secret:", "3"]
    assert "Guess 3" in page.text
    assert 'value="has=3"' in get("/hitblow?v=1&turn=012:0H1B&fact=has%3D3&edit=2").html
    changed = get("/hitblow?v=1&turn=012:0H1B&fact=has%3D3&edit=2&say=has+4")
    assert changed.headers["location"] == "/hitblow?v=1&turn=012:0H1B&fact=has%3D4"


def test_a_code_that_was_found_and_does_not_fit_is_no_end_of_the_game():
    path = "/hitblow?v=1&slips=1&turn=012:0H1B&turn=134:1H0B&turn=375:3H0B"
    page = get(path)
    assert page.status == 200
    assert "375 fits only if 2 answers are wrong." in page.text
    assert "Secret found" not in page.text
    assert "Game review" not in page.text
    (further,) = page.links("Go on: 2 answers may be wrong")
    assert "Turn 1 was wrong: 012 is answered 0H0B, not 0H1B. Turn 2 was wrong" in get(further).text
    known = get("/hitblow?v=1&digits=2&symbols=012&repeats=guess&absent=0&slips=1&turn=01:0H1B&turn=01:2H0B")
    assert "01 does not fit what else you told." in known.text
    assert not known.links("Go on")


def test_the_review_of_a_game_with_a_wrong_turn_says_which_it_was_and_judges_what_was_meant():
    page = get("/hitblow?v=1&slips=1&turn=012:0H1B&turn=134:2H0B&turn=156:3H0B")
    assert "Turn 2 was wrong: 134 is answered 1H0B, not 2H0B." in page.text
    assert "told 2H0B" in page.text
    assert re.findall('<b class="lost">(wrong.?)</b>', page.html) == ["wrong"]
    right = get("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B&turn=156:3H0B")
    assert re.findall("<dd>([0-9]+)</dd>", page.html) == re.findall("<dd>([0-9]+)</dd>", right.html)


def test_while_answers_may_be_wrong_the_likeliest_wrong_turn_is_named_first():
    page = get("/hitblow?v=1&slips=1&turn=012:0H1B&turn=345:1H0B&turn=067:1H0B&turn=067:0H1B")
    doubts = re.search(r"Most likely wrong: turn (\d) \((\d+)%\), turn (\d) \((\d+)%\)", page.text)
    assert doubts
    assert {doubts[1], doubts[3]} == {"3", "4"}
    assert int(doubts[2]) >= int(doubts[4])
    assert "Most likely wrong" not in get("/hitblow?v=1&slips=1&turn=012:0H1B").text


def test_before_the_first_turn_no_table_stands_that_says_nothing(browser: Browser):
    browser.go("/hitblow?v=1")
    assert not browser.all("#table")
    assert browser.go("/hitblow?v=1&absent=7").all("#table")


def test_a_digit_that_they_showed_changes_the_proposal(browser: Browser):
    browser.go("/hitblow?v=1").tap("What else do you know?").tap("0", "details p.pad")
    assert "504 candidates" in browser.text
    assert "0" not in proposed(browser)
    browser.tap("0", "details p.pad")
    assert "720 candidates" in browser.text


def test_the_next_best_guesses_are_told_and_can_be_looked_at(scripted: Browser):
    scripted.go("/hitblow?v=1&turn=012:0H1B&turn=345:1H1B").tap("Next best guesses")
    scripted.tap("143", ".codes")
    assert scripted.address == "/hitblow?v=1&turn=012:0H1B&turn=345:1H1B&guess=143"
    assert "143 takes 0.08 more guesses on average than 135: 2.42 against 2.33." in scripted.text


def test_the_language_is_switched_in_the_middle_of_a_game(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B").tap("日本語")
    assert "2 手目の予想" in browser.text
    browser.tap("1H0B", ".said .answers")
    assert browser.address == "/hitblow?v=1&turn=012:0H1B&turn=134:1H0B&lang=ja"


def test_a_game_is_won_by_keyboard_alone(scripted: Browser):
    scripted.go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B")
    keys = scripted.driver.switch_to
    for _press in range(40):
        scripted.press(Keys.TAB)
        if "3H0B" in (keys.active_element.text or ""):
            break
    scripted.press(Keys.ENTER)
    assert "Found 156 in 3 guesses" in scripted.text


def test_a_review_is_worth_showing_and_a_position_can_be_tried_again(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B&turn=345:1H0B&turn=390:1H1B&turn=307:3H0B&lang=en")
    scores = [score.text for score in browser.all(".scores dd")]
    assert len(scores) == 2
    assert all(0 <= int(score) <= 100 for score in scores)
    counts = [cell.get_property("textContent") for cell in browser.all("figure td")]
    assert counts == ["720", "252", "48", "5", "1"]
    assert len(browser.all(".judged > li")) == 4
    browser.tap("Try again", ".judged")
    assert "Find a better guess than 345" in browser.text
    assert not browser.all(".answers")
    for guess, said in (("678", "678 is no better"), ("134", "134 is the answer: no guess is better.")):
        for digit in guess:
            browser.tap(digit, ".typing .keys")
        assert said in browser.text
    browser.tap("Show the best guess")
    assert proposed(browser) == "134"
