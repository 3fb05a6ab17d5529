"""Bounds on addresses, games, time and work; the hosts that are served; the headers of every response.

Each bound is generous for a person and harmless for the machine. web.md lists them for operators.

The server may be on a shared network. Therefore it answers only to its own name, because a foreign name that points
here would let a foreign page read ours (DNS rebinding). It accepts only reads and short addresses. Its headers tell the
browser to load only files of this server, to run no inline script, and to send no referrer.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Collection, Sequence

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from yomikiri.common.errors import N_, BoardError, InputError, RulesError
from yomikiri.guessing.game import Game
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.tictactoe.board import Board, weight_too_long

MOST_IN_ADDRESS = 2_000
"""Characters of an address; the longest game of the page takes half of them."""

MOST_TURNS = 14
"""Turns of a board; proven play needs 7, and the codes 000, 111, ... in turn need 13."""

MOST_PLAYED = 30
"""Guesses of a person against the program; random guesses need more turns than good ones."""

MOST_GUESSES = 7_000
"""Possible guesses. Comparing them all takes at most half a second of one core. 5 digits of 8 have 6,720 guesses."""

FIRST_SECONDS = 10.0
"""Seconds for the first suggestion of a game with own lists, once, while the server starts. For the lists of Wordle,
this finds the best first guess."""

MOST_LISTED_ANSWERS = 1 << 25
"""Secrets times guesses of a game with own lists: 64 MB for a search. The lists of Wordle have 30 million."""

MOST_CELLS = 25
"""Cells of a board of tic-tac-toe. Most 5x5 boards with five in a row are solved in time, see web.md."""

MOST_WEIGHT_DIGITS = 12
"""Digits of a weight, so that a board fits on the screen; the contest has at most ten."""

SECONDS = 2.0
"""Seconds for one page, including the wait until it may search."""

ANSWER_SECONDS = 0.4
"""Seconds of these that are kept for a guess without a search, which is marked as unproven, and for rendering."""

MATCH_SECONDS = 0.4
"""Additional seconds for the page of a match, to find the guess that wins most often. If they do not suffice, the page
says that the chances are about right."""

REPORT_SECONDS = 1.5
"""Seconds of the page of a finished match for judging all its guesses."""

POLICY = Exact(SECONDS)
"""Proven play for a page."""

AT_ONCE = 8
"""Pages that search at the same time; others wait."""

WAITING = 16
"""The most pages that wait for a search; further requests get the message that the page is busy."""

SILENT_SECONDS = 10
"""Seconds that a connection may be open without a complete request."""

CONNECTIONS = 200
"""The most open connections; further requests get the message that the page is busy."""


def check_rules(rules: Rules) -> Rules:
    """Return `rules` if the page plays them; raise a `RulesError` otherwise."""
    if (guesses := rules.guess_count) > MOST_GUESSES:
        raise RulesError(
            N_(
                "{given} possible guesses are too many for the page: choose a game with at most {limit}, "
                "or use the command line"
            ),
            given=guesses,
            limit=MOST_GUESSES,
        )
    return rules


def check_lists(game: Game) -> Game:
    """Return `game` if the page plays it; raise an `InputError` otherwise."""
    if len(game.secrets) * len(game.guesses) > MOST_LISTED_ANSWERS:
        raise InputError(
            N_(
                "{given} secrets times {guesses} guesses are too many for the page: expected at most {limit}, "
                "or use the command line"
            ),
            given=len(game.secrets),
            guesses=len(game.guesses),
            limit=MOST_LISTED_ANSWERS,
        )
    return game


def check_board(board: Board) -> Board:
    """Return `board` if the page solves it; raise a `BoardError` otherwise."""
    if board.size > MOST_CELLS:
        raise BoardError(
            N_(
                "a board of {given} cells is too large for the page: choose at most {limit} cells, or use"
                " the command line"
            ),
            given=board.size,
            limit=MOST_CELLS,
        )
    for weight in board.flat:
        if abs(weight) >= 10**MOST_WEIGHT_DIGITS:
            raise weight_too_long(str(weight), MOST_WEIGHT_DIGITS)
    return board


def check_turns(turns: Sequence[object], limit: int = MOST_TURNS) -> None:
    """Raise an `InputError` for more turns than the page reads."""
    if len(turns) > limit:
        raise InputError(N_("{given} turns are too many: expected at most {limit}"), given=len(turns), limit=limit)


LOCAL = ("127.0.0.1", "localhost", "::1")
"""The names of this machine for itself."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "manifest-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
METHODS = ("GET", "HEAD")


def host_of(header: str) -> str:
    """Return the name or address in a `Host` header, without the port and without the brackets of IPv6."""
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].lower()


def is_address(host: str) -> bool:
    """Return True if `host` is an IP address. A name could be pointed anywhere by its name server."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class Guard:
    """Middleware that rejects requests before the application sees them, and sets headers.

    It serves the names in `hosts` and, with `any_address`, every IP address. `refuse` makes the response for a rejected
    request from the request and a status.
    """

    def __init__(
        self,
        app: ASGIApp,
        refuse: Callable[[Request, int], Response],
        hosts: Collection[str],
        any_address: bool = False,
    ) -> None:
        self.app = app
        self.refuse = refuse
        self.hosts = frozenset(host.lower() for host in hosts)
        self.any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on or reject it; the headers are set in both cases."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if status := self._refusal(scope):
            await self.refuse(Request(scope), status)(scope, receive, with_headers)
        else:
            await self.app(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> int:
        """Return the status to reject a request with, or 0 to accept it."""
        headers = dict(scope["headers"])
        host = host_of(headers.get(b"host", b"").decode("latin-1"))
        if host not in self.hosts and not (self.any_address and is_address(host)):
            return 421
        if scope["method"] not in METHODS:
            return 405
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MOST_IN_ADDRESS:
            return 414
        return 0
