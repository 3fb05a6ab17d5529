"""Addresses of every kind of page, in both languages, which a site answers like a server."""

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
    f"{_GAME}&preset=mastermind&turn=1122:1H1B",
    f"{_GAME}&preset=mastermind&turn=1122:1H1B&turn=1344:0H1B&compare=1",
    f"{_GAME}&repeats=all&turn=407:0H1B",
    f"{_GAME}&repeats=guess&turn=440:0H1B&numbers=1",
    f"{_GAME}&digits=2&symbols=abcd&repeats=all",
    f"{_GAME}&digits=4&turn=0284:0H1B&turn=3216:0H3B&slips=1",
    f"{_GAME}&digits=4&symbols=01234567&turn=4067:0H2B",
    f"{_GAME}&digits=5&turn=01234:1H2B&turn=02156:2H1B&turn=50136:1H1B",
    f"{_GAME}&turn=345:1H0B&turn=123:0H2B&turn=012:0H1B&turn=371:3H0B&review=1",
    "/match?v=1",
    "/match?v=1&first=opponent&absent=5&secret=314&they=012:1H0B&me=123:0H1B",
    "/match?v=1&me=012:0H1B&they=012:1H0B&me=134:0H1B&they=345:0H1B",
    "/match?v=1&preset=mastermind&me=1122:1H1B&they=1344:0H2B&me=2356:1H1B",
    "/match?v=1&preset=numeron&items=slash,high,target&me=012:0E1B&they=345:0E0B",
    "/play",
    "/play?v=1&seed=tea&me=012&me=345&give-up=1&review=1",
    "/play?v=1&seed=tea&race=1&secret=314&shown=7&me=012&they=180&me=345&they=894",
    "/practise",
    "/practise?v=1&difficulty=hard&seed=s3",
    _BOARD,
    f"{_BOARD}&moves=b2,a1&me=first",
    "/tictactoe",
    "/tictactoe/practise",
    "/tictactoe/practise?v=1&difficulty=hard&seed=s3",
    "/tictactoe?v=1&board=4,5,1,5/10,-4,3,4/2,7,-7,8&line=3&moves=b2",
    "/tictactoe?v=1&board=-2,1,0,1,-2/-2,-1,2,-2,-1/2,-1,-3,0,0/-3,1,0,-2,2/-2,-2,2,3,-3&line=4&moves=c3,c2,b3,d3",
    f"{_FOUR}&moves=a1,b2,c3,d4",
    _FOUR,
    "/offline?v=1",
    "/nothing",
    "/hitblow?v=9",
    "/api/v1/openapi.json",
)


def in_language(address: str, language: str) -> str:
    """Return the address of the page in a language."""
    return f"{address}{'&' if '?' in address else '?'}lang={language}"
