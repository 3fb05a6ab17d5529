"""Policies as callers give them: a policy, its name, or a function from knowledge to a guess."""

from __future__ import annotations

from collections.abc import Callable

from yomikiri.common.enums import not_such
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.policies import DEFAULT_POLICY, policy_named
from yomikiri.hitblow.policies.base import Function, Policy


def read_policy(given: Policy | Callable[[Knowledge], str] | str | None, parameter: str) -> Policy:
    """Return the policy that a parameter gives: itself, its name, a function from knowledge to a guess, or None for
    proven play. Raises an `InputError`."""
    if isinstance(given, Policy):
        return given
    if given is None or isinstance(given, str):
        return policy_named(given or DEFAULT_POLICY)
    if callable(given) and not isinstance(given, type):
        return Function(given)
    raise not_such(parameter, given, "'entropy', or a function from knowledge to a guess")
