from collections import Counter

import pytest

from yomikiri.errors import InputError, RulesError
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies import POLICIES, policy_named
from yomikiri.hitblow.rules import Hint, Repeats, Rules, Turn


def test_likely_takes_the_first_candidate_in_order():
    known = Knowledge().after(Turn("012", Hint(0, 3)))
    assert policy_named("likely").choose(known).guess == "120"
    assert policy_named("likely").choose(known).alternatives == ("201",)


def test_random_takes_any_candidate_and_repeats_itself_under_one_seed():
    known = Knowledge().after(Turn("012", Hint(1, 2)))
    guesses = Counter(policy_named("random", seed).choose(known).guess for seed in range(300))
    assert set(guesses) == set(known.codes())
    assert min(guesses.values()) > 60  # three candidates, 100 expected each: beyond five deviations otherwise
    assert policy_named("random", 7).choose(known) == policy_named("random", 7).choose(known)


def test_repdigit_throws_each_open_symbol_and_then_places_what_is_known():
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


def test_repdigit_needs_rules_that_allow_it():
    with pytest.raises(RulesError, match="repeats"):
        policy_named("repdigit").choose(Knowledge())


def test_policies_are_found_by_name():
    assert [policy_named(name).name for name in POLICIES] == list(POLICIES)
    with pytest.raises(InputError, match="oracle"):
        policy_named("oracle")
