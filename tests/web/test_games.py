"""Whole games in a real browser, at the size of a phone, in both languages, with scripts and without."""

from __future__ import annotations

import pytest
from tests.web.browser import Browser

from yomikiri.hitblow.rules import hint


def proposed(browser: Browser) -> str:
    """The guess in large letters."""
    return "".join(tile.text for tile in browser.all(".tiles .tile"))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_game_is_won_by_tapping_answers(browser: Browser, language: str):
    browser.go(f"/hitblow?lang={language}")
    for _turn in range(7):
        answer = hint(proposed(browser), "508")
        browser.tap(str(answer), ".proposal .answers")
        if answer.hits == 3:
            break
    assert "508" in browser.text
    assert browser.address.count("turn=") == _turn + 1
    assert not browser.all(".answers")
