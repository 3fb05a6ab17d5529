import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.hitblow import entropy_bits, every_code, plain_hint

from yomikiri.common.errors import ContradictionError, InputError, RulesError
from yomikiri.hitblow.advice.suggestion import figures
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, hint
from yomikiri.hitblow.model.wrong_answers import Slips
from yomikiri.hitblow.policies import POLICIES, policy_named
from yomikiri.hitblow.policies.onestep import SCORES, OneStep, Soonest


def plain_sizes(guess: str, candidates: list[str]) -> list[int]:
    sizes: dict[tuple[int, int], int] = {}
    for code in candidates:
        answer = plain_hint(guess, code)
        sizes[answer] = sizes.get(answer, 0) + 1
    return list(sizes.values())


PLAIN_SCORES: dict[str, Callable[[list[int]], float]] = {
    "entropy": lambda sizes: round(entropy_bits(sizes), 9),
    "most-parts": lambda sizes: -len(sizes),
    "expected-size": lambda sizes: sum(c * c for c in sizes),
    "minimax": max,
}
SPACE = every_code("012345", 3, repeats=False)


@settings(max_examples=40)
@given(
    st.sampled_from(sorted(SCORES)), st.lists(st.sampled_from(SPACE), min_size=1, max_size=3), st.sampled_from(SPACE)
)
def test_ties_go_to_a_candidate_then_to_code_order(name, guesses, secret):
    known = Knowledge(Rules(3, "012345"), facts=tuple(Turn(guess, hint(guess, secret)) for guess in guesses))
    candidates = known.codes()
    ranked = sorted(
        SPACE, key=lambda g: (PLAIN_SCORES[name](plain_sizes(g, candidates)), g not in candidates, SPACE.index(g))
    )
    choice = policy_named(name).choose(known)
    assert (choice.guess, *choice.alternatives) == tuple(ranked[:6])
    best_candidate = next(guess for guess in ranked if guess in candidates)
    assert choice.best_candidate == (None if ranked[0] in candidates else best_candidate)
    assert not choice.sampled
    assert policy_named(name).guess(known) == choice.guess


def test_single_candidate_is_guessed():
    known = Knowledge(Rules(), "", (Turn("012", Hint(0, 3)), Turn("120", Hint(0, 3))))
    for name in SCORES:
        assert policy_named(name).choose(known).guess == "201"


def test_contradiction_is_refused():
    known = Knowledge(Rules(), "", tuple(Turn(g, Hint(0, 0)) for g in ("012", "345", "678")))
    for name in (*SCORES, "likely", "random"):
        with pytest.raises(ContradictionError, match="012:0H0B"):
            policy_named(name).choose(known)


def test_sampled_choice_is_deterministic_and_marked():
    known = Knowledge(Rules(4)).after(Turn.parse("0123:0H1B"))
    few = OneStep("entropy", evaluations=1 << 16)
    choice = few.choose(known)
    assert choice.sampled
    assert choice == few.choose(known)
    assert not OneStep("entropy").choose(known).sampled
    assert known.is_candidate(choice.guess)


def test_sampled_guesses_are_codes_of_the_rules():
    rules = Rules(3, "0123456789", Repeats.GUESS)
    for guess in (OneStep("minimax", evaluations=1 << 14).choose(Knowledge(rules)).guess,):
        assert rules.check_guess(guess) == guess


def test_likely_takes_the_first_candidate_in_order():
    known = Knowledge().after(Turn("012", Hint(0, 3)))
    assert policy_named("likely").choose(known).guess == "120"
    assert policy_named("likely").choose(known).alternatives == ("201",)


def test_random_is_uniform_and_deterministic_for_a_seed():
    known = Knowledge().after(Turn("012", Hint(1, 2)))
    guesses = Counter(policy_named("random", seed).choose(known).guess for seed in range(300))
    assert set(guesses) == set(known.codes())
    assert (
        min(guesses.values()) > 60
    )  # three candidates with 100 expected each; 60 is nearly five standard deviations lower
    assert policy_named("random", 7).choose(known) == policy_named("random", 7).choose(known)


def test_repdigit_tests_each_symbol_then_places_the_known_ones():
    policy = policy_named("repdigit")
    known = Knowledge(Rules(repeats=Repeats.GUESS))
    secret_uses = {"1", "3", "4"}
    thrown = []
    while (guess := policy.choose(known).guess) == guess[0] * 3:
        thrown.append(guess[0])
        known = known.after(Turn(guess, Hint(int(guess[0] in secret_uses), 0)))
    assert thrown == list("01234")
    assert set(guess) == secret_uses
    assert known.is_candidate(guess)


