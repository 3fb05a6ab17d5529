"""Puzzles of weighted tic-tac-toe: uniqueness of the right move by full enumeration, clues, checks and sentences.

Also tests `wording/tictactoe_puzzles.py`: the sentences.
"""

from __future__ import annotations

import pytest
from tests.reference.tictactoe import has_run

from yomikiri.common.enums import Difficulty, Grade
from yomikiri.common.errors import BoardError
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.guarantees import Method
from yomikiri.tictactoe.position import Player, Position, Reason
from yomikiri.tictactoe.puzzles import EMPTY, MovePuzzle, check, clues, from_game, generated
from yomikiri.wording import tictactoe_puzzles as wording

SLOW = [(Difficulty.HARD, seed) for seed in ("tea", "b", "c", "12")]  # because of the full enumeration
SEEDS = [(difficulty, seed) for difficulty in Difficulty for seed in ("tea", "b", "c", "12")]


def sign(board: Board, first: frozenset[int], second: frozenset[int]) -> int:
    """Return the sign of the winner under best play (1: first player) by full enumeration."""
    for player, cells in ((1, first), (-1, second)):
        if has_run({divmod(cell, board.columns) for cell in cells}, board.line):
            return player
    free = [cell for cell in range(board.size) if cell not in first | second]
    if not free:
        lead = sum(board.flat[cell] for cell in first) - sum(board.flat[cell] for cell in second)
        return (lead > 0) - (lead < 0)
    if len(first) == len(second):
        return max(sign(board, first | {cell}, second) for cell in free)
    return min(sign(board, first, second | {cell}) for cell in free)


def signs(position: Position) -> dict[int, int]:
    """Return the sign of the winner after each move."""
    first, second = (
        frozenset(cell for cell in range(position.board.size) if position.owner(cell) is player) for player in Player
    )
    moves = [cell for cell in range(position.board.size) if cell not in first | second]
    if position.to_move is Player.FIRST:
        return {cell: sign(position.board, first | {cell}, second) for cell in moves}
    return {cell: sign(position.board, first, second | {cell}) for cell in moves}


@pytest.mark.parametrize(
    ("difficulty", "seed"),
    [pytest.param(*each, marks=pytest.mark.exhaustive if each in SLOW else ()) for each in SEEDS],
)
def test_puzzle_has_one_move_that_keeps_the_result(difficulty: Difficulty, seed: str):
    puzzle = generated(seed, difficulty)
    position = puzzle.position
    fewest, most = EMPTY[difficulty]
    assert fewest <= position.empty.bit_count() <= most
    mover = int(position.to_move)
    after = {move: who * mover for move, who in signs(position).items()}
    best = max(after.values())
    keeping = [move for move, who in after.items() if who == best]
    assert best >= 0
    assert len(keeping) == 1
    assert [move for move in after if check(puzzle, move).solved] == keeping
    assert {check(puzzle, move).grade for move in after if move not in keeping} == {Grade.MISTAKE}
    assert clues(puzzle).row == keeping[0] // 3 + 1
    assert (clues(puzzle).winner or 0) == best * mover


@pytest.mark.parametrize("difficulty", Difficulty)
def test_seed_determines_the_puzzle(difficulty: Difficulty):
    assert generated("tea", difficulty) == generated("tea", difficulty)
    assert generated("tea", difficulty) != generated("tee", difficulty)


def test_clues_name_the_method():
    board = Board([[0] * 3] * 3)
    stop = MovePuzzle(Position.after(board, [0, 4, 1]))
    assert clues(stop).method is Method.STOP
    fork = MovePuzzle(Position.after(board, [4, 1]))
    assert (clues(fork).method, clues(fork).reason) == (Method.FORK, Reason.LINE)
    complete = MovePuzzle(Position.after(board, [0, 4, 1, 5]))
    assert clues(complete).method is Method.COMPLETE
    assert clues(MovePuzzle(Position(Board([[1, 1, 1], [1, 9, 1], [1, 1, 1]])))).method is Method.SUMS


def test_moves_that_spoil_the_result_become_puzzles():
    board = Board([[0] * 3] * 3)
    game = [4, 1, 8, 0, 2, 6]  # O plays next to the centre and loses; X misses an immediate win
    lapses = from_game(board, game, Player.SECOND)
    assert [(puzzle.played, puzzle.number) for puzzle in lapses] == [(1, 2)]
    assert lapses[0].position == Position.after(board, [4])


def test_move_that_also_keeps_the_result_is_good():
    position = Position(Board([[0, 0, 0], [0, 5, 0], [0, 0, 1]]))
    grades = {check(MovePuzzle(position), move).grade for move in position.moves}
    assert grades <= {Grade.BEST, Grade.GOOD, Grade.MISTAKE}
    with pytest.raises(BoardError):
        check(MovePuzzle(position.play(0)), 0)


def test_puzzle_sentences():
    puzzle = MovePuzzle(Position.after(Board([[0] * 3] * 3), [0, 4, 1]))
    assert wording.question(puzzle) == "Aoki (O) to move. One move is right."
    assert wording.clues(clues(puzzle)) == (
        "A draw is still possible.",
        "The opponent threatens a line: stop it.",
        "The right move is in row 1.",
    )
    assert wording.move_result(check(puzzle, 2), "c1") == "c1 is right."
    assert wording.move_result(check(puzzle, 8), "c3") == "c3 spoils the result. Try again."
