"""How likely each code was the secret before anything was told, and what facts make of that, by the plain rules.

Plain Python, since a strategy is verified by it without numpy; `space` works the same out with arrays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import gcd, lcm
from typing import TypeAlias

from yomikiri.errors import N_, InputError
from yomikiri.hitblow.facts import Absent, Change
from yomikiri.hitblow.rules import Fact, Rules

Prior: TypeAlias = tuple[tuple[str, int], ...]
"""Codes with their weights, from 1, in order: how likely each is before anything is known. None: all are alike."""


def checked_prior(rules: Rules, weights: Iterable[tuple[str, int]]) -> Prior:
    """The prior of these weights, of which 0 says that a code is no secret; raises an `InputError`.

    There is none where all codes are alike.
    """
    order = {symbol: place for place, symbol in enumerate(rules.symbols)}
    told: dict[str, int] = {}
    for code, weight in weights:
        rules.check_secret(code)
        if weight < 0 or code in told:
            raise InputError(
                N_("{given}: expected each code once, with a whole number from 0"), given=f"{code},{weight}"
            )
        told[code] = weight
    if told and not any(told.values()):
        raise no_weight()
    if len(set(told.values())) == 1 and len(told) == rules.secret_count:
        return ()
    return tuple((code, told[code]) for code in sorted(told, key=lambda code: [*map(order.get, code)]) if told[code])


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
