"""Kernels for sets of lines, run as plain Python with integers as sets."""

from random import Random

from tests.tictactoe.search.agreement import KINDS, shapes, some_boards

from yomikiri.tictactoe.board import cells_of, set_of
from yomikiri.tictactoe.search.kernels import sets
from yomikiri.tictactoe.search.kernels.sets import State
from yomikiri.tictactoe.search.layout import Layout

LINES = 11


def test_counts_decrement_and_compare_all_lines_in_parallel():
    random = Random(1)
    for length in range(1, 9):
        plain = [length] * LINES
        every = (1 << LINES) - 1
        counts = sets.Counts(*(every * (length >> bit & 1) for bit in range(4)))
        while any(plain):
            taken = {line for line in range(LINES) if plain[line] and random.random() < 0.5}
            counts = sets.fewer(counts, set_of(taken))
            plain = [count - (line in taken) for line, count in enumerate(plain)]
            among = random.getrandbits(LINES)
            for limit in range(10):
                expected = set_of(line for line in range(LINES) if among >> line & 1 and plain[line] <= limit)
                if limit:
                    assert sets.at_most(limit, among, counts) == expected


def test_forked_returns_a_cell_shared_by_two_pairs():
    random = Random(2)
    for board in some_boards(4, 4, 3, KINDS, seed=6):
        layout = Layout(board)
        for _ in range(100):
            empty, among = random.getrandbits(16), random.getrandbits(len(layout.lines))
            pairs = {line & empty for number, line in enumerate(layout.lines) if among >> number & 1}
            pairs = {pair for pair in pairs if pair.bit_count() == 2}
            twos = set_of(
                number for number, line in enumerate(layout.lines) if among >> number & 1 and line & empty in pairs
            )
            shared = [a & b for a in pairs for b in pairs if a != b and a & b]
            found = sets.forked(layout.lines, empty, twos)
            assert (found in shared) if shared else (found == 0)


def test_tightest_drops_only_lines_implied_by_another():
    random = Random(19)
    left_out = 0
    for shape in (*(shape for shape in shapes(12) if shape[2] > 1), (4, 6, 3), (2, 8, 3), (6, 6, 5), (1, 8, 2)):
        layout = Layout(next(some_boards(*shape, 1, seed=19)))
        every = kept = State(layout.board.full, layout.every_line, layout.every_line)
        for rank in random.sample(range(layout.board.size), layout.board.size - 1):
            across, empty = layout.through[rank], every.empty & ~(1 << rank)
            every = State(empty, every.theirs & ~across, every.mine)
            kept = State(empty, kept.theirs & ~across, sets.tightest(kept.mine, layout.starts[rank], layout.ends[rank]))
            for some in (kept, layout.tightest(every)):
                left_out += fewer_lines(layout, empty, every.mine, some.mine)
                left_out += fewer_lines(layout, empty, every.theirs, some.theirs)
            if shape == (6, 6, 5):
                # Here at most one line shares all cells but one with a given line, so the order of the moves does not
                # matter.
                assert layout.tightest(every) == kept
    assert left_out > 100


def fewer_lines(layout: Layout, empty: int, every: int, kept: int) -> int:
    """Return the number of lines in `every` but not in `kept`; each must include all empty cells of a kept line."""
    assert kept & ~every == 0
    needs = [layout.lines[line] & empty for line in cells_of(kept)]
    for line in cells_of(every & ~kept):
        assert any(need & ~layout.lines[line] == 0 for need in needs)
    return (every & ~kept).bit_count()
