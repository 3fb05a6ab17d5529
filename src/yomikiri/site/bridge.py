"""The web page without a server: the service worker of the site, a script in the browser, calls Python for each page.

The service worker calls `answer` for each request of the browser. `answer` never waits for input or output.
"""

from __future__ import annotations

import re
import traceback
from functools import cache
from typing import Any
from urllib.parse import unquote

from starlette.types import ASGIApp, Message, Scope

from yomikiri.site.own_list import stored_own
from yomikiri.web.app import create_app
from yomikiri.web.limits import host_of
from yomikiri.web.own_game import OwnGame
from yomikiri.web.pages import COMPILED, TEMPLATES, templates

_LINK = re.compile(rb'(\s(?:href|action|formaction|src)=")/(?!/)')


def answer(
    method: str, path: str, query: str, language: str, origin: str, base: str = ""
) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return the status, the headers and the body of the response to a request.

    `origin` is the scheme and the host of the site, such as `https://example.org`. `base` is the path of its folder
    there, such as `/folder`, or empty. `path` is the path of the page without that folder. `language` is the value of
    the `Accept-Language` header. An unexpected error is printed, and the response is a page that explains it.
    """
    scheme, _, host = origin.partition("://")
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": scheme,
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", host.encode()), (b"accept-language", language.encode())],
        "client": None,
        "server": (host_of(host), 443 if scheme == "https" else 80),
    }
    status, headers, body = 500, list[tuple[bytes, bytes]](), bytearray()

    async def send(message: Message) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status, headers = message["status"], list(message["headers"])
        else:
            body.extend(message.get("body", b""))

    try:
        _run(_application(host_of(host), base)(scope, _receive, send))
    except Exception:
        # Starlette first sends a page that explains an unexpected error, and then raises the error again.
        traceback.print_exc()
        if not body:
            raise
    fields = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]
    return status, *_with_base(fields, bytes(body), base)


def begin(origin: str, base: str) -> None:
    """Load the modules that all pages need, but neither NumPy nor modules with machine code.

    After this call, the service worker stores a snapshot of Python's memory, which makes later starts faster. A
    snapshot cannot contain NumPy or machine code.
    """
    for path in ("/", "/tictactoe"):
        answer("GET", path, "", "en", origin, base)
    answer("GET", "/", "", "ja", origin, base)
    for name in (COMPILED / TEMPLATES).read_text().split():
        templates().get_template(name)


def ahead(origin: str, base: str) -> None:
    """Load the modules of pages that the user may open next, so that these pages appear faster.

    One such page has a suggestion from the book, the collection of proven strategies. Another page needs a search. If
    the site offers a game with the user's own lists of codes, also load the modules of the page for this game.
    """
    for query in ("v=1", "v=1&turn=089:0H1B&turn=127:0H1B"):
        answer("GET", "/hitblow", query, "en", origin, base)
    if _own_game():
        answer("GET", "/guess", "v=1", "en", origin, base)


@cache
def _application(host: str, base: str) -> ASGIApp:
    return create_app([host], base=base, own=_own_game())


@cache
def _own_game() -> OwnGame | None:
    return stored_own()


async def _receive() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


def _run(work: Any) -> None:
    """Run a coroutine to its end without an event loop. Raises `RuntimeError` if the coroutine waits."""
    try:
        work.send(None)
    except StopIteration:
        return
    work.close()
    raise RuntimeError("the application waits for something: expected an answer at once")


def _with_base(headers: list[tuple[str, str]], body: bytes, base: str) -> tuple[list[tuple[str, str]], bytes]:
    """Return the headers and the body of a response with `base` put before every local link and redirect."""
    if not base:
        return headers, body
    moved = []
    for name, value in headers:
        if name == "content-type" and value.startswith("text/html"):
            body = _LINK.sub(rb"\1" + base.encode() + b"/", body)
        moved.append((name, base + value if name == "location" and value.startswith("/") else value))
    return [(name, str(len(body)) if name == "content-length" else value) for name, value in moved], body
