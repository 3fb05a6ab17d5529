"""How a page is made: its language, its frame, its stylesheet, script and icon, its errors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Protocol
from urllib.parse import urlencode

from jinja2 import Environment, ModuleLoader, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from yomikiri import host
from yomikiri.budget import Budget
from yomikiri.errors import YomikiriError
from yomikiri.web import limits
from yomikiri.web.link import language_in
from yomikiri.web.share import qr_of, whole
from yomikiri.wording import LANGUAGES, _, language, learning, ngettext, sentence, use_language
from yomikiri.wording import web as wording
from yomikiri.wording.hitblow import percent, rules_text, unproven

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
    made.globals.update(rules_text=rules_text, unproven=unproven, learning=learning)
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
    """Begin a page in its language; gives what its searches may spend, `more` seconds than usual."""
    use_language(language_of(request))
    return Budget.within(limits.SECONDS - limits.ANSWER_SECONDS + more)


class Page(Protocol):
    """What a page shows, as one value, and the template that shows it; a game has an address that can be handed on."""

    template: ClassVar[str]


def page(request: Request, shown: Page, *, status: int = 200) -> Response:
    """The page that shows a value; the frame is filled in here."""
    address = getattr(shown, "address", None)
    shared = address.shared if address is not None else None
    text = (
        templates()
        .get_template(shown.template)
        .render(
            page=shown,
            languages=NAMES.items(),
            here_in=lambda code: _in_language(request, code),
            lang=language_in(request.query_params),
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
    asked = [(name, value) for name, value in request.query_params.multi_items() if name != "lang"]
    return "?" + urlencode([*asked, ("lang", code)], safe=":,/")


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
        from yomikiri.documents import Problem, versioned

        answer: Response = JSONResponse(versioned(Problem(said, error.hint if error else None)), status)
    else:
        lang = language_in(request.query_params)
        answer = page(request, Refusal(said, f"{back}?lang={lang}" if lang else back), status=status)
    answer.headers.update(_WITH_STATUS.get(status, {}))
    return answer


# What a program is told beside the status.
_WITH_STATUS = {405: {"Allow": ", ".join(limits.METHODS)}, 503: {"Retry-After": "2"}}


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
