"""The same answers as JSON, for programs: the documents that the commands write with `--json`.

A question is read strictly: what the page would pass over is refused here, in one line, as JSON.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from yomikiri.documents import versioned
from yomikiri.documents.hitblow import suggestion
from yomikiri.documents.tictactoe import analysis
from yomikiri.enums import choice
from yomikiri.errors import N_, BoardError, InputError
from yomikiri.hitblow.advice import suggest as advise
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import Pairs, game_of
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES, exact, policy_named
from yomikiri.hitblow.repair import repairs
from yomikiri.tictactoe.advice import PartialAdvice
from yomikiri.tictactoe.notation import board_of
from yomikiri.tictactoe.position import Position
from yomikiri.web.limits import POLICY, SECONDS, check_board, check_rules, check_turns
from yomikiri.web.openapi import description
from yomikiri.web.pages import begin, refusal
from yomikiri.web.tictactoe_view import read_in_time
from yomikiri.wording import LANGUAGES
from yomikiri.wording.hitblow import contradiction_error
from yomikiri.wording.tictactoe import so_far


def suggest(request: Request) -> Response:
    """The next guess of Hit & Blow, as `yomikiri hitblow suggest --json`."""
    budget = begin(request)
    asked = _parameters(
        request, ("preset", "digits", "symbols", "repeats", "absent", "words", "policy", "lang"), "turn"
    )
    chooser = choice(asked, "policy", POLICIES, DEFAULT_POLICY)
    known = _known(request.query_params.multi_items())
    advice = advise(known, POLICY if chooser == exact.NAME else policy_named(chooser), budget=budget)
    return JSONResponse(versioned(suggestion(advice)))


def analyze(request: Request) -> Response:
    """Where every move of a position of tic-tac-toe leads, as `yomikiri tictactoe analyze --json`."""
    budget = begin(request)
    asked = _parameters(request, ("board", "line", "moves", "lang"))
    if "board" not in asked:
        raise InputError(N_("{given}= is missing in the address: add it"), given="board")
    board, moves = board_of(asked)
    position = Position.after(check_board(board), moves)
    advice = read_in_time(position, budget)
    if isinstance(advice, PartialAdvice):
        error = BoardError(
            N_("not solved within {seconds} s: try a smaller board or more moves; the command line has no time limit"),
            seconds=int(SECONDS),
        )
        error.add_note(so_far(advice))
        return refusal(request, 422, error)
    return JSONResponse(versioned(analysis(advice)))


def openapi(_request: Request) -> Response:
    """What can be asked here and what is answered, in the form of OpenAPI."""
    return JSONResponse(description())


def _parameters(request: Request, names: tuple[str, ...], repeated: str = "") -> dict[str, str]:
    """The parameters by name; all of `names` may stand once, and `repeated` any number of times."""
    known = (*names, repeated) if repeated else names
    found: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name not in known:
            raise InputError(
                N_("unknown parameter {given!r}: expected one of {known}"), given=name, known=", ".join(known)
            )
        if name in found and name != repeated:
            raise InputError(N_("{given}= appears twice in the address: give it once"), given=name)
        found[name] = value
    choice(found, "lang", LANGUAGES, LANGUAGES[0])
    return found


def _known(pairs: Pairs) -> Knowledge:
    """What the rules, the absent symbols and the turns tell; a contradiction comes with the likeliest slip."""
    game = game_of(pairs)
    check_rules(game.rules)
    check_turns(game.turns)
    known = Knowledge(game.rules, game.absent, game.turns)
    if not known.count:
        raise contradiction_error(known.turns, known.turns, repairs(known), game.words)
    return known
