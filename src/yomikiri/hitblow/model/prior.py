"""Prior weights of the codes, and their update by facts.

This module is plain Python, so that strategies can be verified without NumPy. `space` computes the same with arrays.

A prior is given, or learned from the secrets that an opponent chose before. A few secrets contain little information
about whole codes, so the program counts symbols: how often each occurred in total, and how often at each single place.
Let there be n past secrets with d places, and k symbols. If a symbol occurred c times, c' of them at a certain place,
then its weight at that place is

    c' + 4k (c + 4) / (n d + 4k)

The fraction (c + 4) / (n d + 4k) is the share of the symbol over all places, after 4 occurrences are added for every
symbol. So 4k imagined occurrences are added to those at the place, divided among the symbols in proportion
to their shares. The weight of a code is the product over its places. So every code stays possible, a few secrets change
little, and after many secrets each place follows its own frequencies. The products are scaled to whole numbers of at
least 1 with a sum near WHOLE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm, prod
from typing import Any, TypeAlias

from yomikiri.common.enums import fold, not_such
from yomikiri.common.errors import N_, InputError, RulesError
from yomikiri.hitblow.model.facts import Absent, SecretChange
from yomikiri.hitblow.model.rules import Fact, Rules

Prior: TypeAlias = tuple[tuple[str, int], ...]
"""Codes with their weights (at least 1), in the order of codes. Empty if all codes are equally likely."""


def checked_prior(rules: Rules, weights: Mapping[str, int] | Iterable[tuple[str, int]]) -> Prior:
    """Check the weights of codes and return them as a prior, which is empty if all codes are equally likely.

    `weights` is a mapping from code to weight, or contains (code, weight) pairs. A weight of 0 excludes a code. If
    `weights` is empty, the prior is empty, too. Raises an `InputError` for a repeated code, for a code that the rules
    do not allow, for an invalid weight, and if all weights are 0.
    """
    order = {symbol: place for place, symbol in enumerate(rules.symbols)}
    weight_of: dict[str, int] = {}
    for code, weight in _pairs(weights):
        rules.check_secret(code)
        if not isinstance(weight, int) or isinstance(weight, bool) or weight < 0 or code in weight_of:
            raise InputError(
                N_("{given}: expected each code once, with a whole number of 0 or more"), given=f"{code},{weight}"
            )
        weight_of[code] = weight
    if weight_of and not any(weight_of.values()):
        raise no_weight()
    if len(set(weight_of.values())) == 1 and len(weight_of) == rules.secret_count:
        return ()
    return tuple(
        (code, weight_of[code])
        for code in sorted(weight_of, key=lambda code: [*map(order.get, code)])
        if weight_of[code]
    )


def _pairs(weights: object) -> list[tuple[str, int]]:
    if isinstance(weights, Mapping):
        return list(weights.items())
    try:
        pairs: list[Any] = list(weights)  # type: ignore[call-overload]
    except TypeError:
        pairs = [weights]
    if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in pairs):
        raise not_such("prior", weights, "{'012': 3, '345': 1}")
    return pairs


def no_weight() -> InputError:
    """Return the error for weights that exclude every code."""
    return InputError(N_("the weights are all 0: expected at least one code that may be the secret"))


def too_heavy(limit: int) -> InputError:
    """Return the error for weights whose sum exceeds the largest supported number, `limit`."""
    return InputError(N_("the weights are too large: expected a total below {limit}"), limit=limit)


def weighed(rules: Rules, absent: str, facts: Sequence[Fact], prior: Prior) -> dict[str, int]:
    """Return the weight of each code that can be the secret after all facts, in the order of codes.

    Codes with `absent` symbols are excluded. If `prior` is empty, all codes have the same weight at first. The
    resulting weights are divided by their greatest common divisor. A change of the secret divides the weight of a code
    equally among the codes that the secret can then be. The function checks each code against each fact, one by one, so
    it is simple but slow.
    """
    holds = Absent(absent).holds
    shares = {code: weight for code, weight in prior or ((code, 1) for code in rules.secrets()) if holds(code)}
    for fact in facts:
        if isinstance(fact, SecretChange):
            became = {code: fact.secrets(code, rules) for code in shares}
            whole = lcm(*(len(each) for each in became.values() if each))
            after: Counter[str] = Counter()
            for code, each in became.items():
                for now in each:
                    after[now] += shares[code] * (whole // len(each))
            shares = {code: after[code] for code in rules.secrets() if code in after}
        else:
            shares = {code: weight for code, weight in shares.items() if fact.holds(code)}
    common = gcd(*shares.values()) or 1
    return {code: weight // common for code, weight in shares.items()}


# --- learned from past secrets ----------------------------------------------------------------------------------------

WHOLE = 50_000
"""Approximate sum of the weights of a prior that is learned from past secrets."""

_CAUTION = 4
"""Number of occurrences of each symbol that are added to the counts, so that every symbol stays possible.

