"""How a page is made: its language, its frame, its stylesheet, script and icon, its errors; and the game in view for
someone else, or another device: a link without what is the person's own, and its QR code.
"""

from __future__ import annotations

import io
import re
import socket
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Protocol
from urllib.parse import urlencode

from jinja2 import Environment, ModuleLoader, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from yomikiri.common import host
from yomikiri.common.budget import Budget
from yomikiri.common.errors import InputError, YomikiriError
from yomikiri.hitblow.model.game import words_of
from yomikiri.hitblow.model.rules import Words
from yomikiri.web import limits
from yomikiri.web.link import Link, Pairs, language_in, with_values
from yomikiri.wording import LANGUAGES, _, language, learning, ngettext, sentence, use_language, use_words
from yomikiri.wording import web as wording
from yomikiri.wording.hitblow import game_name, percent, rules_text, unproven
from yomikiri.wording.tictactoe import player_name

API = "/api/"

# Each language by its own name, for readers who know only that one.
NAMES = {"en": "English", "ja": "日本語"}


# The templates as Python, where they were compiled ahead (`yomikiri site`).
COMPILED = Path(__file__).parent / "compiled"
TEMPLATES = "names.txt"  # what they were called


@cache
def templates() -> Environment:
    """The templates: text is escaped, a name that is not there is an error, sentences come from the catalogues."""
    made = Environment(
        loader=ModuleLoader(COMPILED) if COMPILED.is_dir() else PackageLoader("yomikiri.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["minus"] = _minus
    made.globals.update(_=_, ngettext=ngettext, static=asset, percent=percent, language=language, wording=wording)
    made.globals.update(game_name=game_name, rules_text=rules_text, unproven=unproven)
    made.globals.update(learning=learning, player_name=player_name)
    return made


def _minus(said: int | str) -> str:
    """A number, or a sentence with numbers, with real minus signs."""
    return re.sub(r"(?<!\w)-(?=\d)", "−", f"{said}")


def language_of(request: Request) -> str:
    """The language of a page: the address' if it names one, else the browser's favourite of ours, else English."""
    return language_in(request.query_params) or preferred(request.headers.get("accept-language", ""))


def preferred(accepted: str) -> str:
    """Which of our languages an `Accept-Language` header likes best; the first of equals, English if none."""
    liked: dict[str, float] = {}
    for part in accepted.split(","):
        if found := re.fullmatch(r"\s*([A-Za-z]{1,8})(?:-[\w-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?", part):
            code = found[1].lower()
            liked[code] = max(liked.get(code, 0.0), float(found[2] or 1))
    ours = [code for code in liked if code in LANGUAGES and liked[code] > 0]
    return max(ours, key=liked.__getitem__, default=LANGUAGES[0])


def begin(request: Request, more: float = 0.0) -> Budget:
    """Use the language of a page and the words of its game; returns the budget of its searches, `more` seconds longer
    than usual."""
    use_language(language_of(request))
    try:
        use_words(words_of(request.query_params))
    except InputError:  # the page itself reports it
        use_words(Words.HIT)
    return Budget.within(limits.SECONDS - limits.ANSWER_SECONDS + more)


def query_of(request: Request) -> Pairs:
    """What the address of a page says."""
    return with_values(request.query_params.multi_items())


def see_other(where: object) -> Response:
    """Lead on to another page."""
    return RedirectResponse(str(where), 303)


class Page(Protocol):
    """What a page shows, as one value, and the template that shows it; a game has an address that can be handed on."""

    template: ClassVar[str]


def page(request: Request, shown: Page, *, status: int = 200) -> Response:
    """The page that shows a value; the frame is filled in here."""
    address = getattr(shown, "address", None)
    shared = address.shared if address is not None else None
    lang = language_in(request.query_params)
    text = (
        templates()
        .get_template(shown.template)
        .render(
            page=shown,
            languages=NAMES.items(),
            here_in=lambda code: _in_language(request, code),
            lang=lang,
            to=lambda path: Link.of(path, [("lang", lang or "")]),
            shared=whole(request, shared) if shared else None,
            # The next action is where a page begins; what was refused is there with its field.
            focus=" autofocus" if status == 200 else "",
            qr=qr_of(request, shared) if shared else None,
        )
    )
    headers = {"Vary": "Accept-Language", "Cache-Control": "no-cache", "Content-Language": language()}
    return HTMLResponse(text, status, headers)


def _in_language(request: Request, code: str) -> str:
    """This very page in another language; relative, so that no path that was asked for becomes part of a link."""
    asked = Link("", tuple(request.query_params.multi_items())).without("lang")
    return str(Link("", (*asked.pairs, ("lang", code))))


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no page, and where to go on."""

    template: ClassVar[str] = "error.html"

    said: str
    back: str


def refusal(request: Request, status: int, error: YomikiriError | None = None, back: str = "/") -> Response:
    """The page that says why there is no other: what the error says, or what the status means; JSON for a program."""
    begin(request)
    said = sentence(error) if error else wording.status(status)
    if request.scope["path"].startswith(API) and host.threads():
        from yomikiri.api.results import ProblemJson, versioned

        answer: Response = JSONResponse(versioned(ProblemJson(said, error.hint if error else None)), status)
    else:
        answer = page(request, Refusal(said, back), status=status)
    answer.headers.update(_WITH_STATUS.get(status, {}))
    return answer


# What a program is told beside the status.
_WITH_STATUS = {405: {"Allow": ", ".join(limits.METHODS)}, 503: {"Retry-After": "2"}}


# --- for someone else -------------------------------------------------------------------------------------------------

EVERYWHERE = "0.0.0.0"
# Nothing is sent there (TEST-NET-1, RFC 5737): asking the way tells which of our addresses the network sees.
_OUTSIDE = ("192.0.2.1", 9)


def network_address() -> str | None:
    """The address of this machine on its network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(_OUTSIDE)
        except OSError:
            return None
        found: str = asked.getsockname()[0]
    return None if found.startswith("127.") or found == EVERYWHERE else found


def whole(request: Request, path: str) -> str:
    """The whole address of a page, as others on the network find it where they can."""
    host = request.headers["host"]
    if request.app.state.lan and limits.host_of(host) in limits.LOCAL and (found := network_address()):
        host = found + "".join(re.findall(r":\d+$", host))
    return f"{request.scope['scheme']}://{host}{request.app.state.base}{path}"


def qr_of(request: Request, path: str) -> str | None:
    """Where the QR code of a page is; None where nobody else can open the page."""
    return f"/qr.svg?{urlencode({'of': path})}" if request.app.state.lan else None


def qr(request: Request) -> Response:
    """The QR code of a page of this program; 404 where nobody else can open it."""
    path = request.query_params.get("of", "")
    if not (request.app.state.lan and path.startswith("/") and not path.startswith("//")):
        raise HTTPException(404)
    import segno

    drawn = io.BytesIO()
    segno.make(whole(request, path), error="l", micro=False).save(drawn, kind="svg", light="#fff", omitsize=True)
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
# A browser that has a file under this address never need ask again: another file has another address.
_FOR_GOOD = "public, max-age=31536000, immutable"


# What of a stylesheet is for who reads the file: comments, indents, blanks behind and before signs.
_UNSENT = re.compile(rb"/[*].*?[*]/\s*|(?<=\n)\s+|(?<=[{;:,]) | (?=[{}])", re.DOTALL)


@cache
def files() -> dict[str, bytes]:
    """The files by name, as they are sent."""
    found = {path.name: path.read_bytes() for path in sorted(_FOLDER.iterdir()) if path.suffix in _TYPES}
    return {name: _UNSENT.sub(b"", data) if name.endswith(".css") else data for name, data in found.items()}


@cache
def asset(name: str) -> str:
    """Where a page finds the file of that name."""
    return f"/static/{name}?{sha256(files()[name]).hexdigest()[:12]}"


def static(request: Request) -> Response:
    """A file; 404 for any other name."""
    name = request.path_params["name"]
    if name not in files():
        raise HTTPException(404)
    return Response(files()[name], media_type=_TYPES[Path(name).suffix], headers={"Cache-Control": _FOR_GOOD})
