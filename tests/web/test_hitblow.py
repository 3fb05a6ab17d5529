"""Whole games in a real browser, at the size of a phone, in both languages, with scripts and without.

Also tests `web/hitblow_view.py`, `web/hitblow_cards.py`, `web/assist_inputs.py`, `web/assist_cards.py`: the page.
Also tests `web/knowledge_cards.py`, `web/correction_cards.py`: its cards for facts and corrections.
Also tests `wording/web.py`: its sentences.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

import pytest
from selenium.webdriver.common.keys import Keys
from tests.web.browser import Browser
from tests.web.client import get

from yomikiri.hitblow.model.rules import hint
from yomikiri.web import limits


def proposed(browser: Browser) -> str:
    """Return the guess in large letters."""
    return "".join(tile.text for tile in browser.all(".proposal .tile"))


@pytest.mark.parametrize("language", ["en", pytest.param("ja", marks=pytest.mark.exhaustive)])
def test_tapping_answers_wins_a_game(browser: Browser, language: str):
    browser.go(f"/hitblow?lang={language}")
    for _turn in range(7):
        answer = hint(proposed(browser), "508")
        browser.tap(str(answer), ".said .answers")
        if answer.hits == 3:
            break
    assert "508" in browser.text
    assert browser.address.count("turn=") == _turn + 1
    assert not browser.all(".answers")


def test_one_tap_fixes_a_contradiction(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B")
    assert proposed(browser) == "156"
    browser.tap("Other answers").tap("0H2B", ".else")
    assert "These answers cannot all be right" in browser.text
    browser.tap("Another mistake").tap("0H1B", ".alert")
    assert "These answers cannot all be right" not in browser.text
    assert proposed(browser)


def test_impossible_answers_are_folded(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B")
    shown = {answer.text for answer in browser.all(".answer b") if answer.is_displayed()}
    assert shown == {"3H0B", "2H0B", "1H2B", "1H1B", "1H0B", "0H1B", "0H0B"}
    browser.tap("Other answers")
    shown = {answer.text for answer in browser.all(".answer b") if answer.is_displayed()}
    assert "0H2B" in shown
    assert "2H1B" not in shown


def test_pad_selects_another_guess(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B").tap("Another guess")
    for digit in "345":
        browser.tap(digit, ".typing .keys")
    assert proposed(browser) == "345"
    assert "3\n4\n5" in browser.find("#why").text
    browser.tap("1H0B", ".said .answers")
    assert browser.address == "/hitblow?v=1&turn=012:0H1B&turn=345:1H0B"


def test_pad_erases_digits_and_disables_typed_ones(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B").tap("Another guess").tap("3", ".typing .keys").tap(
        "9", ".typing .keys"
    ).tap("⌫")
    assert browser.find("#guess").get_property("value") == "3"
    assert [key.text for key in browser.all(".typing .key:is(:disabled, [aria-disabled=true])")] == ["3"]
    browser.tap("4", ".typing .keys").tap("5", ".typing .keys")
    assert proposed(browser) == "345"


def test_field_selects_another_guess(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B").tap("Another guess")
    browser.find("#guess").send_keys("34")
    browser.tap("Use this guess")
    assert "1 more digit" in browser.text
    browser.find("#guess").send_keys("3")
    browser.tap("Use this guess")
    assert "3 is there more than once. Use 3 different symbols." in browser.text
    assert browser.find("#guess").get_property("value") == "343"


def test_editor_replaces_a_turn_in_place(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B").tap("012", ".turns")
    browser.tap("1H0B", ".editor .answers")
    assert browser.address == "/hitblow?v=1&turn=012:1H0B&turn=134:1H0B&misled=2"
    browser.tap("134", ".turns").tap("Another guess", ".editor")
    for digit in "567":
        browser.tap(digit, ".editor .keys")
    browser.tap("0H1B", ".editor .answers")
    assert browser.address == "/hitblow?v=1&turn=012:1H0B&turn=567:0H1B&misled=2"
    browser.tap("567", ".turns").tap("Cancel")
    assert browser.address == "/hitblow?v=1&turn=012:1H0B&turn=567:0H1B&misled=2"


def test_editor_deletes_a_turn(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B").tap("012", ".turns").tap("Delete turn")
    assert browser.address == "/hitblow?v=1&turn=134:1H0B"


def test_new_game_needs_a_confirmation(browser: Browser):
    browser.go("/hitblow?v=1&absent=7&turn=012:0H1B").find(".menu > summary").click()
    browser.tap("New game")
    assert browser.address == "/hitblow?v=1&absent=7&turn=012:0H1B"
    browser.tap("Start a new game")
    assert browser.address == "/hitblow?v=1"


def seen(browser: Browser) -> str:
    """Return the text of the page without the live region, which a script fills later."""
    return browser.text.replace(f"{browser.find('[data-news]').get_attribute('data-news')}\n", "")


def test_back_undoes_and_reload_changes_nothing(browser: Browser):
    browser.go("/hitblow?v=1")
    for answer in ("0H1B", "1H0B"):
        browser.tap(answer, ".said .answers")
    there = seen(browser)
    browser.driver.refresh()
    assert seen(browser) == there
    browser.driver.back()
    assert browser.address == "/hitblow?v=1&turn=012:0H1B"
    assert proposed(browser) == "134"


def test_key_of_a_digit_adds_facts(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B").find("#keys summary[aria-label^='7']").click()
    browser.tap("7 is not in", "#keys")
    assert unquote(browser.address) == "/hitblow?v=1&turn=012:0H1B&fact=absent=7"
    assert "180 candidates" in browser.text
    browser.tap("Undo")
    browser.find("#keys summary[aria-label^='1']").click()
    browser.tap("at place 3", "#keys")
    assert "place 3 is 1" in browser.find(".turns").text
    assert "42 candidates" in browser.text
    browser.tap("Undo")
    assert "252 candidates" in browser.text


def test_keys_show_the_state_of_each_symbol():
    page = get("/hitblow?v=1&turn=012:0H1B&turn=134:1H1B&turn=156:1H0B&lang=en")
    said = re.findall(r'aria-label="(\d): (certain|possible|ruled out)"', page.html)
    assert dict(said) == {digit: "certain" if digit == "1" else "ruled out" if digit in "0256" else "possible"
                          for digit in "0123456789"}  # fmt: skip


def test_menu_shows_candidates_and_chances(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B").menu().tap("Candidates and their chances")
    assert "Chance of each digit in each place" in browser.text
    assert len(browser.all("#numbers .codes li")) == 45


@pytest.mark.parametrize(
    ("typed", "line"),
    [("has 3", "fact=has%3D3"), ("at=5@2", "fact=at%3D5%402"), ("位置 2 5", "fact=at%3D5%402"),
     ("345 1H_", "turn=345:1H_"), ("345 HBM", "turn=345:HBM"), ("345 1 1", "turn=345:1H1B"), ("1H1B", "turn=134:1H1B"),
     ("slash 6", "fact=slash%3D6"), ("shuffle", "fact=shuffle")],
)  # fmt: skip
def test_facts_are_typed_as_at_the_terminal(typed: str, line: str):
    page = get(f"/hitblow?v=1&turn=012:0H1B&say={quote(typed)}")
    assert page.status == 303
    assert page.headers["location"] == f"/hitblow?v=1&turn=012:0H1B&{line}"
    assert get(page.headers["location"]).status == 200


def test_refused_text_stays_in_its_field_with_the_reason():
    page = get("/hitblow?v=1&turn=012:0H1B&say=at+7+5")
    assert page.status == 400
    assert "there is no place 7" in page.text
    assert 'value="at 7 5"' in page.html


def test_fact_is_an_editable_line_but_no_guess():
    page = get("/hitblow?v=1&turn=012:0H1B&fact=slash%3D6&lang=en")
    assert "your turn 2" in page.text
    assert "SLASH: 6" in page.text
    assert 'value="has=3"' in get("/hitblow?v=1&turn=012:0H1B&fact=has%3D3&edit=2").html
    changed = get("/hitblow?v=1&turn=012:0H1B&fact=has%3D3&edit=2&say=has+4")
    assert changed.headers["location"] == "/hitblow?v=1&turn=012:0H1B&fact=has%3D4"


@pytest.mark.parametrize("fact", ["slash 6", "absent 7", "has 3"])
def test_fact_before_the_first_guess_is_not_counted(fact: str):
    page = get(get(f"/hitblow?v=1&say={quote(fact)}&lang=en").headers["location"])
    assert "Guess this" in page.text
    assert "your turn 2" not in page.text


def test_error_in_a_fact_is_on_the_first_screen(scripted: Browser):
    scripted.resized(390, 660).go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B&say=at+7+5")
    top = "return document.querySelector('#say-wrong').getBoundingClientRect()[arguments[0]]"
    assert 0 <= scripted.driver.execute_script(top, "top") <= scripted.driver.execute_script(top, "bottom") <= 660


def test_game_continues_if_the_found_code_contradicts_answers():
    path = "/hitblow?v=1&slips=1&turn=012:0H1B&turn=134:1H0B&turn=375:3H0B"
    page = get(path)
    assert page.status == 200
    assert "375 fits only if 2 answers are wrong." in page.text
    assert "Play again" not in page.text
    assert "Learn from this game" not in page.text
    (further,) = page.links("Continue: 2 answers may be wrong")
    assert get(further).html.count(">wrong</b>") == 2
    known = get("/hitblow?v=1&digits=2&symbols=012&repeats=guess&absent=0&slips=1&turn=01:0H1B&turn=01:2H0B")
    assert "01 contradicts another fact." in known.text
    assert not known.links("Go on")


def test_review_names_the_wrong_answer_and_corrects_it():
    path = "/hitblow?v=1&slips=1&turn=012:0H1B&turn=134:2H0B&turn=156:3H0B"
    assert get(path).html.count(">wrong</b>") == 1
    page = get(f"{path}&review=1")
    assert "The answer in turn 2 was wrong: 134 gives 1H0B, not 2H0B." in page.text
    assert page.text.count("After a wrong answer") == 1
    assert "<dd>" not in page.html


def test_doubtful_turns_are_listed_by_probability():
    page = get("/hitblow?v=1&slips=1&turn=012:0H1B&turn=345:1H0B&turn=067:1H0B&turn=067:0H1B")
    doubts = re.search(r"Most likely wrong: turn (\d) \((\d+)%\), turn (\d) \((\d+)%\)", page.text)
    assert doubts
    assert {doubts[1], doubts[3]} == {"3", "4"}
    assert int(doubts[2]) >= int(doubts[4])
    assert "Most likely wrong" not in get("/hitblow?v=1&slips=1&turn=012:0H1B").text


def test_doubtful_turns_have_the_numbers_of_the_table():
    turns = ["turn=012:0H1B", "turn=345:1H0B", "turn=067:1H0B", "turn=067:0H1B"]
    doubts = [
        re.findall(r"turn (\d) \(\d+%\)", get(f"/hitblow?v=1&slips=1&{'&'.join(facts)}").text)
        for facts in (turns, ["fact=has%3D6", *turns], [*turns[:1], "fact=has%3D6", *turns[1:]])
    ]
    assert [sorted(numbers) for numbers in doubts] == [["3", "4"]] * 3


def test_revealed_digit_changes_the_proposal(browser: Browser):
    browser.go("/hitblow?v=1").find("#keys summary[aria-label^='0']").click()
    browser.tap("0 is not in", "#keys")
    assert browser.address == "/hitblow?v=1&absent=0"
    assert "504 candidates" in browser.text
    assert "0" not in proposed(browser)
    browser.find("#keys a.key").click()
    assert "720 candidates" in browser.text


def test_revealed_digit_stays_in_the_header(scripted: Browser):
    scripted.resized(390, 844).go("/hitblow?v=1&absent=7&turn=012:0H1B&turn=134:1H0B&lang=en")
    shown = scripted.find("header .tiny")
    assert "not 7" in shown.text
    assert shown.is_displayed()


def test_next_best_guesses_are_links(scripted: Browser):
    scripted.go("/hitblow?v=1&turn=012:0H1B&turn=345:1H1B").tap("Next best guesses", "#why")
    scripted.tap("143", ".codes")
    assert scripted.address == "/hitblow?v=1&turn=012:0H1B&turn=345:1H1B&guess=143"
    assert "About 2.42 more guesses on average. With 135: 2.33." in scripted.text


def test_language_switch_keeps_the_game(browser: Browser):
    browser.go("/hitblow?v=1&turn=012:0H1B").menu().tap("日本語")
    assert "次はこの予想" in browser.text
    browser.tap("1H0B", ".said .answers")
    assert browser.address == "/hitblow?v=1&turn=012:0H1B&turn=134:1H0B&lang=ja"


def test_keyboard_alone_wins_a_game(scripted: Browser):
    scripted.go("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B")
    keys = scripted.driver.switch_to
    for _press in range(40):
        scripted.press(Keys.TAB)
        if "3H0B" in (keys.active_element.text or ""):
            break
    scripted.press(Keys.ENTER)
    assert "Found 156 in 3 guesses" in scripted.text


def test_review_offers_its_lesson_as_a_puzzle(browser: Browser):
    browser.go("/hitblow?v=1&turn=345:1H0B&turn=123:0H2B&turn=012:0H1B&turn=371:3H0B&lang=en")
    assert "Found 371 in 4 guesses" in browser.text
    browser.tap("Learn from this game")
    assert [each.text.split(" ▾")[0] for each in browser.all(".judgement .says b")] == [
        "Best", "Good", "Inaccuracy", "Risky, paid off",
    ]  # fmt: skip
    lesson = browser.find("[aria-labelledby=now]").text
    assert "splits them 8 + " in lesson
    assert "5 groups, the largest with 6" in lesson
    browser.tap("Try it yourself", "[aria-labelledby=now]")
    assert "17 candidates. What do you guess?" in browser.text
    for clue in (1, 2, 3):
        browser.tap(f"Hint {clue} / 3")
    assert "Its digits: 0 2 6." in browser.text
    for guess, said in (("012", "012 costs 0.24 guesses"), ("062", "062 is a best guess.")):
        type_guess(browser, guess)
        if browser.scripts:
            browser.tap("Check")
        assert said in browser.text
    browser.tap("Back to the game", "main")
    assert "A lesson from this game" in browser.text


def type_guess(browser: Browser, guess: str) -> None:
    for digit in guess:
        browser.tap(digit, ".typing .keys")


def test_review_of_a_loss_names_mistakes_before_luck(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "SECONDS", 60.0)
    lost = get("/play?v=1&seed=k3x9&me=012&me=013&me=014&me=015&me=016&me=017&give-up=1&review=1&lang=en").text
    assert "Your choices cost" in lost
    luck = lost.find("luck cost")
    assert luck == -1 or lost.index("Your choices cost") < luck


def test_guesses_after_a_wrong_answer_get_no_grade(browser: Browser):
    game = "/hitblow?v=1&turn=012:0H0B&turn=345:1H0B&turn=367:0H1B&lang=en"
    browser.go(f"{game}&edit=1").tap("0H1B", ".editor .answers")
    assert browser.query["misled"] == ["2,3"]
    page = get("/hitblow?v=1&turn=012:0H1B&turn=345:1H0B&turn=367:2H0B&turn=307:3H0B&misled=2,3&review=1&lang=en")
    assert page.text.count("After a wrong answer") == 2
    assert "skill of 100" not in page.text
