"""Operations on the *current* candidate set, the one that is being searched.

The cells of a guess are computed for all members at the same time, from *bit planes* of the members. A bit plane has
one bit for each member. There are two kinds of planes: "symbol a is at place p of the member", and "symbol a occurs at
least j times in the member". A guess and a secret give the same answer if they are exchanged. So the kernels add the
planes that belong to the symbols of the guess. The sums give the members with each answer, as a *mask* with one bit for
each member. Members are numbered in the order of `work.members`, 512 to a block:

    members 02 10 12 21, guess 12      2H0B 0010      1H0B 1100      0H2B 0001      bit j is member j

A set is *separable* if one member, as the first guess, separates all the others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.kernels.partition import CodeSlice, scatter
from yomikiri.hitblow.model.rules import MAX_DIGITS
from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.occurring import ROWS, mark
from yomikiri.hitblow.search.kernels.workspace import MASK_WORDS, MOST_MASKED, Workspace, answer_index
from yomikiri.machine.bits import ONE, ZERO, Int, lowest, popcount
from yomikiri.machine.kernel import kernel
from yomikiri.machine.vectors import BITS, LANES, blank, load, nonzero_words, ones, spread, store


@kernel
def write_planes(game: Planes, planes: NDArray[np.uint64], block: Int, codes: CodeSlice) -> None:
    """Write the bit planes of at most 512 codes to a block of `planes`. Bit i belongs to code i.

    The last row of the block is a mask with a 1 for each code, because the block may have more bits than codes.
    """
    base = block * (game.rows + 1) * LANES
    for at in range(base, base + (game.rows + 1) * LANES, LANES):
        store(planes, at, blank())
    for i in range(codes.n):
        word, bit = base + (i >> 6), ONE << np.uint64(i & 63)
        row = game.row[codes.codes[codes.start + i]]
        for place in range(game.digits):
            planes[word + row[place]] |= bit
            planes[word + row[MAX_DIGITS + place]] |= bit
        planes[word + game.rows * LANES] |= bit


@kernel
def mark_members(game: Planes, planes: NDArray[np.uint64], block: Int, guess: Int, out: NDArray[np.uint64]) -> None:
    """Write one row to `out` for each answer: bit i is 1 if member i of a block gives this answer to a guess."""
    base = block * (game.rows + 1) * LANES
    mark(game.digits, planes, base, game.row, CodeSlice(game.number, guess, 1), out)
    store(out, 0, load(out, 0) & load(planes, base + game.rows * LANES))


@kernel
def load_set(game: Planes, work: Workspace, depth: Int, start: Int, n: Int) -> None:
    """Prepare a candidate set for its search at a depth.

    Writes the bit planes of the members of the set, and their random words for hashes. For a set of at most MOST_MASKED
    codes, also writes for each member and answer a mask of the members that give it this answer.
    """
    members, planes, own, cells = work.members, work.set_planes[depth], work.answer_masks[depth], work.cells
    for block in range((n + BITS - 1) // BITS):
        write_planes(game, planes, block, CodeSlice(members, start + block * BITS, min(BITS, n - block * BITS)))
    for i in range(n):
        work.member_keys[start + i, 0] = game.keys[members[start + i], 0]
        work.member_keys[start + i, 1] = game.keys[members[start + i], 1]
    if n <= MOST_MASKED:
        words = (n + 63) >> 6
        for i in range(n):
            mark_members(game, planes, 0, members[start + i], cells)
            answers_met = 0
            for r in range(game.answer_count):
                answers_met += 1 if nonzero_words(load(cells, r * LANES)) else 0
                for t in range(words):
                    own[(i * words + t) * MASK_WORDS + r] = cells[r * LANES + t]
            work.answers_met[depth, i] = answers_met


@kernel
def divide_set(game: Planes, work: Workspace, depth: Int, n: Int, guess: Int) -> Int:
    """Divide the current candidate set by a guess, and return the size of the largest cell.

    Writes each cell to `work.cells`, with one bit for each member, and its size to `work.size[depth]`.
    """
    cells, size = work.cells, work.size[depth]
    most: Int = 0
    for block in range((n + BITS - 1) // BITS):
        out = cells[block * ROWS :]
        mark_members(game, work.set_planes[depth], block, guess, out)
        for r in range(game.answer_count):
            size[r] = ones(load(out, r * LANES)) + (size[r] if block else 0)
            most = max(most, size[r])
    return most


@kernel
def _cell_word(cells: NDArray[np.uint64], r: Int, t: Int) -> np.uint64:
    """Return word t of cell r as a bit mask of members of the current candidate set.

    The word has one bit for each of the members 64 t to 64 t + 63.
    """
    word: np.uint64 = cells[(t >> 3) * ROWS + r * LANES + (t & 7)]
    return word


@kernel
def is_separable_cell(game: Planes, work: Workspace, depth: Int, start: Int, n: Int, r: Int) -> bool:
    """Return True if cell r of the current guess is separable: one of its codes, guessed first, separates all others.

    The cell must have fewer codes than there are answer indices. Some members of the cell are skipped without a test.
    If a member separates the c codes of the cell, the codes of the current candidate set give at least c different
    answers to it. So members with fewer answers are skipped.
    """
    cells, own, answers_met, size = work.cells, work.answer_masks[depth], work.answers_met[depth], work.size[depth, r]
    words = (n + 63) >> 6
    if n > MOST_MASKED:
        return _is_separable_list(game, work, start, words, r)
    mask = cells[r * LANES : (r + 1) * LANES]
    for t in range(words):
        left = mask[t]
        while left != ZERO:
            i = 64 * t + np.int64(lowest(left))
            left &= left - ONE
            if answers_met[i] < size:
                continue
            met: Int = 0
            for k in range(0, game.answer_count, LANES):
                at = i * words * MASK_WORDS + k
                some = load(own, at) & spread(mask[0])
                for u in range(1, words):
                    at += MASK_WORDS
                    some = some | (load(own, at) & spread(mask[u]))
                met += nonzero_words(some)
            if met == size:
                return True
    return False


@kernel
def _is_separable_list(game: Planes, work: Workspace, start: Int, words: Int, r: Int) -> bool:
    """Return True if one member of cell r, guessed first, separates all others.

    `is_separable_cell` calls this kernel if the current candidate set has more than MOST_MASKED codes, because
    `work.answer_masks` then does not contain the answers between its members. This kernel makes a list of the codes of
    the cell, and computes their answers one by one.
    """
    small_cell, found = work.small_cell, 0
    for t in range(words):
        left = _cell_word(work.cells, r, t)
        while left != ZERO:
            small_cell[found] = work.members[start + 64 * t + np.int64(lowest(left))]
            left &= left - ONE
            found += 1
    return is_separable(game, small_cell, 0, found)


@kernel
def is_separable(game: Planes, codes: NDArray[np.int32], start: Int, n: Int) -> bool:
    """Return True if one code of a small candidate set, guessed first, separates all others.

    The set has fewer codes than there are answer indices. The answers are computed one by one.
    """
    for i in range(start, start + n):
        met = ZERO
        for j in range(start, start + n):
            met |= ONE << np.uint64(answer_index(game, codes[i], codes[j]))
        if popcount(met) == np.uint64(n):
            return True
    return False


@kernel
def write_cells(game: Planes, work: Workspace, depth: Int, start: Int, n: Int, top: Int) -> tuple[np.uint64, np.uint64]:
    """Write the cells of a guess to `work.members` from `top` on, and their Zobrist hashes to `work.key[depth]`.

    The Zobrist hash of a candidate set is the sum of the random words of its members. Returns a hash of the whole
    partition, by which `is_new` recognises an equal partition.
    """
    members, names, cells = work.members, work.member_keys, work.cells
    size, where, key = work.size[depth], work.start[depth], work.key[depth]
    words = (n + 63) >> 6
    partition_key, check, at = ZERO, ZERO, top
    for r in range(game.answer_count):
        where[r] = at
        if size[r] == 0:
            continue
        one, other = ZERO, ZERO
        for t in range(words):
            left = _cell_word(cells, r, t)
            while left != ZERO:
                i = start + 64 * t + np.int64(lowest(left))
                left &= left - ONE
                members[at] = members[i]
                one += names[i, 0]
                other += names[i, 1]
                at += 1
        key[0, r], key[1, r] = one, other
        partition_key += scatter(one, r == game.answer_count - 1)
        check += scatter(other, r == game.answer_count - 1)
    return partition_key, check
