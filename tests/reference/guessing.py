"""A slow and simple oracle for games of any kind: the least cost of a set of secrets, by trying every guess."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache


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


def least_cost(
    weights: Mapping[str, int],
    guesses: Sequence[str],
    answer: Callable[[str, str], object],
    *,
    consistent: bool = False,
) -> int:
    """Return the least sum over the secrets of weight times guesses."""

    @cache
    def cost(secrets: frozenset[str]) -> int:
        least = 1 << 60
        for guess in secrets if consistent else guesses:
            cells: dict[object, set[str]] = {}
            for secret in secrets - {guess}:
                cells.setdefault(answer(guess, secret), set()).add(secret)
            if all(len(cell) < len(secrets) for cell in cells.values()):
                least = min(least, sum(cost(frozenset(cell)) for cell in cells.values()))
        return sum(weights[secret] for secret in secrets) + least

    return cost(frozenset(weights))
