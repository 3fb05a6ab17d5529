"""New boards: typed, random, or by name.

Also tests `web/tictactoe_forms.py`: their forms.
"""

from __future__ import annotations

import re

import pytest
from tests.web.client import get

from yomikiri.web import limits
from yomikiri.web.tictactoe_address import KINDS, SEEDS

BOARD = "-2,0,-1/-1,-1,0/-1,-1,-2"


def spoken(target: str) -> list[str]:
    """Return the labels of the free cells."""
    return re.findall(r'aria-label="([a-h][1-8], [^"]*)"', get(target, accept_language="en").html)


@pytest.mark.parametrize(
    ("query", "board"),
    [
        ("text=-2+0+-1%0D%0A-1+-1+0%0D%0A-1+-1+-2", f"board={BOARD}"),
        ("text=1,2%0A3,4&line=2", "board=1,2/3,4&line=2"),
        ("w=1&w=-2&w=%EF%BC%93&w=4&w=5&w=6&columns=2&lang=ja", "board=1,-2/3,4/5,6&lang=ja"),
    ],
)
def test_typed_board_becomes_an_address(query, board):
    page = get(f"/tictactoe?{query}")
    assert (page.status, page.headers["location"]) == (303, f"/tictactoe?v=1&{board}")


@pytest.mark.parametrize("kind", KINDS)
def test_random_board_has_its_kind_and_follows_from_its_seed(kind):
    first, again = (get(f"/tictactoe?random={kind}&seed=7").headers["location"] for _ in range(2))
    assert first == again
    text = get(first, accept_language="en").text
    winner = {"first": "Takahashi wins with", "second": "Aoki wins whatever Takahashi plays", "draw": "A draw",
              "unique": "Takahashi wins with", "any": " "}.get(kind, "")  # fmt: skip
    assert winner in text
    if kind in ("corner", "edge", "centre"):
        best = [text.partition(":")[0][:2] for text in spoken(first) if "Takahashi" in text]
        assert (
            set(best) <= {"corner": {"a1", "c1", "a3", "c3"}, "edge": {"b1", "a2", "c2", "b3"}, "centre": {"b2"}}[kind]
        )


def test_random_seeds_can_be_typed():
    assert get(f"/tictactoe?random=any&seed={SEEDS - 1}").status == 303


def test_boards_without_a_seed_differ():
    assert len({get("/tictactoe?random=any").headers["location"] for _ in range(3)}) > 1


def test_named_boards_match_their_names(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 60.0)  # enough on a busy machine
    page = get("/tictactoe", accept_language="en")
    for name, said in (("Only an edge wins", "wins with b1 or c2"), ("The second player wins", "Aoki wins whatever"),
                       ("Plain, all weights 0", "A draw, wherever"), ("4×4, four in a row", "A draw")):  # fmt: skip
        (href,) = page.links(name)
        assert said in get(href, accept_language="en").text


@pytest.mark.slow
def test_refused_form_keeps_its_input():
    page = get("/tictactoe?text=1+2+3%0A4+x+6&line=4", accept_language="en")
    assert page.status == 400
    assert "line 2: 'x' is not a weight" in page.text
    assert "1 2 3\n4 x 6</textarea>" in page.html
    assert "<option selected>4</option>" in page.html
    weights = get("/tictactoe?w=1&w=<b>&w=3&columns=3")
    assert weights.status == 400
    assert "1 &lt;b&gt; 3</textarea>" in weights.html
