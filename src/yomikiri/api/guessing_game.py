"""Settings of a guessing game: its codes (lists, or all codes of some symbols), its answers, and its guess rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from yomikiri.api.shared_settings import CONSISTENT
from yomikiri.common.errors import N_, InputError
from yomikiri.guessing.answers import ANSWER_KINDS, HITS_BLOWS, MARKS, AnswerKind, kind_named
from yomikiri.guessing.codes import MOST_PLACES, CodeSpace
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.lists import read_lists
from yomikiri.hitblow.model import game as hitblow
from yomikiri.hitblow.model.rules import Repeats
from yomikiri.settings import Conflict, HelpHeading, Kind, Setting

SECRETS = Setting(
    "secrets",
    N_("The codes that can be the secret, one on each line. A weight after a comma says how likely it is."),
    Kind.LINES,
    group=HelpHeading.GAME,
)
GUESSES = Setting(
    "guesses",
    N_(
        "Further codes that may be guessed, one on each line. Without this, the codes of --digits, or only the secrets."
    ),
    Kind.LINES,
    group=HelpHeading.GAME,
)
ANSWERS = Setting(
    "answers",
    N_(
        "The answer to a guess: a mark for each place as in Wordle, hits and blows, hits only, or their sum. Without "
        "this, marks for --secrets and hits-blows for --digits."
    ),
    Kind.WORD,
    words=tuple(ANSWER_KINDS),
    group=HelpHeading.GAME,
)
DIGITS = Setting("digits", N_("Number of symbols in a code, 1 to 10: every code can be the secret, or with --secrets, "
                              "can be guessed."),
                 Kind.INTEGER, least=1, most=MOST_PLACES, group=HelpHeading.GAME)  # fmt: skip
SYMBOLS = Setting("symbols", N_("The symbols of these codes, at most 64."), default="0123456789",
                  group=HelpHeading.GAME)  # fmt: skip
REPEATS = replace(hitblow.REPEATS, default=Repeats.NONE)
NO_LEADING = replace(hitblow.NO_LEADING, default="")
HARD = Setting("hard", N_("Hard mode of Wordle: later guesses keep the hits and use all revealed letters."), Kind.FLAG,
               default=False, group=HelpHeading.GAME)  # fmt: skip
LIMIT = Setting("within", N_("The game ends after this many guesses."), Kind.INTEGER, least=1, most=99,
                group=HelpHeading.GAME)  # fmt: skip

_OWN_LISTS = (SECRETS, GUESSES)
ALL_CODES = (DIGITS, SYMBOLS, REPEATS, NO_LEADING)
"""The settings that describe all codes of some symbols, as an alternative to lists."""

_RULES = (ANSWERS, replace(CONSISTENT, group=HelpHeading.GAME), HARD, LIMIT)

LISTS_GAME = (*_OWN_LISTS, *_RULES)
"""All settings of a game whose codes are lists."""

GAME = (*_OWN_LISTS, *ALL_CODES, *_RULES)
"""All settings of a game whose codes are lists, or all codes of some symbols."""

CODES = (*_OWN_LISTS, *ALL_CODES)
"""The settings that determine the secrets and the guesses."""

RULE_CONFLICTS = (Conflict(("hard",), beside="consistent"),)
CODE_CONFLICTS = (
    Conflict(("guesses",), beside="digits"),
    Conflict(("symbols", "repeats", "no-leading"), needs="digits"),
)
CONFLICTS = (*RULE_CONFLICTS, *CODE_CONFLICTS)


def codes_of(given: Mapping[str, Any]) -> tuple[CodeSpace | Mapping[str, int], CodeSpace | Mapping[str, int]]:
    """Return the secrets and the guesses of a game, given the values of the settings `CODES` by key.

    Each of the two is a `CodeSpace`, or a mapping of codes to weights. Raises an `InputError` if there are no secrets,
    or if a list or a setting is invalid.
    """
    secrets, places = given["secrets"], given["digits"]
    if places is None:
        if secrets is None:
            raise InputError(
                N_("no secrets: needs a list, --secrets FILE, or all codes of some symbols, such as --digits 4")
            )
        return read_lists(secrets, given["guesses"])
    space = partial(CodeSpace, places, given["symbols"], no_leading=given["no_leading"])
    every = space(repeats=given["repeats"] != Repeats.NONE)
    if secrets is None:
        return space(repeats=given["repeats"] == Repeats.ALL), every
    return read_lists(secrets, None)[0], every


@lru_cache(maxsize=8)  # Cached, because every query of a session describes the same game.
def _read_game(
    codes: tuple[tuple[str, Any], ...], answers: AnswerKind, guess_rule: GuessRule, guess_limit: int | None
) -> Game:
    return Game(*codes_of(dict(codes)), answers, guess_rule, guess_limit)


def game_of(given: Mapping[str, Any]) -> Game:
    """Return the game, given the values of the settings `GAME` or `LISTS_GAME` by key.

    Raises an `InputError` if these values describe no game.
    """
    rule = GuessRule.CONSISTENT if given["consistent"] else GuessRule.HARD if given["hard"] else GuessRule.ANY
    codes = {setting.key: given.get(setting.key) for setting in CODES}
    usual = MARKS if codes["digits"] is None else HITS_BLOWS
    kind = kind_named(given["answers"]) if given["answers"] else usual
    return _read_game(tuple(codes.items()), kind, rule, given["within"])
