"""Weights of an opponent's secrets, learned from past ones, and the record of secrets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from yomikiri.common.errors import CodeError, InputError, RulesError
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import WHOLE, PastSecrets, learned
from yomikiri.hitblow.model.rules import Repeats, Rules


@pytest.mark.parametrize("rules", [Rules(), Rules(2, "012", Repeats.ALL), Rules(2, "01234", no_leading="0")], ids=str)
@pytest.mark.parametrize("count", [1, 4, 60])
def test_learned_weights_follow_the_documented_formula(rules: Rules, count: int):
    past = Random(count).choices([*rules.secrets()], k=count)
    k, d, n = len(rules.symbols), rules.digits, count
    chances = {}
    for code in rules.secrets():
        chance = Fraction(1)
        for place, symbol in enumerate(code):
            anywhere, there = Counter("".join(past))[symbol], sum(old[place] == symbol for old in past)
            chance *= there + Fraction(4 * k * (anywhere + 4), n * d + 4 * k)
        chances[code] = chance
    whole = sum(chances.values())
    prior = dict(learned(rules, past))
    assert set(prior) == set(chances)
    assert all(abs(prior[code] - WHOLE * chance / whole) <= 1 for code, chance in chances.items())
    assert Knowledge(rules, prior=learned(rules, past)).count == rules.secret_count


def test_no_past_secrets_give_no_weights():
    assert learned(Rules(), ()) == ()


def test_past_secrets_are_separated_by_rules():
    past = PastSecrets("Ann").add(Rules(), ["012", "345", "012"]).add(Rules(4), ["0123"])
    assert (past.of(Rules()), past.of(Rules(4)), past.of(Rules(5))) == (("012", "345", "012"), ("0123",), ())
    assert past.delete(Rules(), ["012"]).of(Rules()) == ("012", "345")
    assert past.delete(Rules(4), ["0123"]).codes == past.codes[:1]
    with pytest.raises(InputError, match="678 is not in the record of Ann"):
        past.delete(Rules(), ["678"])
    with pytest.raises(CodeError):
        past.add(Rules(), ["0123"])


@pytest.mark.parametrize("name", ["", "..", "a/b", "a b", "x" * 41, ".a", "é!"])
def test_invalid_names_are_refused(name: str):
    with pytest.raises(InputError, match="expected 1 to 40 letters"):
        PastSecrets(name)


def test_games_with_too_many_secrets_are_refused():
    with pytest.raises(RulesError, match="too many to learn"):
        learned(Rules(5), ["01234"])
