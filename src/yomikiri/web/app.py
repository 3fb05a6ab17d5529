"""The application: which address leads to which page, and the first page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from urllib.parse import urlencode

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from yomikiri.errors import ContradictionError, YomikiriError
from yomikiri.hitblow.game import rules_pairs
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.notation import write_hint
from yomikiri.hitblow.rules import PRESETS, Hint, Rules, Words
from yomikiri.web import api
from yomikiri.web.hitblow import by_book, hitblow, match
from yomikiri.web.hitblow_address import Address
from yomikiri.web.limits import AT_ONCE, LOCAL, WAITING, Guard
from yomikiri.web.offline import offline
from yomikiri.web.pages import begin, language_in, page, refusal, static
from yomikiri.web.play import picture, play, searches_nothing, today
from yomikiri.web.share import qr
from yomikiri.web.tictactoe import tictactoe
from yomikiri.web.tictactoe_address import PATH
from yomikiri.wording import web as wording
from yomikiri.wording.hitblow import rules_text

EXAMPLE = Hint(1, 2)  # in the words of each game


def home(request: Request) -> Response:
    """The first page: which game."""
    begin(request)
    lang = language_in(request)
    asked = [("lang", lang)] if lang else []
    presets = [
        {
            "name": wording.game_name(name),
            "rules": rules_text(known.rules),
            "helped": str(Address(Knowledge(known.rules), known.words, lang)),
            "played": f"/play?{urlencode([*rules_pairs(known.rules, known.words), *asked])}",
        }
        for name, known in PRESETS.items()
    ]
    return page(
        request,
        "home.html",
        presets=presets,
        match=str(Address(Match(), lang=lang)),
        today=today(lang),
        race=f"/play?{urlencode([('race', '1'), *asked])}",
        tictactoe=f"{PATH}?{urlencode(asked)}" if asked else PATH,
        usual=Rules(),
        words=[(each, f"{write_hint(EXAMPLE, each)}: {wording.hint_spoken(EXAMPLE, each)}") for each in Words],
    )


_SEARCHES: RunVar[CapacityLimiter] = RunVar("searches")


def in_turn(
    answer: Callable[[Request], Response], quick: Callable[[Request], bool] = lambda _request: False
) -> Callable[[Request], Awaitable[Response]]:
    """A page that searches, a few at once and a few more in a queue; when that is full, the answer is to come again.

    Other pages have threads of their own and wait for none of these, and so has one that is `quick`.
    """

    async def wait_and_answer(request: Request) -> Response:
        searches = _SEARCHES.get(None) or CapacityLimiter(AT_ONCE)
        _SEARCHES.set(searches)
        if not searches.available_tokens:
            if await to_thread.run_sync(quick, request):
                return await to_thread.run_sync(answer, request)
            if searches.statistics().tasks_waiting >= WAITING:
                return refusal(request, 503)
        return await to_thread.run_sync(answer, request, limiter=searches)

    return wait_and_answer


# Every page is a plain function that is called in a thread: none of them holds up the loop.
ROUTES = [
    Route("/", home, name="home"),
    Route("/hitblow", in_turn(hitblow, by_book), name="hitblow"),
    Route("/match", in_turn(match), name="match"),
    Route("/play", in_turn(play, searches_nothing), name="play"),
    Route("/play.svg", in_turn(picture), name="picture"),
    Route("/offline", in_turn(offline), name="offline"),
    Route("/tictactoe", in_turn(tictactoe), name="tictactoe"),
    Route("/qr.svg", qr, name="qr"),
    Route("/api/v1/hitblow/suggest", in_turn(api.suggest), name="suggest"),
    Route("/api/v1/hitblow/review", in_turn(api.review), name="review"),
    Route("/api/v1/hitblow/play", in_turn(api.play), name="play-api"),
    Route("/api/v1/tictactoe/analyze", in_turn(api.analyze), name="analyze"),
    Route("/api/v1/openapi.json", api.openapi, name="openapi"),
    Route("/static/{name}", static, name="static"),
]


def create_app(hosts: Collection[str] = LOCAL, any_address: bool = False) -> ASGIApp:
    """The page, answering to the names in `hosts` and, with `any_address`, to every IP address."""
    pages = Starlette(
        routes=ROUTES,
        exception_handlers={HTTPException: _no_page, YomikiriError: _unusable, Exception: _failed},
    )
    pages.router.redirect_slashes = False
    pages.state.lan = any_address
    return Guard(pages, refusal, hosts, any_address)


def _no_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refusal(request, error.status_code)


def _unusable(request: Request, error: Exception) -> Response:
    assert isinstance(error, YomikiriError)
    return refusal(request, 409 if isinstance(error, ContradictionError) else 400, error, back=request.scope["path"])


def _failed(request: Request, _error: Exception) -> Response:
    return refusal(request, 500)
