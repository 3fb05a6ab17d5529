"""Words told by name."""

from __future__ import annotations

import pytest

from yomikiri.enums import choice, number
from yomikiri.errors import InputError
from yomikiri.hitblow import Objective, Rules, Task, solve
from yomikiri.hitblow.strategy.strategy import Kind
from yomikiri.tictactoe import Board, Position, winner
from yomikiri.tictactoe.position import Player, Tie


def test_a_word_or_its_member_is_taken_and_anything_else_is_named():
    assert Tie.of("first") is Tie.of(Tie.FIRST) is Tie.FIRST
    with pytest.raises(InputError, match="'third': expected one of draw, first, second"):
        Tie.of("third")


def test_what_is_told_by_name_has_a_default_and_a_clear_error():
    assert choice({"tie": "first"}, "tie", Tie, Tie.DRAW) is Tie.FIRST
    assert choice({}, "tie", Tie, Tie.DRAW) is Tie.DRAW
    assert number({"digits": "４"}, "digits", 3) == 4
    with pytest.raises(InputError, match="digits=x: expected a number"):
        number({"digits": "x"}, "digits", 3)


def test_an_objective_told_by_its_word_is_that_objective():
    """A plain string was once taken for another objective, whose total was then called optimal."""
    rules = Rules(2, "0123")
    told = Objective("worst")  # type: ignore[arg-type]
    assert told == Objective(Kind.WORST)
    assert told.kind is Kind.WORST
    assert solve(Task(rules, objective=told)).strategy == solve(Task(rules, objective=Objective(Kind.WORST))).strategy
    with pytest.raises(InputError, match="'bogus': expected one of expected, worst"):
        Objective("bogus")  # type: ignore[arg-type]


def test_a_tie_may_be_told_by_its_word():
    start = Position(Board([[0, 0, 0]] * 3))
    assert winner(start, "first") is Player.FIRST  # type: ignore[arg-type]
    assert winner(start, "second") is winner(start, Tie.SECOND)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'nobody'"):
        winner(start, "nobody")  # type: ignore[arg-type]
