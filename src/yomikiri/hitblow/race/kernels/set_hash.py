"""Hash of a candidate set. It is usually the same for sets that differ only by a permutation of places and symbols.

A permutation of places and symbols maps a set to an *image* of the set. It does not affect the race, so a set and its
images usually share one table entry. The kernels compute *invariants* of places and symbols, numbers that no such
permutation changes. There are two rounds:

- First round: the invariant of a place or symbol is a sum that depends on how often each symbol occurs at each place.
- Second round: the invariant of a place is a sum with one term for each code. The invariant of a symbol is a sum with
  one term for each occurrence of the symbol in a code. A term depends on the first invariants of all places and symbols
  of its code.

The kernels then sort the places and the symbols by their second invariants, and renumber them in this order. The hash
has two words of 64 bits. Each is the sum of random words, one for each renumbered code.

Places or symbols with equal invariants stay in their given order. At worst, two images of a set then get different
hashes and two table entries, which only costs time. Renumbering is always sound, because the renumbered codes are an
image of the given set.
"""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.race.kernels.tables import RaceGame, RaceWorkspace
from yomikiri.machine.bits import ZERO, Int, mix
from yomikiri.machine.kernel import kernel

_PLACE = np.uint64(0xD6E8FEB86659FD93)
_SYMBOL = np.uint64(0xA0761D6478BD642F)


@kernel
def count_symbols(game: RaceGame, work: RaceWorkspace, start: Int, n: Int) -> None:
    """Write to `work.counted` how often each symbol occurs at each place in the codes of a candidate set.

    Rows of `work.counted` are places, and columns are symbols. The set is `members[start : start + n]`.
    """
    count = work.counted
    for i in range(game.digits):
        for s in range(game.symbols):
            count[i, s] = 0
    for j in range(start, start + n):
        code = game.codes[work.members[j]]
        for i in range(game.digits):
            count[i, code[i]] += 1


@kernel
def weigh(game: RaceGame, work: RaceWorkspace, start: Int, n: Int) -> None:
    """Compute a number for each place and each symbol of a candidate set: the *invariants*.

    If places or symbols are permuted, each place and each symbol keeps its number. There are two rounds (see the
    docstring of the module). Rows 0 and 1 of `work.weights` get the invariants of places and of symbols from the first
    round, and rows 2 and 3 those from the second round. Requires that `work.counted` contains the number of occurrences
    of each symbol at each place. The set is `members[start : start + n]`.
    """
    place, symbol, again_place, again_symbol = work.weights[0], work.weights[1], work.weights[2], work.weights[3]
    count, members, codes = work.counted, work.members, game.codes
    for i in range(game.digits):
        place[i] = ZERO
        again_place[i] = ZERO
        for s in range(game.symbols):
            place[i] += mix(np.uint64(count[i, s]) + _PLACE)
    for s in range(game.symbols):
        symbol[s] = ZERO
        again_symbol[s] = ZERO
        for i in range(game.digits):
            symbol[s] += mix(place[i] ^ (np.uint64(count[i, s]) * _SYMBOL))
    for j in range(start, start + n):
        code = codes[members[j]]
        whole = ZERO
        for i in range(game.digits):
            whole += mix(place[i] + symbol[code[i]])
        whole = mix(whole)
        for i in range(game.digits):
            again_place[i] += mix(whole ^ symbol[code[i]])
            again_symbol[code[i]] += mix(whole + place[i])


@kernel
def hash_set(game: RaceGame, work: RaceWorkspace, start: Int, n: Int) -> tuple[np.uint64, np.uint64]:
    """Return the hash of a candidate set, two words of 64 bits. Images of a set mostly have the same hash.

    An *image* of a set results from a permutation of places and symbols. The function overwrites the scratch space
    `counted`, `weights`, `order` and `rank` of the workspace.
    """
    count_symbols(game, work, start, n)
    weigh(game, work, start, n)
    weight_place, weight_symbol = work.weights[2], work.weights[3]
    order, rank = work.order, work.rank
    for i in range(game.digits):
        at = i
        while at > 0 and weight_place[order[at - 1]] > weight_place[i]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = i
    for s in range(game.symbols):
        before = 0
        for t in range(game.symbols):
            if weight_symbol[t] < weight_symbol[s] or (weight_symbol[t] == weight_symbol[s] and t < s):
                before += 1
        rank[s] = before
    key, check = ZERO, ZERO
    members, codes, names, radix = work.members, game.codes, game.names, game.radix
    for j in range(start, start + n):
        code = codes[members[j]]
        value = 0
        for i in range(game.digits):
            value += radix[i] * rank[code[order[i]]]
        key += names[value, 0]
        check += names[value, 1]
    return key, check
