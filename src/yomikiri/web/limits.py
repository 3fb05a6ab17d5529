"""How much the page does for anyone who asks: bounds on addresses, games, time and work at once.

Each is generous for a person and harmless for the machine; docs/web.md tells them to whoever runs the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from yomikiri.errors import N_, BoardError, InputError, RulesError
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.rules import Rules, Turn
from yomikiri.tictactoe.board import Board, weight_too_long

MOST_IN_ADDRESS = 2_000
"""Characters of an address; the longest game the page plays takes half of it."""

MOST_TURNS = 14
"""Turns of a board; proven play needs 7, and repdigits in turn need 13."""

MOST_GUESSES = 7_000
"""Codes that may be guessed. A proposal compares them all, half a second of one core at the most; 5 of 8 has 6,720."""

MOST_CELLS = 25
"""Cells of a board of tic-tac-toe; most of 5x5 with five in a row are read in time, see docs/web.md."""

MOST_WEIGHT_DIGITS = 12
"""Digits of a weight, so that a board can be seen; the contest has ten at most."""

SECONDS = 2.0
"""What the searches of a page may take, waiting for their turn included; then a guess is a good one that says it is not
proven."""

MATCH_SECONDS = 1.0
"""What the page of a match may take beyond that. The search for the guess that wins most often may take as long, and
what replaces it too; then the chances are said to be about right."""

POLICY = Exact(SECONDS, waits=False)
"""Proven play for a page: it never waits for its kernels."""

AT_ONCE = 8
"""Pages worked on at once; others wait for their turn."""

CONNECTIONS = 200
"""Connections held open at once; one more is told that the page is busy."""


def check_rules(rules: Rules) -> Rules:
    """`rules` themselves if the page plays them; raises a `RulesError`."""
    if (guesses := rules.guess_count) > MOST_GUESSES:
        raise RulesError(
            N_("{given} possible guesses are too many for the page: expected at most {limit}; the program plays them"),
            given=guesses,
            limit=MOST_GUESSES,
        )
    return rules


def check_board(board: Board) -> Board:
    """`board` itself if the page reads it; raises a `BoardError`."""
    if board.size > MOST_CELLS:
        raise BoardError(
            N_("a board of {given} cells is too large for the page: expected at most {limit}; the program reads it"),
            given=board.size,
            limit=MOST_CELLS,
        )
    for weight in board.flat:
        if abs(weight) >= 10**MOST_WEIGHT_DIGITS:
            raise weight_too_long(str(weight), MOST_WEIGHT_DIGITS)
    return board


def check_turns(turns: Sequence[str] | Sequence[Turn]) -> None:
    """Raise an `InputError` for more turns than the page reads."""
    if len(turns) > MOST_TURNS:
        raise InputError(N_("{given} lines: expected at most {limit}"), given=len(turns), limit=MOST_TURNS)
