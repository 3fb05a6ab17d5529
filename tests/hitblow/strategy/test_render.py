"""Text, CSV and graph of a strategy agree with playing it."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter

import pytest
from tests.hitblow.strategy.made import strategy_of
from tests.hitblow.strategy.test_verify import STARTS

from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import write_hint
from yomikiri.hitblow.model.rules import Repeats, Rules, Words
from yomikiri.hitblow.strategy.render import as_csv, as_dot, as_text


def test_as_text_indents_guesses_by_depth():
    assert "".join(as_text(strategy_of())) == (
        "01  12\n"
        "  0H0B 23  2\n"
        "    0H2B 32\n"
        "  0H1B 12  4\n"
        "    0H0B 30\n"
        "    0H1B 20\n"
        "    1H0B 13\n"
        "  0H2B 10\n"
        "  1H0B 02  4\n"
        "    0H0B 31\n"
        "    0H1B 21\n"
        "    1H0B 03\n"
    )


def test_as_text_uses_the_words_of_the_game():
    shown = "".join(as_text(strategy_of(), lambda hint: write_hint(hint, Words.BULL)))
    assert "  0B1C 12  4\n" in shown


@pytest.mark.parametrize("known", STARTS, ids=str)
def test_as_csv_has_a_line_for_each_secret_with_its_guesses(known: Knowledge):
    strategy = strategy_of(known)
    head, *rows = csv.reader(io.StringIO("".join(as_csv(strategy))))
    assert head[:3] == ["secret", "guesses", "guess_1"]
    assert len(head) == 2 + strategy.cost.max_guesses
    assert [row[0] for row in rows] == known.codes()
    assert all(row[1:] == [str(len(row) - 2), *strategy.tree.guesses(row[0])] for row in rows)
    taken = Counter(int(row[1]) for row in rows)
    assert tuple(taken[turn] for turn in range(1, max(taken) + 1)) == strategy.cost.histogram


@pytest.mark.parametrize("known", STARTS, ids=str)
def test_as_dot_draws_a_tree_of_all_guesses(known: Knowledge):
    strategy = strategy_of(known)
    shown = "".join(as_dot(strategy))
    nodes = re.findall(r"^  n(\d+) \[label=", shown, re.MULTILINE)
    arrows = re.findall(r"^  n(\d+) -> n(\d+) \[label=\"\d+H\d+B: (\d+)\"\];$", shown, re.MULTILINE)
    assert nodes == list(map(str, range(len(nodes))))
    assert len(nodes) == len(list(as_text(strategy)))
    assert [end for _start, end, _count in arrows] == nodes[1:]
    from_the_root = sum(int(count) for start, _end, count in arrows if start == "0")
    assert known.count - from_the_root in (0, 1)


def test_as_dot_escapes_symbols():
    shown = "".join(as_dot(strategy_of(Knowledge(Rules(1, '"\\', Repeats.ALL)))))
    assert 'n0 [label="\\""];' in shown
    assert 'n1 [label="\\\\"];' in shown