The program benchmarks/hitblow_weights.py compares this number with others.
"""

_MOST_SECRETS = 20_000
"""Maximum number of codes of a game whose prior can be learned, so that the average weight is at least 2."""


@dataclass(frozen=True, slots=True)
class PastSecrets:
    """The past secrets of an opponent, as a player recorded them: pairs of rules and codes, the codes in order of time.

    Raises an `InputError` for an invalid name, and for codes that the rules do not allow.
    """

    name: str
    codes: tuple[tuple[Rules, tuple[str, ...]], ...] = ()

    def __post_init__(self) -> None:
        check_name(self.name)
        for rules, codes in self.codes:
            for code in codes:
                rules.check_secret(code)

    def of(self, rules: Rules) -> tuple[str, ...]:
        """Return the opponent's past secrets in games with these rules, in order of time."""
        return next((codes for known, codes in self.codes if known == rules), ())

    def add(self, rules: Rules, codes: Sequence[str]) -> PastSecrets:
        """Return a copy of an opponent's past secrets with more secrets, `codes`, of games with these rules.

        Raises a `CodeError` for a code that the rules do not allow.
        """
        return self._with(rules, (*self.of(rules), *codes))

    def delete(self, rules: Rules, codes: Sequence[str]) -> PastSecrets:
        """Return a copy of an opponent's past secrets without the last occurrence of each of the secrets `codes`.

        Raises an `InputError` for a code that is not recorded.
        """
        left = list(self.of(rules))[::-1]
        for code in codes:
            if code not in left:
                raise InputError(
                    N_("{given} is not in the record of {name}: see 'opponents list'"), given=code, name=self.name
                )
            left.remove(code)
        return self._with(rules, tuple(left[::-1]))

    def _with(self, rules: Rules, codes: tuple[str, ...]) -> PastSecrets:
        recorded = dict(self.codes) | {rules: codes}
        return replace(self, codes=tuple(each for each in recorded.items() if each[1]))


def check_name(name: str) -> str:
    """Return the name of an opponent in lower case, which serves as its key.

    Raises an `InputError` unless the name consists of 1 to 40 letters, digits, `-` and `_`.
    """
    folded = fold(name)
    if not 1 <= len(folded) <= 40 or not folded.replace("-", "a").replace("_", "a").isalnum():
        raise InputError(N_("opponent {given!r}: expected 1 to 40 letters, digits, '-' or '_'"), given=name)
    return folded


def learned(rules: Rules, past: Sequence[str]) -> Prior:
    """Compute a prior for these rules from the past secrets of an opponent.

    Raises a `CodeError` if one of them is not a secret of the game, and a `RulesError` if the game has too many codes.
    """
    if rules.secret_count > _MOST_SECRETS:
        raise RulesError(
            N_("{given} secrets are too many to learn their weights: choose a game with at most {limit}"),
            given=rules.secret_count,
            limit=_MOST_SECRETS,
        )
    products = dict(_products(rules, list(map(rules.check_secret, past))))
    scale = Fraction(WHOLE, sum(products.values()))
    return checked_prior(rules, ((code, max(1, round(weight * scale))) for code, weight in products.items()))


def _products(rules: Rules, past: Sequence[str]) -> list[tuple[str, int]]:
    """Return each code with its weight, the product of the weights of its symbols, before the weights are scaled.

    The weight of a symbol at a place is computed from the past secrets by the formula at the top of this module. Here
    it is multiplied by the denominator n d + 4k, for n past secrets with d places, and k symbols. So every factor is a
    whole number.
    """
    more = _CAUTION * len(rules.symbols)
    known = len(past) * rules.digits + more
    anywhere = Counter("".join(past))
    places = [
        {symbol: seen[symbol] * known + more * (anywhere[symbol] + _CAUTION) for symbol in rules.symbols}
        for seen in (Counter(code[place] for code in past) for place in range(rules.digits))
    ]
    return [(code, prod(place[symbol] for place, symbol in zip(places, code, strict=True))) for code in rules.secrets()]
