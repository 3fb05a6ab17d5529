"""Limits on addresses, games, time and work; the host names that are served; the headers of every response.

Each limit is generous for a person and protects the machine. docs/guide/web.md lists the limits for operators.

The server may be on a shared network. Therefore it answers only to its own names. Otherwise, a foreign site could point
its own name to this machine, and its scripts could read our pages (DNS rebinding). The server accepts only reads and
short addresses. Its headers tell the browser to load only files of this server, to run no inline script, and to send no
referrer.
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
"""The most characters in the path and query of an address. The longest game of the page takes half of them."""

MOST_TURNS = 14
"""The most turns on one board. Proven play needs 7, and guessing 000, 111, ... one after the other needs 13."""

MOST_PLAYED = 30
"""The most guesses of each side in a game against the program, and the most turns with the user's own lists.

Random guesses need more turns than good ones.
"""

MOST_GUESSES = 7_000
"""The largest number of possible guesses in a game. Comparing them all takes at most half a second of one core.

For example, 5 digits of 8 have 6,720 guesses.
"""

FIRST_SECONDS = 10.0
"""Seconds to search for the first suggestion of a game with the user's own lists of codes.

This search runs once, when the server starts or when the static site is written. For the lists of Wordle, it finds the
best first guess.
"""

MOST_LISTED_ANSWERS = 1 << 25
"""The largest product of the numbers of secrets and guesses in a game with the user's own lists.

The table of answers then takes 64 MB in a search. The lists of Wordle have a product of 30 million.
"""

MOST_CELLS = 25
"""The most cells of a board of tic-tac-toe. Most 5x5 boards with five in a row are solved in time, see web.md."""

MOST_WEIGHT_DIGITS = 12
"""The most digits of a weight, so that a board fits on the screen. The contest has at most ten."""

SECONDS = 2.0
"""Seconds for one page from the start of its work, including the wait for a search in another thread.

The wait in the queue of requests (`MOST_WAITING`) comes before this time.
"""

ANSWER_SECONDS = 0.4
"""The part of `SECONDS` that is reserved for rendering.

If the search ran out of time, a guess without a proof is found in this part, too.
"""

MATCH_SECONDS = 0.4
"""Additional seconds for the page of a match, to find the guess that wins most often.

If this time is too short, the page calls the chances approximate.
"""

REPORT_SECONDS = 1.5
"""Seconds to evaluate all guesses for the page of a finished match."""

POLICY = Exact(SECONDS)
"""The policy that suggests guesses on pages: proven play within the time for one page."""

MOST_SEARCHES = 8
"""The most pages that search at the same time. Further requests wait."""

MOST_WAITING = 16
"""The most requests that wait for a search. Further requests get a page that says that the server is busy."""

SILENT_SECONDS = 10
"""Seconds after which a new connection is closed if it has not sent a complete request."""

CONNECTIONS = 200
"""The limit on open connections. When it is reached, uvicorn answers requests with status 503 in plain text."""


def check_rules(rules: Rules) -> Rules:
    """Return `rules` if they have at most `MOST_GUESSES` possible guesses. Raises a `RulesError` otherwise."""
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
    """Return `game` if its lists are short enough for the web page. Raises an `InputError` otherwise."""
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
    """Return `board` if its size and weights are small enough for the web page. Raises a `BoardError` otherwise."""
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
    """Raise an `InputError` if there are more than `limit` turns."""
    if len(turns) > limit:
        raise InputError(N_("{given} turns are too many: expected at most {limit}"), given=len(turns), limit=limit)


LOCAL = ("127.0.0.1", "localhost", "::1")
"""The host names by which a machine addresses itself."""

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
    """Return True if `host` is an IP address.

    A host name is less safe, because its owner can point it to any machine.
    """
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class Guard:
    """Middleware that rejects requests before the application gets them, and adds the headers of `HEADERS`.

    It accepts requests to the host names in `hosts` and, with `any_address`, to every IP address. `refuse` builds the
    response to a rejected request from the request and an HTTP status.
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
        """Pass a request to the application or reject it. The headers are added to both kinds of responses."""
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
        """Return the HTTP status with which to reject a request, or 0 to accept it."""
        headers = dict(scope["headers"])
        host = host_of(headers.get(b"host", b"").decode("latin-1"))
        if host not in self.hosts and not (self.any_address and is_address(host)):
            return 421
        if scope["method"] not in METHODS:
            return 405
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MOST_IN_ADDRESS:
            return 414
        return 0
