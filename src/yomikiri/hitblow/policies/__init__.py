"""Policies: rules for choosing the next guess. `policy_named` returns a policy by name, and `POLICIES` lists the names.

Advice, matches and interfaces import this package. Begin with `base`, which contains the interface of every policy, and
`onestep`. `exact` uses the search.
"""

from yomikiri.common.enums import not_one_of, shown, whole
from yomikiri.common.enums import seconds as checked_seconds
from yomikiri.common.errors import N_, Choices, InputError
from yomikiri.hitblow.policies.base import ALTERNATIVES, Choice, Policy
from yomikiri.hitblow.policies.book import Book
from yomikiri.hitblow.policies.exact import SECONDS, Exact
from yomikiri.hitblow.policies.onestep import SCORES, Likely, OneStep, Random, Repdigit

__all__ = ["DEFAULT_POLICY", "POLICIES", "Choice", "Policy", "policy_named"]

POLICIES = (*SCORES, "likely", "random", "repdigit", "book", "exact")
DEFAULT_POLICY = "exact"
_MOST = 10**18  # largest value allowed for `seed`, and for `alternatives`, the number of next best guesses


def policy_named(
    name: str,
    seed: int = 0,
    alternatives: int = ALTERNATIVES,
    *,
    seconds: float | None = SECONDS,
) -> Policy:
    """Return the policy with this name, one of `POLICIES`.

    `seed` applies to `random`. `alternatives` is the number of next best guesses to return, for policies that compare
    guesses. `seconds` is the time limit of `exact`, or None for no limit. Raises an `InputError` for an unknown name
    and for an invalid value.

    >>> from yomikiri.hitblow import Knowledge
    >>> policy_named("minimax").choose(Knowledge()).guess
    '012'
    """
    seed = whole(seed, "seed", 0, _MOST)
    alternatives = whole(alternatives, "alternatives", 0, _MOST)
    seconds = None if seconds is None else checked_seconds(seconds, "seconds")
    if not isinstance(name, str):
        raise not_one_of("policy", shown(name), POLICIES)
    if name in SCORES:
        return OneStep(name, alternatives=alternatives)
    if name == "likely":
        return Likely(alternatives=alternatives)
    if name == "random":
        return Random(seed)
    if name == "repdigit":
        return Repdigit()
    if name == "book":
        return Book(OneStep("entropy", alternatives=alternatives))
    if name == "exact":
        beyond = OneStep("entropy", alternatives=alternatives)
        return Exact(seconds, beyond, alternatives=alternatives)
    raise InputError(
        N_("unknown policy {given!r}: expected one of {known}"), given=name, known=Choices(", ".join(POLICIES))
    )
