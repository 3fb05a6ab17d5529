"""Puzzles of tic-tac-toe: one move solves them, clues appear one by one, and mistakes become puzzles."""

from __future__ import annotations

import re

import pytest
from tests.web.client import get

from yomikiri.common.enums import Difficulty
from yomikiri.tictactoe.advice import analyze
from yomikiri.tictactoe.puzzles import generated

TEA = "/tictactoe/practise?v=1&difficulty=easy&seed=tea&lang=en"
GAME = "/tictactoe?v=1&board=0,0,0/0,0,0/0,0,0&moves=b2,b1,a1,c3,a3,a2,c1&lang=en"


def test_address_without_a_seed_redirects_to_a_new_puzzle():
    assert len({get("/tictactoe/practise").headers["location"] for _ in range(3)}) == 3


@pytest.mark.parametrize("difficulty", Difficulty)
def test_only_the_best_move_solves_a_puzzle(difficulty: Difficulty):
    path = f"/tictactoe/practise?v=1&difficulty={difficulty}&seed=tea&lang=en"
    position = generated("tea", difficulty).position
    advice, board = analyze(position), position.board
    for move in position.moves:
        page = get(f"{path}&move={board.name(move)}")
        assert ('data-solved="1"' in page.html) == (move in advice.best_moves)
        assert (f"{board.name(move)} is right." in page.text) == (move in advice.best_moves)


def test_clues_appear_one_by_one():
    counts = [get(f"{TEA}&clues={count}").html.count('<li><span class="mark"') for count in range(5)]
    assert counts == [0, 1, 2, 3, 3]
    assert "wins" not in re.sub("<[^>]*>", " ", get(TEA).html.partition("<main")[2])


def test_unknown_cell_is_rejected_with_a_reason():
    page = get(f"{TEA}&move=zz")
    assert page.status == 400
    assert "'zz' is not a cell of this board" in page.text


@pytest.mark.slow
def test_lost_result_becomes_a_puzzle_with_a_link_back():
    (puzzle,) = set(get(GAME).links("Try it yourself"))
    assert puzzle.endswith("&puzzle=2")
    page = get(f"{puzzle}&move=b3")
    assert "b3 spoils the result. Try again." in page.text
    assert GAME in page.links("Back to the game")
    assert "a1 is right." in get(f"{puzzle}&move=a1").text
    assert "Moves played" in get(f"{GAME}&puzzle=1").text
