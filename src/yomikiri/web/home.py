"""The first page: which game."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.hitblow.rules import PRESETS, Words
from yomikiri.web.hitblow_address import Address
from yomikiri.web.match_address import MatchAddress
from yomikiri.web.pages import begin, language_in, page
from yomikiri.web.tictactoe_address import PATH
from yomikiri.wording import web as wording
from yomikiri.wording import web_tictactoe as tictactoe_wording
from yomikiri.wording.hitblow import rules_text


def home(request: Request) -> Response:
    """The first page."""
    begin(request)
    lang = language_in(request)
    games = [
        (wording.game_name(name), str(Address(known.rules, Words(known.words), lang=lang)), rules_text(known.rules))
        for name, known in PRESETS.items()
    ]
    games.insert(1, (wording.match_name(), str(MatchAddress(lang=lang)), wording.match_note()))
    tictactoe = f"{PATH}?{urlencode({'lang': lang})}" if lang else PATH
    games.append((tictactoe_wording.game_name(), tictactoe, tictactoe_wording.game_note()))
    return page(request, "home.html", games=games)
