"""The web application: the routes of all pages and of the API, and the home page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import ClassVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from yomikiri.common import host
from yomikiri.common.budget import Stopped
from yomikiri.common.errors import ContradictionError, YomikiriError
from yomikiri.hitblow.model.game import rules_pairs
from yomikiri.hitblow.model.rules import PRESETS, Rules, Words
from yomikiri.web import limits
from yomikiri.web.cards import Button, Chip, Pairs
from yomikiri.web.guess import guess
from yomikiri.web.guess_address import PATH as GUESS_PATH
from yomikiri.web.guess_address import PLAY_PATH as GUESS_PLAY_PATH
from yomikiri.web.guess_play import guess_play
from yomikiri.web.hitblow import by_book, hitblow, match
from yomikiri.web.limits import LOCAL, MOST_SEARCHES, MOST_WAITING, Guard
from yomikiri.web.link import VERSION, Link, language_in
from yomikiri.web.offline import offline
from yomikiri.web.own_game import OwnGame
from yomikiri.web.pages import begin, page, qr, refusal, static
from yomikiri.web.play import needs_no_search, picture, play
from yomikiri.web.practise import practise
from yomikiri.web.tictactoe import tictactoe
from yomikiri.web.tictactoe_practise import practise as practise_boards
from yomikiri.wording import _
from yomikiri.wording.hitblow import game_name
from yomikiri.wording.web import of_secret

OWN = "own"  # the value of `preset` in an address if the user chooses their own rules
LISTS = "lists"  # the value of `preset` in an address for the game with the user's own lists of codes
# The smallest size in bytes of a response that is compressed. For less, compression costs more than it saves.
_COMPRESSED_FROM = 500


@dataclass(frozen=True, slots=True)
class HomeTile:
    """A link from the home page to a game, drawn as a tile.

    `picture` is the name of a macro in `_pictures.html`. `note` is a line of explanation below `title`.
    """

    href: str
    picture: str
    title: str
    note: str


@dataclass(frozen=True, slots=True)
class HomeView:
    """The home page: the number of the day, the choice of a game, and links to ways to play the chosen game.

    The number of the day is a secret to find, the same for everyone, and `today` is the address of that game. `tiles`
    are the links drawn as tiles, and `solo_links` are further links for playing without an opponent. If `own_rules`,
    the page shows a form for other rules instead of these links. The form begins with the default `digits` and
    `symbols`. It also sends the (name, value) pairs in `hidden`.
    """

    template: ClassVar[str] = "home.html"
    styles: ClassVar[tuple[str, ...]] = ("doors.css", "home.css")
    status: ClassVar[int] = 200
    shared: ClassVar[str] = ""
    pegs: ClassVar[str] = ""

    title: str
    today: str
    games: tuple[Chip, ...]
    tiles: tuple[HomeTile, ...] = ()
    solo_links: tuple[Button, ...] = ()
    own_rules: bool = False
    digits: int = Rules().digits
    symbols: str = Rules().symbols
    hidden: Pairs = ()


_ORDER = ("numeron", "hitblow", "bulls", "mastermind", OWN)


def home(request: Request) -> Response:
    """Return the home page. If the address contains no known `preset`, the first game of the list is chosen."""
    begin(request)
    chosen = request.query_params.get("preset", "")
    names = _ORDER if request.app.state.own is None else (LISTS, *_ORDER)
    return page(request, home_view(names, chosen if chosen in names else names[0], language_in(request.query_params)))


def home_view(names: Sequence[str], chosen: str, lang: str | None) -> HomeView:
    """Build the home page, which offers the games `names`. The game `chosen` is one of them."""
    localized = ("lang", lang or "")
    others = {OWN: _("Own rules"), LISTS: _("Your own list")}
    games = tuple(
        Chip(others.get(name) or game_name(name), str(Link.of("/", [("preset", name), localized])), name == chosen)
        for name in names
    )
    # The server's clock decides the date in the link. In the browser, the script of the page replaces it by the date in
    # the user's time zone.
    day = datetime.now(UTC).astimezone().date()
    today = Link.of("/play", [("v", VERSION), ("day", str(day)), localized])
    view = HomeView(_("Hit & Blow and weighted tic-tac-toe"), str(today), games)
    if chosen == OWN:
        return replace(view, own_rules=True, hidden=(("lang", lang),) if lang else ())
    boards = HomeTile(str(Link.of("/tictactoe", [localized])), "board", _("Weighted tic-tac-toe"),
                  _("Winner and margin for each move"))  # fmt: skip
    if chosen == LISTS:
        return replace(view, tiles=(*_list_tiles(localized), boards))
    preset = PRESETS[chosen]
    rules = list(rules_pairs(preset.rules, preset.words))

    def link(path: str, race: str = "") -> str:
        return str(Link.of(path, [*rules, ("race", race), localized]))

    # Hit & Blow and Numer0n are usually played as a match. Each has its own words for hits and blows, so the words of
    # the rules identify the game.
    is_match_game = preset.words in (Words.HIT, Words.EAT)
    find = of_secret("Find the program’s number", preset.words)
    tiles = (
        HomeTile(
            link("/match" if is_match_game else "/hitblow"),
            "help",
            _("Help me in a match") if is_match_game else _("Help me guess"),
            _("Type the answers, see the best guess"),
        ),
        HomeTile(
            link("/play", "1" if is_match_game else ""),
            "play",
            _("Play against the program"),
            _("Easy to unbeatable") if is_match_game else find,
        ),
        HomeTile(link("/practise"), "practise", _("Practise"), _("Find the best guess in a position")),
        boards,
    )
    solo_links = (Button(_("Help me guess"), link("/hitblow")), Button(find, link("/play"))) if is_match_game else ()
    return replace(view, tiles=tiles, solo_links=solo_links)


def _list_tiles(localized: tuple[str, str]) -> tuple[HomeTile, ...]:
    """Return the links from the home page to the game with the user's own lists."""
    helped, played = (str(Link.of(path, [localized])) for path in (GUESS_PATH, GUESS_PLAY_PATH))
    return (
        HomeTile(helped, "help", _("Help me guess"), _("Type the answers, see the best guess")),
        HomeTile(played, "play", _("Play against the program"), _("Find a secret of your list")),
    )


