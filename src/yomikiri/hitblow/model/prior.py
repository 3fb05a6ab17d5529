"""How likely each code was the secret before anything was told, and what facts make of that, by the plain rules.

Plain Python, since a strategy is verified by it without numpy; `space` works the same out with arrays.

It is told, or learned from the secrets that an opponent chose before. Few secrets say little of whole codes, so symbols
are counted: how often each was used at all, and how often at each place. Of n secrets with d places and k symbols, a
symbol that occurs c times, c' of them at a place, counts there

    c' + 4k (c + 4) / (n d + 4k)

that is, as if each symbol had been used four times more, and each place been seen 4k times more, by what is used
anywhere. A code weighs the product over its places. So nothing is impossible, a few secrets change little, and after
very many each place is as it was seen. The products become whole numbers from 1, of about WHOLE together.
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
from yomikiri.hitblow.model.facts import Absent, Change
from yomikiri.hitblow.model.rules import Fact, Rules

Prior: TypeAlias = tuple[tuple[str, int], ...]
"""Codes with their weights, from 1, in order: how likely each is before anything is known. None: all are alike."""


def checked_prior(rules: Rules, weights: Mapping[str, int] | Iterable[tuple[str, int]]) -> Prior:
    """Return the prior of these weights, by code or as pairs. A weight of 0 says that a code is not a secret.

    The prior is empty if all codes are equally likely. Raises an `InputError`.
    """
    order = {symbol: place for place, symbol in enumerate(rules.symbols)}
    told: dict[str, int] = {}
    for code, weight in _pairs(weights):
        rules.check_secret(code)
        if not isinstance(weight, int) or isinstance(weight, bool) or weight < 0 or code in told:
            raise InputError(
                N_("{given}: expected each code once, with a whole number from 0"), given=f"{code},{weight}"
            )
        told[code] = weight
    if told and not any(told.values()):
        raise no_weight()
    if len(set(told.values())) == 1 and len(told) == rules.secret_count:
        return ()
    return tuple((code, told[code]) for code in sorted(told, key=lambda code: [*map(order.get, code)]) if told[code])


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
    """The error for weights under which there is no secret."""
    return InputError(N_("the weights are all 0: expected at least one code that may be the secret"))


def too_heavy(limit: int) -> InputError:
    """The error for weights that are more together than can be counted."""
    return InputError(N_("the weights are too large: expected less than {limit} together"), limit=limit)


def weighed(rules: Rules, absent: str, facts: Sequence[Fact], prior: Prior) -> dict[str, int]:
    """The codes that fit with their weights, without a common divisor, by the plain rules; in order.

    A code shares its weight equally among what it becomes by a change.
    """
    holds = Absent(absent).holds
    shares = {code: weight for code, weight in prior or ((code, 1) for code in rules.secrets()) if holds(code)}
    for fact in facts:
        if isinstance(fact, Change):
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
_CAUTION = 4  # benchmarks/hitblow_weights.py compares others
_MOST_SECRETS = 20_000  # secrets of a game whose weights are learned: each has two of WHOLE, or more


@dataclass(frozen=True, slots=True)
class PastSecrets:
    """The secrets that an opponent chose, as a person recorded them: for each rules the codes, in order.

    Raises an `InputError` for a name that is none, and for codes that the rules do not allow.
    """

    name: str
    codes: tuple[tuple[Rules, tuple[str, ...]], ...] = ()

    def __post_init__(self) -> None:
        check_name(self.name)
        for rules, codes in self.codes:
            for code in codes:
                rules.check_secret(code)

    def of(self, rules: Rules) -> tuple[str, ...]:
        """Those of a game of these rules."""
        return next((codes for known, codes in self.codes if known == rules), ())

    def add(self, rules: Rules, codes: Sequence[str]) -> PastSecrets:
        """With more of them; raises a `CodeError`."""
        return self._with(rules, (*self.of(rules), *codes))

    def delete(self, rules: Rules, codes: Sequence[str]) -> PastSecrets:
        """Without the last of each of these; raises an `InputError` for one that is not there."""
        left = list(self.of(rules))[::-1]
        for code in codes:
            if code not in left:
                raise InputError(N_("{given} is not recorded of {name}: list what is"), given=code, name=self.name)
            left.remove(code)
        return self._with(rules, tuple(left[::-1]))

    def _with(self, rules: Rules, codes: tuple[str, ...]) -> PastSecrets:
        told = dict(self.codes) | {rules: codes}
        return replace(self, codes=tuple(each for each in told.items() if each[1]))


def check_name(name: str) -> str:
    """The name of an opponent as it is looked up, without regard to case; raises an `InputError` unless it is 1 to 40
    letters, digits, `-` and `_`."""
    folded = fold(name)
    if not 1 <= len(folded) <= 40 or not folded.replace("-", "a").replace("_", "a").isalnum():
        raise InputError(N_("opponent {given!r}: expected 1 to 40 letters, digits, '-' or '_'"), given=name)
    return folded


def learned(rules: Rules, past: Sequence[str]) -> Prior:
    """The weights of all secrets of these rules, by past ones; raises a `CodeError`, and a `RulesError` for a game of
    too many secrets."""
    if rules.secret_count > _MOST_SECRETS:
        raise RulesError(
            N_("{given} secrets are too many to learn their weights: expected a game of at most {limit}"),
            given=rules.secret_count,
            limit=_MOST_SECRETS,
        )
    products = dict(_products(rules, list(map(rules.check_secret, past))))
    scale = Fraction(WHOLE, sum(products.values()))
    return checked_prior(rules, ((code, max(1, round(weight * scale))) for code, weight in products.items()))


def _products(rules: Rules, past: Sequence[str]) -> list[tuple[str, int]]:
    """The products for each code, times (n d + 4k) for each place."""
    more = _CAUTION * len(rules.symbols)
    known = len(past) * rules.digits + more
    anywhere = Counter("".join(past))
    places = [
        {symbol: seen[symbol] * known + more * (anywhere[symbol] + _CAUTION) for symbol in rules.symbols}
        for seen in (Counter(code[place] for code in past) for place in range(rules.digits))
    ]
    return [(code, prod(place[symbol] for place, symbol in zip(places, code, strict=True))) for code in rules.secrets()]
