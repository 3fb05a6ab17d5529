"""The application: which address leads to which page, and the first page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from urllib.parse import urlencode

from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from yomikiri.errors import ContradictionError, YomikiriError
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.rules import PRESETS
from yomikiri.web import api
from yomikiri.web.hitblow import hitblow, match
from yomikiri.web.hitblow_address import Address
from yomikiri.web.limits import AT_ONCE, Guard
from yomikiri.web.pages import begin, language_in, page, refusal, static
from yomikiri.web.tictactoe import tictactoe
from yomikiri.web.tictactoe_address import PATH
from yomikiri.wording import web as wording
from yomikiri.wording import web_tictactoe as tictactoe_wording
from yomikiri.wording.hitblow import rules_text

LOCAL = ("127.0.0.1", "localhost", "::1")


def home(request: Request) -> Response:
    """The first page: which game."""
    begin(request)
    lang = language_in(request)
    games = [
        (wording.game_name(name), str(Address(Knowledge(known.rules), known.words, lang)), rules_text(known.rules))
        for name, known in PRESETS.items()
    ]
    games.insert(1, (wording.match_name(), str(Address(Match(), lang=lang)), wording.match_note()))
    start = f"{PATH}?{urlencode({'lang': lang})}" if lang else PATH
    games.append((tictactoe_wording.game_name(), start, tictactoe_wording.game_note()))
    return page(request, "home.html", games=games)


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
