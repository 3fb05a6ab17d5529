"""A client without a network: one call of the application, from the raw bytes of a request to its response."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from html import unescape
from typing import Any
from urllib.parse import urljoin

from yomikiri.web.app import create_app

APP = create_app()


@dataclass(frozen=True)
class Answer:
    """A response of the application."""

    path: str
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def html(self) -> str:
        """The body as text."""
        return self.body.decode()

    @property
    def text(self) -> str:
        """The visible text of the page."""
        return " ".join(unescape(re.sub(r"<(?:title|style).*?</|<[^>]*>", " ", self.html)).split())

    def links(self, text: str = "") -> list[str]:
        """Return the targets of the links whose text contains `text`."""
        found = re.findall(r'<a\b[^>]*href="([^"#]+)[^"]*"[^>]*>(.*?)</a>', self.html, re.DOTALL)
        return [
            urljoin(self.path, unescape(href))
            for href, inside in found
            if text in unescape(re.sub("<[^>]*>", " ", inside))
        ]


def get(target: str | bytes, app: Any = APP, method: str = "GET", **headers: str) -> Answer:
    """Return the response of `app` to `target`, a path with its query as in a request."""
    raw = target if isinstance(target, bytes) else target.encode()
    path, _mark, query = raw.partition(b"?")
    given = {"host": "127.0.0.1", **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": path.decode("utf-8", "replace"), "raw_path": path, "query_string": query, "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "client": ("127.0.0.1", 50000), "server": ("127.0.0.1", 80),
    }  # fmt: skip
    return asyncio.run(_call(app, scope))


async def _call(app: Any, scope: dict[str, Any]) -> Answer:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start, *parts = sent
    headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    return Answer(scope["path"], start["status"], headers, b"".join(part.get("body", b"") for part in parts))
