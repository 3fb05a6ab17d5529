"""The cells of a guess at the current set agree with answers counted one by one."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from numpy.typing import NDArray

from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.search.code_space import build_planes
from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.current_set import (
    divide_set,
    is_separable,
    is_separable_cell,
    load_set,
    write_cells,
)
from yomikiri.hitblow.search.kernels.workspace import MOST_MASKED, Workspace, answer_indices
from yomikiri.hitblow.search.workspaces import new_workspace

GAMES = [
    Rules(3, "0123456789"),
    Rules(3, "01234", Repeats.GUESS),
    Rules(4, "01234", Repeats.ALL),
    Rules(5, "012345"),
    pytest.param(Rules(6, "012", Repeats.ALL), marks=pytest.mark.exhaustive),
]
START, TOP = 7, 2000


def some_set(game: Planes, size: int) -> tuple[Workspace, NDArray[np.int32]]:
    """Return a workspace and codes, which are its current set at depth 1 and begin at index START of the members."""
    work = new_workspace(game, 4096, 2)
    codes = np.random.default_rng(size).permutation(len(game.codes))[:size].astype(np.int32)
    work.members[START : START + len(codes)] = codes
    load_set(game, work, 1, START, len(codes))
    return work, codes


def cells_of(game: Planes, guess: int, codes: NDArray[np.int32]) -> dict[int, list[int]]:
    """Return the codes by their answer index."""
    indices = np.empty(len(codes), dtype=np.int64)
    answer_indices(game, guess, codes, indices)
    cells = defaultdict(list)
    for code, index in zip(codes.tolist(), indices.tolist(), strict=True):
        cells[index].append(code)
    return cells


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 64, 65, MOST_MASKED, MOST_MASKED + 90])
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_divide_set_gives_the_cells_of_a_guess(rules: Rules, size: int) -> None:
    game = build_planes(rules)
    work, codes = some_set(game, size)
    names = set()
    for guess in range(0, len(game.codes), len(game.codes) // 40):
        cells = cells_of(game, guess, codes)
        largest = divide_set(game, work, 1, len(codes), guess)
        assert largest == max(len(cell) for cell in cells.values())
        assert {r: size for r, size in enumerate(work.size[1].tolist()) if size} == {r: len(cells[r]) for r in cells}
        name = tuple(map(int, write_cells(game, work, 1, START, len(codes), TOP)))
        names.add((name, tuple(map(tuple, sorted(cells.values())))))
        for r, cell in cells.items():
            where = work.start[1, r]
            assert work.members[where : where + len(cell)].tolist() == cell
            assert work.key[1, :, r].tolist() == game.keys[cell].sum(axis=0, dtype=np.uint64).tolist()
    for half in (0, 1):
        assert len({name[half] for name, _ in names}) == len(names), "different partitions have different names"


@pytest.mark.slow
@pytest.mark.parametrize("size", [40, 100, MOST_MASKED + 90])
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_cell_is_separable_if_a_member_separates_all_others(rules: Rules, size: int) -> None:
    game = build_planes(rules)
    work, codes = some_set(game, size)
    found = set()
    for guess in range(0, len(game.codes), len(game.codes) // 60):
        divide_set(game, work, 1, len(codes), guess)
        for r, cell in cells_of(game, guess, codes).items():
            if len(cell) < game.answer_count:
                small_cell = np.array(cell, dtype=np.int32)
                perfect = any(len(cells_of(game, member, small_cell)) == len(cell) for member in cell)
                assert is_separable_cell(game, work, 1, START, len(codes), r) is perfect
                assert is_separable(game, small_cell, 0, len(small_cell)) is perfect
                found.add((len(cell), perfect))
    assert len(found) > 2