_SEARCHES: RunVar[CapacityLimiter] = RunVar("searches")


def queued(
    answer: Callable[[Request], Response], quick: Callable[[Request], bool] = lambda _request: False
) -> Callable[[Request], Awaitable[Response]]:
    """Return a request handler that runs `answer` in a thread and limits how many of these threads run at once.

    At most `MOST_SEARCHES` requests run together, and at most `MOST_WAITING` more wait. Any further request gets status
    503. `quick` returns True for a request that needs no search: it runs at once even if others have to wait. Without
    threads on this platform, the handler calls `answer` in the event loop.
    """

    if not host.threads():
        return in_event_loop(answer)

    async def wait_and_answer(request: Request) -> Response:
        searches = _SEARCHES.get(None) or CapacityLimiter(MOST_SEARCHES)
        _SEARCHES.set(searches)
        if not searches.available_tokens:
            if await to_thread.run_sync(quick, request):
                return await to_thread.run_sync(answer, request)
            if searches.statistics().tasks_waiting >= MOST_WAITING:
                return refusal(request, 503)
        return await to_thread.run_sync(answer, request, limiter=searches)

    return wait_and_answer


def in_event_loop(answer: Callable[[Request], Response]) -> Callable[[Request], Awaitable[Response]]:
    """Return a request handler that calls `answer` in the event loop.

    Starlette would call a plain function in a thread, which is impossible on a platform without threads.
    """

    async def answer_here(request: Request) -> Response:
        return answer(request)

    return answer_here


def in_thread(answer: Callable[[Request], Response]) -> Callable[[Request], Response | Awaitable[Response]]:
    """Return a request handler that runs `answer` in a thread, or in the event loop if the platform has no threads."""
    return answer if host.threads() else in_event_loop(answer)


def routes() -> list[Route]:
    """Return the routes of all pages and static files, and those of the API if the platform has threads.

    Each page is a plain function. It runs in a thread if possible, so that it does not block the event loop.
    """
    return [
        Route("/", in_thread(home), name="home"),
        Route(GUESS_PATH, queued(guess), name="guess"),
        Route(GUESS_PLAY_PATH, queued(guess_play), name="guess-play"),
        Route("/hitblow", queued(hitblow, by_book), name="hitblow"),
        Route("/match", queued(match), name="match"),
        Route("/play", queued(play, needs_no_search), name="play"),
        Route("/play.svg", queued(picture), name="picture"),
        Route("/practise", queued(practise), name="practise"),
        Route("/offline", queued(offline), name="offline"),
        Route("/tictactoe", queued(tictactoe), name="tictactoe"),
        Route("/tictactoe/practise", queued(practise_boards), name="practise-board"),
        Route("/qr.svg", in_thread(qr), name="qr"),
        Route("/static/{name}", in_thread(static), name="static"),
        *(api_routes() if host.threads() else []),
    ]


def api_routes() -> list[Route]:
    """Return the routes of the HTTP API, which is for programs. A static site in a browser does not have them."""
    from yomikiri.api.http import Service, not_solved, openapi, services

    served, seconds = services(limits), limits.SECONDS

    def answering(service: Service) -> Callable[[Request], Response]:
        def answer(request: Request) -> Response:
            budget = begin(request, service.more_seconds)
            try:
                return JSONResponse(service.respond(request.query_params.multi_items(), limits, budget))
            except Stopped as stopped:
                return refusal(request, 422, not_solved(service, stopped, seconds))

        return answer

    return [
        *(Route(f"/api/v1/{each.path}", queued(answering(each)), name=f"api-{each.query.NAME}") for each in served),
        Route("/api/v1/openapi.json", lambda _request: JSONResponse(openapi(served)), name="openapi"),
    ]


def create_app(
    hosts: Collection[str] = LOCAL, any_address: bool = False, base: str = "", own: OwnGame | None = None
) -> ASGIApp:
    """Create the web application. It accepts requests to the host names in `hosts`.

    With `any_address`, it also accepts requests to any IP address. `base` is the path of the site's folder on its host,
    such as `/folder`, or empty for the root. Links to share include it. `own` is the game with the user's own lists of
    codes, which the home page offers first, or None.
    """
    pages = Starlette(
        routes=routes(),
        exception_handlers={
            HTTPException: _no_page,
            YomikiriError: _unusable,
            Stopped: _out_of_time,
            Exception: _failed,
        },
        middleware=[Middleware(GZipMiddleware, minimum_size=_COMPRESSED_FROM, compresslevel=6)],
    )
    pages.router.redirect_slashes = False
    pages.state.lan, pages.state.base = any_address, base
    pages.state.own = own
    return Guard(pages, refusal, hosts, any_address)


async def _no_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refusal(request, error.status_code)


async def _unusable(request: Request, error: Exception) -> Response:
    assert isinstance(error, YomikiriError)
    return refusal(request, 409 if isinstance(error, ContradictionError) else 400, error, back=request.scope["path"])


async def _out_of_time(request: Request, _error: Exception) -> Response:
    return refusal(request, 503)


async def _failed(request: Request, _error: Exception) -> Response:
    return refusal(request, 500)
