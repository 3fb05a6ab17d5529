from collections import Counter
from math import inf, isinf
from pathlib import Path
from random import Random

import pytest
from tests.examples import before_release
from tests.tictactoe.search.agreement import (
    KINDS,
    NO_RULE,
    margin,
    oracle,
    shapes,
    some_boards,
    some_position,
)

from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Position
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule

SMALL = shapes(9)
LARGER = [shape for shape in shapes(12) if shape not in SMALL]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SMALL)
def test_search_agrees_with_full_enumeration(shape: tuple[int, int, int]):
    random = Random(str(shape))
    for number, board in enumerate(some_boards(*shape, KINDS, seed=2)):
        position = Position(board) if number % 2 or board.size < 9 else some_position(board, random)
        found = margin(position)
        assert found == oracle(position)
        assert margin(position, plainly=True) == found
        assert margin(position, NO_RULE) == found


def without(rule: Rule) -> str:
    return f"without {rule.name}"


@pytest.mark.slow
@pytest.mark.parametrize("rule", Rule, ids=without)
def test_no_rule_changes_results(rule: Rule):
    verdicts: Counter[tuple[bool, int]] = Counter()
    for shape in [*SMALL, (3, 4, 3), (3, 4, 4), (2, 6, 4), (2, 5, 3)]:
        for board in some_boards(*shape, (2 if before_release() else 1) * KINDS, seed=3):
            position = Position(board)
            found = margin(position)
            assert margin(position, EVERY_RULE & ~rule) == found, board
            assert margin(position, rule) == found, board
            verdicts[isinf(found), (found > 0) - (found < 0)] += 1
    enough = 40 if before_release() else 20
    assert min(verdicts[False, sign] for sign in (-1, 0, 1)) >= enough
    assert verdicts[True, 1] >= enough


@pytest.mark.parametrize("shape", LARGER)
def test_search_agrees_with_plain_alpha_beta_up_to_twelve_cells(shape: tuple[int, int, int]):
    random = Random(str(shape))
    for number, board in enumerate(some_boards(*shape, KINDS, seed=4)):
        position = some_position(board, random) if number % 3 else Position(board)
        assert margin(position) == margin(position, NO_RULE)


@pytest.mark.exhaustive
def test_search_agrees_with_full_enumeration_on_boards_up_to_sixteen_cells():
    random = Random(8)
    compared = 0
    for shape in (shape for shape in shapes(16) if shape[0] <= 4 and shape not in SMALL):
        for board in some_boards(*shape, 14 * KINDS, seed=8):
            position = some_position(board, random)
            if position.empty.bit_count() <= 8:
                compared += 1
                assert margin(position) == oracle(position), position
    assert compared >= 2000


@pytest.mark.slow
def test_results_equal_those_of_earlier_searches():
    # Margins on boards up to 6x6 from a proof-number search and a Python alpha-beta, which share no code with this
    # search. Columns: line length, board, cells of each player, and the margin or the winner by a line.
    saved = (Path(__file__).parent / "answers.txt").read_text(encoding="utf-8").splitlines()
    for answer in saved:
        line, board, first, second, value = answer.split()
        position = Position(Board.parse(board, int(line)), int(first, 16), int(second, 16))
        expected = {"line": inf, "-line": -inf}.get(value)
        assert margin(position) == (int(value) if expected is None else expected), answer
    assert len(saved) > 500


# Published values of the unweighted m,n,k games.
@pytest.mark.parametrize(
    ("shape", "value"),
    [
        *(((n, n, k), 0.0) for n, k in ((3, 3), (4, 4), (5, 4), (5, 5), (6, 5), (6, 6))),
        *((shape, inf) for shape in ((3, 4, 3), (4, 4, 3), (5, 6, 4))),
    ],
)
def test_unweighted_boards_have_their_published_values(shape: tuple[int, int, int], value: float):
    rows, columns, line = shape
    assert margin(Position(Board([[0] * columns] * rows, line))) == value
