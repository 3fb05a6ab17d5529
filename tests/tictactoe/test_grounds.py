from random import Random

from tests.tictactoe.replay import least_loss

from yomikiri.tictactoe.board import Board, set_of
from yomikiri.tictactoe.grounds import best_pairs

SHAPES = [(2, 4, 3), (3, 3, 3), (2, 5, 3), (1, 8, 3), (1, 7, 2), (3, 3, 2)]


def test_the_best_pairs_lose_what_the_best_of_all_matchings_loses():
    random = Random(1)
    found = {True: 0, False: 0}
    for rows, columns, line in SHAPES * 12:
        board = Board([[random.randint(-9, 9) for _ in range(columns)] for _ in range(rows)], line)
        taken = random.sample(range(board.size), 2 * random.randint(0, 2))
        empty = board.full & ~set_of(taken)
        lines = [each for each in board.lines if not each & set_of(taken[::2])]
        least = least_loss(board, empty, lines)
        best = best_pairs(board, empty, lines, 10**6)
        assert (best and best.loss(board)) == least
        found[best is not None] += 1
        if best is not None and least is not None:
            assert best_pairs(board, empty, lines, least) == best
            assert best_pairs(board, empty, lines, least - 1) is None
    assert min(found.values()) > 12
