"""The page without a server: a request is a call of the application, which never waits for anything.

This module runs in a browser, where the worker of the site calls `answer` for every address.
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
    """Return the status, the headers and the body for an address.

    `origin` is the scheme and the host of the site, such as `https://example.org`. `base` is its folder there, such as
    `/folder`, or empty. `path` is the path of the page without that folder. `language` is the value of
    `Accept-Language`. An unexpected error is printed, and the page explains it.
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
        _run(_application(host_of(host), base)(scope, _nothing, send))
    except Exception:
        # Starlette raises an unexpected error again after it has sent the page that explains it.
        traceback.print_exc()
        if not body:
            raise
    fields = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]
    return status, *_moved(fields, bytes(body), base)


def begin(origin: str, base: str) -> None:
    """Load the modules of every page, without machine code and NumPy: a stored state cannot contain those."""
    for path in ("/", "/tictactoe"):
        answer("GET", path, "", "en", origin, base)
    answer("GET", "/", "", "ja", origin, base)
    for name in (COMPILED / TEMPLATES).read_text().split():
        templates().get_template(name)


def ahead(origin: str, base: str) -> None:
    """Load the modules of the pages that may follow: a position from the book, and one that needs a search."""
    for query in ("v=1", "v=1&turn=089:0H1B&turn=127:0H1B"):
        answer("GET", "/hitblow", query, "en", origin, base)
    if _own():
        answer("GET", "/guess", "v=1", "en", origin, base)


@cache
def _application(host: str, base: str) -> ASGIApp:
    return create_app([host], base=base, own=_own())


@cache
def _own() -> OwnGame | None:
    return stored_own()


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


def _run(work: Any) -> None:
    """Run a coroutine to completion without an event loop. Raises `RuntimeError` if it waits for anything."""
    try:
        work.send(None)
    except StopIteration:
        return
    work.close()
    raise RuntimeError("the application waits for something: expected an answer at once")


def _moved(headers: list[tuple[str, str]], body: bytes, base: str) -> tuple[list[tuple[str, str]], bytes]:
    """Return the response with its links, if they are local, moved into the folder of the site."""
    if not base:
        return headers, body
    moved = []
    for name, value in headers:
        if name == "content-type" and value.startswith("text/html"):
            body = _LINK.sub(rb"\1" + base.encode() + b"/", body)
        moved.append((name, base + value if name == "location" and value.startswith("/") else value))
    return [(name, str(len(body)) if name == "content-length" else value) for name, value in moved], body
