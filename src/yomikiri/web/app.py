"""The application: which address leads to which page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from yomikiri.errors import ContradictionError, YomikiriError
from yomikiri.web import api
from yomikiri.web.assets import static
from yomikiri.web.guard import Guard
from yomikiri.web.hitblow import hitblow
from yomikiri.web.home import home
from yomikiri.web.limits import AT_ONCE
from yomikiri.web.match import match
from yomikiri.web.pages import refusal
from yomikiri.web.tictactoe import tictactoe

LOCAL = ("127.0.0.1", "localhost", "::1")

# Every page is a plain function, which starlette calls in a thread: none of them holds up the loop.
ROUTES = [
    Route("/", home, name="home"),
    Route("/hitblow", hitblow, name="hitblow"),
    Route("/match", match, name="match"),
    Route("/tictactoe", tictactoe, name="tictactoe"),
    Route("/api/v1/hitblow/suggest", api.suggest, name="suggest"),
    Route("/api/v1/tictactoe/analyze", api.analyze, name="analyze"),
    Route("/api/v1/openapi.json", api.openapi, name="openapi"),
    Route("/static/{name}", static, name="static"),
]


def create_app(hosts: Collection[str] = LOCAL, any_address: bool = False) -> ASGIApp:
    """The page, answering to the names in `hosts` and, with `any_address`, to every IP address."""
    pages = Starlette(
        routes=ROUTES,
        lifespan=_bounded,
        exception_handlers={HTTPException: _no_page, YomikiriError: _unusable, Exception: _failed},
    )
    pages.router.redirect_slashes = False
    return Guard(pages, refusal, hosts, any_address)


@asynccontextmanager
async def _bounded(_app: Starlette) -> AsyncIterator[None]:
    """Work on so many pages at once and no more."""
    current_default_thread_limiter().total_tokens = AT_ONCE
    yield


def _no_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refusal(request, error.status_code)


def _unusable(request: Request, error: Exception) -> Response:
    assert isinstance(error, YomikiriError)
    return refusal(request, 409 if isinstance(error, ContradictionError) else 400, error, back=request.scope["path"])


def _failed(request: Request, _error: Exception) -> Response:
    return refusal(request, 500)
