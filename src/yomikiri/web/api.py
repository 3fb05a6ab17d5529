"""The same answers as JSON, for programs: the documents that the commands write with `--json`.

A question is read strictly: what the page would pass over is refused here, in one line, as JSON.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from yomikiri.documents import hitblow as hitblow_documents
from yomikiri.documents import tictactoe as tictactoe_documents
from yomikiri.documents import versioned
from yomikiri.errors import N_, BoardError, InputError
from yomikiri.hitblow.advice import suggest as advise
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import parse_code, parse_turn
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES, exact, policy_named
from yomikiri.hitblow.rules import Repeats, Rules, Words, preset
from yomikiri.tictactoe.advice import PartialAdvice
from yomikiri.tictactoe.board import DEFAULT_LINE, Board
from yomikiri.tictactoe.notation import fold, parse_moves
from yomikiri.tictactoe.position import Position
from yomikiri.web.hitblow_address import choice, not_a_number, number
from yomikiri.web.limits import POLICY, SECONDS, check_board, check_rules, check_turns
from yomikiri.web.openapi import description
from yomikiri.web.pages import begin, refusal
from yomikiri.web.timed_analysis import read
from yomikiri.wording import LANGUAGES
from yomikiri.wording.hitblow import fitting
from yomikiri.wording.tictactoe import so_far


def suggest(request: Request) -> Response:
    """The next guess of Hit & Blow, as `yomikiri hitblow suggest --json`."""
    budget = begin(request)
    asked = _parameters(
        request, ("preset", "digits", "symbols", "repeats", "absent", "words", "policy", "lang"), "turn"
    )
    chooser = choice(asked, "policy", POLICIES, DEFAULT_POLICY)
    known = _known(asked, request.query_params.getlist("turn"))
    advice = advise(known, POLICY if chooser == exact.NAME else policy_named(chooser), budget=budget)
    return _document(hitblow_documents.suggestion(advice))


def analyze(request: Request) -> Response:
    """Where every move of a position of tic-tac-toe leads, as `yomikiri tictactoe analyze --json`."""
    budget = begin(request)
    asked = _parameters(request, ("board", "line", "moves", "lang"))
    if "board" not in asked:
        raise InputError(N_("there is no {given}= in the address: expected one"), given="board")
    board = check_board(Board.parse(fold(asked["board"]), _number(asked, "line", DEFAULT_LINE)))
    position = Position.after(board, parse_moves(asked.get("moves", ""), board))
    advice = read(position, budget)
    if isinstance(advice, PartialAdvice):
        error = BoardError(
            N_(
                "not read to the end in {seconds} s: expected a smaller board, or more moves made; the program reads on"
            ),
            seconds=int(SECONDS),
        )
        error.add_note(so_far(advice))
        return refusal(request, 422, error)
    return _document(tictactoe_documents.analysis(advice))


def openapi(_request: Request) -> Response:
    """What can be asked here and what is answered, in the form of OpenAPI."""
    return JSONResponse(description())


def _document(document: dict[str, Any]) -> Response:
    return JSONResponse(versioned(document))


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
            raise InputError(N_("{given}= stands twice in the address: expected it once"), given=name)
        found[name] = value
    choice(found, "lang", LANGUAGES, LANGUAGES[0])
    return found


def _known(asked: dict[str, str], texts: list[str]) -> Knowledge:
    """What the rules, the absent symbols and the turns tell; a contradiction comes with the likeliest slip."""
    base = preset(asked.get("preset", "hitblow"))
    repeats = Repeats(choice(asked, "repeats", Repeats, base.rules.repeats))
    rules = check_rules(
        Rules(_number(asked, "digits", base.rules.digits), asked.get("symbols", base.rules.symbols), repeats)
    )
    words = Words(choice(asked, "words", Words, base.words))
    absent = rules.check_absent(parse_code(asked.get("absent", ""), rules))
    check_turns(texts)
    return fitting(Knowledge(rules, absent, tuple(parse_turn(text, rules, words) for text in texts)), words)


def _number(asked: dict[str, str], name: str, default: int) -> int:
    text = asked.get(name, str(default))
    value = number(text)
    if value is None:
        raise not_a_number(text)
    return value
