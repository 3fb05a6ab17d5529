"""Keys pressed outside an input field, the field with the focus on a new page, and the message while waiting."""

from __future__ import annotations

import re

import pytest
from selenium.webdriver.common.keys import Keys
from tests.web.browser import Browser
from tests.web.client import get

START = "/hitblow?v=1&lang=en"
AFTER = "/hitblow?v=1&turn=012:1H0B&lang=en"


def test_two_digits_answer_and_backspace_undoes(scripted: Browser):
    scripted.go(START).press("10")
    assert scripted.becomes(AFTER)
    scripted.press(Keys.BACKSPACE)
    assert scripted.becomes(START)


def test_arrows_step_through_a_linked_game(scripted: Browser):
    later = "/hitblow?v=1&turn=012:1H0B&turn=034:1H0B&lang=en"
    scripted.go(later).press(Keys.ARROW_LEFT)
    assert scripted.becomes(AFTER)
    scripted.press(Keys.ARROW_LEFT)
    assert scripted.becomes(START)
    for address in (AFTER, later):
        scripted.press(Keys.ARROW_RIGHT)
        assert scripted.becomes(address)


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", [START, AFTER, f"{AFTER}&edit=1", "/play?v=1&seed=tea", "/tictactoe?v=1&board=1,2,3"])
def test_focus_is_at_the_next_action(browser: Browser, path: str):
    # A browser moves the focus after it has drawn the page.
    assert browser.go(path).waits_until("return document.activeElement.tagName === 'H2'")
    browser.press(Keys.TAB)
    assert browser.driver.switch_to.active_element.find_element("xpath", "ancestor::main")


@pytest.mark.parametrize("path", ["/hitblow?guess=343", "/hitblow?say=nonsense", "/match?secret=33"])
def test_focus_is_in_the_refused_field(path: str):
    page = get(path)
    assert page.status == 400
    (field,) = re.findall(r"<[^>]* autofocus>", page.html)
    assert field.startswith("<input")
    assert 'aria-invalid="true"' in field


@pytest.mark.exhaustive
def test_waiting_message_appears_only_while_loading(scripted: Browser):
    scripted.go(AFTER)
    stop = "addEventListener('click', (event) => event.preventDefault())"  # like no response
    scripted.driver.execute_script(stop)
    shown = "return !document.querySelector('.working').hidden"
    scripted.find(".answers a").click()
    assert scripted.waits_until(shown)
    scripted.reloaded()
    assert not scripted.driver.execute_script(shown)
    scripted.driver.execute_script("document.querySelector('a[download]').click()")
    scripted.driver.execute_script("document.querySelector('.skip').click()")
    assert not scripted.waits_until(shown, 1)


def test_digits_type_a_guess_against_the_program(scripted: Browser):
    scripted.go("/play?v=1&seed=tea&lang=en").press("012")
    scripted.press(Keys.ENTER)
    assert scripted.becomes("/play?v=1&seed=tea&lang=en&me=012")


@pytest.mark.parametrize("keys", ["345", "g012", "971"])
def test_digits_that_are_no_answer_begin_another_guess(scripted: Browser, keys: str):
    scripted.go(START).press(keys[:-1])
    typed = keys.removeprefix("g")
    assert scripted.find(".own").get_dom_attribute("open") is not None
    assert scripted.find("#guess").get_property("value") == typed[:-1]
    scripted.press(keys[-1])
    assert scripted.becomes(f"{START}&guess={typed}")


@pytest.mark.parametrize("path", [f"{AFTER}&edit=1", "/tictactoe?v=1&board=1,2,3/4,5,6/7,8,9"])
def test_keys_are_off_in_the_editor_and_after_the_end(scripted: Browser, path: str):
    before = scripted.go(path).address
    scripted.press("10")
    assert not scripted.driver.execute_script("return document.querySelector('.working').hidden === false")
    assert scripted.address == before


def test_keys_can_be_switched_off_and_on(scripted: Browser):
    scripted.go(START).menu().find("[data-keys]").click()
    scripted.go(START).press("10")
    assert scripted.address == START
    scripted.menu().find("[data-keys]").click()
    scripted.go(START).press("10")
    assert scripted.becomes(AFTER)
