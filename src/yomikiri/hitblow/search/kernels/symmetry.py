"""Symmetries of the current candidate set: permutations of places and symbols that map the set to itself.

A guess can be skipped if such a symmetry maps it to a lower guess, because both divide the set equivalently. Two kinds
of symmetry are used:

- Exchanges of symbols. Symbols that no turn has used are interchangeable with each other. Used symbols that no
  candidate contains are also interchangeable with each other. Of equivalent guesses, the search tries the one in which
  the symbols of each of these two groups first occur in increasing order.
- *Elements* of the symmetry group: a permutation of places, with a map of symbols that maps each turn so far to itself.
  Each turn then keeps its answer.

Equivalent candidate sets share one entry of the transposition table if they have the same hash. After two or three
turns, a large set therefore gets a hash of these turns that does not change with the order of the places, symbols and
turns. For this hash, an *arrangement* is an order of the turns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.workspace import HASHED_TURNS, Workspace
from yomikiri.machine.bits import ONE, ZERO, Int, mix
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.vectors import LANES, blank, load, store

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@kernel
def is_least_image(game: Planes, work: Workspace, depth: Int, guess: Int, used: Int, gone: Int) -> bool:
    """Return True if no symmetry of the current candidate set maps the guess to a lower guess.

    The kernel computes the image of the guess under each element of the symmetry group. The symbols without a bit in
    `used` are interchangeable with each other, and so are the symbols with a bit in `gone`. So each of these two groups
    is renamed in the image: its symbol that occurs first becomes the lowest symbol of the group, the next new one
    becomes the second lowest, and so on. This gives the lowest of all images that differ only by an exchange of
    interchangeable symbols.

    - `used` has a bit for each symbol of the turns so far, and for each that was distinguishable before the first turn.
    - `gone` has a bit for each of these symbols that no candidate contains, except those that the rules forbid at the
      first place.
    """
    code = game.codes[guess]
    image = work.image
    for e in range(work.group_size[depth]):
        order = work.group_order[depth, e]
        for i in range(game.symbols):
            image[i] = -1
        next_unused, next_gone = 0, 0
        for i in range(game.digits):
            s = np.int64(code[game.orders[order, i]])
            t = np.int64(work.group_map[depth, e, s])
            if not used >> s & 1:
                if image[s] < 0:
                    while used >> next_unused & 1:
                        next_unused += 1
                    image[s] = next_unused
                    next_unused += 1
                t = np.int64(image[s])
            elif gone >> s & 1:
                if image[s] < 0:
                    while not gone >> next_gone & 1:
                        next_gone += 1
                    image[s] = next_gone
                    next_gone += 1
                t = np.int64(image[s])
            if t != code[i]:
                if t < code[i]:
                    return False
                break
    return True


@entry
def refine_group(game: Planes, work: Workspace, depth: Int, guess: Int, used: Int) -> None:
    """Compute the symmetry group after a turn with `guess`, and write it to depth + 1.

    It consists of those elements of the group at `depth` that map the guess to itself. An element is a permutation of
    places with a map of symbols to symbols. The map contains only the symbols in `used`, a bit mask: those of the turns
    before, and those that differ from the others already before the first turn. This kernel adds the images of the
    other symbols of the guess.
    """
    kept = 0
    code = game.codes[guess]
    target = work.group_map[depth + 1]
    for e in range(work.group_size[depth]):
        order = work.group_order[depth, e]
        map_ = target[kept]
        for symbol in range(16):
            map_[symbol] = work.group_map[depth, e, symbol]
        source: Int = used
        image: Int = used
        fits: Int = True
        for i in range(game.digits):
            s = np.int64(code[game.orders[order, i]])
            t = np.int64(code[i])
            if source >> s & 1:
                fits = map_[s] == t
            else:
                fits = not image >> t & 1
                map_[s] = t
                source |= 1 << s
                image |= 1 << t
            if not fits:
                break
        if fits:
            work.group_order[depth + 1, kept] = order
            kept += 1
    work.group_size[depth + 1] = kept


@kernel
def symbol_class_row(game: Planes, work: Workspace, symbols: Int) -> Int:
    """Return the row of `work.class_mask` for a set of interchangeable symbols, given as a bit mask.

    The row contains the guesses in which these symbols first occur in increasing order, from the lowest on. That is, a
    symbol of the set occurs in the guess only after all lower symbols of the set. For the set of all symbols, the row
    contains 0012 and 0102, but not 0021. The row is computed if it is missing.
    """
    place = symbols % len(work.class_of)
    if work.class_of[place] == symbols:
        return place
    work.class_of[place] = symbols
    mask = work.class_mask[place]
    for block in range(game.blocks):
        base = block * game.rows * LANES
        kept = load(game.every, block * LANES)
        before = -1
        for s in range(game.symbols):
            if symbols >> s & 1:
                if before >= 0:
                    earlier = blank()
                    for i in range(game.digits):
                        row = base + i * game.symbols * LANES
                        kept = kept & (~load(game.planes, row + s * LANES) | earlier)
                        earlier = earlier | load(game.planes, row + before * LANES)
                before = s
        store(mask, block * LANES, kept)
    return place


@kernel
def turn_at(arrangement: Int, turns: Int, k: Int) -> Int:
    """Return the turn at place k of an arrangement, which is an order of at most three turns."""
    first = arrangement % turns
    second = (first + 1 + arrangement // turns) % turns
    return first if k == 0 else second if k == 1 else turns - first - second


@kernel
def arranged_answers(work: Workspace, arrangement: Int, turns: Int) -> np.uint64:
    """Pack the answers of some turns, in a given order of the turns, into one number."""
    hints = ZERO
    for k in range(turns):
        hints = (hints << np.uint64(5)) | np.uint64(work.turn_answer[turn_at(arrangement, turns, k)] + 1)
    return hints


@kernel
def _add_equal(
    game: Planes, work: Workspace, one: Int, other: Int, absent: Int, numbers: NDArray[np.uint64], factor: np.uint64
) -> None:
    """Add to each `numbers[o]` a number that describes the equal symbols of two turns, for the hash of the turns.

    `one` and `other` are indices of turns, from 0. Two places form a pair if the guess of turn `one` has the same
    symbol at the first place as the guess of turn `other` at the second place. If both turns are the same, a place
    forms a pair with itself if its symbol is in the bit mask `absent`.

    Entry o of `numbers` belongs to permutation o of the places. This permutation maps each pair of places to another
    pair, its image. The set of all images determines the number, which is multiplied by `factor` and added to the
    entry.
    """
    first, second = game.codes[work.turn_guess[one]], game.codes[work.turn_guess[other]]
    sums = work.order_part
    for o in range(len(sums)):
        sums[o] = ZERO
    for i in range(game.digits):
        for j in range(game.digits):
            same = first[i] == second[j] if one != other or i != j else absent >> np.int64(first[i]) & 1 != 0
            if same:
                row = game.pair_moved[i * game.digits + j]
                for o in range(len(sums)):
                    sums[o] += row[o]
    for o in range(len(sums)):
        numbers[o] += sums[o] * factor


@entry
def hash_turns(game: Planes, work: Workspace, turns: Int, absent: Int) -> tuple[np.uint64, np.uint64]:
    """Return a hash of the candidate set after some turns.

    The hash does not depend on the order of places, symbols and turns. `turns` is the number of turns. The hash depends
    on the answers, on the places at which the guesses have equal symbols, and on the places with symbols in the bit
    mask `absent`. No candidate at the start contains the `absent` symbols.

    The hash is computed in three steps:

    - For each order of the turns, `arranged_answers` packs the answers into one word. Only the orders with the least
      word are used in the next step.
    - For each of these orders and each permutation of places, `_add_equal` computes a word from the equal symbols.
    - These words are mixed and added up, and the sum is combined with the least word of the first step. This is done
      twice, each time with a different mixing, because the hash has two words.
    """
    arrangements = 1 if turns == 1 else 2 if turns == 2 else 6
    hints = ~ZERO
    for arrangement in range(arrangements):
        hints = min(hints, arranged_answers(work, arrangement, turns))
    key, check, numbers = ZERO, ZERO, work.order_hash
    for arrangement in range(arrangements):
        if arranged_answers(work, arrangement, turns) != hints:
            continue
        for o in range(len(numbers)):
            numbers[o] = ZERO
        factor = mix(hints)
        for one in range(turns):
            for other in range(one, turns):
                factor = mix(factor + _GOLDEN) | ONE
                if one != other or game.repeated or absent:
                    _add_equal(
                        game,
                        work,
                        turn_at(arrangement, turns, one),
                        turn_at(arrangement, turns, other),
                        absent,
                        numbers,
                        factor,
                    )
        for o in range(len(numbers)):
            key += mix(numbers[o])
            check += mix(numbers[o] ^ _GOLDEN)
    return mix(key + hints), mix(check ^ hints)


@kernel
def is_hashed_by_turns(digits: Int, turns: Int) -> bool:
    """Return True if large candidate sets after this number of turns are hashed by their turns.

    This is the case for two and three turns, but for six digits only for two. More turns have too many permutations.
    After a single turn, such a hash would be of little use. Of equivalent first guesses, the search tries only one, so
    it meets no equivalent sets to share an entry of the transposition table.
    """
    return bool(2 <= turns <= (2 if digits == 6 else HASHED_TURNS))


@kernel
def hash_cell(game: Planes, work: Workspace, depth: Int, guess: Int, answer: Int, turns: Int, absent: Int) -> None:
    """Replace the Zobrist hash of a large cell of `guess` by the hash of its turns, if there are two or three turns.

    Equivalent cells then have the same hash, and share one entry of the transposition table.
    """
    if is_hashed_by_turns(game.digits, turns + 1) and work.size[depth, answer] >= game.answer_count:
        work.turn_guess[turns] = guess
        work.turn_answer[turns] = answer
        key, check = hash_turns(game, work, turns + 1, absent)
        work.key[depth, 0, answer], work.key[depth, 1, answer] = key, check
