"""How much the page does for anyone who asks, and whom it answers: bounds on addresses, games, time and work at once,
what is let in, and the headers of every answer.

Each bound is generous for a person and harmless for the machine; web.md lists them for those who run the page.

It is meant for a network that others share. So it answers only to its own name (a foreign name that points here
would let a foreign page read ours: DNS rebinding), only reads, takes no long address, and tells the browser to load
nothing but what comes from here, to run no script inside a page, and to tell nobody where it came from.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Collection, Sequence

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from yomikiri.common.errors import N_, BoardError, InputError, RulesError
from yomikiri.hitblow.model.rules import Fact, Rules
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.tictactoe.board import Board, weight_too_long

MOST_IN_ADDRESS = 2_000
"""Characters of an address; the longest game the page plays takes half of it."""

MOST_TURNS = 14
"""Turns of a board; proven play needs 7, and repdigits in turn need 13."""

MOST_PLAYED = 30
"""Guesses of a person against the program; who guesses at random needs more than who is helped."""

MOST_GUESSES = 7_000
"""Codes that may be guessed. A suggestion compares them all, at most half a second of one core; 5 of 8 has 6,720."""

MOST_CELLS = 25
"""Cells of a board of tic-tac-toe; most of 5x5 with five in a row are read in time, see web.md."""

MOST_WEIGHT_DIGITS = 12
"""Digits of a weight, so that a board can be seen; the contest has ten at most."""

SECONDS = 2.0
"""What a page may take, waiting for its turn to search included."""

ANSWER_SECONDS = 0.4
"""What is left of that when the searches end: for a guess without one, which says that it is not proven, and for the
page itself."""

MATCH_SECONDS = 0.4
"""What the page of a match may take beyond that. The guess that wins most often is found in as long, the guess of plain
play before it and what replaces it included; without one the chances are said to be about right."""

REPORT_SECONDS = 1.5
"""What weighing all guesses of a match that is over may take of the time of its page."""

POLICY = Exact(SECONDS)
"""Proven play for a page."""

AT_ONCE = 8
"""Pages that search worked on at once; others wait for their turn."""

WAITING = 16
"""Pages that wait for that at most; one more is answered that the page is busy."""

SILENT_SECONDS = 10
"""How long a connection may be open without a whole request."""

CONNECTIONS = 200
"""Connections held open at once; one more is answered that the page is busy."""


def check_rules(rules: Rules) -> Rules:
    """`rules` themselves if the page plays them; raises a `RulesError`."""
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


def check_board(board: Board) -> Board:
    """`board` itself if the page reads it; raises a `BoardError`."""
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


def check_turns(turns: Sequence[str] | Sequence[Fact], limit: int = MOST_TURNS) -> None:
    """Raise an `InputError` for more turns than the page reads."""
    if len(turns) > limit:
        raise InputError(N_("{given} turns are too many: expected at most {limit}"), given=len(turns), limit=limit)


LOCAL = ("127.0.0.1", "localhost", "::1")
"""What this machine calls itself."""

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
    """The name or address in a `Host` header, without its port and without the brackets of IPv6."""
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].lower()


def is_address(host: str) -> bool:
    """Whether `host` is an IP address and not a name; no name server has a say in where it leads."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class Guard:
    """Wraps an application; `hosts` are the names it answers to, and with `any_address` every bare IP address.

    `refuse` makes the page for a request that is not let in, from the request and a status.
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
        """Let a request through or refuse it; the headers are set on both."""
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
        """The status to refuse a request with; 0 for one that is let in."""
        headers = dict(scope["headers"])
        host = host_of(headers.get(b"host", b"").decode("latin-1"))
        if host not in self.hosts and not (self.any_address and is_address(host)):
            return 421
        if scope["method"] not in METHODS:
            return 405
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MOST_IN_ADDRESS:
            return 414
        return 0
