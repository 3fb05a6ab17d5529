"""Figures on the pages of Hit & Blow: each has a unit, and names the assumed opponent if it depends on one."""

from __future__ import annotations

import re

import pytest
from tests.web.client import Answer, get

from yomikiri.hitblow.match import opponents
from yomikiri.hitblow.model.labels import Level
from yomikiri.web import limits, play_cards

_ANY = "Against an opponent guessing any candidate."
_CHANCES = r"You win \d+% → \d+%"
_GUESSES = r"Guesses to go: \d\.\d\d → \d\.\d\d"
_CANDIDATES = r"Candidates after the guess: about [\d.]+ → [\d.]+"
# The unit of the advice about items, for each page.
MEASURES = {
    "/match?v=1&preset=numeron&items=high,slash,target&lang=en": _CHANCES,
    "/match?v=1&preset=numeron&items=double&me=012:0E1B&they=345:0E0B&lang=en": _CHANCES,
    "/match?v=1&digits=4&items=high,slash&lang=en": _CANDIDATES,
    "/hitblow?v=1&items=high,slash,target&lang=en": _CANDIDATES,
    "/hitblow?v=1&items=high,slash&turn=012:0H1B&turn=345:1H1B&lang=en": _GUESSES,
}


def items_text(page: Answer) -> str:
    """Return the text of the card of items without its chips."""
    card = re.search(r'<section class="card info" id="use".*?<ul', page.html, re.DOTALL)
    assert card, page.text
    return " ".join(re.sub("<[^>]*>", " ", card[0] + ">").split())


_SLOW = "/match?v=1&digits=4&items=high,slash&lang=en"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "measure"),
    [pytest.param(*each, marks=[pytest.mark.exhaustive] * (each[0] == _SLOW)) for each in MEASURES.items()],
)
def test_measure_of_item_advice_depends_on_the_situation_alone(
    path: str, measure: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(limits, "SECONDS", 60.0)  # also enough on a busy machine
    monkeypatch.setattr(limits, "MATCH_SECONDS", 60.0)
    in_time = items_text(get(path))
    assert re.search(measure, in_time)
    assert (_ANY in in_time) is (measure == _CHANCES)
    with monkeypatch.context() as late:
        late.setattr(limits, "SECONDS", -60.0)
        hurried = items_text(get(path))
    others = {_CHANCES, _GUESSES, _CANDIDATES} - {measure}
    assert not any(re.search(other, hurried) for other in others)
    if not re.search(measure, hurried):
        assert "→" not in hurried
        assert "no time to compute" in hurried or hurried.endswith("Your items")
    assert items_text(get(path)) == in_time


def test_page_of_a_match_names_the_opponent_of_every_chance():
    match = "/match?v=1&secret=314&me=012:1H0B&they=345:1H1B&me=134:1H2B&they=361:1H1B"
    page = get(f"{match}&lang=en").html
    for card in ("proposal", "they"):
        section = next(
            each for each in page.split("<section") if f'aria-labelledby="{card}"' in each or card in each[:40]
        )
        assert _ANY in section, card
    end = get(f"{match}&me=314:3H0B&lang=en").html
    assert _ANY in end.partition('class="curve"')[2]
    review = get(f"{match}&me=314:3H0B&review=1&lang=en").text
    assert _ANY in review.partition("All turns")[2]


@pytest.mark.parametrize(("level", "name"), [("random", "Easy"), ("consistent", "Medium"), ("fewest", "Hard")])
def test_race_names_the_level_of_its_chance(level: str, name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "SECONDS", 60.0)
    page = get(f"/play?v=1&seed=tea&race=1&level={level}&secret=314&shown=7&lang=en")
    target = page.headers.get("location")
    text = get(target).text if target else page.text
    assert re.search(rf"\d+% to win against level {name}", text)


@pytest.mark.parametrize("level", [Level.FEWEST, Level.PERFECT])
def test_chance_without_time_is_no_chance_against_another_opponent(level: Level, monkeypatch: pytest.MonkeyPatch):
    path = f"/play?v=1&seed=tea&race=1&level={level}&secret=314&shown=7&me=024&they=180&lang=en"
    played = get(path).headers.get("location", path)
    for found in (play_cards._found_chance, opponents._histogram, opponents._guesses):
        found.cache_clear()
    with monkeypatch.context() as late:
        late.setattr(limits, "SECONDS", -60.0)
        text = get(played).text
    assert "– No time to compute your chance against level" in text
    assert not re.search(r"\d% to win", text)
