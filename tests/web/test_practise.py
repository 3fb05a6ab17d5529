"""Puzzles, generated and from games of the player, with clues, a check, and a record in the browser.

Also tests `web/review_cards.py`: the review of a finished game.
"""

from __future__ import annotations

import re

import pytest
from tests.web.browser import Browser
from tests.web.client import get

from yomikiri.common.budget import Stopped
from yomikiri.common.enums import Difficulty
from yomikiri.guessing.puzzle_positions import LEFT
from yomikiri.hitblow.advice.suggestion import suggest
from yomikiri.hitblow.model.rules import PRESETS, Rules
from yomikiri.hitblow.practice.puzzles import generated
from yomikiri.web import limits

TEA = "/practise?v=1&difficulty=easy&seed=tea&lang=en"
GAME = "/hitblow?v=1&turn=345:1H0B&turn=123:0H2B&turn=012:0H1B&turn=371:3H0B&lang=en"


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the page much time: a puzzle takes a fifth of a second, but longer on a busy machine."""
    monkeypatch.setattr(limits, "SECONDS", 60.0)


def test_address_without_a_seed_redirects_to_a_new_puzzle():
    found = {get("/practise?preset=numeron&lang=ja").headers["location"] for _ in range(3)}
    assert len(found) == 3
    assert all("preset=numeron" in link and "lang=ja" in link for link in found)


@pytest.mark.parametrize("difficulty", Difficulty)
def test_puzzle_has_its_difficulty_and_hides_the_best_guess(difficulty: Difficulty):
    page = get(f"/practise?v=1&difficulty={difficulty}&seed=tea&lang=en")
    fewest, most = LEFT[difficulty]
    asked = re.search(r"(\d+) candidates\. What", page.text)
    assert asked
    assert fewest <= int(asked[1]) <= most
    best = suggest(generated(Rules(), "tea", difficulty).board, compare=False).proposed.guess
    assert best not in re.sub(r"<svg.*?</svg>", "", page.html)


def test_clues_appear_one_by_one_on_request():
    said = [len(re.findall(r'<ol class="hints">.*?</ol>', get(f"{TEA}&clues={count}").html, re.DOTALL))
            for count in range(5)]  # fmt: skip
    assert said == [0, 1, 1, 1, 1]
    counts = [get(f"{TEA}&clues={count}").html.count('<li><span class="mark"') for count in range(5)]
    assert counts == [0, 1, 2, 3, 3]


def test_check_names_the_cost_but_not_the_best_guess():
    puzzle = generated(Rules(), "tea", Difficulty.EASY)
    best = suggest(puzzle.board, compare=False).proposed.guess
    solved = get(f"{TEA}&guess={best}")
    assert f"{best} is a best guess." in solved.text
    assert 'data-solved="1"' in solved.html
    other = get(f"{TEA}&guess=012")
    assert "There is a better one." in other.text
    assert f"{best} is a best guess" not in other.text
    assert 'data-solved="0"' in other.html


def test_invalid_guess_is_explained_at_the_field():
    page = get(f"{TEA}&guess=112")
    assert page.status == 400
    assert "1 is there more than once. Use 3 different symbols." in page.text
    assert 'aria-describedby="guess-wrong"' in page.html


def test_page_without_a_puzzle_names_the_requested_game(monkeypatch: pytest.MonkeyPatch):
    def stopped(*_given: object) -> None:
        raise Stopped

    monkeypatch.setattr("yomikiri.web.practise.generated", stopped)
    page = get("/practise?v=1&preset=mastermind&seed=a&difficulty=easy&lang=en")
    assert "Found no puzzle in time" in page.text
    assert "Mastermind · 4 pegs of 6 colours" in page.text


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_puzzles(preset: str):
    page = get(f"/practise?v=1&preset={preset}&seed=a&difficulty=easy&lang=en")
    assert page.status == 200
    assert "What do you guess?" in page.text or "Found no puzzle in time" in page.text


def test_good_guess_is_no_puzzle():
    assert "A lesson from this game" not in get(f"{GAME}&puzzle=1").text
    assert "What do you guess?" not in get(f"{GAME}&puzzle=1").text
    assert "What do you guess?" in get(f"{GAME}&puzzle=3").text


def test_mistakes_are_offered_until_they_are_solved(scripted: Browser):
    scripted.go("/")
    scripted.driver.execute_script("localStorage.clear()")
    assert "Your own mistakes" not in scripted.go(TEA).text
    scripted.go(f"{GAME}&review=1").go(TEA)
    assert "Your own mistakes: 1" in scripted.text
    scripted.tap("Your own mistakes: 1")
    assert scripted.address.endswith("puzzle=3")
    scripted.go(f"{scripted.address}&guess=062")
    assert "1 in a row" in scripted.text
    assert "Your own mistakes" not in scripted.go(TEA).text
    scripted.driver.execute_script("localStorage.clear()")


def test_record_is_hidden_without_scripts():
    page = get(TEA)
    for name in ("data-record", "data-row", "data-mistakes"):
        assert re.search(rf"<[^>]*{name}[^>]* hidden", page.html), name


@pytest.mark.parametrize("path", [TEA, "/hitblow?v=1&turn=345:1H0B&turn=123:0H2B&turn=012:0H1B&turn=371:3H0B&puzzle=3"])
def test_legend_of_the_marks_is_below_the_question(path: str):
    question, legend, form = get(f"{path}&lang=en").html.partition('<p class="legend">')
    assert legend
    assert 'class="turns' in question
    assert 'class="typing"' in form
    assert "right place" in form
    assert ("all digits different" in form) is ("digits are all different" in form)


def test_result_of_a_check_is_above_the_keys_and_replaces_them_once_solved():
    before, verdict, after = get(f"{TEA}&guess=012").html.partition("There is a better one.</h2>")
    assert verdict
    assert 'class="typing"' not in before
    assert 'class="typing"' in after
    best = suggest(generated(Rules(), "tea", Difficulty.EASY).board, compare=False).proposed.guess
    assert 'class="typing"' not in get(f"{TEA}&guess={best}").html


def test_differences_are_marked_unless_the_candidates_differ_everywhere():
    assert "hot" not in get(TEA).html  # no digit is marked, because the candidates differ in all places
    # candidates 508 518 538 548 568 578 differ only in the second place
    marked = get("/practise?v=1&seed=s3&lang=en").html
    assert marked.count('"tile hot"') == marked.count('"tiles xxs"')