def test_repdigit_skips_symbols_that_are_known():
    known = Knowledge(Rules(repeats=Repeats.GUESS), absent="01")
    assert policy_named("repdigit").choose(known).guess == "222"


def test_repdigit_counts_repeats_in_mastermind():
    rules = Rules(4, "123456", Repeats.ALL)
    known = Knowledge(rules, "", (Turn("1111", Hint(2, 0)), Turn("2222", Hint(2, 0))))
    assert policy_named("repdigit").choose(known).guess == "1122"


def test_repdigit_needs_repeats_in_guesses():
    with pytest.raises(RulesError, match="repeats"):
        policy_named("repdigit").choose(Knowledge())


def test_policies_are_found_by_name():
    assert [policy_named(name).name for name in POLICIES] == list(POLICIES)
    with pytest.raises(InputError, match="oracle"):
        policy_named("oracle")


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize(
    "known",
    [
        Knowledge(Rules(3, "01234")), Knowledge(Rules(3, "0123", Repeats.ALL)), Knowledge(Rules(3, "0123456"), "36"),
        Knowledge(Rules(4, "01234", Repeats.ALL), "0"), Knowledge(Rules(3, "01234", Repeats.GUESS), "4"),
        Knowledge(Rules(3, "01234", no_leading="0")), Knowledge(Rules(3, "0123", Repeats.ALL, no_leading="01")),
        Knowledge(Rules(4, "012345", no_leading="05"), "3"), Knowledge(Rules(3, "01234", Repeats.GUESS, "2"), "4"),
    ],
    ids=str,
)  # fmt: skip
def test_first_guess_of_each_kind_is_as_good_as_all_guesses(name: str, known: Knowledge):
    everything, kinds = OneStep(name), OneStep(name, evaluations=1)
    best, found = everything.choose(known), kinds.choose(known)
    assert not found.sampled
    assert found.guess == best.guess
    same = {tuple(sorted(figures(known, guess).cells)) for guess in (best.guess, found.guess)}
    assert len(same) == 1


def test_first_guesses_of_large_games_are_the_lowest_of_their_kind():
    for rules, guess in [
        (Rules(5), "01234"), (Rules(6), "012345"), (Rules(5, "12345678"), "12345"),
        (Rules(5, "01234567", Repeats.ALL), "00123"), (Rules(5, no_leading="0"), "10234"),
    ]:  # fmt: skip
        choice = OneStep("entropy").choose(Knowledge(rules))
        assert (choice.guess, choice.sampled) == (guess, False)


def test_first_guess_is_sampled_for_weighted_secrets():
    known = Knowledge(prior=tuple((code, 1 + int(code[0])) for code in Knowledge().codes()))
    choice = OneStep("entropy", evaluations=1 << 14).choose(known)
    assert choice.sampled
    assert known.rules.check_guess(choice.guess)


@pytest.mark.parametrize("name", [*SCORES, "likely"])
def test_number_of_alternatives_is_as_requested(name: str):
    known = Knowledge().after(Turn.parse("012:0H1B"))
    few, many = (policy_named(name, alternatives=count).choose(known).alternatives for count in (3, 9))
    assert (len(few), len(many)) == (3, 9)
    assert many[:3] == few


@settings(max_examples=20)
@given(st.lists(st.tuples(st.sampled_from(SPACE), st.sampled_from(SPACE)), max_size=3))
def test_soonest_minimizes_expected_guesses_from_entropy(pairs):
    turns = tuple(Turn(guess, hint(guess, secret)) for guess, secret in pairs)
    known = Knowledge(Rules(3, "012345"), facts=turns, slips=Slips(1))
    if not known.count:
        return
    weights = dict(zip(known.codes(), known.chances().tolist(), strict=True))

    def to_come(guess: str) -> float:
        cells: dict[tuple[int, int], list[float]] = {}
        for code, weight in weights.items():
            if code != guess:
                cells.setdefault(plain_hint(guess, code), []).append(weight)
        return sum(
            sum(each) + 0.45 * sum(weight * math.log2(sum(each) / weight) for weight in each) for each in cells.values()
        )

    chosen = Soonest().choose(known).guess
    assert to_come(chosen) == pytest.approx(min(map(to_come, SPACE)), abs=1e-8)


def test_soonest_prefers_a_likely_candidate_over_entropy():
    known = Knowledge.parse("012:0H1B 134:0H2B 345:2H0B")
    known = replace(known, slips=Slips(1))
    assert known.probability("340") > 0.8
    assert Soonest().choose(known).guess == "340"
    assert OneStep("entropy").choose(known).guess != "340"
