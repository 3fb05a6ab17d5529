"""The review of a game with the user's own lists on the page, and links to such a game that were cut off."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from tests.reference.guessing import least_cost
from tests.web.client import get
from tests.web.own import WORDS, marks, own_app

from yomikiri.common.budget import Budget
from yomikiri.common.enums import Grade
from yomikiri.guessing.answers import HITS, HITS_BLOWS, SUM
from yomikiri.guessing.game import Game
from yomikiri.web.own_game import OwnGame

APP = own_app()
START = "/guess?v=1&lang=en"
SOLVED = "&turn=grape:02202&turn=drake:22222"


def test_costs_and_grades_are_those_of_the_slow_search():
    own = OwnGame(Game(WORDS))
    position = own.game.start.after_all(["grape:02202", "drake:22222"])
    first, last = own.review(position, Budget())
    least = least_cost(dict.fromkeys(WORDS, 1), WORDS, marks) or 0
    cells: dict[str, dict[str, int]] = {}
    for word in WORDS:
        if word != "grape":
            cells.setdefault(marks("grape", word), {})[word] = 1
    cost = len(WORDS) + sum(least_cost(cell, WORDS, marks) or 0 for cell in cells.values())
    assert first.cost == Fraction(cost - least, len(WORDS)) == Fraction(3, 10)
    assert first.grade is Grade.MISTAKE
    assert (last.cost, last.is_win, last.grade) == (Fraction(1, 5), True, Grade.RISKY)


def test_end_of_a_game_leads_to_its_review():
    page = get(START + SOLVED, APP)
    link = re.search(r'href="([^"]*review=1[^"]*)"', page.html)
    assert link
    review = get(link[1].replace("&amp;", "&"), APP)
    assert "Mistake cost 0.30 guesses · best crate · 10 → 5" in review.text
    assert "Risky, paid off cost 0.20 guesses · best crane · found" in review.text
    assert "Your choices cost 0.50 guesses." in review.text
    assert "ミス" in get(f"/guess?v=1&lang=ja{SOLVED}&review=1", APP).text


def test_review_of_a_running_game_is_not_shown():
    assert "All turns" not in get(f"{START}&turn=grape:02202&review=1", APP).text


def test_hinted_and_forced_guesses_have_no_grade():
    own = OwnGame(Game(WORDS))
    seed = next(str(seed) for seed in range(99) if own.secret(str(seed)) == "spice")
    path = f"/guess/play?v=1&lang=en&lists={own.key}&seed={seed}&me=grape&me=spice&hint=1"
    page = get(f"{path}&review=1", APP)
    assert "With a hint" in page.text
    assert "The only candidate. found" in page.text
    assert "review=1" in get(path, APP).html


def test_review_says_if_the_limit_became_too_small():
    path = f"{START}&turn=spice:00002&turn=grape:02202&review=1"
    assert "in time: not sure" in get(path, own_app(limit=2)).text


def test_spent_budget_leaves_guesses_without_a_grade():
    own = OwnGame(Game(WORDS))
    position = own.game.start.after_all(["grape:02202", "drake:22222"])
    judged = own.review(position, Budget.within(0))
    assert [turn.grade for turn in judged] == [None, None]


@pytest.mark.parametrize(
    ("kind", "cut"),
    [(None, ""), (None, "cra"), (None, "crane"), (None, "crane:"), (None, "crane:022"), (HITS_BLOWS, "crane:3H"),
     (HITS, "crane:"), (SUM, "crane:w")],
)  # fmt: skip
def test_cut_link_shows_the_turns_before(kind, cut: str):
    app, turn = (own_app(kind), f"grape:{kind.answer('grape', 'drake')}") if kind else (APP, "grape:02202")
    page = get(f"{START}&turn={turn}&turn={cut}", app)
    assert page.status == 400
    assert "This link is cut off after turn 1." in page.text
    assert "Guess this" in page.text


@pytest.mark.parametrize("wrong", ["crane:02203", "cr#ne", "night:00000", "crane:022022"])
def test_other_errors_are_no_cuts(wrong: str):
    page = get(f"{START}&turn=grape:02202&turn={wrong}", APP)
    assert page.status == 400
    assert "cut off" not in page.text


def test_cut_link_to_a_secret_shows_the_guesses_before():
    key = OwnGame(Game(WORDS)).key
    path = f"/guess/play?v=1&lang=en&lists={key}&seed=tea&me=crane&me=gra"
    page = get(path, APP)
    assert page.status == 400
    assert "This link is cut off after turn 1." in page.text
