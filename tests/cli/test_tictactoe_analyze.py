"""`yomikiri tictactoe analyze`: results of all moves, their explanation, and bounds after an interrupt.

Also tests `wording/tictactoe.py`: sentences of an analysis.
"""

from __future__ import annotations

import json
import re
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.run import interrupted, run
from tests.cli.tictactoe import EDGE, TEXTS, TTT, WORDS, never_a_traceback
from tests.examples import examples

from yomikiri.common.budget import Budget, Stopped
from yomikiri.tictactoe.guarantees import Guarantee, Heaviest
from yomikiri.tictactoe.position import Bounds, Player, Position
from yomikiri.tictactoe.search.margins import MarginSearch, Value
from yomikiri.wording.tictactoe import proven_result

PICTURE = """\
Takahashi (X) to move.
     a     b     c
  ┌─────┬─────┬─────┐
1 │ -2  │  0  │ -1  │
  │ -1  │ *+1 │ -1  │
  ├─────┼─────┼─────┤
2 │ -1  │ -1  │  0  │
  │ -1  │ -1  │ *+1 │
  ├─────┼─────┼─────┤
3 │ -1  │ -1  │ -2  │
  │ -1  │ -1  │ -1  │
  └─────┴─────┴─────┘
Under the weights: * wins; a number is Takahashi's final margin.
Takahashi wins with b1, c2; b1 is best.
After b1: Takahashi completes a line or ends with b1 c2 a3 and either a1 b3 (-4 to -5) or a2 c3 (-4 to -5), \
against any reply by Aoki.
   a b c      a b c
 1 X X O    1 O X O
 2 O O X    2 X O X
 3 X X O    3 X O X
Best play: b1 a1 b2 b3 c2 a2 a3 c1 c3. Takahashi wins by score, -4 to -5.
"""


def test_analyze_shows_the_result_of_every_move():
    assert run(TTT, "analyze", EDGE).stdout == PICTURE
    assert run(TTT, "analyze", given="-2 0 -1\n-1 -1 0\n-1 -1 -2\n").stdout == PICTURE


