"""Payoff of a position of the race to the side to move, by alpha-beta search with a table of bounds of payoffs.

A *position* consists of the candidate sets of both sides and of the kind of the position. Each set is given by its
*canonical form*: everything about the set that can affect the race (see `tables`). The *mover* is the side to move.

The payoff of a guess is a sum over its cells. After each answer other than the hit, there is a next position: the
mover's set is now the cell of this answer, and the opponent is to move. The payoffs of both sides add up to twice the
number of pairs of secrets. So bounds of the opponent's payoffs in the next positions give bounds of the guess.

Payoffs are whole numbers, summed over all pairs of secrets: two for each pair that the mover wins, and one for each
draw. Suppose that the mover hits with guess number s, and the opponent with guess number u, both counted from now. The
kind of the position decides who wins for given s and u. *Rounds are completed* means that both players get the same
number of guesses. In a CLOSING position, the opponent began the round, so their guess u comes one round after the
mover's guess of the same number:

    SUDDEN   the first hit wins: the mover wins if s <= u
    OPENING  rounds are completed and this guess begins one: the mover wins if s < u, and s = u is a draw
    CLOSING  rounds are completed and this guess completes one: the mover wins if s <= u, and s = u + 1 is a draw

The players may look for secrets of different games. Then each game has its own table of candidate sets, and an index
means different sets in the two tables. So a position must also say which player is to move. The kind is then FIRST or
SECOND instead of SUDDEN: the first or the second player is to move. For rounds that are completed, the kind already
says it: the first player moves in OPENING positions, and the second player in CLOSING positions.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.race.kernels.tables import (
    GUESSES,
    OUT_OF_OPTIONS,
    OUT_OF_WORKSPACE,
    PACES,
    PASS_PAYS,
    TOO_DEEP,
    RaceTables,
)
from yomikiri.machine.bits import ONE, Int, mix
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import SHARED, enter_node, must_stop, stop

SUDDEN, OPENING, CLOSING, FIRST, SECOND = range(5)


@kernel
def next_kind(kind: Int) -> Int:
    """Return the kind of the next position, after a guess that does not hit. The other side is to move there.

    - SUDDEN, FIRST, SECOND: the first hit wins. FIRST and SECOND also say who is to move.
    - OPENING, CLOSING: both players get the same number of guesses. The next guess begins (OPENING) or completes
      (CLOSING) a round.
    """
    if kind == SUDDEN:
        return kind
    return OPENING + CLOSING - kind if kind <= CLOSING else FIRST + SECOND - kind


@kernel
def hit_payoff(kind: Int, others: Int) -> Int:
    """Return the payoff of a hit to the side to move: 2 per win and 1 per draw, summed over the opponent's candidates.

    A *hit* is a guess that is the secret. `others` is the number of candidates that the opponent has for the secret
    that they look for. If the hit begins a round (kind OPENING), the opponent may complete this round with one more
    guess. That guess is right for one of these candidates, so one case is a draw. All other cases are wins.
    """
    return 2 * others - (1 if kind == OPENING else 0)


@kernel
def separable_payoff(their: RaceTables, kind: Int, n: Int, other: Int) -> Int:
    """Return the payoff of a position to the side to move, if the candidate set of this side is separable.

    A set is *separable* if one of its codes, guessed first, separates all others. The *payoff* is 2 per win and 1 per
    draw, summed over all pairs of secrets. `n` is the number of codes in the set of the side to move. `other` is the
    candidate set of the opponent, given by the index of its canonical form (everything about the set that can affect
    the race). `kind` is the kind of the position:

    - SUDDEN, FIRST, SECOND: the first hit wins.
    - OPENING, CLOSING: both players get the same number of guesses. This guess begins (OPENING) or completes (CLOSING)
      a round.
    """
    others = np.int64(their.size[other])
    if kind == OPENING:
        missed = 2 * others - np.int64(their.alone[other])
    elif kind == CLOSING:
        missed = 2 * others - 1
    else:
        missed = 2 * others - 2
    return hit_payoff(kind, others) + (n - 1) * missed


@kernel
def bounds(own: RaceTables, their: RaceTables, kind: Int, mine: Int, other: Int) -> tuple[Int, Int]:
    """Return bounds (least, most) of the payoff of a position to the mover (the side to move), without search.

    `mine` is the candidate set of the mover, and `other` that of the opponent, as indices of canonical forms
    (everything about a set that can affect the race). If the mover's set is separable, both bounds are the exact
    payoff. Otherwise the payoff of a separable set of the same size is one upper bound. Further bounds follow from
    *fixed strategies*, which ignore the other side. Each maximises a score of its own (see `RaceTables.worth`).

    - Lower bound: the mover follows a fixed strategy. For each k, the opponent is assumed to find as many codes
      within k guesses as any strategy can find.
    - Upper bound: the opponent follows a fixed strategy. For each k, the mover is assumed to find as many codes
      within k guesses as any strategy can find.

    The result is the best of these bounds over all fixed strategies.

    Suppose that the mover hits with guess number s, and the opponent with guess number u, both counted from now. The
    mover gets one point if s <= u + `first`, and another point if s <= u + `second`. A win then has two points, and a
    draw one. The variables `first` and `second` are -1 and 0 for OPENING, 0 and 1 for CLOSING, and both 0 for the other
    kinds.
    """
    n, others = np.int64(own.size[mine]), np.int64(their.size[other])
    most = separable_payoff(their, kind, n, other)
    if mine <= own.max_separable:
        return most, most

    first = -1 if kind == OPENING else 0
    second = 1 if kind == CLOSING else 0
    least = np.int64(0)
    mine_within, other_within = own.within[mine], their.within[other]
    for p in range(PACES):
        low, high = np.int64(0), np.int64(0)
        mine_at, other_at = own.pace[mine, p], their.pace[other, p]
        for k in range(1, GUESSES):
            before = np.int64(other_within[max(k - 1 - first, 0)]) + np.int64(other_within[max(k - 1 - second, 0)])
            low += mine_at[k] * (2 * others - before)
            reached = np.int64(mine_within[k + first]) + np.int64(mine_within[min(k + second, GUESSES - 1)])
            high += other_at[k] * reached
        least = max(least, low)
        most = min(most, high)
    return least, most


DEPTH_LIMIT = 96  # limit on the depth of the alpha-beta search, as the number of guesses of both sides together

# PAIRS, WANTED and KIND are the indices of three numbers in the array `state` of the table of positions. `state[PAIRS]`
# is the number of positions in the table. The other two are messages to the caller. At some large candidate sets, only
# one guess has been evaluated so far. The search stops if the side to move has such a set, because it needs all guesses
# there. `state[WANTED]` is then the index of the canonical form of this set, and `state[KIND]` the kind of the
# position. The caller evaluates the other guesses and searches again.
PAIRS, WANTED, KIND = range(3)
LEAST, MOST = 0, 1  # indices of the lower and of the upper bound in arrays that contain the two bounds of a payoff
# Values of the argument `may_pass` of `solve_pair`. A *pass* is a guess without information. The tables do not contain
# passes. WITH_PASS: the upper bound of the payoff must also hold if the side to move passes. So the search proves that
# a pass is not better than the best guess. WITHOUT_PASS: the search improves only the lower bound, which needs no such
# proof.
WITH_PASS, WITHOUT_PASS = 1, 0


class PairTable(NamedTuple):
    """Table with bounds of the payoffs of positions, and workspace for the guesses on the path of a search.

    P is the number of entries of the table, a power of two. At most three quarters of the entries are in use. The
    workspace has space for o guesses at each position on the path.
    """

    state: Annotated[NDArray[np.int64], 3]
    # stop flag, limits and counters of the search, which other threads read and write too (module `shared_words`)
    shared: Annotated[NDArray[np.uint64], 1, SHARED]
    # keys of the positions in the table, a hash table with open addressing; 0 marks an empty entry
    key: Annotated[NDArray[np.uint64], "P"]
    # for each position in the table: the lower bound of its payoff (index LEAST) and the upper bound (index MOST)
    payoff: Annotated[NDArray[np.int64], "P", 2]
    # lower bound (index LEAST) and upper bound (MOST) of the payoff of each guess, for each depth of the search
    option: Annotated[NDArray[np.int64], DEPTH_LIMIT, "o", 2]


@entry
def move_pairs(old: PairTable, new: PairTable, begin: Int, end: Int) -> None:
    """Copy stored positions to a larger table: entries `begin` to `end` - 1 of `old` go to `new`."""
    mask = np.uint64(len(new.key) - 1)
    for i in range(begin, end):
        if old.key[i]:
            at = mix(old.key[i]) & mask
            while new.key[at]:
                at = (at + ONE) & mask
            new.key[at] = old.key[i]
            new.payoff[at, LEAST], new.payoff[at, MOST] = old.payoff[i, LEAST], old.payoff[i, MOST]


@kernel
def pair_key(kind: Int, mine: Int, other: Int) -> np.uint64:
    """Pack a position into one word, its key in the table. The word is never 0, because 0 marks an empty entry.

    `kind` is the kind of the position. `mine` and `other` are the candidate sets of the side to move and of the
    opponent. Each is given by the index of its canonical form (everything about the set that can affect the race),
    which is at least 1.
    """
    return (np.uint64(kind) << np.uint64(60)) | (np.uint64(mine) << np.uint64(30)) | np.uint64(other)


@kernel
def place_of(pairs: PairTable, key: np.uint64) -> Int:
    """Return the index in the table of positions at which the position with this key is stored or can be stored."""
    mask = np.uint64(len(pairs.key) - 1)
    i = mix(key) & mask
    while pairs.key[i] != key and pairs.key[i]:
        i = (i + ONE) & mask
    return np.int64(i)


class Window(NamedTuple):
    """A search window alpha < beta.

    The search finds out whether a payoff is at least beta or at most alpha. If it is between them, the search finds it
    exactly.
    """

    alpha: Int
    beta: Int


@entry
def known_bounds(
    own: RaceTables, their: RaceTables, pairs: PairTable, kind: Int, mine: Int, other: Int
) -> tuple[Int, Int]:
    """Return the best known bounds (least, most) of the payoff of a position to the side to move, without a search.

    The bounds come from the table of positions. If the position is not in the table, `bounds` computes them.
    """
    at = place_of(pairs, pair_key(kind, mine, other))
    if pairs.key[at]:
        return pairs.payoff[at, LEAST], pairs.payoff[at, MOST]
    return bounds(own, their, kind, mine, other)


@kernel
def store_bounds(pairs: PairTable, kind: Int, mine: Int, other: Int, least: Int, most: Int) -> bool:
    """Store the bounds (least, most) of the payoff of a position in the table, and return True.

    If the table is full, stop the search and return False.
    """
    key = pair_key(kind, mine, other)
    at = place_of(pairs, key)
    if not pairs.key[at]:
        if 4 * pairs.state[PAIRS] > 3 * len(pairs.key):
            stop(pairs.shared, OUT_OF_WORKSPACE)
            return False
        pairs.state[PAIRS] += 1
        pairs.key[at] = key
    pairs.payoff[at, LEAST], pairs.payoff[at, MOST] = least, most
    return True


@entry
def bound_option(
    own: RaceTables,
    their: RaceTables,
    pairs: PairTable,
    kind: Int,
    hit: Int,
    cells: Annotated[NDArray[np.int32], "cells"],
    other: Int,
) -> tuple[Int, Int]:
    """Return bounds (least, most) of the payoff of a guess, computed from the bounds of the payoffs of its cells.

    The guess is given by its effect: `hit` is 1 if it can be the secret, otherwise 0. `cells` contains, for each cell
    except the cell of the hit, the index of its canonical form (everything about a candidate set that can affect the
    race). `other` is the index of the canonical form of the opponent's candidate set. In the position after each
    answer, the opponent is to move. So an upper bound of the opponent's payoff there gives a lower bound of the guess's
    payoff, and a lower bound gives an upper bound.
    """
    others = np.int64(their.size[other])
    low = high = np.int64(hit) * hit_payoff(kind, others)
    for j in range(len(cells)):
        cell = np.int64(cells[j])
        least, most = known_bounds(their, own, pairs, next_kind(kind), other, cell)
        whole = 2 * others * np.int64(own.size[cell])
        low += whole - most
        high += whole - least
    return low, high


class PairPosition(NamedTuple):
    """A position of the search: the candidate sets of both sides, and the kind of the position.

    `mine` is the candidate set of the side to move and `other` that of the opponent. Both are indices of canonical
    forms (everything about a set that can affect the race). `kind` is one of these constants:

    - SUDDEN, FIRST, SECOND: the first hit wins. FIRST and SECOND also say who is to move.
    - OPENING, CLOSING: both players get the same number of guesses. The next guess begins (OPENING) or completes
      (CLOSING) a round.
    """

    kind: Int
    mine: Int
    other: Int


@kernel
def begin_pair(own: RaceTables, pairs: PairTable, depth: Int, position: PairPosition) -> bool:
    """Begin the search of a position: count it as visited. Returns False if the search has to stop instead.

    There are three reasons to stop:

    - At the candidate set of the side to move, only one guess has been evaluated so far, but the search needs all
      guesses. The set and the kind are written to `pairs.state`, so that the caller can evaluate the other guesses.
    - The search path is too deep.
    - The budget is exhausted.
    """
    if not own.listed[position.mine]:
        pairs.state[WANTED], pairs.state[KIND] = position.mine, position.kind
        stop(pairs.shared, OUT_OF_OPTIONS)
        return False
    if depth == len(pairs.option):
        stop(pairs.shared, TOO_DEEP)
        return False
    return enter_node(pairs.shared)


@kernel
def bound_options(own: RaceTables, their: RaceTables, pairs: PairTable, depth: Int, position: PairPosition) -> Int:
    """Write the bounds of the payoffs of all guesses of the side to move to `pairs.option[depth]`.

    Returns the greatest of the lower bounds. `depth` is the number of guesses on the search path before this position.
    """
    best = np.int64(0)
    option, first = pairs.option[depth], np.int64(own.first[position.mine, 0])
    for i in range(first, own.first[position.mine, 1]):
        cells = own.cell[own.begin[i] : own.begin[i + 1]]
        low, high = bound_option(own, their, pairs, position.kind, np.int64(own.hit[i]), cells, position.other)
        option[i - first, LEAST], option[i - first, MOST] = low, high
        best = max(best, low)
    return best


@kernel
def most_promising(pairs: PairTable, depth: Int, options: Int) -> Int:
    """Return the index of the guess whose payoff has the greatest upper bound. If there are several, returns the first.

    The function compares the first `options` guesses of the position, whose bounds are in `pairs.option[depth]`. Index
    0 is the first guess at the candidate set of the side to move.
    """
    option = pairs.option[depth]
    chosen: Int = 0
    for i in range(1, options):
        if option[i, MOST] > option[chosen, MOST]:
            chosen = i
    return chosen


@kernel
def repeats(cells: NDArray[np.int32], j: Int) -> Int:
    """Count the consecutive cells of a guess, from index `j` on, that have the same canonical form as the cell at `j`.

    Such cells are interchangeable in the race.
    """
    times = np.int64(1)
    while j + times < len(cells) and cells[j + times] == cells[j]:
        times += 1
    return times


@entry
def solve_pair(
    own: RaceTables,
    their: RaceTables,
    pairs: PairTable,
    depth: Int,
    position: PairPosition,
    window: Window,
    may_pass: Int,
) -> bool:
    """Search a position until its payoff is proven to be at least beta, at most alpha, or exact.

    `window` contains alpha and beta.

    A *pass* is a guess without information: it leaves the candidates of the side to move in one cell. The table of
    guesses contains no passes. A lower bound of the payoff is valid whether or not the side to move may pass, because a
    further choice cannot lower its best payoff. An upper bound is valid only if a pass is not better than the guesses
    in the table. `may_pass` is one of these constants:

    - WITH_PASS: the search proves that a pass is not better, and stores an upper bound. For the proof, it searches the
      position after the pass with WITHOUT_PASS, so it ignores a pass as the reply to a pass. docs/theory/race-public.md
      explains why this is enough.
    - WITHOUT_PASS: the search improves only the lower bound.

    Returns False if the search was stopped. Then the bounds of unfinished positions are unchanged. All stored bounds
    remain valid, because bounds are stored only after every guess that could matter was searched.
    """
    kind, mine, other = position.kind, position.mine, position.other
    alpha, beta, after = window.alpha, window.beta, next_kind(kind)
    best, known_most = known_bounds(own, their, pairs, kind, mine, other)
    if best >= min(beta, known_most) or known_most <= alpha:
        return True
    if not begin_pair(own, pairs, depth, position):
        return False
    first, end = np.int64(own.first[mine, 0]), np.int64(own.first[mine, 1])
    best = max(best, bound_options(own, their, pairs, depth, position))
    option, most = pairs.option[depth], np.int64(0)
    while best < beta:
        if must_stop(pairs.shared):
            return False
        chosen, need = most_promising(pairs, depth, end - first), max(best, alpha)
        most = option[chosen, MOST]
        if most <= need:
            break
        # Compute the guess's bounds again, because a search may have tightened the bounds of its cells.
        cells = own.cell[own.begin[first + chosen] : own.begin[first + chosen + 1]]
        low, high = bound_option(own, their, pairs, kind, np.int64(own.hit[first + chosen]), cells, other)
        j = np.int64(0)
        while j < len(cells) and high > need and low < beta:
            cell, times = np.int64(cells[j]), repeats(cells, j)
            j += times
            least_before, most_before = known_bounds(their, own, pairs, after, other, cell)
            if least_before < most_before:
                # Search these `times` cells only until the guess is proven to pay at least beta, or at most `need`.
                enough, spare = -(-(beta - low) // times), -(-(high - need) // times)
                below = Window(most_before - enough, least_before + spare)
                if not solve_pair(their, own, pairs, depth + 1, PairPosition(after, other, cell), below, WITH_PASS):
                    return False
                least_after, most_after = known_bounds(their, own, pairs, after, other, cell)
                high -= times * (least_after - least_before)
                low += times * (most_before - most_after)
        option[chosen, LEAST], option[chosen, MOST] = low, high
        best = max(best, low)
    if best >= beta or not may_pass:
        return store_bounds(pairs, kind, mine, other, best, known_most)
    most = max(most, best)
    # Prove that a pass pays at most `most`. The payoffs of both sides have a constant sum, so it is enough to prove
    # that the opponent's payoff after the pass is at least `rest`.
    rest = 2 * np.int64(own.size[mine]) * np.int64(their.size[other]) - most
    if known_bounds(their, own, pairs, after, other, mine)[0] < rest:
        passed = PairPosition(after, other, mine)
        if not solve_pair(their, own, pairs, depth + 1, passed, Window(rest - 1, rest), WITHOUT_PASS):
            return False
        if known_bounds(their, own, pairs, after, other, mine)[0] < rest:
            stop(pairs.shared, PASS_PAYS)
            return False
    return store_bounds(pairs, kind, mine, other, best, min(known_most, most))
