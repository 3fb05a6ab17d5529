"""A game with a small list of words for the tests of its pages, and a server for them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.types import ASGIApp
from tests.reference.guessing import marks as oracle

from yomikiri.guessing.answers import MARKS, AnswerKind
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.lists import read_lists
from yomikiri.web.app import create_app
from yomikiri.web.own_game import OwnGame
from yomikiri.web.serve import LOOPBACK, endpoint, listen, server

WORDS = ("brake", "crane", "crate", "drake", "flake", "grade", "grape", "grate", "spice", "trace")
MORE = ("night", "eerie")


def own_app(
    kind: AnswerKind = MARKS, rule: GuessRule = GuessRule.ANY, limit: int | None = None, more: str = ""
) -> ASGIApp:
    """Return the application with the game of the words."""
    return create_app(own=OwnGame(Game(*read_lists("\n".join(WORDS), more), kind, rule, limit)))


def marks(guess: str, secret: str) -> str:
    """Return the marks of a guess by the independent oracle."""
    return "".join({"hit": "2", "blow": "1", "miss": "0"}[mark] for mark in oracle(guess, secret))


def fitting(turns: dict[str, str]) -> list[str]:
    """Return the words that fit all marks."""
    return [word for word in WORDS if all(marks(guess, word) == answer for guess, answer in turns.items())]


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """Serve an application on a free port. Yields its address without the last slash."""
    with listen(endpoint(lan=False), 0) as listener:
        running = server(app)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield f"http://{LOOPBACK}:{listener.getsockname()[1]}"
        running.should_exit = True
        thread.join(10)
