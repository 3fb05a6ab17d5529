"""The settings of a game with lists of codes: its lists, its answers and the rules of its guesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from yomikiri.api.queries_hitblow import CONSISTENT
from yomikiri.common.errors import N_, InputError
from yomikiri.guessing.answers import KINDS, MARKS, kind_named
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.lists import game_of_lists
from yomikiri.settings import Conflict, HelpHeading, Kind, Setting

SECRETS = Setting(
    "secrets",
    N_("The codes that can be the secret, one on each line. A weight after a comma says how likely it is."),
    Kind.LINES,
    group=HelpHeading.GAME,
)
GUESSES = Setting("guesses", N_("Further codes that may be guessed, one on each line. Without this, only the secrets."),
                  Kind.LINES, group=HelpHeading.GAME)  # fmt: skip
ANSWERS = Setting(
    "answers",
    N_("The answer to a guess: a mark for each place as in Wordle, hits and blows, hits only, or their sum."),
    Kind.WORD,
    default=MARKS.NAME,
    words=tuple(KINDS),
    group=HelpHeading.GAME,
)
HARD = Setting("hard", N_("Hard mode of Wordle: later guesses keep the hits and use all revealed letters."), Kind.FLAG,
               default=False, group=HelpHeading.GAME)  # fmt: skip
LIMIT = Setting("within", N_("The game ends after this many guesses."), Kind.INTEGER, least=1, most=99,
                group=HelpHeading.GAME)  # fmt: skip

GAME = (SECRETS, GUESSES, ANSWERS, replace(CONSISTENT, group=HelpHeading.GAME), HARD, LIMIT)


CONFLICTS = (Conflict(("hard",), beside="consistent"),)


_read_game = lru_cache(maxsize=8)(game_of_lists)  # every query of a session describes the same lists


def required(secrets: str | None) -> str:
    """Return the list of secrets. Raises an `InputError` if there is none."""
    if secrets is None:
        raise InputError(N_("no list of secrets: give one with --secrets FILE, or as 'secrets' in a query"))
    return secrets


def game_of(given: Mapping[str, Any]) -> Game:
    """Return the game that the values of the settings `GAME` describe. Raises an `InputError`."""
    secrets = required(given["secrets"])
    rule = GuessRule.CONSISTENT if given["consistent"] else GuessRule.HARD if given["hard"] else GuessRule.ANY
    kind = kind_named(given["answers"])
    return _read_game(secrets, given["guesses"], kind, rule, given["within"])
