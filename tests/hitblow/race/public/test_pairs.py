"""What an option is worth against a form is settled exactly, though its cells are narrowed only as far as needed."""

from __future__ import annotations

import pytest

from yomikiri.hitblow.codes import all_secrets
from yomikiri.hitblow.race.public.forms import Forms, Option
from yomikiri.hitblow.race.public.kernels.pairs import CLOSING, OPENING, SUDDEN
from yomikiri.hitblow.race.public.pairs import Worths
from yomikiri.hitblow.rules import Rules

RULES = Rules(3, "012345")


AFTER = {SUDDEN: SUDDEN, OPENING: CLOSING, CLOSING: OPENING}


def nothing() -> None:
    """Nobody watches."""


@pytest.mark.parametrize("kind", [SUDDEN, OPENING, CLOSING])
def test_an_option_attains_what_its_cells_add_up_to_and_no_more(kind: int):
    forms = Forms(RULES)
    other = forms.form(forms.numbers(all_secrets(RULES)))
    known, size = Worths(forms, forms), forms.size

    def worth(option: Option) -> int:
        hit = option.hit * (2 * size(other) - (kind == OPENING))
        cells = option.cells.tolist()
        return hit + sum(2 * size(other) * size(cell) - known.worth(AFTER[kind], other, cell) for cell in cells)

    asked = 0
    for form in range(other):
        for option in forms.options_of(form):
            right = worth(option)
            for need in (right - 1, right, right + 1):
                fresh = Worths(forms, forms)
                low, high = fresh._bounds(kind, option, other)
                assert fresh.attains(kind, option, other, need) == (need <= right)
                asked += low < need <= high
    assert asked > 20
