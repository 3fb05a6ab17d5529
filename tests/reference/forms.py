"""Forms of sets of codes by their definition alone: for checking the race from outside.

Every guess is tried on every set that play can come to; of guesses that swapping two symbols turns into each other
while the set stays as it is, one is tried for all. None is left out because it is dominated, no set is held to be
perfect, and nothing here comes from the program.
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

_ROUNDS = 2  # of telling symbols apart; fewer tell fewer sets to be the same, which costs time only


@dataclass(frozen=True)
class Forms:
    """What can be done with sets of codes: forms, their options, and the forms of an option's cells but the hit.

    The options of form f are those from `first[f]` to `first[f + 1]`, the cells of option o those from `begin[o]` to
    `begin[o + 1]` of `cell`. `example[f]` is a set of form f, a row of symbols for each code, and `option[f]` the
    option of each guess on it, -1 for a guess that tells nothing. `start` are the forms of the sets one began with.
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
    """What guesses do to a set: of each different partition whether it has a hit, its cells' keys and their sizes."""

    hit: NDArray[np.bool_]
    key: Words
    count: Numbers
    partition: Numbers  # of each guess; -1 for one that tells nothing


@dataclass
class _Sets:
    """All sets of one size: their members by name, and which of them each set that was met is an image of."""

    members: Numbers
    keys: Words
    image: Numbers
    parts: list[_Parts] = field(default_factory=list)
    form: Numbers = field(default_factory=lambda: np.empty(0, int))


def forms(codes: Numbers, starts: Iterable[Numbers]) -> Forms:
    """The forms of everything that play can come to.

    `codes` are all that may be guessed, rows of symbols from 0 on; `starts` are sets of numbers of codes.
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
        # A set's key is the sum of its codes' words. That two of millions of sets have the same key has a chance of
        # less than one in a million.
        self.word: Words = np.random.default_rng(1).integers(2**64, size=(guesses,), dtype=np.uint64)

        self.first_place = (codes[:, :, None] == codes[:, None]).argmax(axis=2)  # where a symbol stands first
        self.swapped = np.empty((self.symbols, self.symbols, guesses), int)
        for one, other in np.ndindex(self.symbols, self.symbols):
            turned = np.arange(self.symbols)
            turned[[one, other]] = other, one
            self.swapped[one, other] = self.number[turned[codes] @ self.radix]

    def forms(self, starts: list[Numbers]) -> Forms:
        sets = self.sets(starts)
        known: dict[tuple[int, bytes], int] = {}
        made: list[tuple[int, Numbers]] = []  # size; a row for each option: whether it hits, its cells, and -1
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
        """All sets that play can come to, by size: large ones first, since every cell is smaller than its set."""
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
        """What the guesses do to a set; its cells are added to those met."""
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
        told = int(signatures[0] == 0)  # how many of the signatures stand for guesses that tell nothing
        guess = guess[told:]
        cells = np.argwhere(count[guess] > 0)
        guesses, hints = guess[cells[:, 0]], cells[:, 1]
        keys, kept = np.unique(key[guesses, hints], return_index=True)
        guesses, hints = guesses[kept], hints[kept]
        sizes = count[guesses, hints]
        for size in np.unique(sizes):
            at = sizes == size
            inside = answers[guesses[at]] == hints[at, None]
            met.setdefault(int(size), []).append((keys[at], members[np.nonzero(inside)[1].reshape(-1, size)]))
        return _Parts(hit[guess], key[guess], count[guess], (partition - told)[of])

    def alike(self, members: Numbers) -> Numbers:
        """For each guess the one that is tried for it: symbols that can be swapped are named from the lowest."""
        stays = self.word[self.swapped[:, :, members]].sum(axis=2) == np.sum(self.word[members])
        kind = stays.argmax(axis=1)  # the lowest symbol that each can be swapped with
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
        """Each set (a row of numbers) under a renaming of places and symbols: the same for most that differ by one.

        For each order of places, symbols are told apart by how often they stand where, and beside which others, and
        named in that order; of these images the first is taken. Any two equal images are those of sets that a renaming
        turns into each other, whatever symbols are taken for the same.
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
        """The symbols' ranks in each set of codes, shape (sets, codes, digits)."""
        row = np.arange(len(codes))[:, None]
        places = range(codes.shape[2])
        salt = _mixed(np.arange(1, codes.shape[2] + 1).astype(np.uint64))
        told = np.zeros((len(codes), self.symbols), np.uint64)
        for place in places:
            np.add.at(told, (row, codes[:, :, place]), salt[place])
        for _ in range(_ROUNDS):
            beside = np.zeros(codes.shape[:2], np.uint64)
            for place in places:
                beside += _mixed(told[row, codes[:, :, place]] + salt[place])
            beside = _mixed(beside)
            told = _mixed(told)
            for place in places:
                np.add.at(told, (row, codes[:, :, place]), _mixed(beside + salt[place]))
        return told.argsort(axis=1).argsort(axis=1)


def _mixed(words: Words) -> Words:
    """Each word scrambled; sums of scrambled words tell apart what sums of words do not."""
    words = (words ^ (words >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    words = (words ^ (words >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return words ^ (words >> np.uint64(32))
