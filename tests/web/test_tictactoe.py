"""The page of tic-tac-toe: it agrees with the analysis, and every link leads to its move.

Also tests `web/tictactoe_cards.py`: its cards.
"""

from __future__ import annotations

import re
from html import unescape
from itertools import count

import pytest
from starlette.requests import Request
from tests.reference.tictactoe import plain_margin
from tests.web.client import get

from yomikiri.common.budget import Budget
from yomikiri.tictactoe.advice import PartialAdvice, analyze
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Player, Position
from yomikiri.web import limits, tictactoe
from yomikiri.web.link import Link
from yomikiri.web.pages import begin
from yomikiri.web.tictactoe_address import NAMED, BoardAddress
from yomikiri.web.tictactoe_cards import move_review

BOARD = "-2,0,-1/-1,-1,0/-1,-1,-2"


PAGE = f"/tictactoe?v=1&board={BOARD}"


def spoken(target: str) -> list[str]:
    """Return the labels of the free cells."""
    return re.findall(r'aria-label="([a-h][1-8], [^"]*)"', get(target, accept_language="en").html)


def cells(target: str) -> list[str]:
    """Return the targets of the free cells."""
    return [unescape(href) for href in re.findall(r'<a class="cell[^"]*" href="([^"]*)"', get(target).html)]


def test_cells_show_the_result_of_a_move():
    board = Board.parse(BOARD)
    shown = spoken(PAGE)
    assert len(shown) == 9
    for text in shown:
        name, weight, end = re.fullmatch(r"(..), weight (-?\d+): (.*)", text).groups()  # type: ignore[union-attr]
        assert int(weight) == board.flat[board.cell(name)]
        assert end.removesuffix(", best") == ("Takahashi wins by 1" if name in ("b1", "c2") else "Aoki wins by 1"), name


@pytest.mark.slow
def test_best_move_agrees_with_plain_search():
    for rows in ([[3, -1, 2], [0, 5, -4], [1, 1, -2]], [[0, 0, 1], [0, 0, 0], [0, 0, 0]]):
        board = Board(rows)
        margin = plain_margin(rows)
        text = get(f"/tictactoe?board={board}", accept_language="en").text
        assert ("Takahashi wins" if margin > 0 else "Aoki" if margin < 0 else "draw") in text


@pytest.mark.parametrize(
    ("board", "moves", "share"),
    [(BOARD, "b1,a1", 61.1), (BOARD, "", 50.0), (BOARD, "a1,b1", 38.9), ("0,0,0/0,0,0/0,0,0", "a1", 50.0),
     ("0,0,0/0,7,0/0,0,0", "b2", 100.0), ("3,-1,2/1,3,2/5,-3,0", "a3,c1", 57.5)],
)  # fmt: skip
def test_bar_shows_the_lead_as_share_of_all_weights(board: str, moves: str, share: float):
    page = get(f"/tictactoe?v=1&board={board}&moves={moves}")
    assert re.findall(r'class="tug".*?<rect width="([0-9.]+)"', page.html) == [str(share)]


def test_page_shows_reasons_best_play_and_sums():
    text = get(f"{PAGE}&moves=b1,a1", accept_language="en").text
    assert "After b2: Takahashi completes a line or ends with b1 b2 c2 a3 c3, −4 to −5" in text
    assert "Takahashi b2 Aoki b3 Takahashi c2 Aoki a2 Takahashi a3 Aoki c1 Takahashi c3" in text
    assert "Takahashi wins by score, −4 to −5." in text
    assert "Takahashi (X) 0 Aoki (O) −2" in text


def test_finished_game_shows_its_result():
    text = get("/tictactoe?board=1,1,1/1,1,1/1,1,1&moves=a1,a2,b1,b2,c1", accept_language="en").text
    assert "Takahashi wins by the line a1 b1 c1." in text
    assert not cells("/tictactoe?board=1,1,1/1,1,1/1,1,1&moves=a1,a2,b1,b2,c1")
    assert cells("/tictactoe?board=1,1,1/1,1,1/1,1,1&moves=a1,a2,b1,b2")


