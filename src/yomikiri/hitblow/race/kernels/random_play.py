"""Finish distribution of a player who draws each guess at random from the candidates.

The *finish distribution* contains, for k = 1, 2, ..., the probability that the player finds the secret with guess k.
The kernels traverse the tree of all games of this player depth first, and compute the probability of each game.

A symbol is *fresh* if it can be exchanged with the other fresh symbols without changing any probability. A fresh symbol
occurs in no guess made so far and in no fact from before these games, and is not known to be absent. If the caller
computes the distribution for one given secret, that secret does not contain the symbol either. Guesses that differ only
by a permutation of fresh symbols are *equivalent*, so the traversal enters only one of them.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.machine.bits import ONE, ZERO, Int, popcount
from yomikiri.machine.kernel import entry, kernel


class ChancePlay(NamedTuple):
    """The candidates of a player who guesses at random, and the workspace of the traversal of all games."""

    candidates: int
    # symbol of each candidate (row) at each place (column)
    symbols: Annotated[NDArray[np.uint8], "candidates", "digits"]
    # index of the answer that a guess (row) gets if a candidate (column) is the secret; guesses are candidates, too
    answers: Annotated[NDArray[np.uint8], "candidates", "candidates"]
    # relative probability with which the player draws each candidate as a guess
    guessed: Annotated[NDArray[np.float64], "candidates"]
    secret: Annotated[NDArray[np.float64], "candidates"]  # probability that each candidate is the secret; the sum is 1
    # Stack of the candidate sets on the current path of the traversal, each as a list of indices of candidates.
    # For each guess, its cells are written to the stack, and the traversal continues with one cell after another.
    members: Annotated[NDArray[np.int32], "members"]
    # end of each cell of the guess that is being tried, for each depth, as an index in the stack of candidates
    cell_end: Annotated[NDArray[np.int32], "depths", "answer_count"]
    # result of the traversal: probability that the player finds the secret with guess 1, 2, 3, ...
    found: Annotated[NDArray[np.float64], "depths"]
    # how many more answers the traversal may compute; negative if this limit stopped it, and `found` is incomplete
    work_left: Annotated[NDArray[np.int64], 1]


@entry
def walk_all(play: ChancePlay, fresh: np.uint64) -> None:
    """Compute `play.found`, the probabilities that random play finds the secret with each guess.

    Requires that `play.members` contains all candidates. `fresh` is a bit mask of the fresh symbols: those that can be
    exchanged with each other without changing any probability.
    """
    walk(play, 0, play.candidates, play.candidates, 0, 1.0, fresh)


@kernel
def walk(play: ChancePlay, begin: Int, end: Int, top: Int, depth: Int, chance: float, fresh: np.uint64) -> None:
    """Traverse all continuations of a game in which the candidates `members[begin:end]` are left.

    `depth` is the number of guesses of the game so far. `chance` is the probability that the player draws these
    guesses, or equivalent ones (the same guesses after a permutation of fresh symbols), given that the secret is one of
    the candidates left. The stack `members` is free from index `top` on. `fresh` is a bit mask of the symbols that can
    still be exchanged with each other without changing any probability. The traversal enters each cell that may contain
    the secret, and adds to `play.found` the probabilities of finding the secret.
    """
    members, ends, drawn = play.members, play.cell_end[depth], find(play, begin, end, depth, chance)
    for i in range(begin, end):
        guess = members[i]
        equivalent = orbit_size(play.symbols[guess], fresh)
        if equivalent == 0 or end - begin == 1:
            continue
        play.work_left[0] -= end - begin
        if play.work_left[0] < 0:
            return
        split(play, begin, end, top, depth, guess)
        each = chance * equivalent * play.guessed[guess] / drawn
        later, first = without(fresh, play.symbols[guess]), np.int64(top)
        for answer in range(len(ends)):
            last = np.int64(ends[answer])
            if last - first == 1 and members[first] != guess:
                play.found[depth + 1] += each * play.secret[members[first]]
            elif last - first == 2:
                find_pair(play, members[first], members[first + 1], depth + 1, each)
            elif last - first > 2 and may_contain_secret(play, first, last):
                walk(play, first, last, top + end - begin, depth + 1, each, later)
            first = last


@kernel
def find(play: ChancePlay, begin: Int, end: Int, depth: Int, chance: float) -> float:
    """Add to `play.found` the probability that the next guess, drawn at random from a set of candidates, is the secret.

    The set is `members[begin:end]`. `depth` is the number of guesses of the game so far, so the probability is added to
    `found[depth]`. `chance` is the probability that the player draws these guesses, or equivalent ones (the same
    guesses after a permutation of fresh symbols), given that the secret is one of the candidates left. It is a factor
    of the added probability.

    The probability of drawing a candidate is its weight (`play.guessed`) divided by the sum of the weights in the set.
    Returns this sum, because the caller needs it for the probabilities of the guesses.
    """
    drawn = found = 0.0
    for i in range(begin, end):
        member = play.members[i]
        drawn += play.guessed[member]
        found += play.guessed[member] * play.secret[member]
    play.found[depth] += chance * found / drawn
    return drawn


@kernel
def find_pair(play: ChancePlay, one: Int, other: Int, depth: Int, chance: float) -> None:
    """Add to `play.found` the probabilities of finding the secret in games in which exactly two candidates are left.

    The player guesses one of the candidates `one` and `other` at random, and after a miss the remaining one. `depth` is
    the number of guesses that have left these two. `chance` is the probability that the player makes those guesses, or
    equivalent ones, given that the secret is one of the two candidates. Two sequences of guesses are equivalent if an
    exchange of *fresh* symbols, which changes no probability, maps one to the other.
    """
    drawn = play.guessed[one] + play.guessed[other]
    for guess, later in ((one, other), (other, one)):
        share = chance * play.guessed[guess] / drawn
        play.found[depth] += share * play.secret[guess]
        play.found[depth + 1] += share * play.secret[later]


@kernel
def may_contain_secret(play: ChancePlay, begin: Int, end: Int) -> bool:
    """Return True if a cell can contain the secret: some candidate in it is the secret with a positive probability."""
    found = False
    for i in range(begin, end):
        found |= play.secret[play.members[i]] > 0.0
    return found


@kernel
def split(play: ChancePlay, begin: Int, end: Int, top: Int, depth: Int, guess: Int) -> None:
    """Copy a set of candidates to the free part of the stack, sorted by their answers to a guess.

    The set is `members[begin:end]`, and the stack `members` is free from index `top` on. Also writes the index at which
    each cell of the guess ends.
    """
    members, answers, ends = play.members, play.answers[guess], play.cell_end[depth]
    for answer in range(len(ends)):
        ends[answer] = 0
    for i in range(begin, end):
        ends[answers[members[i]]] += 1
    start = np.int64(top)
    for answer in range(len(ends)):
        size = np.int64(ends[answer])
        ends[answer] = start
        start += size
    for i in range(begin, end):
        answer = answers[members[i]]
        members[ends[answer]] = members[i]
        ends[answer] += 1


@kernel
def orbit_size(symbols: NDArray[np.uint8], fresh: np.uint64) -> Int:
    """Return the number of guesses that are equivalent to a code by symmetry, or 0 if another code represents them.

    `fresh` is a bit mask of the fresh symbols: those that can be exchanged with each other without changing any
    probability. Guesses are equivalent if they differ only by a permutation of the fresh symbols. One guess represents
    all of them: the one in which the fresh symbols appear in increasing order, beginning with the lowest fresh symbol
    and without gaps.
    """
    unseen, size, left = fresh, np.int64(1), np.int64(popcount(fresh))
    for place in range(len(symbols)):
        symbol = ONE << np.uint64(symbols[place])
        if symbol & unseen != ZERO:
            if unseen & (symbol - ONE) != ZERO:
                return np.int64(0)
            unseen ^= symbol
            size *= left
            left -= 1
    return size


@kernel
def without(fresh: np.uint64, symbols: NDArray[np.uint8]) -> np.uint64:
    """Return the symbols in the bit mask `fresh` that do not occur in a code, as a bit mask.

    If the code is the next guess, these are the symbols that can still be exchanged with each other after this guess.
    """
    for place in range(len(symbols)):
        fresh &= ~(ONE << np.uint64(symbols[place]))
    return fresh
