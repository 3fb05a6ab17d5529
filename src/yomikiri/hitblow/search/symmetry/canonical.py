"""Canonical turns: equal turns for cells that are equivalent under permutations of places, symbols and turns.

If all symbols are interchangeable at the start, a permutation of places and one of symbols map a cell to an image. They
map every strategy for the cell to one of the same cost for the image. So bounds of one cell hold for the other.

The canonical turns are one of these images. Their answers are in ascending order. Turns with equal answers can be in
any order, places can be permuted in any way, and symbols are numbered in order of occurrence. Of all lists of turns
that result, the canonical one has the lowest first guess, then the lowest second guess, and so on. For example,
345:0H1B and 512:1H0B in the game of three digits have the canonical turns 012:0H1B 134:1H0B.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby, permutations, product
from random import Random

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search.subproblem import Subproblem

_MOST_TURNS = 3  # limit on the turns; more of them have too many permutations, and their cells are small


@dataclass(frozen=True, slots=True)
class CodePermutation:
    """A permutation of places and one of symbols. Place i of an image has the image of the symbol at `order[i]`."""

    order: tuple[int, ...]
    symbols: tuple[tuple[str, str], ...]  # (symbol, image) pairs, one for each symbol

    def of(self, code: str) -> str:
        """Return the code to which this permutation of places and symbols maps `code`, and "" for an empty text."""
        names = dict(self.symbols)
        return "".join(names[code[place]] for place in self.order) if code else ""

    def back(self, code: str) -> str:
        """Return the code whose image is `code`, and "" for an empty text. This is the inverse of `of`."""
        if not code:
            return ""
        names = {new: old for old, new in self.symbols}
        found = [""] * len(code)
        for symbol, place in zip(code, self.order, strict=True):
            found[place] = names[symbol]
        return "".join(found)

    def turns(self, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        """Return the turns to which this permutation of places and symbols maps `turns`. The answers stay the same."""
        return tuple(Turn(self.of(turn.guess), turn.hint) for turn in turns)


@dataclass(frozen=True, slots=True)
class CanonicalTurns:
    """The canonical turns of a cell, and the permutation that maps its turns to them."""

    turns: tuple[Turn, ...]
    permutation: CodePermutation


def canonical_turns(cell: Subproblem) -> CanonicalTurns:
    """Return the canonical turns of a cell.

    Without interchangeable symbols, or with many turns, they are only the sorted turns.
    """
    if not _is_fully_symmetric(cell) or len(cell.turns) > _MOST_TURNS:
        return CanonicalTurns(tuple(sorted(cell.turns, key=str)), _unchanged(cell.rules))
    return _least(cell.rules, cell.turns)


def random_permutation(cell: Subproblem, chance: Random) -> CodePermutation:
    """Return a random permutation that maps the cell to a cell of equal cost.

    A search of that cell tries the guesses in another order, so it checks a result independently. The permutation is
    the identity if not all symbols are interchangeable.
    """
    if not _is_fully_symmetric(cell):
        return _unchanged(cell.rules)
    places, symbols = list(range(cell.rules.digits)), list(cell.rules.symbols)
    chance.shuffle(places)
    chance.shuffle(symbols)
    return CodePermutation(tuple(places), tuple(zip(cell.rules.symbols, symbols, strict=True)))


def _is_fully_symmetric(cell: Subproblem) -> bool:
    """Return True if all places and all symbols are certainly interchangeable before the first turn."""
    return not (cell.absent or cell.facts or cell.rules.no_leading)


@cache
def _unchanged(rules: Rules) -> CodePermutation:
    return CodePermutation(tuple(range(rules.digits)), tuple((symbol, symbol) for symbol in rules.symbols))


@cache
def every_order(digits: int) -> NDArray[np.intp]:
    """Return all permutations of the places: shape (d!, d)."""
    return np.array(list(permutations(range(digits))), dtype=np.intp)


@lru_cache(maxsize=1 << 16)
def _least(rules: Rules, turns: tuple[Turn, ...]) -> CanonicalTurns:
    best, permutation, named = None, _unchanged(rules), turns
    for arranged in _arrangements(turns):
        codes = np.array([[rules.symbols.index(symbol) for symbol in turn.guess] for turn in arranged], dtype=np.intp)
        codes = codes.reshape(len(arranged), rules.digits)
        orders = every_order(rules.digits)
        rows = _numbered(codes[:, orders].swapaxes(0, 1).reshape(len(orders), -1), len(rules.symbols))
        least = min(range(len(orders)), key=rows.tolist().__getitem__)
        row = rows[least].tolist()
        if best is None or row < best:
            best, permutation, named = row, _renaming(rules, codes[:, orders[least]], orders[least]), arranged
    return CanonicalTurns(permutation.turns(named), permutation)


def _arrangements(turns: tuple[Turn, ...]) -> Iterator[tuple[Turn, ...]]:
    """Yield every order of the turns in which the answers are in ascending order."""
    ordered = sorted(turns, key=lambda turn: turn.hint)
    groups = [tuple(permutations(group)) for _, group in groupby(ordered, key=lambda turn: turn.hint)]
    for parts in product(*groups):
        yield tuple(turn for part in parts for turn in part)


def _numbered(rows: NDArray[np.intp], symbols: int) -> NDArray[np.intp]:
    """Return each row with its symbols numbered in order of occurrence, from 0."""
    every = np.arange(len(rows))
    name = np.full((len(rows), symbols), -1, dtype=np.intp)
    fresh = np.zeros(len(rows), dtype=np.intp)
    numbered = np.empty_like(rows)
    for place in range(rows.shape[1]):
        symbol = rows[:, place]
        new = name[every, symbol] < 0
        name[every[new], symbol[new]] = fresh[new]
        fresh += new
        numbered[:, place] = name[every, symbol]
    return numbered


def _renaming(rules: Rules, codes: NDArray[np.intp], order: NDArray[np.intp]) -> CodePermutation:
    """Return the permutation of places `order`, with the symbols of `codes` numbered in order of occurrence.

    The symbols that do not occur get the next numbers, in the order of the game.
    """
    seen = list(dict.fromkeys(codes.ravel().tolist()))
    others = [symbol for symbol in range(len(rules.symbols)) if symbol not in seen]
    symbols = sorted((rules.symbols[old], rules.symbols[new]) for new, old in enumerate([*seen, *others]))
    return CodePermutation(tuple(order.tolist()), tuple(symbols))
