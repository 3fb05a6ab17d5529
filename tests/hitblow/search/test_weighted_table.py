"""The table contains the answer of every candidate to every guess, whatever blocks of rows are computed at a time."""

from __future__ import annotations

from functools import partial
from itertools import count
from random import Random

import numpy as np
import pytest

from yomikiri.common.budget import Budget, Stopped
from yomikiri.hitblow.model.codes import all_guesses, all_secrets, decode_all
from yomikiri.hitblow.model.rules import Repeats, Rules, hint
from yomikiri.hitblow.search import weighted_table
from yomikiri.hitblow.search.weighted_table import blocks, position_table


@pytest.mark.slow
@pytest.mark.parametrize("block", [1, 100, 1 << 20])
@pytest.mark.parametrize("rules", [Rules(3, "01234"), Rules(2, "0123", Repeats.GUESS), Rules(5, "01234567")], ids=str)
def test_answers_are_those_of_the_rules(rules: Rules, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighted_table, "_BLOCK", block)
    random = Random(1)
    candidates = all_secrets(rules)[sorted(random.sample(range(len(all_secrets(rules))), 12))]
    made, hints = position_table(rules, candidates, np.ones(len(candidates), dtype=np.int64))
    guesses, codes = decode_all(rules, all_guesses(rules)), decode_all(rules, candidates)
    answers = made.answers.reshape(len(codes), -1)
    assert hints[-1] == rules.win
    assert made.answer_count == len(hints) == len(set(hints))
    for guess in random.choices(range(len(guesses)), k=40):
        for number, code in enumerate(codes):
            assert hints[answers[number, guess]] == hint(guesses[guess], code)
    assert [guesses[number] for number in made.own] == codes
    assert np.array_equal(made.between, answers[:, made.own].T)


def test_blocks_cover_all_rows_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighted_table, "_BLOCK", 10)
    for rows, columns in ((0, 3), (7, 3), (9, 3), (4, 100), (5, 0)):
        assert [row for part in blocks(rows, columns) for row in range(part.start, part.stop)] == [*range(rows)]
        assert all((part.stop - part.start) * columns <= max(10, columns) for part in blocks(rows, columns))


def test_answer_table_stops_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(3, "01234")
    monkeypatch.setattr(weighted_table, "_BLOCK", 600)
    codes = all_secrets(rules)
    weights = np.ones(len(codes), dtype=np.int64)
    for amid in range(12):
        looks = count()
        spent = Budget(cancelled=partial(lambda looks, amid: next(looks) == amid, looks, amid))
        with pytest.raises(Stopped):
            position_table(rules, codes, weights, spent)
