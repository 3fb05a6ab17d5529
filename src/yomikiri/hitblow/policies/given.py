"""Conversion of a function argument, such as the name of a policy or a plain function, to a policy."""

from __future__ import annotations

from collections.abc import Callable

from yomikiri.common.enums import not_such
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.policies import DEFAULT_POLICY, policy_named
from yomikiri.hitblow.policies.base import Function, Policy


def read_policy(given: Policy | Callable[[Knowledge], str] | str | None, parameter: str) -> Policy:
    """Return the policy in argument `parameter`: a policy, its name, a function, or None.

    None selects the default policy, `exact`. A function maps knowledge to a guess. Raises an `InputError`.
    """
    if isinstance(given, Policy):
        return given
    if given is None or isinstance(given, str):
        return policy_named(given or DEFAULT_POLICY)
    if callable(given) and not isinstance(given, type):
        return Function(given)
    raise not_such(parameter, given, "'entropy', or a function from knowledge to a guess")
