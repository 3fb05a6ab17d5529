from itertools import permutations

import pytest
from tests.reference.hitblow import plain_hint

from yomikiri.hitblow.marks import marks
from yomikiri.hitblow.part_turns import answered

CODES = ["".join(code) for code in permutations("01234", 3)]


@pytest.mark.parametrize("answer", ["1H_", "_0B", "?", "=2", "HMM", "HHH", "3H_"])
def test_a_part_of_a_hint_holds_of_the_codes_that_would_get_it(answer: str) -> None:
    turn = answered("012", answer)
    assert turn
    assert str(turn) == f"012:{answer}"
    assert turn.found == (answer in ("HHH", "3H_"))
    for code in CODES:
        hits, blows = plain_hint("012", code)
        agrees = answer in ("?", f"{hits}H_", f"_{blows}B", f"={hits + blows}", marks("012", code))
        assert turn.holds(code) == agrees, code


@pytest.mark.parametrize("answer", ["1H1B", "", "HH1", "1H", "=x"])
def test_anything_else_is_none(answer: str) -> None:
    assert answered("012", answer) is None