def test_analyze_json_contains_the_documented_keys():
    document = json.loads(run(TTT, "analyze", EDGE, "--moves", "b2 a1", "--json").stdout)
    assert document["schema_version"] == 1
    assert document["winner"] == "Takahashi"
    assert [move["name"] for move in document["moves"]] == ["b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    assert document["moves"][0]["cell"] == [0, 1]
    assert all(set(move) == {"cell", "name", "winner", "reason", "margin"} for move in document["moves"])
    assert all((move["reason"] == "line") is (move["margin"] is None) for move in document["moves"])
    assert document["line_of_play"][0] in {move["name"] for move in document["moves"]}


PAIRED = "--board=4,2,-1,3/1,5,-2,3/4,4,-3,2/3,1,3,9"


NO_FORCE = "--board=4,-2,-1,3,2/1,-5,-2,3,-6/-4,4,-3,-2,1"


DEEP = "--board=-2,-1,-2,-2/-2,-2,-1,-2/-1,-1,-3,-3/-3,-2,-1,-3"


BLANK_BOARD = "--board=0,0,0/0,0,0/0,0,0"


@pytest.mark.parametrize(
    ("arguments", "said", "pictured", "said_in_japanese"),
    [
        (
            (BLANK_BOARD, "--moves", "b2 b1"),
            "After a1 (c3) a2 (the moves in brackets are forced): Takahashi threatens a1 a2 a3 and a2 b2 c2 at once,",
            [" 1 X O ·", " 2 X X !", " 3 ! · O"],
            "a1 (c3) a2 のあと（かっこ内はほかに受けのない手）、高橋君は a1 a2 a3 と a2 b2 c2 で同時にリーチし、",
        ),
        (
            (BLANK_BOARD, "--moves", "b2 b1 a1"),
            "Takahashi threatens a1 b2 c3: c3 is the only move.",
            [],
            "高橋君が a1 b2 c3 でリーチです。受けは c3 だけです。",
        ),
        (
            (PAIRED, "--line", "4", "--moves", "d4 b2"),
            "After b3: Takahashi answers in pairs, a1-a3, d1-b1, c1-c2, d2-a2, d3-b4, a4-c4: when Aoki takes one cell",
            [" 1 A B C B", " 2 D O C D", " 3 A X · E", " 4 F E F X"],
            "青木君が c3 に置いたら、高橋君はどれかの組の点の高いほうに置き、残った低いほうを c3 の代わりにします。",
        ),
        (
            (BLANK_BOARD, "--moves", "a1 b2 c3 a3 c1 b1 b3 c2"),
            "a2 fills the board.",
            [],
            "a2 で盤面が埋まります。",
        ),
        (
            (DEEP, "--line", "4", "--moves", "a2 d4 b1 d1 b3 b4 a1 b2 c3"),
            "positions); no shorter explanation found.",
            [],
            "局面を読み切った結論です。最善の手順より短い説明は見つかりませんでした。",
        ),
        (
            ("--board=-1,1,0/-4,-2,-5/-4,-1,-5",),
            "Aoki has a reply to every move by Takahashi (a1→b2, b1→b2, c1→b2, a2→b2, b2→c1, c2→b2, a3→b2, b3→b2,",
            [" 1 b2 b2 b2", " 2 b2 c1 b2", " 3 b2 b2 b2"],
            "、列をそろえるか、少なくとも -10 対 -11 で終わります。",
        ),
        (
            (NO_FORCE, "--line", "4"),
            "positions). After best play ",
            [],
            "局面を読み切りました。最善の手順 ",
        ),
        (
            ("--board=3,0,1/0,-3,0/1,1,3", "--moves", "a3 a1 a2 c2 b1 b2"),
            "After c3: Aoki can no longer complete a line. Takahashi always takes the heaviest cell left and ends with",
            [" 1 O X 1", " 2 X O O", " 3 X 2 X"],
            "青木君の列はもうそろいません。",
        ),
        (
            (BLANK_BOARD, "--moves", "a1 b1 b2 a2"),
            "c3 completes the line a1 b2 c3.",
            [],
            "c3 で a1 b2 c3 がそろいます。",
        ),
    ],
)
def test_analyze_explains_the_result_in_words_and_pictures(
    arguments: tuple[str, ...], said: str, pictured: list[str], said_in_japanese: str
):
    shown = run(TTT, "analyze", *arguments).stdout
    assert said in shown
    assert set(pictured) <= set(shown.splitlines())
    assert said_in_japanese in run(TTT, "analyze", *arguments, "--lang", "ja").stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            (EDGE,),
            {"kind": "full_boards", "holdings": [["a1", "b1", "c2", "a3", "b3"], ["b1", "a2", "c2", "a3", "c3"]]},
        ),
        (("--board=-1,1,0/-4,-2,-5/-4,-1,-5",), {"kind": "answers", "player": "Aoki", "after": []}),
        ((BLANK_BOARD, "--moves", "b2 b1"), {"kind": "threats", "lines": [["a1", "a2", "a3"], ["a2", "b2", "c2"]]}),
        ((PAIRED, "--line", "4", "--moves", "d4 b2"), {"kind": "pairs", "odd": "c3", "sums": [22, 16]}),
        ((BLANK_BOARD, "--moves", "a1 b1 b2 a2"), {"kind": "finished", "line": ["a1", "b2", "c3"], "sums": None}),
        (
            ("--board=3,0,1/0,-3,0/1,1,3", "--moves", "a3 a1 a2 c2 b1 b2"),
            {"kind": "heaviest", "cells": ["c1", "b3"], "sums": [5, 1]},
        ),
    ],
)
def test_analyze_json_contains_the_guarantee(arguments: tuple[str, ...], expected: dict[str, object]):
    why = json.loads(run(TTT, "analyze", *arguments, "--json").stdout)["why"]
    guarantee = why["guarantees"][0]
    assert {key: guarantee[key] for key in expected} == expected
    assert guarantee["player"] in ("Takahashi", "Aoki")
    assert {"after", "forced", "sums"} <= set(guarantee)


def test_analyze_json_does_not_depend_on_the_language():
    assert run(TTT, "analyze", EDGE, "--json", "--lang", "ja").stdout == run(TTT, "analyze", EDGE, "--json").stdout


@pytest.mark.parametrize(
    ("moves", "sentences"),
    [
        ("b2 b1", "Takahashi wins with every move but b3; a1 is best."),
        ("", "Takahashi cannot win, but every move draws."),
        ("b2", "Aoki cannot win, but can draw with a1, c1, a3, c3."),
        ("b2 b1 a1", "Every move loses to Takahashi. Longest resistance: c3."),
    ],
)
def test_analyze_states_the_best_result(moves: str, sentences: str):
    shown = run(TTT, "analyze", "--board", "0,0,0/0,0,0/0,0,0", "--moves", moves).stdout
    assert sentences in shown


