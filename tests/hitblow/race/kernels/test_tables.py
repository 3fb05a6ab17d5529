"""Kernels of the public race, in which players see both boards: bounds and dominance, against brute force.

Also tests `hitblow/race/kernels/entries.py`, `hitblow/race/kernels/pairs.py`: entry points, and payoffs of positions.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.examples import before_release
from tests.reference.public_race import BruteRace

from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.race.kernels.entries import keep_undominated
from yomikiri.hitblow.race.kernels.pairs import CLOSING, OPENING, SUDDEN, bounds, next_kind
from yomikiri.hitblow.race.public.forms import Forms, GuessOption
from yomikiri.hitblow.race.public.payoffs import Payoffs
from yomikiri.hitblow.race.public.tables import check

Numbers = NDArray[np.int32]
GAMES = [Rules(3, "01234"), Rules(3, "012", Repeats.ALL), Rules(2, "0123", Repeats.GUESS)]


def some_sets(rules: Rules, count: int, seed: int) -> list[Numbers]:
    """Return random sets of secrets as arrays of code numbers."""
    forms, chance = Forms(rules), random.Random(seed)
    secrets = [
        n for n, code in enumerate(forms.game.codes) if rules.repeats is Repeats.ALL or len(set(code)) == len(code)
    ]
    return [
        np.array(sorted(chance.sample(secrets, chance.randrange(1, len(secrets) + 1))), dtype=np.int32)
        for _ in range(count)
    ]


# --- bounds -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.parametrize("rules", [Rules(2, "0123"), Rules(2, "012", Repeats.ALL)], ids=str)
def test_bounds_contain_the_brute_force_value(rules: Rules, equal: bool):
    forms, brute, chance = Forms(rules), BruteRace(rules, equal=equal), random.Random(5)
    tight = 0
    text = ["".join(rules.symbols[symbol] for symbol in code) for code in forms.game.codes]
    count = 40 if before_release() else 15
    for mine, other in zip(some_sets(rules, count, 1), some_sets(rules, count, 2), strict=True):
        kind = chance.choice((OPENING, CLOSING)) if equal else SUDDEN
        pair = forms.form(mine), forms.form(other)  # this can enlarge the tables
        least, most = bounds(forms.tables, forms.tables, kind, *pair)
        boards = [frozenset(text[code] for code in codes) for codes in (mine, other)]
        worth = brute.win(boards[0], boards[1], kind == CLOSING) * 2 * len(mine) * len(other)
        assert worth.denominator == 1
        assert least <= worth <= most
        tight += least == most
    assert tight


def test_turns_alternate_between_opening_and_closing():
    assert [next_kind(kind) for kind in (SUDDEN, OPENING, CLOSING)] == [SUDDEN, CLOSING, OPENING]


# --- dominance --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("rules", GAMES[:2], ids=str)
def test_dominated_options_are_never_better_than_kept_ones(rules: Rules):
    """The test covers every kind of turn (the first hit wins, first and second guess of equal turns)."""
    forms = Forms(rules, expand_limit=10**6)
    worths, work = Payoffs(forms, forms), forms._work
    others = [forms.form(codes) for codes in some_sets(rules, 8 if before_release() else 4, 6)]
    left_out = 0
    for codes in some_sets(rules, 12 if before_release() else 8, 7):
        options = forms.options(codes)
        if len(codes) <= forms.game.hints or len(options) < 2:
            continue
        keep_undominated(forms.game, work, 0, len(options))
        kept = work.option_kept[: len(options)].astype(bool).tolist()
        assert any(kept)
        left_out += kept.count(False)
        for other in others:
            for kind in (SUDDEN, OPENING, CLOSING):
                values = [worth(worths, forms, kind, option, other) for option in options]
                best = max(value for value, is_kept in zip(values, kept, strict=True) if is_kept)
                assert best == max(values)
    assert left_out > 10


def worth(worths: Payoffs, forms: Forms, kind: int, option: GuessOption, other: int) -> Fraction:
    """Return the mover's payoff with an option: 2 for each pair of secrets that the mover wins, and 1 for each draw."""
    others = forms.size(other)
    cells: Iterable[int] = option.cells.tolist()
    left = sum(2 * forms.size(cell) * others - worths.payoff(next_kind(kind), other, cell) for cell in cells)
    return Fraction(option.hit * (2 * others - (kind == OPENING)) + left)


# --- tables -----------------------------------------------------------------------------------------------------------


def test_tables_are_valid_after_every_form():
    forms = Forms(Rules(3, "012345"))
    for codes in some_sets(Rules(3, "012345"), 30, 3):
        form = forms.form(codes)
        if form > forms.game.hints:
            forms.list_options(form)
        check(forms.game, forms.tables)
    forms.widen()
    check(forms.game, forms.tables)


@pytest.mark.parametrize("name", ["size", "set_form", "first", "cell", "within", "pace"])
def test_check_detects_a_damaged_table(name: str):
    forms = Forms(Rules(3, "012345"))
    form = forms.form(some_sets(Rules(3, "012345"), 1, 9)[0])
    forms.list_options(form)
    getattr(forms.tables, name)[form if name in ("size", "first", "within", "pace") else 0] += 10_000
    with pytest.raises(ValueError, match="the tables are damaged"):
        check(forms.game, forms.tables)
