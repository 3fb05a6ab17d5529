"""The page of a game against the program, and its result as a picture."""

from __future__ import annotations

import secrets
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from yomikiri.errors import N_, CodeError, InputError, YomikiriError
from yomikiri.web.limits import MATCH_SECONDS, POLICY
from yomikiri.web.link import SEE_OTHER, Link, with_values
from yomikiri.web.pages import begin, page
from yomikiri.web.play_address import PATH, Address, read
from yomikiri.web.play_page import Picture, PlayPage
from yomikiri.web.practise import PuzzlePage, of_report, practise


def play(request: Request) -> Response:
    """The game in the address, after the program's guess where it is to move."""
    budget = begin(request, MATCH_SECONDS)
    query = with_values(request.query_params.multi_items())
    address = read(query)
    if address is None:
        return RedirectResponse(str(Link.of(PATH, [*query, ("seed", secrets.token_hex(5))])), SEE_OTHER)
    after, wrong = told(address)
    after = replace(after, play=after.play.answered(POLICY, budget))
    if str(after) != str(address):
        return RedirectResponse(str(after), SEE_OTHER)
    shown = PlayPage(address, wrong, budget)
    if address.puzzle and shown.over and (puzzle := of_report(shown.report(), address.puzzle)):
        advisor = shown.advisor if address.play.race else None
        return practise(request, PuzzlePage.of(request, puzzle, address, address.words, budget, advisor))
    return page(request, shown, status=400 if wrong else 200)


def searches_nothing(request: Request) -> bool:
    """Whether the page of the game in the address needs no search, or is an error."""
    try:
        address = read(with_values(request.query_params.multi_items()))
    except YomikiriError:
        return True
    if address is None:
        return True
    over = address.play.over or address.given_up
    return not (address.play.race or over or address.turn in address.hints)


def told(address: Address) -> tuple[Address, CodeError | None]:
    """The game after what was typed, once it is all there: my secret, or else a guess; and what is wrong with it."""
    play = address.play
    if len(address.guess) < play.rules.digits or play.over or address.given_up:
        return address, None
    try:
        if play.waits_for == "secret":
            return replace(address.having(secret=play.rules.check_secret(address.guess)), guess=""), None
        return address.after(address.guess), None
    except CodeError as error:
        return address, error


def picture(request: Request) -> Response:
    """The result as a picture to keep."""
    budget = begin(request)
    address = read(with_values(request.query_params.multi_items()))
    if address is None or not address.play.over:
        raise InputError(N_("the game is not over yet: finish it first"))
    answer = page(request, Picture(address, None, budget))
    answer.headers["Content-Type"] = "image/svg+xml"
    return answer
