"""The page on which the person finds a secret of their own list: guesses, hints, giving up, and the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.web.browser import Browser
from tests.web.client import get
from tests.web.own import WORDS, fitting, marks, own_app, serving

from yomikiri.guessing.answers import HITS_BLOWS, MARKS, SUM, AnswerKind
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.web.own_game import OwnGame

APP = own_app()
SECRET = OwnGame(Game(WORDS)).secret("tea")
OTHERS = [word for word in WORDS if word != SECRET]


@pytest.fixture(scope="module")
def own_server() -> Iterator[str]:
    """Return the address of a server with the game of the words."""
    with serving(APP) as address:
        yield address


def test_person_finds_the_secret(browser: Browser, own_server: str):
    own = replace(browser, server=own_server).go("/guess/play?seed=tea&lang=en")
    for number, guess in enumerate((OTHERS[0], OTHERS[1], SECRET), start=1):
        own.find("#guess").send_keys(guess)
        own.tap("Guess", "form")
        shown = [["absent", "present", "hit"].index(str(tile.get_dom_attribute("class")).split()[-1])
                 for tile in own.all(f".turns li:nth-child({number}) .tile")]  # fmt: skip
        assert "".join(map(str, shown)) == marks(guess, SECRET)
    assert "You found it!" in own.text
    own.tap("Play again")
    assert own.query["seed"] != ["tea"]
    assert "Your guess 1" in own.text


def test_page_without_a_seed_redirects_to_a_new_secret():
    first, second = (get("/guess/play?lang=ja", APP) for _ in range(2))
    assert first.status == second.status == 303
    assert first.headers["location"] != second.headers["location"]
    assert parse_qs(urlsplit(first.headers["location"]).query)["lang"] == ["ja"]


def test_candidates_are_counted_after_each_guess():
    guess = OTHERS[0]
    left = fitting({guess: marks(guess, SECRET)})
    page = get(f"/guess/play?seed=tea&me={guess}&lang=en", APP)
    assert f"{len(left)} left" in page.text
    assert SECRET in left
    assert f"{len(left)} candidate" in page.text.partition("This game")[2]


def test_typed_guess_redirects_or_is_refused_at_the_field():
    link = get(f"/guess/play?seed=tea&guess={OTHERS[0].upper()}", APP).headers["location"]
    assert link.endswith(f"&seed=tea&me={OTHERS[0]}")
    page = get("/guess/play?seed=tea&guess=zzz&lang=en", APP)
    assert page.status == 400
    assert "'zzz' has 3 symbols: expected 5, such as brake" in page.text
    assert 'value="zzz"' in page.html


def test_hint_suggests_a_guess_and_is_counted():
    start = get("/guess/play?seed=tea&lang=en", APP)
    (link,) = start.links("Hint")
    page = get(link, APP)
    assert "A good guess: crate About 2.20 more guesses on average. (proven)" in page.text
    assert "Hints so far: 1" in page.text
    assert 'value="crate"' in page.html
    assert not page.links("Hint")


def test_symbols_of_the_guesses_are_listed_with_their_best_marks():
    guesses = (OTHERS[0], OTHERS[1])
    best = dict[str, str]()
    for guess in guesses:
        for symbol, mark in zip(guess, marks(guess, SECRET), strict=True):
            best[symbol] = max(best.get(symbol, "0"), mark)
    page = get("/guess/play?seed=tea&lang=en" + "".join(f"&me={guess}" for guess in guesses), APP)
    meanings = ("not there", "wrong place", "right place")
    listed = "".join(f"{symbol} {symbol} {meanings[int(mark)]} " for symbol, mark in sorted(best.items()))
    assert listed.strip() in page.text
    assert "tile hit" not in get("/guess/play?seed=tea", APP).html


@pytest.mark.parametrize("kind", [MARKS, HITS_BLOWS, SUM], ids=lambda kind: kind.NAME)
def test_shared_result_contains_no_symbol_of_a_code(kind: AnswerKind):
    own = OwnGame(Game(WORDS, answers=kind))
    secret = own.secret("tea")
    first = next(word for word in WORDS if word != secret)
    page = get(f"/guess/play?seed=tea&me={first}&me={secret}&lang=en", own_app(kind))
    (shared,) = re.findall(r'<div id="result" class="shared">(.*?)</div>', page.html, re.DOTALL)
    lines = re.findall(r'<span class="signs">(.*?)</span>', shared)
    assert lines == [kind.shown(kind.answer(guess, secret)) for guess in (first, secret)]
    assert f"/guess/play?v=1&amp;lists={own.key}&amp;seed=tea</p>" in shared
    assert "yomikiri · Your own list · 2 guesses" in shared
    assert first not in shared
    assert secret not in shared
    assert 'id="result"' not in get(f"/guess/play?seed=tea&me={first}&give-up=1", own_app(kind)).html


def test_giving_up_shows_the_secret():
    page = get(f"/guess/play?seed=tea&me={OTHERS[0]}&give-up=1&lang=en", APP)
    assert f"You gave up {' '.join(SECRET)}" in page.text
    assert "1 guess" in page.text
    assert page.links("Play again") == ["/guess/play?v=1&lang=en"]


def test_game_ends_after_the_last_guess():
    app = own_app(limit=1)
    own = OwnGame(Game(WORDS, guess_limit=1))
    wrong = next(word for word in WORDS if word != own.secret("tea"))
    page = get(f"/guess/play?seed=tea&me={wrong}&lang=en", app)
    assert f"Not found in 1 guess. {' '.join(own.secret('tea'))}" in page.text
    assert "1 guess left" in get("/guess/play?seed=tea&lang=en", app).text


def test_guess_rule_refuses_a_guess():
    app = own_app(rule=GuessRule.CONSISTENT)
    own = OwnGame(Game(WORDS, guess_rule=GuessRule.CONSISTENT))
    wrong = next(word for word in WORDS if word != own.secret("tea"))
    page = get(f"/guess/play?seed=tea&me={wrong}&guess={wrong}&lang=en", app)
    assert page.status == 400
    assert "it cannot be the secret after these answers" in page.text


def test_other_answers_are_numbers_with_marks_for_screen_readers():
    page = get("/guess/play?seed=tea&me=spice&lang=en", own_app(HITS_BLOWS))
    secret = OwnGame(Game(WORDS, answers=HITS_BLOWS)).secret("tea")
    found = HITS_BLOWS.answer("spice", secret)
    assert f"{found[0]} hit" in page.text


def test_link_of_other_lists_is_refused():
    page = get("/guess/play?seed=tea&lists=00000000&lang=en", APP)
    assert page.status == 400
    assert "this link belongs to a game with other lists" in page.text
    assert page.links("New game") == ["/guess/play?lang=en"]


def test_undo_and_share_keep_the_secret_out_of_sight():
    page = get(f"/guess/play?seed=tea&me={OTHERS[0]}&lang=en", APP)
    (undo,) = page.links("Undo")
    assert "me=" not in undo
    assert "seed=tea" in undo
    assert SECRET not in page.html.replace(OTHERS[0], "")
