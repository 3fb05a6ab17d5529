"""The server of the web page, and the endpoint on which it listens."""

from __future__ import annotations

import asyncio
import socket
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.types import ASGIApp

from yomikiri.common.budget import Budget
from yomikiri.web.app import create_app
from yomikiri.web.limits import CONNECTIONS, FIRST_SECONDS, LOCAL, SILENT_SECONDS
from yomikiri.web.own_game import OwnGame
from yomikiri.web.pages import ALL_INTERFACES

if TYPE_CHECKING:
    import uvicorn

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Endpoint:
    """An address to listen on, and the host names under which the server can be reached.

    With `any_address`, it can also be reached under every IP address.
    """

    host: str
    names: tuple[str, ...]
    any_address: bool


def endpoint(lan: bool) -> Endpoint:
    """Return the endpoint on this machine alone, or with `lan` on the local network."""
    if not lan:
        return Endpoint(LOOPBACK, LOCAL, any_address=False)
    own = socket.gethostname().lower()
    return Endpoint(ALL_INTERFACES, (*LOCAL, own, f"{own.partition('.')[0]}.local"), any_address=True)


def listen(where: Endpoint, port: int) -> socket.socket:
    """Return a socket that is already listening, so that no request comes too early.

    Raises `OSError` if the port is in use.
    """
    # With a named protocol, asyncio sends small packets immediately. Otherwise a response on an open connection waits
    # 40 ms for the acknowledgement of its head.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((where.host, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def server(app: ASGIApp) -> uvicorn.Server:
    """Return the server of an application, with limits on its connections."""
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Prompt(H11Protocol):
        """The protocol of a connection. It closes the connection after `SILENT_SECONDS` without a complete request."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.loop.call_later(SILENT_SECONDS, self._close_if_silent)

        def _close_if_silent(self) -> None:
            if self.cycle is None:
                self.transport.close()

    settings = uvicorn.Config(
        app,
        limit_concurrency=CONNECTIONS,
        h11_max_incomplete_event_size=16_384,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=3,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=False,
        http=Prompt,
        ws="none",
    )
    return uvicorn.Server(settings)


def serve(where: Endpoint, listener: socket.socket, own: OwnGame | None = None) -> None:
    """Serve pages until the process is interrupted.

    `own` is the game with the user's own lists of codes, or None. A thread in the background searches for its first
    guess.
    """
    if own:
        threading.Thread(target=own.prepare, args=(Budget.within(FIRST_SECONDS),), daemon=True).start()
    server(create_app(where.names, where.any_address, own=own)).run(sockets=[listener])
