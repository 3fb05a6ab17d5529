"""Policies, and plain functions used as policies.

Also tests `hitblow/policies/simulation.py`: policies played against every secret.
"""

import pytest
from tests.reference.hitblow import every_code, plain_hint

from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.common.errors import CodeError, InputError
from yomikiri.hitblow.advice.suggestion import suggest
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, hint
from yomikiri.hitblow.policies import policy_named
from yomikiri.hitblow.policies.simulation import simulate
from yomikiri.hitblow.strategy.strategy import Cost

# Totals measured by two other programs under the same tie rule; Knuth published 5801 for Mastermind.
TOTALS = {
    "entropy": (3616, 7),
    "most-parts": (3653, 7),
    "expected-size": (3647, 6),
    "minimax": (3713, 6),
    "likely": (3792, 9),
}


@pytest.mark.slow
@pytest.mark.parametrize("policy", TOTALS)
def test_totals_of_the_standard_game(policy):
    cost = simulate(policy_named(policy), Knowledge())
    assert (cost.total_guesses, cost.max_guesses) == TOTALS[policy]
    assert cost.secrets == 720


def test_minimax_matches_knuths_mastermind_total():
    cost = simulate(policy_named("minimax"), Knowledge(Rules(4, "123456", Repeats.ALL)))
    assert (cost.total_guesses, cost.max_guesses) == (5801, 5)


def test_lowest_consistent_code_agrees_with_a_plain_program():
    codes = every_code("012345", 3, repeats=False)
    total = 0
    for secret in codes:
        left = codes
        while True:
            total += 1
            guess = left[0]
            if guess == secret:
                break
            left = [c for c in left if plain_hint(guess, c) == plain_hint(guess, secret)]
    assert simulate(policy_named("likely"), Knowledge(Rules(3, "012345"))).total_guesses == total


def test_single_games_agree_with_the_histogram():
    policy = policy_named("entropy")
    counts: dict[int, int] = {}
    for secret in Knowledge().codes()[::40]:
        known = Knowledge()
        while not known.solved:
            guess = policy.choose(known).guess
            known = known.after(Turn(guess, hint(guess, secret)))
        counts[len(known.turns)] = counts.get(len(known.turns), 0) + 1
    histogram = simulate(policy, Knowledge()).histogram
    assert all(count <= histogram[guesses - 1] for guesses, count in counts.items())


def test_simulate_counts_from_the_given_position():
    start = Knowledge().after(Turn("012", Hint(0, 3)))
    assert simulate(policy_named("likely"), start) == Cost((1, 1))


def test_progress_reaches_the_number_of_secrets():
    seen: list[Progress] = []
    simulate(policy_named("likely"), Knowledge(), Budget(progress=seen.append))
    assert [report.done for report in seen] == sorted(report.done for report in seen)
    assert [report.states for report in seen] == list(range(1, len(seen) + 1))
    assert (seen[-1].done, seen[-1].of) == (720, 720)


@pytest.mark.parametrize("name", ["likely", "exact"])
def test_spent_budget_returns_the_cost_of_finished_secrets(name: str):
    policy, whole = policy_named(name), simulate(policy_named(name), Knowledge()).histogram
    for states in (0, 1, 50):
        with pytest.raises(Stopped) as stopped:
            simulate(policy, Knowledge(), Budget(states=states))
        found = stopped.value.best
        assert isinstance(found, Cost)
        assert found.secrets <= states
        assert all(some <= every for some, every in zip(found.histogram, whole, strict=False))


def test_cost_figures_follow_from_the_histogram():
    cost = Cost((1, 0, 2))
    assert (cost.secrets, cost.total_guesses, cost.max_guesses, cost.mean) == (3, 7, 3, 7 / 3)


def test_plain_function_is_accepted_as_policy():
    def first(known: Knowledge) -> str:
        return known.codes(1)[0]

    assert simulate(first) == simulate(policy_named("likely"))  # which also takes the first candidate
    assert suggest(Knowledge(Rules(2, "0123")), first).proposed.guess == "01"


def test_policy_without_progress_is_an_error():
    with pytest.raises(InputError, match="guesses 012 again"):
        simulate(lambda _known: "012")
    with pytest.raises(CodeError):
        simulate(lambda _known: "01x")


@pytest.mark.parametrize(
    "facts",
    ["321:3H0B", "321:1H_", "012:0H1B shuffle", "012:? 012:_2B", "012:0H1B 012:0H1B", "012:0H3B shuffle at=0@1"],
)
@pytest.mark.parametrize(
    "policy",
    ["likely", pytest.param("entropy", marks=pytest.mark.exhaustive), pytest.param("exact", marks=pytest.mark.release)],
)
def test_informative_repeated_guess_is_allowed(facts: str, policy: str):
    start, chosen = Knowledge.parse(facts), policy_named(policy)
    counts = []
    for secret in start.codes():
        known, guesses = start, 0
        while not guesses or not (known.turns[-1].guess == secret and known.turns[-1].found):
            guess = chosen.choose(known).guess
            known, guesses = known.after(Turn(guess, hint(guess, secret))), guesses + 1
        counts.append(guesses)
    assert simulate(chosen, start).histogram == tuple(counts.count(at) for at in range(1, max(counts) + 1))


def test_uninformative_repeated_guess_is_an_error():
    knowledge = Knowledge.parse("012:1H_")
    with pytest.raises(InputError, match="guesses 012 again"):
        simulate(lambda _known: "012", knowledge)
    first = simulate(lambda known: known.codes(1)[0] if len(known.turns) > 1 else "012", knowledge)
    assert first.secrets == knowledge.count
