"""Strategy files: writing, reading, and the format in strategy-files.md."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.hitblow.strategy.made import strategy_of
from tests.hitblow.strategy.test_verify import STARTS

from yomikiri.common.errors import StrategyFault
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn
from yomikiri.hitblow.strategy.file import read_strategy, write_strategy
from yomikiri.hitblow.strategy.strategy import Criterion, Node, Objective


@pytest.mark.parametrize("known", STARTS, ids=str)
def test_strategy_survives_its_file(known: Knowledge):
    strategy = strategy_of(known)
    strategy = replace(strategy, task=replace(strategy.task, objective=Objective(Criterion.WORST, 9, False)))
    text = write_strategy(strategy)
    assert read_strategy(text.encode()) == strategy
    assert write_strategy(read_strategy(text.encode())) == text


def test_write_strategy_writes_one_line_per_part():
    known = Knowledge(Rules(2, "0123"), "3", (Turn("02", Hint(1, 0)),))
    assert write_strategy(strategy_of(known)) == (
        '{"format": "yomikiri-strategy",\n'
        ' "version": 1,\n'
        ' "rules": {"digits": 2, "symbols": "0123", "repeats": "none"},\n'
        ' "start": {"absent": "3", "turns": ["02:1H0B"]},\n'
        ' "objective": {"kind": "expected", "within": null, "consistent": false},\n'
        ' "cost": {"secrets": 2, "total_guesses": 3, "max_guesses": 2, "histogram": [1, 1]},\n'
        ' "proof": {"kind": "heuristic", "lower_bound": 2, "evidence": "best known"},\n'
        ' "tree": {"guess": "01", "on": {"0H1B": {"guess": "12"}}}}\n'
    )


def test_write_strategy_does_not_escape_symbols():
    strategy = strategy_of(Knowledge(Rules(2, "赤青黄", Repeats.ALL)))
    text = write_strategy(strategy)
    assert '"symbols": "赤青黄"' in text
    assert read_strategy(text.encode()) == strategy


@pytest.mark.parametrize(("guesses", "is_read"), [(100, True), (101, False)])
def test_read_strategy_accepts_at_most_100_guesses_in_a_row(guesses: int, is_read: bool):
    node = Node("01")
    for _ in range(guesses - 1):
        node = Node("01", ((Hint(0, 1), node),))
    data = write_strategy(replace(strategy_of(), tree=node)).encode()
    if is_read:
        assert read_strategy(data).tree == node
    else:
        with pytest.raises(StrategyFault, match="is nested too deeply"):
            read_strategy(data)
