"""The page of weighted tic-tac-toe: what every cell is worth, and why."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from yomikiri.budget import Budget
from yomikiri.errors import InputError
from yomikiri.tictactoe.advice import Advice, PartialAdvice
from yomikiri.tictactoe.position import Player
from yomikiri.web import tictactoe_view as view
from yomikiri.web.pages import begin, language_in, page
from yomikiri.web.tictactoe_address import KINDS, NAMED, PATH, Address, made, read, typed
from yomikiri.wording import sentence
from yomikiri.wording import tictactoe as wording
from yomikiri.wording import web_tictactoe as web_wording

# What a form has sent leads on to the address of the board, so that only that stays in the history.
_SEE_OTHER = 303


def tictactoe(request: Request) -> Response:
    """The board in the address, or where to get one."""
    budget = begin(request)
    query = request.query_params.multi_items()
    address = read(query)
    if address is not None:
        return _game(request, address, budget)
    try:
        board = made(query)
    except InputError as error:
        return _start(request, status=400, wrong=sentence(error))
    return _start(request) if board is None else RedirectResponse(str(board), _SEE_OTHER)


def _start(request: Request, status: int = 200, wrong: str | None = None) -> Response:
    """Boards to choose from; with `wrong`, what was typed stands as it was."""
    shown = _new(language_in(request), typed(request.query_params.multi_items()))
    return page(request, "tictactoe_start.html", status=status, wrong=wrong, **shown)


def _new(lang: str | None, typed: dict[str, str]) -> dict[str, Any]:
    """What the ways to a new board show."""
    return {
        "typed": typed,
        "here": PATH,
        "named": [(web_wording.named(key), str(Address(board, lang=lang))) for key, board in NAMED.items()],
        "kinds": [(key, web_wording.kind(key)) for key in KINDS],
    }


def _game(request: Request, address: Address, budget: Budget) -> Response:
    position = address.position
    found = None if position.outcome else view.read_in_time(position, budget)
    programs_move = address.me not in (None, position.to_move)
    if programs_move and found and found.best:
        return RedirectResponse(str(address.after(found.best.move)), _SEE_OTHER)
    told = found if address.me is None or address.show or programs_move else None
    shown = told if isinstance(told, Advice) else None
    partial = told if isinstance(told, PartialAdvice) else None
    return page(
        request,
        "tictactoe.html",
        address=address,
        position=position,
        headline=web_wording.headline(position, address.moves, address.me),
        verdict=wording.verdict(shown) if shown else None,
        unread=web_wording.unread(partial) if partial else None,
        grid=view.grid(address, position, told),
        legend=web_wording.legend(told) if told and told.moves else None,
        judged=view.judged(address, budget) if position.outcome else [],
        reasons=view.reasons(shown) if shown else [],
        best=view.steps(address, shown.line_of_play, len(address.moves)) if shown else [],
        end=wording.result(shown.outcome, position.board) if shown else None,
        played=view.steps(address, address.moves, 0),
        sums=list(zip(map(web_wording.side, Player), position.sums, strict=True)),
        sides=[(web_wording.side(player), str(address.playing(player))) for player in Player],
        **_new(address.lang, typed([])),
    )
