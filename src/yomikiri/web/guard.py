"""What stands before every page: which requests are let in, and the headers of every answer.

The page is meant for a network that others share. So it answers only to its own name (a foreign name that points here
would let a foreign page read ours: DNS rebinding), only reads, takes no long address, and tells the browser to load
nothing but what comes from here, to run no script inside a page, and to tell nobody where it came from.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Collection

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from yomikiri.web.limits import MOST_IN_ADDRESS

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
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
