"""A session holds a game: what was said in order, undone step by step; what is refused leaves it as it was."""

from __future__ import annotations

from tests.engine.test_serve import answered


def test_a_session_holds_a_game_and_a_refused_turn_leaves_it_as_it_was():
    game = {"request": "suggest", "session": "s"}
    told = answered(
        {"request": "open", "session": "s", "preset": "bulls"},
        {"request": "play", "session": "s", "turns": ["0123:1B"]},
        {"request": "play", "session": "s", "turns": ["4567:0C", "44"]},
        game,
        {"request": "undo", "session": "s", "turns": 2},
        {"request": "undo", "session": "s"},
        game,
        {"request": "match", "session": "s"},
        {"request": "close", "session": "s"},
        game,
    )
    assert [line.get("status") for line in told] == [None, None, 2, None, 2, None, None, 2, None, 2]
    assert told[1]["answer"]["turns"] == ["0123:1H0B"]  # a bull
    assert told[3]["answer"]["count"] == told[1]["answer"]["count"] == 4 * 6 * 5 * 4
    assert told[6]["answer"]["count"] == 5040


def test_what_was_said_last_is_undone_be_it_no_turn():
    told = answered(
        {"request": "open", "session": "s", "turns": ["absent=7", "012:0H1B"]},
        {"request": "undo", "session": "s", "turns": 2},
        {"request": "undo", "session": "s"},
    )
    assert [line.get("status") for line in told] == [None, None, 2]
    assert told[1]["answer"]["count"] == 720


def test_a_race_is_solved_before_its_first_turn():
    (line,) = answered({"request": "race", "digits": 2, "symbols": "0123", "turns": ["01:0H1B"]})
    assert line["status"] == 2
    assert "01:0H1B" in line["error"]


def test_a_session_of_a_match_and_of_tic_tac_toe():
    told = answered(
        {"request": "open-match", "session": "m", "secret": "314", "turns": ["me=012:0H1B"]},
        {"request": "play", "session": "m", "turns": ["they=314"]},
        {"request": "open-board", "session": "t", "board": "0,0,0/0,0,0/0,0,0"},
        {"request": "play", "session": "t", "turns": ["b2", "b1"]},
        {"request": "winner", "session": "t"},
        {"request": "winner", "session": "t", "moves": ["a3", "c1", "c3"]},
        {"request": "undo", "session": "t"},
    )
    assert told[1]["answer"]["finished"]
    assert told[4]["answer"]["winner"] == "Takahashi"
    assert told[5]["answer"]["winner"] == "Aoki"
    assert told[6]["answer"]["turns"] == ["b2"]


def test_turns_that_may_be_wrong_are_told_with_the_game_and_refused_where_answers_must_be_right():
    turns = ["012:0H1B", "134:0H2B", "345:2H0B", "340:0H0B"]
    told = answered(
        {"request": "candidates", "turns": turns},
        {"request": "candidates", "turns": turns, "slips": 1, "slip_rate": 0.1},
        {"request": "open", "session": "s", "slips": 1, "turns": turns},
        {"request": "suggest", "session": "s"},
        {"request": "solve", "session": "s"},
        {"request": "simulate", "session": "s"},
        {"request": "race", "slips": 1},
        {"request": "suggest", "slips": 99},
        {"request": "suggest", "slip_rate": 0.1},
    )
    assert [line.get("status") for line in told] == [3, None, None, None, 2, 2, 2, 2, 2]
    assert told[1]["answer"]["by_slips"][0] == 0
    assert told[1]["answer"]["count"] == told[2]["answer"]["count"] == told[3]["answer"]["count"] > 0
    assert told[3]["answer"]["unproven"] == "slips"


def test_weights_and_items_are_told_with_the_game():
    small = {"digits": 2, "symbols": "0678"}
    uneven = {**small, "weights": {"06": 5, "67": 3, "78": 1, "80": 1}}
    told = answered(
        {"request": "solve", **uneven},
        {"request": "open", "session": "s", **uneven, "turns": ["06:0H0B"]},
        {"request": "candidates", "session": "s"},
        {"request": "open-match", "session": "m", **uneven},
        {"request": "match", "session": "m", "turns": ["me=06:0H1B"]},
        {"request": "suggest", **small, "items": "high,slash"},
        {"request": "suggest", **small, "items": "high", "item_takes_turn": True, "turns": ["high=LH"]},
        {"request": "match", **small, "items": "shuffle,double"},
        {"request": "suggest", **small, "weights": {"066": 1}},
        {"request": "suggest", **small, "weights": {"06": -1}},
        {"request": "suggest", **small, "weights": {"06": 1}, "absent": "6"},
        {"request": "suggest", **small, "items": "double"},
    )
    assert [line.get("status") for line in told] == [None] * 8 + [2] * 4
    assert (told[0]["answer"]["secrets"], told[0]["answer"]["proof"]) == (10, "optimal")
    assert told[1]["answer"]["count"] == 1
    assert told[2]["answer"]["candidates"] == [{"code": "78", "probability": 1.0}]
    assert told[3]["answer"]["count"] == 4
    assert told[4]["answer"]["count"] == 2
    assert told[5]["answer"]["item"]["measure"] == "guesses"
    assert told[6]["answer"]["item"]["takes_turn"]
    assert told[7]["answer"]["item"]["play"] in ("shuffle", "double", None)
    assert "line 1 of the weights" in told[8]["error"]
