"""Exact play proves its guess and the figures beside it, and says why where it does not."""

import pytest
from tests.reference_search import Reference

from yomikiri.errors import ContradictionError
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies import exact
from yomikiri.hitblow.policies.base import Choice, Outlook, Unproven
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.policies.onestep import OneStep
from yomikiri.hitblow.rules import Repeats, Rules, Turn
from yomikiri.hitblow.search import prepare
from yomikiri.hitblow.search.engine import compile_kernels


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compile_kernels()
    monkeypatch.setattr(prepare, "kernels_ready", lambda: True)


def known(rules: Rules, *turns: str, absent: str = "") -> Knowledge:
    return Knowledge(rules, absent, tuple(map(Turn.parse, turns)))


@pytest.mark.parametrize(
    ("spot", "total"),
    [
        (known(Rules()), 3575),
        (known(Rules(), absent="3"), 2337),
        (known(Rules(4, "012345")), 1446),
        (known(Rules(4, "012345", Repeats.ALL)), 5625),
        (known(Rules(), "012:3H0B"), 1),
        (known(Rules(), "012:0H3B"), 3),
    ],
)
def test_the_guess_is_proven(spot: Knowledge, total: int) -> None:
    choice = Exact().choose(spot)
    assert choice.unproven is None
    assert choice.outlooks[choice.guess] == Outlook(total, None, proven=True)


def test_every_figure_is_the_least_total_after_that_guess() -> None:
    spot = known(Rules(3, "012345"), "012:0H1B", "345:0H2B")
    choice = Exact().choose(spot)
    slow = Reference(spot.rules)
    codes = slow.numbers(spot.codes())
    assert len(choice.alternatives) == exact.ALTERNATIVES
    for guess, outlook in choice.outlooks.items():
        assert outlook.total_guesses == slow.cost(slow.guesses.index(guess), codes, len(codes))[0]
    totals = [choice.outlooks[guess].total_guesses for guess in (choice.guess, *choice.alternatives)]
    assert totals == sorted(totals)


def test_any_guess_has_an_outlook_unless_it_tells_nothing() -> None:
    spot = known(Rules(3, "012345"), "012:0H1B", "345:0H2B")
    slow = Reference(spot.rules)
    codes = slow.numbers(spot.codes())
    for guess in ("501", "543", "130"):
        outlook = Exact().outlook(spot, guess)
        assert outlook is not None
        assert outlook.total_guesses == slow.cost(slow.guesses.index(guess), codes, len(codes))[0]
    assert Exact().outlook(known(Rules(), "012:0H0B"), "012") is None


def otherwise(spot: Knowledge) -> Choice:
    return OneStep("entropy").choose(spot)


def test_while_kernels_are_compiled_it_plays_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[None] = []
    monkeypatch.setattr(prepare, "kernels_ready", lambda: False)
    monkeypatch.setattr(prepare, "compile_behind", lambda: begun.append(None))
    spot = known(Rules(), "012:0H1B")
    choice = Exact().choose(spot)
    assert (choice.guess, choice.unproven, begun) == (otherwise(spot).guess, Unproven.COMPILING, [None])
    assert Exact().outlook(spot, "345") is None


def test_when_time_is_spent_it_plays_one_step() -> None:
    spot = known(Rules(5), "01234:0H2B")
    choice = Exact(seconds=0).choose(spot)
    assert (choice.guess, choice.unproven) == (otherwise(spot).guess, Unproven.TIME)


def test_a_space_too_large_to_search_is_played_one_step() -> None:
    choice = Exact().choose(known(Rules(6, "0123456789ab", Repeats.ALL)))
    assert choice.unproven is Unproven.TOO_LARGE


def test_contradictory_turns_have_no_guess() -> None:
    with pytest.raises(ContradictionError):
        Exact().choose(known(Rules(), "012:3H0B", "345:3H0B"))
