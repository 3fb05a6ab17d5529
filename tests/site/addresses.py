"""Addresses of every kind of page, which a site answers as a server does; each is asked in both languages."""

from __future__ import annotations

_GAME, _BOARD = "/hitblow?v=1", "/tictactoe?v=1&board=-2,0,-1/-1,-1,0/-1,-1,-2"
_FOUR = "/tictactoe?v=1&board=3,-1,4,1/-5,9,2,-6/5,3,-5,8/9,-7,9,3"

ADDRESSES = (
    "/",
    "/?preset=bulls",
    "/?preset=own",
    _GAME,
    f"{_GAME}&turn=012:0H1B",
    f"{_GAME}&turn=012:0H1B&turn=134:0H1B",
    f"{_GAME}&turn=012:0H1B&turn=345:1H0B&turn=367:0H1B",
    f"{_GAME}&turn=089:0H0B",
    f"{_GAME}&turn=089:0H1B&turn=127:0H1B",
    f"{_GAME}&turn=012:0H1B&compare=1",
    f"{_GAME}&turn=012:0H1B&guess=345",
    f"{_GAME}&turn=012:0H1B&turn=345:1H0B&turn=361:3H0B",
    f"{_GAME}&turn=012:0H0B&turn=345:0H0B&turn=678:0H0B&turn=012:1H0B",
    f"{_GAME}&turn=012:0H1B&turn=345:1H0B&slips=1",
    f"{_GAME}&preset=bulls&turn=0123:1B",
    f"{_GAME}&digits=4&turn=0123:1H1B&turn=0245:1H1B",
    "/match?v=1",
    "/match?v=1&first=opponent&absent=5&secret=314&they=012:1H0B&me=123:0H1B",
    "/match?v=1&me=012:0H1B&they=012:1H0B&me=134:0H1B&they=345:0H1B",
    "/play",
    "/practise",
    _BOARD,
    f"{_BOARD}&moves=b2,a1&me=first",
    "/tictactoe",
    "/tictactoe/practise",
    f"{_FOUR}&moves=a1,b2,c3,d4",
    _FOUR,
    "/offline?v=1",
    "/nothing",
    "/hitblow?v=9",
    "/api/v1/openapi.json",
)


def in_language(address: str, language: str) -> str:
    """The same page in a language."""
    return f"{address}{'&' if '?' in address else '?'}lang={language}"
