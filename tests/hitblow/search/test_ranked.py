"""The most that any guess finds in a cell, against all guesses one after the other."""

from __future__ import annotations

import random

import pytest

from yomikiri.hitblow.codes import cell_sizes, hint_number
from yomikiri.hitblow.rules import Repeats, Rules
from yomikiri.hitblow.search.hand import take_in_hand
from yomikiri.hitblow.search.planes import build_planes
from yomikiri.hitblow.search.ranked import forget, most_found
from yomikiri.hitblow.search.scan import scan_parts
from yomikiri.hitblow.search.workspace import new_workspace

START, CELL = 3, 700


@pytest.mark.parametrize(
    "rules",
    [
        Rules(2, "01234567"),
        Rules(3, "012345"),
        pytest.param(Rules(3, "0123456789"), marks=pytest.mark.exhaustive),
        pytest.param(Rules(4, "01234", Repeats.ALL), marks=pytest.mark.exhaustive),
        pytest.param(Rules(5, "012345"), marks=pytest.mark.exhaustive),
    ],
    ids=str,
)
def test_thousands_of_cells(rules: Rules) -> None:
    game, chance = build_planes(rules), random.Random(len(rules.symbols))
    work = new_workspace(game, 2048, 2)
    every, win = range(len(game.codes)), hint_number(rules, rules.win)
    for _ in range(20):
        codes = sorted(chance.sample(every, chance.randrange(5, min(400, len(every)))))
        work.members[START : START + len(codes)] = codes
        scan_parts(game, work.members, START, len(codes), 1, work.marks, work.parts[1], work.shared)
        take_in_hand(game, work, 1, START, len(codes))
        forget(work, 1)
        sizes = cell_sizes(game.codes, game.codes[codes])
        whole = ((sizes > 0).sum(axis=1) + sizes[:, win]).max()
        for _ in range(20):
            cell = sorted(chance.sample(codes, chance.randrange(3, min(30, len(codes)))))
            work.members[CELL : CELL + len(cell)] = cell
            sizes = cell_sizes(game.codes, game.codes[cell])
            most = ((sizes > 0).sum(axis=1) + sizes[:, win]).max()
            assert most <= whole, "no more than in the whole"
            assert most_found(game, work, 1, CELL, len(cell), 99, 0) == most
            assert most_found(game, work, 1, CELL, len(cell), most, 0) == most
            needed = chance.randrange(3, 20)
            found = most_found(game, work, 1, CELL, len(cell), 99, needed)
            assert found == most or most <= found <= needed
