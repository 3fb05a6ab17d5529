"""A game with the user's own lists of secrets and guesses, as a file in a static site.

The file also contains the suggested first guess, because a search in a browser is slow.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from yomikiri.guessing.answers import kind_named
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.results import GuessAdvice
from yomikiri.web.own_game import OwnGame

NAME = "own_list.json"

_FRACTIONS = ("chance", "largest", "expected")


def write_own(own: OwnGame) -> str:
    """Return a game as JSON, with the suggested first guess if that is known."""
    game = own.game
    return json.dumps({
        "secrets": dict(zip(game.secrets, game.weights, strict=True)),
        "guesses": [guess for guess in game.guesses if guess not in {*game.secrets}],
        "answers": game.answers.NAME,
        "guess_rule": game.guess_rule,
        "guess_limit": game.guess_limit,
        "first": None if own.first is None else asdict(own.first),
    }, default=str, ensure_ascii=False)  # fmt: skip


def read_own(text: str) -> OwnGame:
    """Return the game in `text`, which `write_own` returned.

    >>> own = read_own(write_own(OwnGame(Game(["crane", "crate"]))))
    >>> own.game.secrets
    ('crane', 'crate')
    """
    found: dict[str, Any] = json.loads(text)
    first = found.pop("first")
    answers, rule = kind_named(found.pop("answers")), GuessRule(found.pop("guess_rule"))
    own = OwnGame(Game(**found, answers=answers, guess_rule=rule))
    if first is not None:
        exact = {name: Fraction(first[name]) for name in _FRACTIONS if first[name] is not None}
        own.first = GuessAdvice(**{**first, **exact})
    return own


def stored_own(folder: Path = Path(__file__).parent) -> OwnGame | None:
    """Return the game with the user's own lists that the site contains, or None if it contains no such game."""
    path = folder / NAME
    return read_own(path.read_text(encoding="utf-8")) if path.exists() else None
