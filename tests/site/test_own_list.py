"""The user's own list as a file of a site: it round-trips, and the site answers like a server with the list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.client import get
from tests.web.own import WORDS

from yomikiri.common import host
from yomikiri.common.budget import Budget
from yomikiri.guessing.answers import HITS, MARKS
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.site import bridge, own_list
from yomikiri.site.own_list import read_own, stored_own, write_own
from yomikiri.web.app import create_app
from yomikiri.web.own_game import OwnGame

GAMES = (
    Game(WORDS),
    Game({"crane": 3, "slate": 1}, ["night"], HITS, GuessRule.CONSISTENT, 6),
    Game(["あいう", "えおか"], answers=MARKS, guess_rule=GuessRule.HARD),
)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seconds", [None, 0.0])
def test_game_and_first_guess_round_trip(game: Game, seconds: float | None):
    own = OwnGame(game)
    assert read_own(write_own(own)).first is None
    own.prepare(Budget.within(seconds))
    again = read_own(write_own(own))
    assert again.game == game
    assert again.first == own.first
    assert again.key == own.key


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[OwnGame]:
    """Store a game where the bridge finds it."""
    own = OwnGame(GAMES[0])
    own.prepare(Budget())
    (tmp_path / own_list.NAME).write_text(write_own(own), encoding="utf-8")
    monkeypatch.setattr(bridge, "stored_own", lambda: stored_own(tmp_path))
    monkeypatch.setattr(host, "threads", lambda: False)
    bridge._application.cache_clear()
    bridge._own_game.cache_clear()
    yield own
    bridge._application.cache_clear()
    bridge._own_game.cache_clear()


@pytest.mark.parametrize(
    "address", ["/", "/guess?v=1", "/guess?v=1&turn=grape:02202", "/guess/play?v=1&seed=tea&me=grape&hint=2"]
)
def test_site_answers_like_a_server_with_the_list(stored: OwnGame, address: str):
    path, _, query = address.partition("?")
    status, _headers, body = bridge.answer("GET", path, query, "en", "http://127.0.0.1")
    served = get(address, create_app(own=stored))
    assert (status, body) == (200, served.body)


@pytest.mark.usefixtures("stored")
def test_pages_with_the_list_are_loaded_ahead(monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []
    monkeypatch.setattr(bridge, "answer", lambda *given: asked.append(given[1]))
    bridge.ahead("http://127.0.0.1", "")
    assert asked[-1] == "/guess"


def test_site_without_a_list_has_none():
    assert stored_own() is None
