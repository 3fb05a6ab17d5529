"""The forms that come with the program: the games that can use them, and their agreement with computed forms.

Also tests `hitblow/race/public/tables.py`: reading, checking and enlarging the tables of forms.
"""

from __future__ import annotations

import gzip
from collections import Counter

import numpy as np
import pytest

from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn
from yomikiri.hitblow.race.public import shipped_tables
from yomikiri.hitblow.race.public.forms import Forms
from yomikiri.hitblow.race.public.tables import check, game_of, kept
from yomikiri.hitblow.shipped import read_shipped


@pytest.mark.parametrize(
    ("rules", "served"),
    [
        (Rules(), True),
        (Rules(3, "abcdefghij"), True),
        (Rules(3, "012345678"), False),
        (Rules(3, "0123456789a"), False),
        (Rules(2, "0123456789"), False),
        (Rules(3, "0123456789", Repeats.GUESS), False),
    ],
    ids=str,
)
def test_shipped_forms_serve_the_standard_game_only(rules: Rules, served: bool):
    assert shipped_tables.is_same_game(rules, shipped_tables.STANDARD) == served


def test_shipped_tables_round_trip():
    game = game_of(shipped_tables.STANDARD)
    tables = shipped_tables.shipped(game)
    check(game, tables)
    again = shipped_tables.from_bytes(game, gzip.decompress(shipped_tables.to_bytes(tables)))
    for name, rows in kept(tables).items():
        assert np.array_equal(kept(again)[name], rows), name


@pytest.mark.parametrize("length", [0, 5, 200, 100_000, -1])
def test_truncated_file_is_refused(length: int):
    data = read_shipped(shipped_tables.FILE)
    with pytest.raises(ValueError):  # noqa: PT011
        shipped_tables.from_bytes(game_of(shipped_tables.STANDARD), data[:length])


def test_shipped_forms_equal_computed_forms():
    rules = shipped_tables.STANDARD
    game = game_of(rules)
    shipped, fresh = Forms(rules, shipped_tables.shipped(game)), Forms(rules, expand_limit=len(game.codes))
    known = shipped.counts

    def options(forms: Forms, form: int) -> Counter[tuple[int, tuple[int, ...]]]:
        """Count the options of a form by hits and sizes of the other cells."""
        return Counter((option.hit, tuple(map(forms.size, option.cells.tolist()))) for option in forms.options_of(form))

    for turns in ("012:0H1B 134:1H0B", "012:1H0B 034:0H1B", "012:0H0B 345:1H1B"):
        after = Knowledge(rules, "", tuple(map(Turn.parse, turns.split()))).candidates
        one, other = shipped.form(shipped.numbers(after)), fresh.form(fresh.numbers(after))
        assert options(shipped, one) == options(fresh, other)
        assert (shipped.tables.within[one] == fresh.tables.within[other]).all()
        assert (shipped.tables.alone[one], shipped.size(one)) == (fresh.tables.alone[other], len(after))
    assert shipped.counts == known, "nothing was worked out"
