"""Explanations of outcomes: their guarantees are true for every continuation of the game.

Also tests `tictactoe/guarantees.py`: the kinds of guarantees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import pytest
from tests.examples import before_release
from tests.tictactoe.boards import AOKI, EDGE_ONLY, balanced_boards, rows
from tests.tictactoe.replay import is_true_guarantee, least_loss

from yomikiri.tictactoe.advice import Advice, analyze
from yomikiri.tictactoe.board import Board, set_of
from yomikiri.tictactoe.explanations import best_pairs, explain
from yomikiri.tictactoe.guarantees import Finished, FullBoards, Guarantee, Heaviest, Pairs, Replies, Threats, Why
from yomikiri.tictactoe.position import Player, Position, Reason
from yomikiri.tictactoe.signs import START, enough_full_boards

# (rows, columns, line, moves): the moves played first, so that full enumeration of the rest is possible.
SHAPES = [
    (3, 3, 3, 0),
    (2, 4, 3, 0),
    (3, 3, 2, 1),
    (2, 5, 3, 2),
    (3, 4, 3, 3),
    (3, 4, 4, 4),
    (4, 4, 4, 7),
    (4, 4, 3, 7),
]


def after(board: Board, moves: int, random: Random) -> Position:
    """Return a position after `moves` random moves; moves that would end the game are skipped."""
    position = Position(board)
    for _ in range(moves):
        then = position.play(random.choice(position.moves))
        position = position if then.outcome else then
    return position


@cache
def explained() -> tuple[tuple[Advice, Why], ...]:
    random = Random(3)
    boards = [Board(rows(weights)) for weights, _winner in balanced_boards(40)[::4]]
    positions = [after(board, moves, random) for board in boards for moves in (0, 2, 3)]
    for high in (9, -1, 1):
        for row_count, columns, line, least in SHAPES:
            for _ in range(8 if before_release() else 3):
                weights = [[random.randint(-9, high) for _ in range(columns)] for _ in range(row_count)]
                positions.append(after(Board(weights, line), least + random.randint(0, 3), random))
    return tuple((advice, explain(advice)) for advice in map(analyze, positions))


def sample() -> Iterator[tuple[Advice, Guarantee]]:
    for advice, why in explained():
        for guarantee in why.guarantees:
            yield advice, guarantee


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, *(pytest.param(rest, marks=pytest.mark.exhaustive) for rest in range(1, 24))])
def test_every_guarantee_holds_against_all_moves(part: int):
    for advice, guarantee in islice(sample(), part, None, 24):
        assert is_true_guarantee(advice.position, guarantee)


def test_guarantees_name_winner_and_sums():
    for advice, why in explained():
        players = [each.player for each in why.guarantees]
        assert players == ([advice.winner] if advice.winner else [Player.FIRST, Player.SECOND])
        for each in why.guarantees:
            by_line = advice.outcome.reason is Reason.LINE
            assert (each.sums is None) is by_line
            assert each.sums is None or each.sums[0] - each.sums[1] >= (1 if advice.winner else 0)
            assert each.forced or each.moves == advice.line_of_play[: len(each.moves)]


def test_sample_has_every_kind_of_justification():
    kinds = Counter((type(guarantee.justification), guarantee.forced) for _advice, guarantee in sample())
    every_kind = (Finished, Threats, Heaviest, Pairs, FullBoards, Replies)
    assert {kind for kind, _forced in kinds} == set(every_kind)
    assert all(kinds[kind, True] for kind in every_kind)
    assert sum(count for (_kind, forced), count in kinds.items() if not forced) >= 3


def test_block_names_the_only_threatened_line():
    blank = Board(((0,) * 3,) * 3)
    assert explain(analyze(Position.after(blank, (0, 4, 1)))).block == (0, 1, 2)
    assert explain(analyze(Position.after(blank, (0, 3, 1, 4)))).block == ()
    assert explain(analyze(Position.after(blank, (0, 1, 4, 8, 3)))).block == ()


def test_winning_opening_leads_to_at_most_three_full_boards():
    found = {move: Counter(map(len, enough_full_boards(START.play(move), Player.FIRST))) for move in range(9)}
    assert (found[0], found[1], found[4]) == ({2: 5}, {2: 2, 3: 8}, {2: 8})
    assert all(found[move] == found[0 if move % 2 == 0 else 1] for move in range(9) if move != 4)
    why = explain(analyze(Position(Board(EDGE_ONLY))))
    assert why.guarantees == (
        Guarantee(Player.FIRST, (1,), True, FullBoards(((0, 1, 5, 6, 7), (1, 3, 5, 6, 8))), (-4, -5)),
    )


def test_only_some_replies_to_an_opening_can_win_without_a_line():
    def answers(opening: int) -> set[int]:
        after = START.play(opening)
        return {move for move in after.moves if enough_full_boards(after.play(move), Player.SECOND)}

    assert answers(0) == {4}
    assert answers(1) == {0, 2, 4, 7}
    assert answers(4) == {0, 2, 6, 8}


def test_lost_board_has_a_reply_to_every_opening():
    (guarantee,) = explain(analyze(Position(Board(AOKI)))).guarantees
    assert (guarantee.player, guarantee.moves, guarantee.sums) == (Player.SECOND, (), (-10, -11))
    assert isinstance(guarantee.justification, Replies)
    answers = {each.move: each.reply for each in guarantee.justification.replies}
    assert {answers[corner] for corner in (0, 2, 6, 8)} == {4}


@pytest.mark.slow
def test_every_3x3_guarantee_is_forced_from_the_opening():
    for weights, _winner in balanced_boards(40)[::6]:
        position = Position(Board(rows(weights)))
        for guarantee in explain(analyze(position)).guarantees:
            assert guarantee.forced
            assert len(guarantee.moves) == (1 if guarantee.player is Player.FIRST else 0)


def test_attack_by_threats_forces_every_reply():
    (guarantee,) = explain(analyze(Position.after(Board(((0,) * 3,) * 3), (4, 1)))).guarantees
    assert (guarantee.moves, guarantee.forced) == ((0, 8, 3), True)
    assert guarantee.justification == Threats(((0, 3, 6), (3, 4, 5)), (6, 5))


def wrong(advice: Advice, guarantee: Guarantee) -> Iterator[Guarantee]:
    """Yield variants of a guarantee that are false."""
    if guarantee.sums is None:
        if not isinstance(guarantee.justification, Replies):
            yield replace(guarantee, sums=(0, 0))
        yield replace(guarantee, player=guarantee.player.other)
    elif guarantee.sums[0] - guarantee.sums[1] == abs(advice.best.margin or 0):
        yield replace(guarantee, sums=(guarantee.sums[0] + 1, guarantee.sums[1] - 1))
    match guarantee.justification:
        case FullBoards(holdings):
            for number in range(len(holdings)):
                yield replace(guarantee, justification=FullBoards(holdings[:number] + holdings[number + 1 :]))
        case Threats(lines, cells):
            yield replace(guarantee, justification=Threats(lines[:1], cells))
            yield (
                replace(guarantee, justification=Threats(lines, cells[::-1]))
                if len(set(cells)) > 3
                else replace(guarantee, justification=Threats(lines, (cells[0],)))
            )
        case Heaviest(cells):
            yield replace(guarantee, justification=Heaviest(cells[1:]))
        case Replies(answers):
            yield replace(guarantee, justification=Replies(answers[1:]))
            first = answers[0]
            if (
                advice.position.board.size == 9
                and not advice.position.first
                and isinstance(first.justification, FullBoards)
            ):
                short = replace(first, justification=FullBoards(first.justification.holdings[1:]))
                yield replace(guarantee, justification=Replies((short, *answers[1:])))
        case Pairs(pairs, odd):
            yield replace(guarantee, justification=Pairs(pairs[1:], odd))
    if not guarantee.forced:
        yield replace(guarantee, forced=True)


def test_wrong_guarantee_is_rejected():
    kinds: Counter[type] = Counter()
    for advice, guarantee in sample():
        for each in wrong(advice, guarantee):
            assert not is_true_guarantee(advice.position, each), each
            kinds[type(each.justification)] += 1
    assert min(kinds[kind] for kind in (Threats, Heaviest, Pairs, FullBoards, Replies)) >= 5


def test_pairs_that_leave_a_line_open_are_rejected():
    # On 1x4 with lines of two, the player holds a1. The pair b1-d1 lets the other side complete b1 c1.
    position = Position(Board(((9, 0, 0, 0),), 2), 0b0001)
    assert not is_true_guarantee(position, Guarantee(Player.FIRST, (), True, Pairs(((1, 3),), 2), (9, 0)))
    assert is_true_guarantee(
        Position(Board(((9, 0, 0),), 2), 0b001), Guarantee(Player.FIRST, (), True, Pairs(((1, 2),), None), (9, 0))
    )


PAIRED = [(2, 4, 3), (3, 3, 3), (2, 5, 3), (1, 8, 3), (1, 7, 2), (3, 3, 2)]


def test_best_pairs_lose_as_little_as_the_best_matching():
    random = Random(1)
    found = {True: 0, False: 0}
    for high, wide, line in PAIRED * 12:
        board = Board([[random.randint(-9, 9) for _ in range(wide)] for _ in range(high)], line)
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
