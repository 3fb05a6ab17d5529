"""The first page: which game."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.hitblow.notation import Words
from yomikiri.hitblow.rules import PRESETS
from yomikiri.web.hitblow_address import Address
from yomikiri.web.pages import page, speak
from yomikiri.wording import web as wording
from yomikiri.wording.hitblow import rules_text


def home(request: Request) -> Response:
    """The first page."""
    speak(request)
    lang = request.query_params.get("lang")
    games = [
        (wording.game_name(name), str(Address(known.rules, Words(known.words), lang=lang)), rules_text(known.rules))
        for name, known in PRESETS.items()
    ]
    return page(request, "home.html", games=games)
