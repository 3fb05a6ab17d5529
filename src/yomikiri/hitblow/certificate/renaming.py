"""Canonical forms of sets of codes under renaming, and the symmetries of a set.

A *renaming* permutes the places of a code, and the symbols. A renaming that maps a set to itself is a *symmetry* of the
set.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.symmetry.canonical import every_order

Codes = NDArray[np.uint8]  # array of codes: shape (number of codes, places), each element the index of a symbol
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Renaming:
    """A permutation of places and a permutation of symbols. `str` writes both as in a certificate: `0132/0123456798`.

    `places[i]` is the new position of place i, and `symbols[s]` the new name of symbol s.
    """

    places: tuple[int, ...]
    symbols: tuple[int, ...]

    def __str__(self) -> str:
        return f"{''.join(map(str, self.places))}/{''.join(f'{symbol:x}' for symbol in self.symbols)}"

    def after(self, other: Renaming) -> Renaming:
        """Return the composition of two renamings: `other` is applied first, then this one."""
        return Renaming(
            tuple(self.places[place] for place in other.places), tuple(self.symbols[symbol] for symbol in other.symbols)
        )

    def back(self) -> Renaming:
        """Return the inverse of this renaming of places and symbols."""
        return Renaming(tuple(np.argsort(self.places).tolist()), tuple(np.argsort(self.symbols).tolist()))

    def of(self, codes: Codes) -> Codes:
        """Return the codes that this renaming of places and symbols maps `codes` to."""
        renamed = np.empty_like(codes)
        renamed[:, list(self.places)] = np.array(self.symbols, np.uint8)[codes]
        return renamed


@dataclass(frozen=True, slots=True)
class Form:
    """The canonical form of a set of codes: one chosen image of the set under renamings.

    A *renaming* permutes the places and the symbols of all codes. Sets that are renamings of each other usually have
    the same canonical form, so that a certificate has to prove a bound for one of them only.

    - `name`: a 128-bit digest. Sets with the same name are renamings of each other. Most sets that are renamings of
      each other have the same name, but not all.
    - `renaming`: maps the set to its canonical form.
    - `symmetries`: some symmetries of the set.
    """

    name: bytes
    renaming: Renaming
    symmetries: tuple[Renaming, ...]


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    x = (x ^ (x >> np.uint64(32))) * _GOLDEN
    x = (x ^ (x >> np.uint64(29))) * _GOLDEN
    return x ^ (x >> np.uint64(32))


def form_of(codes: Codes, symbols: int) -> Form:
    """Compute the canonical form of a set of codes with the symbols 0 to `symbols` - 1.

    1. Count how often each symbol occurs at each place: a table with a row per symbol and a column per place.
    2. For each order of the columns, encode each row as a number, and sort these numbers in decreasing order. Keep the
       orders for which the sorted sequence is lexicographically greatest.
    3. For each order that was kept, number the symbols in the order of their rows. Symbols with equal rows are numbered
       in the order of hashes, which depend on the codes that contain the symbol (see `_coloured`). The order of the
       places and the numbering of the symbols together are a renaming.
    4. Apply each of these renamings to the set. The canonical form is the least of the resulting sets.

    If two of these renamings map the set to its canonical form, the first followed by the inverse of the second is a
    symmetry of the set. A transposition of two symbols that maps the set to itself is a symmetry, too.
    """
    p = codes.shape[1]
    # number of codes that have each symbol (row) at each place (column)
    table = np.stack([np.bincount(codes[:, place], minlength=symbols) for place in range(p)], 1)
    orders = every_order(p)  # permutations of places, one per row: the symbol at place `row[k]` moves to place k
    counts, ranks = np.unique(table, return_inverse=True)
    # One integer for each symbol and each order of the places. It encodes how many codes have the symbol at the first
    # place of this order, at the second place, and so on.
    keys = ranks.reshape(table.shape)[:, orders] @ len(counts) ** np.arange(p)
    ranked = -np.sort(-keys, axis=0)
    best = max(map(tuple, ranked.T.tolist()))
    kept = np.flatnonzero((ranked == np.array(best)[:, None]).all(0))
    radix = symbols ** np.arange(p - 1, -1, -1)
    found: list[tuple[bytes, Renaming]] = []
    for k in kept.tolist():
        order = orders[k]
        moved = codes[:, order]
        colour = _coloured(moved, _mixed(keys[:, k].astype(np.uint64)))
        to = np.empty(symbols, dtype=np.intp)
        to[np.lexsort((colour, -keys[:, k]))] = np.arange(symbols)
        image = np.sort(to[moved] @ radix)
        goes = np.empty(p, dtype=np.intp)
        goes[order] = np.arange(p)
        found.append((image.astype(np.int32).tobytes(), Renaming(tuple(goes.tolist()), tuple(to.tolist()))))
    least = min(image for image, _renaming in found)
    same = [renaming for image, renaming in found if image == least]
    back = same[0].back()
    turned = [back.after(renaming) for renaming in same[1:]]
    name = blake2b(least, digest_size=16).digest()
    return Form(name, same[0], (*_exchanges(codes, table, radix), *turned))


def _coloured(codes: Codes, colour: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a hash of each symbol that depends on the codes that contain the symbol, but not on the symbol's name.

    `colour` contains a first hash of each symbol. Each round first computes a hash of each code from its symbols'
    hashes. Then it computes a new hash of each symbol from its old hash and the hashes of all codes that contain it.
    """
    place = np.arange(1, codes.shape[1] + 1, dtype=np.uint64) * _GOLDEN
    for _ in range(_ROUNDS):
        each = _mixed(colour[codes] + place).sum(1, dtype=np.uint64)
        passed = _mixed(each[:, None] + place)
        total = np.zeros(len(colour), dtype=np.uint64)
        np.add.at(total, codes.ravel(), passed.ravel())
        colour = _mixed(colour + total)
    return colour


def _exchanges(codes: Codes, table: NDArray[np.intp], radix: Any) -> list[Renaming]:
    """Return renamings that exchange two symbols and map the set of codes to itself.

    `table` contains how often each symbol occurs at each place. A code is encoded as the sum of its symbols, each
    multiplied by the element of `radix` for its place. Symbols that can be exchanged with each other form classes. The
    result contains one exchange for each two symbols that follow each other in the increasing order of a class. These
    exchanges generate all permutations of the class.
    """
    symbols, places = len(table), tuple(range(codes.shape[1]))
    present = np.sort(codes @ radix)
    free, found = set(range(symbols)), []
    for one in range(symbols):
        if one not in free:
            continue
        last = one
        for other in range(one + 1, symbols):
            if other not in free or (table[one] != table[other]).any():
                continue
            to = np.arange(symbols)
            to[last], to[other] = other, last
            if table[one].any() and not np.array_equal(np.sort(to[codes] @ radix), present):
                continue
            found.append(Renaming(places, tuple(to.tolist())))
            free.discard(other)
            last = other
    return found
