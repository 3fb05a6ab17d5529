"""Addresses of boards: each keeps its moves when read and written, and any address gives a page or a 4xx."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.web.client import get

from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Player, Position
from yomikiri.web.tictactoe_address import BoardAddress, read


@pytest.mark.parametrize(
    "query",
    ["board=", "board=1,2/3", "board=x", "board=1&moves=b2", "board=1,2&moves=a1,a1", "board=1&line=9", "v=2&board=1",
     "board=" + "/".join(["1,1,1,1,1,1"] * 5), "board=1234567890123", "random=nothing", "random=any&low=5&high=1",
     "random=any&low=2&high=2", "random=5x5&low=-9999999999999&high=0", "text=", "w=1&columns=0&line=x",
     "line=x&text=1",     "random=any&seed=-1", "random=any&seed=x"],
)  # fmt: skip
def test_invalid_addresses_give_a_4xx(query):
    assert get(f"/tictactoe?{query}").status == 400


NAMES = st.sampled_from(
    ["v", "board", "moves", "line", "me", "show", "lang", "random", "seed", "low", "high", "text", "w", "columns"]
)


VALUES = st.sampled_from(
    ["1", "2", "3", "0", "-1", "1,2,3/4,5,6/7,8,9", "1,1/2,2", "a1", "a1,b2", "first", "ja", "any", "5x5"]
)


@settings(max_examples=150)
@given(st.lists(st.tuples(NAMES | st.text(max_size=5), VALUES | st.text(max_size=20)), max_size=6))
def test_any_address_gives_a_page_or_a_4xx(pairs):
    query = urlencode([(name.encode("utf-8", "replace"), value.encode("utf-8", "replace")) for name, value in pairs])
    page = get(f"/tictactoe?{query}")
    assert page.status in (200, 303, 400, 414)
    if page.status == 303:
        assert get(page.headers["location"]).status in (200, 303)


@settings(max_examples=60)
@given(st.binary(max_size=60))
def test_any_bytes_give_a_page_or_a_4xx(query):
    assert get(b"/tictactoe?board=" + query.replace(b"#", b"")).status in (200, 303, 400)


@settings(max_examples=40)
@given(st.data())
def test_addresses_round_trip(data):
    rows, columns = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5))
    weights = st.lists(st.integers(-(10**12) + 1, 10**12 - 1), min_size=columns, max_size=columns)
    board = Board(data.draw(st.lists(weights, min_size=rows, max_size=rows)), data.draw(st.integers(1, 8)))
    position, moves = Position(board), []
    while position.moves and data.draw(st.booleans()):
        moves.append(data.draw(st.sampled_from(position.moves)))
        position = position.play(moves[-1])
    address = BoardAddress(board, tuple(moves), data.draw(st.sampled_from([None, *Player])), data.draw(st.booleans()),
                      data.draw(st.sampled_from([None, "en", "ja"])))  # fmt: skip
    assert read(parse_qsl(str(address).partition("?")[2])) == address
    assert address.position == position


def test_old_links_still_work():
    """Version 1 of the format, which bookmarks contain."""
    page = get("/tictactoe?v=1&board=-2,0,-1/-1,-1,0/-1,-1,-2&moves=b2,a1", accept_language="en")
    assert page.status == 200
    assert "Takahashi b2" in page.text
    assert "Aoki a1" in page.text
    assert get("/tictactoe?v=1&board=0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0&line=4&me=second&show=1").status == 303
