"""Canonical forms of sets of codes from their definition, as an independent check of the race.

A form contains everything about a set that can affect a race: its size and its options, which are the effects of
guesses. Every guess is evaluated for every reachable set. Among guesses that are equivalent under a swap of symbols
which preserves the set, only one is evaluated. Options that are worse than others are not removed, separable sets get
no special treatment, and no code is shared with the program.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]

_ROUNDS = 2  # rounds of symbol refinement; fewer rounds miss equivalent sets, which only costs time


@dataclass(frozen=True)
class Forms:
    """Forms and their options. An option contains the forms of all its cells except the one with the hit.

    `hit[o]` is 1 if a guess with option o can hit, otherwise 0. Form f has the options from `first[f]` to
    `first[f + 1]`. Option o has the cells from `begin[o]` to `begin[o + 1]` in `cell`; the ends are excluded.
    `example[f]` is a set of form f with a row of symbols for each code. `option[f]` contains the number of the option
    of each guess for this set, or -1 for an uninformative guess. `start` contains the forms of the starting sets.
    """

    size: Numbers
    first: Numbers
    hit: Numbers
    begin: Numbers
    cell: Numbers
    example: list[NDArray[np.uint8]]
    option: list[Numbers]
    start: list[int]


@dataclass(frozen=True)
class _Parts:
    """The different partitions of a set by guesses: whether they can hit, and keys and sizes of their cells."""

    hit: NDArray[np.bool_]
    key: Words
    count: Numbers
    partition: Numbers  # for each guess; -1 for an uninformative one


@dataclass
class _Sets:
    """The sets of one size, in classes of equivalent sets.

    `members` contains one set of each class, and `parts` and `form` its partitions and its form. `keys` contains the
    sorted keys of all sets, and `image` the class of each key.
    """

    members: Numbers
    keys: Words
    image: Numbers
    parts: list[_Parts] = field(default_factory=list)
    form: Numbers = field(default_factory=lambda: np.empty(0, int))


def forms(codes: Numbers, starts: Iterable[Numbers]) -> Forms:
    """Return the forms of all reachable sets.

    `codes` contains all guesses as rows of symbol numbers; `starts` are sets of code numbers.
    """
    return _Play(codes).forms(list(starts))


class _Play:
    def __init__(self, codes: Numbers) -> None:
        self.codes = codes
        guesses, digits = codes.shape
        self.symbols = int(codes.max()) + 1
        self.radix = self.symbols ** np.arange(digits)
        self.number = np.full(self.symbols**digits, -1)
        self.number[codes @ self.radix] = np.arange(guesses)
        hits = (codes[:, None] == codes[None]).sum(axis=2)
        each = np.stack([(codes == symbol).sum(axis=1) for symbol in range(self.symbols)], axis=1)
        shared = np.minimum(each[:, None], each[None]).sum(axis=2)
        hints, answers = np.unique(hits * (digits + 1) + shared, return_inverse=True)
        self.answers = answers.reshape(guesses, guesses).astype(np.uint8)
        self.hints, self.win = len(hints), int(self.answers[0, 0])
        # The key of a set is the sum of the random words of its codes. The probability of a collision among millions
        # of sets is less than 1e-6.
        self.word: Words = np.random.default_rng(1).integers(2**64, size=(guesses,), dtype=np.uint64)

        self.first_place = (codes[:, :, None] == codes[:, None]).argmax(axis=2)  # first place of the symbol
        self.swapped = np.empty((self.symbols, self.symbols, guesses), int)
        for one, other in np.ndindex(self.symbols, self.symbols):
            turned = np.arange(self.symbols)
            turned[[one, other]] = other, one
            self.swapped[one, other] = self.number[turned[codes] @ self.radix]

    def forms(self, starts: list[Numbers]) -> Forms:
        sets = self.sets(starts)
        known: dict[tuple[int, bytes], int] = {}
        # (size, one row for each option: 1 if it can hit, the forms of its cells, then -1)
        made: list[tuple[int, Numbers]] = []
        example, option = [], []
        for size in sorted(sets):
            now, named = sets[size], []
            for members, parts in zip(now.members, now.parts, strict=True):
                cells = np.full(parts.key.shape, -1)
                for below in np.unique(parts.count[parts.count > 0]):
                    of = parts.count == below
                    at = sets[below]
                    cells[of] = at.form[at.image[np.searchsorted(at.keys, parts.key[of])]]
                rows = np.column_stack([parts.hit, -np.sort(-cells, axis=1)])
                rows, which = np.unique(rows, axis=0, return_inverse=True)
                name = (size, rows.tobytes())
                if name not in known:
                    known[name] = len(made)
                    made.append((size, rows))
                    example.append(self.codes[members].astype(np.uint8))
                    option.append(np.where(parts.partition < 0, -1, which.ravel()[parts.partition]))
                named.append(known[name])
            now.form = np.array(named)
        first = np.cumsum([0, *(len(rows) for _, rows in made)])
        begin = np.cumsum([0, *np.concatenate([(rows[:, 1:] >= 0).sum(axis=1) for _, rows in made])])
        return Forms(
            size=np.array([size for size, _ in made]),
            first=first,
            hit=np.concatenate([rows[:, 0] for _, rows in made]),
            begin=begin,
            cell=np.concatenate([rows[:, 1:][rows[:, 1:] >= 0] for _, rows in made]),
            example=example,
            option=[np.where(of < 0, -1, of + begins) for of, begins in zip(option, first, strict=False)],
            start=[self.form_of(sets, start) for start in starts],
        )

    def form_of(self, sets: dict[int, _Sets], members: Numbers) -> int:
        at = sets[len(members)]
        return int(at.form[at.image[np.searchsorted(at.keys, np.sum(self.word[members]))]])

    def sets(self, starts: list[Numbers]) -> dict[int, _Sets]:
        """Return all reachable sets by size, found in order of decreasing size because cells are smaller than sets."""
        met: dict[int, list[tuple[Words, Numbers]]] = {}
        for start in starts:
            met.setdefault(len(start), []).append((self.word[start[None]].sum(axis=1), start[None]))
        found = {}
        for size in range(max(met), 0, -1):
            if size in met:
                keys, members = (np.concatenate(each) for each in zip(*met.pop(size), strict=True))
                keys, at = np.unique(keys, return_index=True)
                named, image = np.unique(self.images(members[at]), axis=0, return_inverse=True)
                found[size] = _Sets(named, keys, image.ravel())
                for each in named:
                    found[size].parts.append(self.parts(each, met))
        return found

    def parts(self, members: Numbers, met: dict[int, list[tuple[Words, Numbers]]]) -> _Parts:
        """Return the partitions of a set, and add its cells to `met`."""
        tried, of = np.unique(self.alike(members), return_inverse=True)
        answers = self.answers[np.ix_(tried, members)]
        answered = [answers == hint for hint in range(self.hints)]
        count = np.stack([each.sum(axis=1) for each in answered], axis=1)
        key = np.stack([(each * self.word[members]).sum(axis=1, dtype=np.uint64) for each in answered], axis=1)
        hit = count[:, self.win] > 0
        count[:, self.win] = 0
        tells = count.max(axis=1) < len(members)
        signature = np.where(tells, _mixed(key).sum(axis=1, dtype=np.uint64) * np.uint64(2) + hit, 0)
        signatures, guess, partition = np.unique(signature, return_index=True, return_inverse=True)
        uninformative = int(signatures[0] == 0)  # 1 if some guesses are uninformative, otherwise 0
        guess = guess[uninformative:]
        cells = np.argwhere(count[guess] > 0)
        guesses, hints = guess[cells[:, 0]], cells[:, 1]
        keys, kept = np.unique(key[guesses, hints], return_index=True)
        guesses, hints = guesses[kept], hints[kept]
        sizes = count[guesses, hints]
        for size in np.unique(sizes):
            at = sizes == size
            inside = answers[guesses[at]] == hints[at, None]
            met.setdefault(int(size), []).append((keys[at], members[np.nonzero(inside)[1].reshape(-1, size)]))
        return _Parts(hit[guess], key[guess], count[guess], (partition - uninformative)[of])

    def alike(self, members: Numbers) -> Numbers:
        """Return the representative of each guess: interchangeable symbols occur in increasing order."""
        stays = self.word[self.swapped[:, :, members]].sum(axis=2) == np.sum(self.word[members])
        kind = stays.argmax(axis=1)  # the lowest interchangeable symbol
        order = kind.argsort(kind="stable")
        kinds = kind[self.codes]
        renamed = np.empty_like(self.codes)
        for place, first in enumerate(self.first_place.T):
            used = sum(
                (self.first_place[:, e] == e) & (e < first) & (kinds[:, e] == kinds[:, place]) for e in range(place)
            )
            renamed[:, place] = order[np.searchsorted(kind[order], kinds[:, place]) + used]
        tried: Numbers = self.number[renamed @ self.radix]
        return tried

    def images(self, sets: Numbers) -> Numbers:
        """Return a representative of each set (row) under permutations of places and symbols.

        For each permutation of places, symbols are ranked by their places and their neighbours; the least image is the
        representative. Sets with equal representatives are equivalent. Some equivalent sets have different ones.
        """
        least = None
        for places in self.places:
            codes = self.codes[sets][:, :, places]
            rank = self.ranks(codes)
            renamed = rank[np.arange(len(sets))[:, None, None], codes]
            image = np.sort(self.number[renamed @ self.radix], axis=1)
            if least is None:
                least = image
            else:
                at = np.arange(len(sets)), (image != least).argmax(axis=1)
                least = np.where((image[at] < least[at])[:, None], image, least)
        assert least is not None
        return least

    @cached_property
    def places(self) -> list[tuple[int, ...]]:
        return list(permutations(range(self.codes.shape[1])))

    def ranks(self, codes: Numbers) -> Numbers:
        """Return the ranks of symbols in each set of `codes` with shape (sets, codes, digits)."""
        row = np.arange(len(codes))[:, None]
        places = range(codes.shape[2])
        salt = _mixed(np.arange(1, codes.shape[2] + 1).astype(np.uint64))
        hashes = np.zeros((len(codes), self.symbols), np.uint64)
        for place in places:
            np.add.at(hashes, (row, codes[:, :, place]), salt[place])
        for _ in range(_ROUNDS):
            beside = np.zeros(codes.shape[:2], np.uint64)
            for place in places:
                beside += _mixed(hashes[row, codes[:, :, place]] + salt[place])
            beside = _mixed(beside)
            hashes = _mixed(hashes)
            for place in places:
                np.add.at(hashes, (row, codes[:, :, place]), _mixed(beside + salt[place]))
        return hashes.argsort(axis=1).argsort(axis=1)


def _mixed(words: Words) -> Words:
    """Return scrambled words, because sums of scrambled words collide less often."""
    words = (words ^ (words >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    words = (words ^ (words >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return words ^ (words >> np.uint64(32))
