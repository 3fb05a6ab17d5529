"""Rendering of pages: language, templates, static files and error pages. Also links and QR codes to share a page."""

from __future__ import annotations

import io
import re
import socket
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Protocol
from urllib.parse import urlencode

from jinja2 import Environment, ModuleLoader, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context, Macro
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from yomikiri.common import host
from yomikiri.common.budget import Budget
from yomikiri.common.errors import InputError, YomikiriError
from yomikiri.hitblow.model.game import words_of
from yomikiri.hitblow.model.rules import Words
from yomikiri.web import limits
from yomikiri.web.cards import Card, ErrorCard, PageView
from yomikiri.web.link import Link, Pairs, language_in, with_values
from yomikiri.wording import LANGUAGES, _, language, sentence, use_language, use_words
from yomikiri.wording import web as wording

API = "/api/"

# The name of each language in the language itself, because a reader may know no other language.
NAMES = {"en": "English", "ja": "日本語"}


# The folder with the templates compiled to Python. It exists only in a static site (`yomikiri site`).
COMPILED = Path(__file__).parent / "compiled"
TEMPLATES = "names.txt"  # a file in `COMPILED` with the original names of the templates


@cache
def templates() -> Environment:
    """Return the Jinja environment of the templates. It escapes text, and an undefined name raises an error."""
    made = Environment(
        loader=ModuleLoader(COMPILED) if COMPILED.is_dir() else PackageLoader("yomikiri.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(_=_, static=asset, language=language, macro_of=_macro, pegs=_pegs.get, focus=_focus.get)
    return made


# Values of the current page that many macros use. They are context variables, so that no macro depends on a page. Jinja
# can then create the macros once and not for each page.
_pegs: ContextVar[str] = ContextVar("pegs", default="")
_focus: ContextVar[str] = ContextVar("focus", default="")


@pass_context
def _macro(context: Context, card: Card) -> Macro:
    """Return the macro of the calling template that draws a card."""
    macro: Macro = context.vars[card.macro]
    return macro


def language_of(request: Request) -> str:
    """Return the language of a page: that in the address, otherwise the browser's choice, otherwise English."""
    return language_in(request.query_params) or preferred(request.headers.get("accept-language", ""))


def preferred(accepted: str) -> str:
    """Return the supported language that an `Accept-Language` header prefers, or English if it names none.

    If it prefers several equally, the first of these is returned.
    """
    weights: dict[str, float] = {}
    for part in accepted.split(","):
        if found := re.fullmatch(r"\s*([A-Za-z]{1,8})(?:-[\w-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?", part):
            code = found[1].lower()
            weights[code] = max(weights.get(code, 0.0), float(found[2] or 1))
    ours = [code for code in weights if code in LANGUAGES and weights[code] > 0]
    return max(ours, key=weights.__getitem__, default=LANGUAGES[0])


def begin(request: Request, more: float = 0.0) -> Budget:
    """Set the language of a page and the words for hits and blows, and return the budget of its searches.

    The budget is the usual time, plus `more` seconds.
    """
    use_language(language_of(request))
    try:
        use_words(words_of(request.query_params))
    except InputError:  # The words for hits and blows are invalid. The page reads them again, and reports the error.
        use_words(Words.HIT)
    return Budget.within(limits.SECONDS - limits.ANSWER_SECONDS + more)


def query_of(request: Request) -> Pairs:
    """Return the query of a request as (name, value) pairs, without empty values."""
    return with_values(request.query_params.multi_items())


def see_other(where: object) -> Response:
    """Return a redirect to the address `where` with status 303."""
    return RedirectResponse(str(where), 303)


class View(Protocol):
    """A page as one value: the name of its template, its HTTP status, the link to share, and the coloured symbols."""

    template: ClassVar[str]

    @property
    def status(self) -> int:
        """The HTTP status."""

    @property
    def shared(self) -> str:
        """The path of the link to share, or an empty string."""

    @property
    def pegs(self) -> str:
        """The symbols drawn in colour, or an empty string."""


def page(request: Request, view: View) -> Response:
    """Render a page as a response. The template gets `view`, and values that depend on the request alone."""
    lang = language_in(request.query_params)
    _pegs.set(view.pegs)
    # The heading of the next action gets the focus. If the input was rejected, the field with the error gets it
    # instead.
    _focus.set(" autofocus" if view.status == 200 else "")
    text = (
        templates()
        .get_template(view.template)
        .render(
            page=view,
            languages=NAMES.items(),
            here_in=lambda code: _in_language(request, code),
            home=Link.of("/", [("lang", lang or "")]),
            shared=full_url(request, view.shared) if view.shared else None,
            qr=qr_of(request, view.shared) if view.shared else None,
        )
    )
    headers = {"Vary": "Accept-Language", "Cache-Control": "no-cache", "Content-Language": language()}
    return HTMLResponse(text, view.status, headers)


def _in_language(request: Request, code: str) -> str:
    """Return a relative link to this page in another language. It contains the query only, never the path."""
    link = Link("", tuple(request.query_params.multi_items())).without("lang")
    return str(Link("", (*link.pairs, ("lang", code))))


def refusal(request: Request, status: int, error: YomikiriError | None = None, back: str = "/") -> Response:
    """Return a response with HTTP status `status` that explains `error`, or the status if there is no error.

    The response is a page with a link to `back`, or JSON for a request to the API.
    """
    begin(request)
    lang = language_in(request.query_params)
    message = sentence(error) if error else wording.status(status)
    if request.scope["path"].startswith(API) and host.threads():
        from yomikiri.api.results import ProblemJson, versioned

        answer: Response = JSONResponse(versioned(ProblemJson(message, error.hint if error else None)), status)
    else:
        answer = page(request, _error_view(message, str(Link.of(back, [("lang", lang or "")])), status))
    answer.headers.update(_WITH_STATUS.get(status, {}))
    return answer


def _error_view(text: str, back: str, status: int) -> PageView:
    title = _("Cannot show this page")
    return PageView(title, title, "", (("", (ErrorCard(text, back),)),), (), layout="", status=status)


# Headers that explain a status to programs.
_WITH_STATUS = {405: {"Allow": ", ".join(limits.METHODS)}, 503: {"Retry-After": "2"}}


def with_notice(view: PageView, notice: str) -> PageView:
    """Return the page with `notice` as a warning and with status 400. If `notice` is empty, return the page unchanged.

    The notice says that only a part of the address could be read.
    """
    return replace(view, notice=notice, status=400) if notice else view


# --- links to share, and their QR codes -------------------------------------------------------------------------------

ALL_INTERFACES = "0.0.0.0"
# TEST-NET-1 (RFC 5737). No packet is sent: the route to it shows the address of this machine on the network.
_OUTSIDE = ("192.0.2.1", 9)


def network_address() -> str | None:
    """Return the address of this machine on its network, or None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_OUTSIDE)
        except OSError:
            return None
        found: str = probe.getsockname()[0]
    return None if found.startswith("127.") or found == ALL_INTERFACES else found


def full_url(request: Request, path: str) -> str:
    """Return the full URL of a page.

    If the server is open to the local network, `localhost` is replaced by an address that other devices can open.
    """
    host = request.headers["host"]
    if request.app.state.lan and limits.host_of(host) in limits.LOCAL and (found := network_address()):
        host = found + "".join(re.findall(r":\d+$", host))
    return f"{request.scope['scheme']}://{host}{request.app.state.base}{path}"


def qr_of(request: Request, path: str) -> str | None:
    """Return the address of the QR code for a page, or None if no other device can open the page."""
    return f"/qr.svg?{urlencode({'of': path})}" if request.app.state.lan else None


def qr(request: Request) -> Response:
    """Return the QR code for the page whose path is the parameter `of`.

    Raises an `HTTPException` with status 404 if no other device can open this server, or if `of` is not a path.
    """
    path = request.query_params.get("of", "")
    if not (request.app.state.lan and path.startswith("/") and not path.startswith("//")):
        raise HTTPException(404)
    import segno

    drawn = io.BytesIO()
    segno.make(full_url(request, path), error="l", micro=False).save(drawn, kind="svg", light="#fff", omitsize=True)
    return Response(drawn.getvalue(), media_type="image/svg+xml")


# --- files ------------------------------------------------------------------------------------------------------------

_FOLDER = Path(__file__).parent / "static"
_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
# A browser may store a file forever, because a changed file has another address.
_IMMUTABLE = "public, max-age=31536000, immutable"


# Parts of a static file that are removed before it is sent: comments and whitespace of a stylesheet, and in a script
# the indentation and the lines that contain only a comment.
_STRIPPED = {
    ".css": re.compile(rb"/[*].*?[*]/\s*|(?<=\n)\s+|(?<=[{;:,]) | (?=[{}])", re.DOTALL),
    ".js": re.compile(rb"^ *//.*\n|^ +", re.MULTILINE),
}


@cache
def files() -> dict[str, bytes]:
    """Return the content of each static file by its name, as the server sends it."""
    found = {path.name: path.read_bytes() for path in sorted(_FOLDER.iterdir()) if path.suffix in _TYPES}
    return {name: _STRIPPED[end].sub(b"", data) if (end := Path(name).suffix) in _STRIPPED else data
            for name, data in found.items()}  # fmt: skip


@cache
def asset(name: str) -> str:
    """Return the address of a static file. It contains a digest of the content."""
    return f"/static/{name}?{sha256(files()[name]).hexdigest()[:12]}"


def static(request: Request) -> Response:
    """Return the static file that the address names. Raises an `HTTPException` with status 404 for any other name."""
    name = request.path_params["name"]
    if name not in files():
        raise HTTPException(404)
    return Response(files()[name], media_type=_TYPES[Path(name).suffix], headers={"Cache-Control": _IMMUTABLE})
