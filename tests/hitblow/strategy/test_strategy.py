"""`Task`: the problem that a strategy solves."""

from __future__ import annotations

import pytest
from tests.hitblow.strategy.test_verify import STARTS

from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.strategy.strategy import Task


@pytest.mark.parametrize("known", STARTS, ids=str)
def test_task_secrets_are_the_candidates(known: Knowledge):
    assert list(Task(known.rules, known.absent, known.turns).secrets()) == known.codes()
