"""The name of a set: the same however places and symbols are renamed, since that changes nothing of what the set lets
its holder do. Sets that are images of each other share one entry in the tables.

Places and symbols are put in an order by *invariants*, numbers that no renaming changes: how often each symbol stands
at each place, and then the same sums again with every code weighed by the numbers of its own symbols. The set renamed
into that order is named by the sum of its codes' random words, twice 64 bits.

Where two places or symbols have the same invariants the order between them is as they came. That is always sound: the
named set is an image of the given one. The worst is that two images of a set get two entries.
"""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.race.kernels.tables import RaceGame, RaceWorkspace
from yomikiri.machine.bits import ZERO, Int, mix
from yomikiri.machine.kernel import kernel

_PLACE = np.uint64(0xD6E8FEB86659FD93)
_SYMBOL = np.uint64(0xA0761D6478BD642F)


@kernel
def count_symbols(game: RaceGame, room: RaceWorkspace, start: Int, n: Int) -> None:
    """Count to `room.counted` how often each symbol stands at each place of the set `members[start : start + n]`."""
    count = room.counted
    for i in range(game.digits):
        for s in range(game.symbols):
            count[i, s] = 0
    for j in range(start, start + n):
        code = game.codes[room.members[j]]
        for i in range(game.digits):
            count[i, code[i]] += 1


@kernel
def weigh(game: RaceGame, room: RaceWorkspace, start: Int, n: Int) -> None:
    """Work out the invariants of places and symbols of a set whose symbols are counted."""
    place, symbol, again_place, again_symbol = room.weights[0], room.weights[1], room.weights[2], room.weights[3]
    count, members, codes = room.counted, room.members, game.codes
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
def name_of(game: RaceGame, room: RaceWorkspace, start: Int, n: Int) -> tuple[np.uint64, np.uint64]:
    """The name of a set; `room.counted` is overwritten."""
    count_symbols(game, room, start, n)
    weigh(game, room, start, n)
    weight_place, weight_symbol = room.weights[2], room.weights[3]
    order, rank = room.order, room.rank
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
    members, codes, names, radix = room.members, game.codes, game.names, game.radix
    for j in range(start, start + n):
        code = codes[members[j]]
        value = 0
        for i in range(game.digits):
            value += radix[i] * rank[code[order[i]]]
        key += names[value, 0]
        check += names[value, 1]
    return key, check