def test_analyze_names_moves_with_the_smallest_losing_margin():
    shown = run(TTT, "analyze", "--board", "9,5,5/4,0,0/0,0,0", "--line", "4", "--moves", "a1").stdout
    assert "Every move loses to Takahashi. Smallest margin: b1, c1, a2." in shown


def test_analyze_reads_other_shapes_and_lengths_of_line():
    shown = run(TTT, "analyze", "--line", "2", given="1 2 3\n4 5 6\n").stdout
    assert "Takahashi wins" in shown
    assert "line 3" in shown


def test_analyze_in_japanese():
    shown = run(TTT, "analyze", EDGE, "--moves", "b2 a1 a2", "--lang", "ja").stdout
    assert shown.startswith("青木君（O）の番です。\n")
    assert "青木君が勝てます。勝てる手は c2 だけです。" in shown
    assert "最善の手順：c2 b1" in shown


def test_interrupted_analysis_prints_bounds(tmp_path: Path):
    path = tmp_path / "board.txt"
    path.write_text(("3 -1 4 -1 5 -9 2 -6\n5 3 -5 8 -9 7 9 -3\n" * 4), encoding="utf-8")
    status, shown, said, _seconds = interrupted(TTT, "analyze", "--line", "5", str(path))
    assert (status, shown) == (130, "")
    assert said.startswith("Interrupted. ")


def test_interrupted_analysis_shows_the_solved_moves(monkeypatch: pytest.MonkeyPatch):
    """The search stops after it has solved the position and a best move, but not all moves."""
    whole = MarginSearch.value

    def value(self: MarginSearch, position: Position, budget: Budget, at_least: Value | None = None) -> Value:
        if position.first.bit_count() == 1 and position.first > 1 << 7:
            raise Stopped
        return whole(self, position, budget, at_least)

    monkeypatch.setattr(MarginSearch, "value", value)
    board = "--board=3,1,-4,1/-9,2,6,5/3,5,8,-9/7,9,-3,2"
    shown = run(TTT, "analyze", board, "--line", "4")
    assert shown.exit_code == 130
    assert shown.stdout.startswith("Takahashi (X) to move.\n")
    assert shown.stdout.splitlines()[-1].endswith("; '?': not solved.")
    assert sum(line.count("?") for line in shown.stdout.splitlines() if "│" in line) == 8
    assert re.fullmatch(r"Interrupted\. Certain: .* is a best move\.\n", shown.stderr)
    as_json = run(TTT, "analyze", board, "--line", "4", "--json")
    assert (as_json.exit_code, as_json.stdout) == (130, "")
    assert "? は読み切れていない手" in run(TTT, "analyze", board, "--line", "4", "--lang", "ja").stdout


@pytest.mark.parametrize("command", ["analyze", "play"])
def test_analyze_and_play_take_any_input(command: str, monkeypatch: pytest.MonkeyPatch):
    # Replace the analysis, because the test is about input and 2,000 analyses would take minutes.
    monkeypatch.setattr("yomikiri.tictactoe.advice._value", lambda *_: (0, 0))
    nothing = lambda _advice, player: Guarantee(player, (), True, Heaviest(()), (0, 0))  # noqa: E731
    monkeypatch.setattr("yomikiri.tictactoe.explanations._guarantee", nothing)

    @examples(2000)
    @given(arguments=st.lists(WORDS, max_size=3), text=TEXTS)
    def throw(arguments: list[str], text: bytes) -> None:
        never_a_traceback(command, arguments, text)

    throw()


@pytest.mark.parametrize(
    ("lower", "upper", "said"),
    [
        (-9, 3, "Certain so far: Takahashi at worst loses by 9, at best wins by 3."),
        (0, inf, "Certain so far: Takahashi at worst ties."),
        (-inf, -2, "Certain so far: Takahashi at best loses by 2."),
        (4, 4, "Certain: Takahashi wins by 4."),
        (-inf, -inf, "Certain: Aoki completes a line."),
        (-inf, inf, "No result is certain yet."),
    ],
)
def test_bounds_are_worded_as_wins_and_losses(lower: float, upper: float, said: str):
    assert proven_result(Player.FIRST, Bounds(lower, upper)) == said
