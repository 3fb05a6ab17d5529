"""The adversary against a plain recursion, on games small enough for it."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from yomikiri.common.budget import Budget
from yomikiri.common.errors import CodeError
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, hint
from yomikiri.hitblow.practice.play import hardest_answer

SMALL = [Rules(2, "01234"), Rules(2, "012", Repeats.ALL), Rules(3, "01234"), Rules(2, "0123", Repeats.GUESS)]


def codes(rules: Rules, *, secret: bool) -> list[str]:
    check = rules.check_secret if secret else rules.check_guess
    found = []
    for symbols in product(rules.symbols, repeat=rules.digits):
        code = "".join(symbols)
        try:
            found.append(check(code))
        except CodeError:
            continue
    return found


def worst_of(rules: Rules):
    """Return a function for the number of guesses in the worst case, by full enumeration."""
    guesses = codes(rules, secret=False)

    @cache
    def worst(secrets: frozenset[str]) -> int:
        if len(secrets) == 1:
            return 1
        best = len(secrets)
        for guess in guesses:
            cells: dict[Hint, set[str]] = {}
            for secret in secrets:
                cells.setdefault(hint(guess, secret), set()).add(secret)
            if len(cells) > 1:
                best = min(best, 1 + max(worst(frozenset(cell)) for win, cell in cells.items() if win != rules.win))
        return best

    return worst


@pytest.mark.parametrize(
    "rules",
    [pytest.param(rules, marks=[pytest.mark.exhaustive] if rules.digits > 2 else []) for rules in SMALL],
    ids=str,
)
def test_hardest_answer_maximizes_the_worst_case_then_the_candidates(rules: Rules):
    worst = worst_of(rules)
    for first in codes(rules, secret=False)[:: 3 if rules.digits == 2 else 17]:
        known = Knowledge(rules)
        for guess in (first, rules.symbols[-rules.digits :], known.codes(1)[0]):
            left = {
                answer: frozenset(known.after(Turn(guess, answer)).codes())
                for answer in known.cells(guess)
                if answer != rules.win
            }
            given = hardest_answer(known, guess)
            if left:
                assert (worst(left[given]), len(left[given])) == max(
                    (worst(secrets), len(secrets)) for secrets in left.values()
                )
            else:
                assert given == rules.win
            known = known.after(Turn(guess, given))
            if known.solved:
                break
        assert known.count


def test_hardest_answer_without_a_proof_leaves_most_candidates(request: pytest.FixtureRequest):
    known = Knowledge().after(Turn.parse("012:0H1B"))
    proven = hardest_answer(known, "034")
    sizes = known.cells("034")
    largest = max(sizes.values())
    assert sizes[hardest_answer(known, "034", Budget(states=0))] == largest
    assert sizes[proven] <= largest
    request.getfixturevalue("no_machine_code")
    assert sizes[hardest_answer(known, "034")] == largest