def test_japanese_page_has_no_english():
    text = get(f"{PAGE}&moves=b1&lang=ja").text
    assert "青木君の勝ち" in text or "高橋君の勝ち" in text
    assert not re.search(r"Takahashi|Aoki|wins|weight", text)


def test_unsolved_position_shows_certain_bounds(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.0)
    page = get("/tictactoe?board=" + "/".join(["3,1,-4,1,5", "-9,2,6,5,-3"] * 2) + "&line=4", accept_language="en")
    assert page.status == 200
    assert "Too large to solve here." in page.text
    assert 'href="/tictactoe?v=1' in page.html


LARGE = "3,1,-4,1/-9,2,6,5/3,5,8,-9/7,9,-3,2"


def spent_after(looks: int) -> Budget:
    """Return a budget that is spent after it has been polled `looks` times."""
    times = count()
    return Budget(cancelled=lambda: next(times) >= looks)


def no_time_after(monkeypatch: pytest.MonkeyPatch, looks: int) -> None:
    """Make the budget of a page spent after it has been polled `looks` times."""

    def begun(request: Request) -> Budget:
        begin(request)
        return spent_after(looks)

    monkeypatch.setattr(tictactoe, "begin", begun)


@pytest.mark.parametrize("looks", [1, 3, 10, 20, 40])
def test_bounds_hold_for_every_budget(looks):
    """Wherever the search is stopped, also while the moves are being evaluated, the bounds contain the true margin."""
    board = Board.parse(LARGE, 4)
    true = analyze(Position(board)).best.margin
    assert true is not None
    found = tictactoe.analyze_in_time(Position(board), spent_after(looks))
    assert isinstance(found, PartialAdvice)
    assert found.bounds.lower <= true <= found.bounds.upper


def test_solved_moves_are_shown_and_others_marked(monkeypatch):
    page = f"/tictactoe?board={LARGE}&line=4"
    whole = spoken(page)
    tictactoe._analyze.cache_clear()
    no_time_after(monkeypatch, 60)
    shown = spoken(page)
    unread = [text for text in shown if text.endswith(": not solved")]
    assert 0 < len(unread) < len(shown) == 16
    assert set(shown) - set(unread) <= set(whole)
    text = get(page, accept_language="en").text
    assert "Time ran out before every move was solved." in text
    assert "≈ not all solved" in text
    best = analyze(Position(Board.parse(LARGE, 4))).best.move
    assert f"Best so far: {Board.parse(LARGE, 4).name(best)}" in text
    assert "≈ 一部は未計算" in get(f"{page}&lang=ja").text


def test_program_plays_a_best_move_without_a_full_solution(monkeypatch):
    tictactoe._analyze.cache_clear()
    no_time_after(monkeypatch, 60)
    page = get(f"/tictactoe?board={LARGE}&line=4&me=second")
    assert page.status == 303
    best = analyze(Position(Board.parse(LARGE, 4))).best.move
    assert f"moves={Board.parse(LARGE, 4).name(best)}&" in page.headers["location"]


def test_unsolved_message_is_hidden_with_the_advice(monkeypatch):
    tictactoe._analyze.cache_clear()
    no_time_after(monkeypatch, 60)
    page = f"/tictactoe?board={LARGE}&line=4&me=first"
    assert "ran out" not in get(page, accept_language="en").text
    assert "ran out" in get(f"{page}&show=1", accept_language="en").text


def test_tap_takes_a_cell_and_undo_frees_it():
    (after,) = [href for href in get(PAGE).links("0") if href.endswith("&moves=b1")]
    page = get(after, accept_language="en")
    assert page.links("Undo") == [PAGE]
    assert after in page.links("b1")


