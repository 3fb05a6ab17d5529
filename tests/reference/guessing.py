"""A slow and simple oracle for games of any kind: the least cost of a set of secrets, by trying every guess."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

_NEVER = 1 << 60


def marks(guess: str, secret: str) -> tuple[str, ...]:
    """Return hit, blow or miss for each place: hits first, then blows from left to right."""
    found, left = ["miss"] * len(guess), list(secret)
    for i, symbol in enumerate(guess):
        if secret[i] == symbol:
            found[i] = "hit"
            left.remove(symbol)
    for i, symbol in enumerate(guess):
        if found[i] == "miss" and symbol in left:
            found[i] = "blow"
            left.remove(symbol)
    return tuple(found)


def uses(guess: str, secret: str, later: str) -> bool:
    """Return True if a later guess keeps the hits of a guess, and has all symbols that were marked."""
    found = marks(guess, secret)
    left = list(later)
    for symbol, mark in zip(guess, found, strict=True):
        if mark != "miss":
            if symbol not in left:
                return False
            left.remove(symbol)
    return all(later[i] == guess[i] for i, mark in enumerate(found) if mark == "hit")


def least_cost(
    weights: Mapping[str, int],
    guesses: Sequence[str],
    answer: Callable[[str, str], object],
    *,
    consistent: bool = False,
    hard: bool = False,
    limit: int = 99,
) -> int | None:
    """Return the least sum over the secrets of weight times guesses.

    `consistent` allows candidates only, and `hard` only guesses that use all that the marks have revealed. The result
    is None if no strategy finds every secret within `limit` guesses.
    """

    @cache
    def cost(secrets: frozenset[str], allowed: frozenset[str], left: int) -> int:
        least = _NEVER
        for guess in (secrets if consistent else allowed) if left else ():
            cells: dict[object, set[str]] = {}
            for secret in secrets - {guess}:
                cells.setdefault(answer(guess, secret), set()).add(secret)
            if all(len(cell) < len(secrets) for cell in cells.values()):
                later = sum(
                    cost(
                        frozenset(cell),
                        frozenset(one for one in allowed if uses(guess, min(cell), one)) if hard else allowed,
                        left - 1,
                    )
                    for cell in cells.values()
                )
                least = min(least, later)
        return sum(weights[secret] for secret in secrets) + least

    total = cost(frozenset(weights), frozenset(guesses), limit)
    return total if total < _NEVER else None
