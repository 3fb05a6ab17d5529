"""Enumerations and numbers given as strings."""

from __future__ import annotations

from pathlib import Path

import pytest

from yomikiri.common.enums import choice, number
from yomikiri.common.errors import InputError
from yomikiri.hitblow import Knowledge, Objective, Rules, Task, race_value, solve
from yomikiri.hitblow.strategy.strategy import Criterion
from yomikiri.tictactoe import Board, Position, winner
from yomikiri.tictactoe.position import Player, Tie


def test_of_accepts_a_word_or_member_and_names_invalid_values():
    assert Tie.of("first") is Tie.of(Tie.FIRST) is Tie.FIRST
    with pytest.raises(InputError, match="'third': expected one of draw, first, second"):
        Tie.of("third")


def test_choice_and_number_use_defaults_and_report_invalid_values():
    assert choice({"tie": "first"}, "tie", Tie, Tie.DRAW) is Tie.FIRST
    assert choice({}, "tie", Tie, Tie.DRAW) is Tie.DRAW
    assert number({"digits": "４"}, "digits", 3) == 4
    with pytest.raises(InputError, match="expected a number, such as 1"):
        number({"digits": "x"}, "digits", 3)


def test_objective_accepts_its_word():
    """Regression: a string selected another objective, and the result was wrongly called optimal."""
    rules = Rules(2, "0123")
    objective = Objective("worst")  # type: ignore[arg-type]
    assert objective == Objective(Criterion.WORST)
    assert objective.kind is Criterion.WORST
    assert (
        solve(Task(rules, objective=objective)).strategy
        == solve(Task(rules, objective=Objective(Criterion.WORST))).strategy
    )
    with pytest.raises(InputError, match="kind=bogus: expected one of expected, worst"):
        Objective("bogus")  # type: ignore[arg-type]


def test_winner_accepts_the_word_of_a_tie_rule():
    start = Position(Board([[0, 0, 0]] * 3))
    assert winner(start, "first") is Player.FIRST
    assert winner(start, "second") is winner(start, Tie.SECOND)
    with pytest.raises(InputError, match="tie=nobody: expected one of draw, first, second"):
        winner(start, "nobody")


def test_public_functions_accept_strings():
    assert Knowledge(facts=["012:0H1B"]) == Knowledge.parse("012:0H1B")
    knowledge = Knowledge.parse("absent=7 0123:0H1B has=3", Rules(4))
    assert Knowledge.parse(str(knowledge), Rules(4)) == knowledge
    board = Board.parse("-2,0,-1/-1,-1,0/-1,-1,-2")
    assert winner(board) == winner(Position(board))
    assert Position(board).play("b2") == Position(board).play(4)
    assert solve(Rules(2, "0123")).strategy == solve(Task(Rules(2, "0123"))).strategy


def test_invalid_strings_raise_input_error():
    for wrong in (
        lambda: Knowledge().cells("0x1"),
        lambda: Knowledge.parse("bogus"),
        lambda: Knowledge.parse("012:5H5B"),
        lambda: Position(Board.parse("1,2/3,4", 2)).play("z9"),
        lambda: race_value(information="bogus"),
        lambda: race_value(information="private", store=Path("x")),
    ):
        with pytest.raises(InputError):
            wrong()
