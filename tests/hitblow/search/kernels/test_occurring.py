"""The answers that a kernel marks as occurring, compared with the answers of each guess to each code."""

import numpy as np
import pytest

from yomikiri.guessing.kernels.partition import CodeSlice
from yomikiri.hitblow.model.rules import Repeats, Rules, hint
from yomikiri.hitblow.search.code_space import build_planes
from yomikiri.hitblow.search.kernels.occurring import ROWS, mark
from yomikiri.machine.vectors import BITS, LANES


@pytest.mark.parametrize("rules", [Rules(3, "0123456"), Rules(5, "01234"), Rules(6, "01", Repeats.ALL)], ids=str)
def test_marks_are_the_answers_that_occur(rules: Rules) -> None:
    game = build_planes(rules)
    codes = np.array([0, 7, 20], dtype=np.int32)
    marks = np.zeros(ROWS, dtype=np.uint64)
    mark(game.digits, game.planes, 0, game.row, CodeSlice(codes, 1, 2), marks)
    bits = np.unpackbits(marks.view(np.uint8), bitorder="little").reshape(-1, BITS)
    secrets = list(rules.secrets())
    for number, guess in enumerate(secrets[: min(BITS, len(secrets))]):
        hints = [hint(guess, secrets[code]) for code in codes[1:]]
        commons = [(each.hits + each.blows, each.hits) for each in hints]
        answer_count = {common * (common + 1) // 2 + hits for common, hits in commons}
        assert set(np.flatnonzero(bits[: game.answer_count, number]).tolist()) == answer_count, guess
    assert len(marks) == len(bits) * LANES
