"""Lists of codes as text: one code on each line, with an optional weight after a comma."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

from yomikiri.common.errors import N_, InputError
from yomikiri.guessing.answers import AnswerKind
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule


def read_list(text: str) -> dict[str, int]:
    """Return the codes of a list with their weights, by default 1.

    Blank lines are ignored. Raises an `InputError` that names the line.

    >>> read_list("crane\\nslate,3\\n")
    {'crane': 1, 'slate': 3}
    """
    codes: dict[str, int] = {}
    for line, written in enumerate(text.splitlines(), start=1):
        if not written.strip():
            continue
        code, comma, weight = written.strip().partition(",")
        if comma and not re.fullmatch(r"\s*[0-9]{1,7}\s*", weight):
            raise InputError(
                N_("line {line} of the list: {given!r} needs a whole number after the comma"), line=line, given=written
            )
        if code in codes:
            raise InputError(N_("line {line} of the list: {given!r} is there twice"), line=line, given=code)
        if codes and len(code) != len(next(iter(codes))):
            raise InputError(
                N_("line {line} of the list: {given!r} has {count} symbols: expected {places}, as before"),
                line=line, given=code, count=len(code), places=len(next(iter(codes))),
            )  # fmt: skip
        codes[code] = int(weight) if comma else 1
    return codes


def game_of_lists(
    secrets: str,
    guesses: str,
    answers: AnswerKind,
    guess_rule: GuessRule = GuessRule.ANY,
    guess_limit: int | None = None,
) -> Game:
    """Return the game of two lists as text; `guesses` may be empty. Raises an `InputError`."""
    return Game(read_list(secrets), read_list(guesses), answers, guess_rule, guess_limit)


def digest(codes: Iterable[tuple[str, int]]) -> str:
    """Return the SHA-256 of codes with their weights, in hexadecimal. It does not depend on their order.

    >>> digest([("slate", 3), ("crane", 1)]) == sha256(b"crane,1\\nslate,3\\n").hexdigest()
    True
    """
    return sha256("".join(f"{code},{weight}\n" for code, weight in sorted(codes)).encode()).hexdigest()