def test_program_plays_a_best_move_and_hides_advice():
    first = get(f"{PAGE}&moves=a1&me=first")
    assert first.status == 303
    target = first.headers["location"]
    page = get(target, accept_language="en")
    assert re.search(r'data-news="The program: [abc][123]\. It is your turn"', page.html)
    assert all(text.count(":") == 0 for text in spoken(target))
    assert page.links("Undo") == [f"{PAGE}&me=first"]
    assert re.search("The program wins by|you win by", " ".join(spoken(f"{target}&show=1")))
    opening = get(f"{PAGE}&me=second").headers["location"]
    assert opening == f"{PAGE}&moves=b1&me=second"
    assert get(opening, accept_language="en").links("Undo") == []


def test_bad_play_against_the_program_loses():
    """On a board that the second player wins, every first move is answered so that the program wins."""
    target = f"/tictactoe?v=1&board={NAMED['second']}&me=first"
    for _ in range(9):
        page = get(target, accept_language="en")
        if page.status == 303:
            target = page.headers["location"]
        elif taps := cells(target):
            target = taps[0]
        else:
            break
    assert "The program wins" in page.text


def test_undo_takes_back_the_last_move_of_the_person():
    board = Board.parse(BOARD)
    assert BoardAddress(board, (0, 1, 2), Player.FIRST).undone == BoardAddress(board, (0, 1), Player.FIRST)
    assert BoardAddress(board, (0, 1), Player.FIRST).undone == BoardAddress(board, (), Player.FIRST)
    assert BoardAddress(board, (0, 1, 2), Player.SECOND).undone == BoardAddress(board, (0,), Player.SECOND)
    assert BoardAddress(board, (0,), Player.SECOND).undone is None
    assert BoardAddress(board, (0, 1)).undone == BoardAddress(board, (0,))


def test_board_shows_winner_margin_and_worse_moves():
    page = get("/tictactoe?board=-2,0,-1/-1,-1,0/-1,-1,-2&moves=b1,a1&lang=en")
    by_name = {name: kind for kind, name in re.findall(r'<a class="cell ([\w ]+)"[^>]*aria-label="(\w\d)', page.html)}
    assert {name for name, kind in by_name.items() if kind.endswith("best")} == {"b2", "a3"}
    assert by_name["c1"] == "loss"
    assert "▲ +1" in page.text
    assert "a1: Aoki, −2, the last move" in page.text
    assert '<span class="weight">-' not in page.html


def test_headline_names_all_best_moves():
    assert "Takahashi wins with b1 or c2" in get(f"{PAGE}&lang=en").text
    assert "Takahashi wins with b2 or a3" in get(f"{PAGE}&moves=b1,a1&lang=en").text


def test_review_marks_the_turning_point():
    page = get("/tictactoe?board=0,0,0/0,0,0/0,0,0&moves=b2,b1,a1,c3,a3,a2,c1&lang=en")
    assert "Aoki b1 Takahashi wins by a line in 6 moves; with a1: a draw Try it yourself the turning point" in page.text
    assert page.text.count("✓ best") == 6
    assert "/tictactoe?v=1&board=0,0,0/0,0,0/0,0,0&moves=b2&lang=en" in page.links("b1")


def test_review_links_each_puzzle_to_its_move_if_a_move_has_no_advice():
    address = BoardAddress(Board("0,0,0/0,0,0/0,0,0"), (4, 1, 0))
    advices = [None, *(analyze(Position.after(address.board, address.moves[:played])) for played in (1, 2))]
    puzzles = {number: Link(f"/{number}") for number in (1, 2, 3)}
    review = move_review(address, advices, puzzles)
    assert [(move.step.name, move.puzzle) for move in review.moves] == [("b1", "/2"), ("a1", "/3")]


def test_negative_numbers_have_a_real_minus_sign():
    page = get("/tictactoe?board=3,-1,4/1,-5,9/-2,6,5&moves=c1")
    assert "23 to −3" in page.text
    shown = re.sub(r'<p class="link.*?</p>|<input[^>]*>', "", page.html)
    assert not re.search(r">[^<]*(?<!\w)-\d", shown.partition("<main")[2])
