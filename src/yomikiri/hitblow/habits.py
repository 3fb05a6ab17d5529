"""How likely each secret of an opponent is, learned from those they chose before.

Few secrets say little of whole codes, so symbols are counted: how often each was used at all, and how often at each
place. Of n secrets with d places and k symbols, a symbol that occurs c times, c' of them at a place, counts there

    c' + 4k (c + 4) / (n d + 4k)

that is, as if each symbol had been used four times more, and each place been seen 4k times more, by what is used
anywhere. A code weighs the product over its places. So nothing is impossible, a few secrets change little, and after
very many each place is as it was seen. The products become whole numbers from 1, of about WHOLE together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from yomikiri.enums import fold
from yomikiri.errors import N_, InputError, RulesError
from yomikiri.hitblow.prior import Prior, checked_prior
from yomikiri.hitblow.rules import Rules

Codes = Sequence[str]
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

    def add(self, rules: Rules, codes: Codes) -> PastSecrets:
        """With more of them; raises a `CodeError`."""
        return self._with(rules, (*self.of(rules), *codes))

    def delete(self, rules: Rules, codes: Codes) -> PastSecrets:
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


def learned(rules: Rules, past: Codes) -> Prior:
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


def _products(rules: Rules, past: Codes) -> list[tuple[str, int]]:
    """The products for each code, times (n d + 4k) for each place."""
    more = _CAUTION * len(rules.symbols)
    known = len(past) * rules.digits + more
    anywhere = Counter("".join(past))
    places = [
        {symbol: seen[symbol] * known + more * (anywhere[symbol] + _CAUTION) for symbol in rules.symbols}
        for seen in (Counter(code[place] for code in past) for place in range(rules.digits))
    ]
    return [(code, prod(place[symbol] for place, symbol in zip(places, code, strict=True))) for code in rules.secrets()]
