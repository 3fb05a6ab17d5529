"""The recursion of a duel: two players take turns to guess the same secret, both see all answers, the finder wins.

The result of a set of candidates is a pair of numbers: the weight of the secrets that the side to move finds, and the
weight of those that the other side finds. If the opponent chooses guesses at random, these are expected weights. In a
duel that ends after some guesses, a secret that nobody finds is in neither number. A side that plays well makes the
guess with the greatest *margin*: its own number minus that of the other side.

Bound: for a cell C of a guess, let f(C) be a lower bound of the (expected) weight that the other side finds in C with
its next guess. Then the margin of the guess is at most

    (weight of the set) - 2 * (sum of f(C) over the cells, without the winning cell)

If the other side plays well, it can guess the heaviest candidate of C, so f(C) is the weight of this candidate. If it
guesses a random candidate, f(C) is the weight of the lightest candidate of the set. The models that play for the least
entropy and for the fewest guesses may find nothing, so f(C) is 0.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.kernels.answer_table import AnswerTable, TableProblem, TableSet
from yomikiri.guessing.kernels.limits import NEVER, add_requirements, narrow
from yomikiri.guessing.kernels.partition import (
    CodeSlice,
    count_cells,
    divide,
    hash_cells,
    hash_partition,
    is_new,
    largest_cell,
)
from yomikiri.guessing.kernels.table_recursion import first_best
from yomikiri.machine.arrays import RecordArray
from yomikiri.machine.bits import Int, mix
from yomikiri.machine.kernel import entry, inlined, kernel
from yomikiri.machine.shared_words import SHARED, enter_node, must_stop, stopped

PERFECT, CONSISTENT, ENTROPY, OPTIMAL = range(4)  # models of the opponent
SEEN = 1 << 12  # number of entries of the table of partitions (`seen`); a power of two
_BETWEEN = 512  # number of guesses that are scanned between two checks for a request to stop
_TIE = 1e-9  # margins that differ by less count as equal, because sums are rounded
_WORST = -1e300  # a number below every margin
# Random words for the hash of a candidate set. `_LEFT` makes the hash depend on the number of guesses left, if that is
# smaller than the number of candidates. `_OPPONENT` makes it depend on the side to move.
_LEFT, _OPPONENT = np.uint64(0xA0761D6478BD642F), np.uint64(0xE7037ED1A0B428DB)


class DuelState:
    """The state of a duel's search, and its settings."""

    node_id: Int  # id of the last node that the search entered
    model: Int  # the model of the opponent: PERFECT, CONSISTENT, ENTROPY or OPTIMAL
    candidates_only: Int  # 1 if both sides guess candidates only
    stamp: Int  # last number written to the array `stamps`


class DuelSet(NamedTuple):
    """A set of candidates, `members[start : start + n]`, with the sum of its weights and its Zobrist hash.

    `mover` is the side to move: 0 plays for the greatest margin, 1 follows the model of the opponent. `left` is the
    number of guesses left, of both sides together.
    """

    depth: Int
    start: Int
    n: Int
    whole: Int
    key: np.uint64
    check: np.uint64
    mover: Int
    left: Int


class DuelWorkspace(NamedTuple):
    """The arrays that the search of a duel writes to."""

    state: Annotated[RecordArray[DuelState], 1]
    # Words that stop the search and count its nodes: see `machine.shared_words`.
    shared: Annotated[NDArray[np.uint64], 1, SHARED]
    # Candidate sets from the root to the current node, one after another.
    members: Annotated[NDArray[np.int32], "members"]
    set_answers: Annotated[NDArray[np.uint16], "n"]  # answer of each member of the set to the guess that divides it
    # For each answer, the number (`DuelState.stamp`) of the last guess that was scanned and got this answer from a
    # member. Each scanned guess has a new number, so the array need not be cleared.
    stamps: Annotated[NDArray[np.int64], "answer_count"]
    # For each depth in hard mode: the guesses that are allowed at the candidate set, then -1. Empty in other games.
    allowed: Annotated[NDArray[np.int32], "hard_depths", "g"]
    tried: Annotated[NDArray[np.int64], "depths"]  # guess that is being tried, for the set of each depth
    # For the model OPTIMAL in hard mode: the saving of each guess at the set of all candidates of the search.
    # `answer_table` defines a saving.
    start_saving: Annotated[NDArray[np.int64], "g"]
    # For each guess: 1 if it is a member of the candidate set for which the search chooses a guess, otherwise 0.
    is_member: Annotated[NDArray[np.int64], "g"]
    guess: Annotated[NDArray[np.int64], "depths", "g"]  # guesses not yet tried, for the set of each depth
    bound: Annotated[NDArray[np.int64], "depths", "g"]  # upper bound of the margin of each guess in `guess`
    # Size of each cell of the guess that is being tried, for each depth.
    size: Annotated[NDArray[np.int64], "depths", "answer_count"]
    start: Annotated[NDArray[np.int64], "depths", "answer_count"]  # start of each cell in `members`
    weight: Annotated[NDArray[np.int64], "depths", "answer_count"]  # sum of the weights of the secrets of each cell
    key: Annotated[NDArray[np.uint64], "depths", 2, "answer_count"]  # Zobrist hash of each cell, two words
    # Hash table of the partitions into which earlier guesses divided candidate sets. An entry consists of the node id
    # of the set, and of the two words of the partition's hash.
    seen: Annotated[NDArray[np.uint64], SEEN, 3]
    n_log_n: Annotated[NDArray[np.float64], "n + 1"]  # c * log2(c) for each number c of candidates
    table_key: Annotated[NDArray[np.uint64], "entries", 2]  # transposition table: the Zobrist hash of a candidate set
    # Transposition table: for each candidate set, the weight of the secrets that the side to move finds, and that of
    # the other side.
    table_won: Annotated[NDArray[np.float64], "entries", 2]


class DuelProblem(NamedTuple):
    """The two searches of a duel: its own workspace, and the search for the fewest guesses, which contains the answers.

    Only the model OPTIMAL uses the workspace and the transposition table of the second search.
    """

    work: DuelWorkspace
    search: TableProblem


@kernel
def _follows_model(work: DuelWorkspace, current: DuelSet) -> bool:
    """Return True if the side to move is an opponent who follows a model, and does not play for the greatest margin."""
    return bool(current.mover == 1 and work.state[0].model != PERFECT)


@kernel
def _hash(work: DuelWorkspace, current: DuelSet) -> tuple[np.uint64, np.uint64]:
    """Return the key of a candidate set in the transposition table.

    It depends on the side to move if the opponent follows a model. It depends on the number of guesses left if there
    are fewer than candidates, because the guesses may then end before the secret is found. In hard mode, the hash of
    the set contains the requirements of the last answer.
    """
    key = current.key
    if _follows_model(work, current):
        key ^= _OPPONENT
    if current.left < current.n:
        key ^= mix(_LEFT + np.uint64(current.left))
    return key, current.check


@kernel
def _known(table: AnswerTable, work: DuelWorkspace, current: DuelSet) -> tuple[bool, float, float]:
    """Return the result of a candidate set that needs no search.

    The result is (True, weight of the secrets that the side to move finds, weight of those that the other side finds).
    If the set needs a search, the result is (False, 0, 0).
    """
    if current.left <= 0:
        return True, 0.0, 0.0
    heaviest = float(table.weight[work.members[current.start]])
    if current.n == 1:
        return True, heaviest, 0.0
    if not _follows_model(work, current):
        if current.left == 1:
            return True, heaviest, 0.0
        if current.n == 2:
            return True, heaviest, float(current.whole) - heaviest
    key, check = _hash(work, current)
    place = key & np.uint64(len(work.table_key) - 1)
    if work.table_key[place, 0] == key and work.table_key[place, 1] == check:
        return True, work.table_won[place, 0], work.table_won[place, 1]
    return False, 0.0, 0.0


@kernel
def _write_allowed(table: AnswerTable, work: DuelWorkspace, current: DuelSet) -> None:
    """Write the guesses that hard mode allows at a candidate set. The set is a cell of the guess at the depth above."""
    above, secret = current.depth - 1, table.own[work.members[current.start]]
    narrow(table.symbols, work.tried[above], secret, work.allowed[above], work.allowed[current.depth])


@kernel
def _cell(work: DuelWorkspace, current: DuelSet, r: Int) -> DuelSet:
    """Return the cell with answer index `r` of the guess that is being tried, with the other side to move."""
    depth, key = current.depth, work.key
    return DuelSet(
        depth + 1,
        np.int64(work.start[depth, r]),
        np.int64(work.size[depth, r]),
        np.int64(work.weight[depth, r]),
        key[depth, 0, r],
        key[depth, 1, r],
        1 - current.mover,
        current.left - 1,
    )


@kernel
def _least_found(table: AnswerTable, work: DuelWorkspace, current: DuelSet, heaviest: Int) -> Int:
    """Return a lower bound of the weight of the secrets that the other side finds, on average, in a cell.

    `heaviest` is the heaviest secret of the cell. This is f(C) in the docstring of the module.
    """
    if work.state[0].model == PERFECT:
        return table.weight[heaviest]
    if work.state[0].model == CONSISTENT:
        return table.weight[work.members[current.start + current.n - 1]]
    return np.int64(0)


@inlined
def _least_found_in_cells(table: AnswerTable, work: DuelWorkspace, current: DuelSet, guess: Int) -> tuple[Int, Int]:
    """Return (sum of `_least_found` over the cells of a guess without the winning cell, number of all its cells).

    For an opponent for which `_least_found` is always 0, the cells are counted only up to two, because the caller needs
    to know only if the guess divides the candidate set.
    """
    is_perfect, lightest = work.state[0].model == PERFECT, np.int64(0)
    if work.state[0].model == CONSISTENT:
        lightest = table.weight[work.members[current.start + current.n - 1]]
    work.state[0].stamp += 1
    stamp, stamps, stride = work.state[0].stamp, work.stamps, len(table.answers) // len(table.weight)
    total, cells, win = np.int64(0), np.int64(0), table.answer_count - 1
    for i in range(current.start, current.start + current.n):
        s = np.int64(work.members[i])
        answer = np.int64(table.answers[s * stride + guess])
        if stamps[answer] != stamp:
            stamps[answer] = stamp
            cells += 1
            if answer != win:
                total += table.weight[s] if is_perfect else lightest
            if cells > 1 and lightest == 0 and not is_perfect:
                break
    return total, cells


@inlined
def _guess_at(work: DuelWorkspace, depth: Int, i: Int) -> Int:
    """Return the `i`-th guess that is allowed at the set of a depth, or a negative number after the last one."""
    return np.int64(work.allowed[depth, i]) if len(work.allowed) > 0 else i


@kernel
def _list_guesses(table: AnswerTable, work: DuelWorkspace, current: DuelSet) -> Int:
    """List the guesses that divide a candidate set, with upper bounds of their margins. Returns their number."""
    guesses, bounds, listed = work.guess[current.depth], work.bound[current.depth], np.int64(0)
    if work.state[0].candidates_only == 1:
        for i in range(current.start, current.start + current.n):
            k = table.own[work.members[i]]
            total, _cells = _least_found_in_cells(table, work, current, k)
            guesses[listed], bounds[listed] = k, current.whole - 2 * total
            listed += 1
        return listed
    for i in range(len(guesses)):
        k = _guess_at(work, current.depth, i)
        if k < 0:
            break
        if i % _BETWEEN == 0 and must_stop(work.shared):
            return np.int64(0)
        total, cells = _least_found_in_cells(table, work, current, k)
        if cells > 1:
            guesses[listed], bounds[listed] = k, current.whole - 2 * total
            listed += 1
    return listed


@kernel
def _divide(problem: DuelProblem, current: DuelSet, top: Int, guess: Int, node_id: np.uint64) -> bool:
    """Divide a candidate set by a guess, and write the cells to `members` from index `top` on.

    Returns False if all members have the same answer, or if an earlier guess divided the set in the same way.
    """
    table, work, depth = problem.search.table, problem.work, current.depth
    stride, members, win = len(table.answers) // len(table.weight), work.members, table.answer_count - 1
    size, where, weight = work.size[depth], work.start[depth], work.weight[depth]
    work.tried[depth] = guess
    for i in range(current.n):
        work.set_answers[i] = table.answers[np.int64(members[current.start + i]) * stride + guess]
    count_cells(work.set_answers, current.n, table.answer_count, size)
    if largest_cell(win, size) == current.n:
        return False
    divide(CodeSlice(members, current.start, current.n), work.set_answers, top, table.answer_count, size, where)
    partition_key, check = hash_cells(members, table.keys, table.answer_count, size, where, work.key[depth])
    if len(work.allowed) > 0:
        add_requirements(table, members, guess, size, where, work.key[depth])
        partition_key, check = hash_partition(table.answer_count, size, work.key[depth])
    for r in range(table.answer_count):
        weight[r] = 0
        for i in range(where[r], where[r] + size[r]):
            weight[r] += table.weight[members[i]]
    return is_new(work.seen, node_id, partition_key, check)


@inlined
def _after(
    problem: DuelProblem, current: DuelSet, top: Int, guess: Int, below: float, node_id: np.uint64
) -> tuple[float, float]:
    """Return the result of a candidate set after `guess`: (weight found by the side to move, by the other side).

    The result is (_WORST, 0) if the guess does not divide the set, or if an earlier guess divided it in the same way.
    It can also be (_WORST, 0) if the margin is at most `below`. If the search is `stopped`, the numbers have no
    meaning.
    """
    table, work, depth = problem.search.table, problem.work, current.depth
    win = table.answer_count - 1
    if not _divide(problem, current, top, guess, node_id):
        return _WORST, 0.0
    own, other = float(work.weight[depth, win]), 0.0
    most = own
    for r in range(win):
        if work.size[depth, r] > 0:
            heaviest = np.int64(work.members[work.start[depth, r]])
            most += float(work.weight[depth, r] - 2 * _least_found(table, work, current, heaviest))
    for r in range(win):
        if work.size[depth, r] == 0:
            continue
        if most <= below + _TIE:
            return _WORST, 0.0
        cell = _cell(work, current, r)
        is_known, theirs, mine = _known(table, work, cell)
        if not is_known:
            theirs, mine = value(problem, cell, top + current.n)
            if stopped(work.shared):
                return own, other
        own += mine
        other += theirs
        sure = _least_found(table, work, current, np.int64(work.members[cell.start]))
        most += mine - theirs - float(cell.whole - 2 * sure)
    return own, other


@inlined
def _best(problem: DuelProblem, current: DuelSet, top: Int, node_id: np.uint64) -> tuple[float, float, Int]:
    """Return the result of the guess with the greatest margin, and this guess.

    The result consists of the weight found by the side to move, and that found by the other side.
    """
    work, depth = problem.work, current.depth
    own, other, best = _WORST, 0.0, np.int64(-1)
    left = _list_guesses(problem.search.table, work, current)
    guesses, bounds = work.guess[depth], work.bound[depth]
    while left > 0 and not stopped(work.shared):
        first = 0
        for k in range(1, left):
            if bounds[k] > bounds[first] or (bounds[k] == bounds[first] and guesses[k] < guesses[first]):
                first = k
        if float(bounds[first]) <= own - other + _TIE:
            break
        guess = guesses[first]
        left -= 1
        guesses[first], bounds[first] = guesses[left], bounds[left]
        mine, theirs = _after(problem, current, top, guess, own - other, node_id)
        if mine - theirs > own - other + _TIE and not stopped(work.shared):
            own, other, best = mine, theirs, guess
    return own, other, best


@inlined
def _random_candidate(problem: DuelProblem, current: DuelSet, top: Int) -> tuple[float, float]:
    """Return the mean result if the side to move guesses a random candidate.

    The result is (weight found by this side, weight found by the other side).
    """
    work, own, other = problem.work, 0.0, 0.0
    for i in range(current.n):
        work.state[0].node_id += 1
        guess = problem.search.table.own[work.members[current.start + i]]
        mine, theirs = _after(problem, current, top, guess, _WORST, np.uint64(work.state[0].node_id))
        if stopped(work.shared):
            break
        own += mine
        other += theirs
    return own / float(current.n), other / float(current.n)


@kernel
def _least_entropy(problem: DuelProblem, current: DuelSet) -> Int:
    """Return the guess with the least expected entropy of the candidates.

    If several have it, a candidate comes first, then the guess with the smallest index. All candidates count equally,
    whatever their weights.
    """
    table, work = problem.search.table, problem.work
    stride, size, best, least = len(table.answers) // len(table.weight), work.size[current.depth], np.int64(-1), 1e300
    for i in range(current.start, current.start + current.n):
        work.is_member[table.own[work.members[i]]] = 1
    for r in range(table.answer_count):
        size[r] = 0
    for j in range(len(work.is_member)):
        k = _guess_at(work, current.depth, j)
        if k < 0:
            break
        if work.state[0].candidates_only == 1 and work.is_member[k] == 0:
            continue
        total = 0.0
        for i in range(current.n):
            r = table.answers[np.int64(work.members[current.start + i]) * stride + k]
            work.set_answers[i] = r
            size[r] += 1
            total += work.n_log_n[size[r]] - work.n_log_n[size[r] - 1]
        for i in range(current.n):
            size[work.set_answers[i]] = 0
        is_tie = best >= 0 and total < least + _TIE
        if total < least - _TIE or (is_tie and work.is_member[k] == 1 and work.is_member[best] == 0):
            best, least = np.int64(k), total
    for i in range(current.start, current.start + current.n):
        work.is_member[table.own[work.members[i]]] = 0
    return best


@kernel
def _fewest_guesses(problem: DuelProblem, current: DuelSet) -> Int:
    """Return the guess that a player alone makes to need the fewest guesses on average.

    If several are best, a candidate comes first, then the guess with the smallest index. If the search is `stopped`,
    the number has no meaning.
    """
    work, members, saving = problem.work, problem.search.work.members, problem.search.work.saving[0]
    for i in range(current.n):
        members[i] = work.members[current.start + i]
    if len(work.allowed) > 0:
        for k in range(len(saving)):
            saving[k] = NEVER
        for i in range(len(saving)):
            k = _guess_at(work, current.depth, i)
            if k < 0:
                break
            saving[k] = work.start_saving[k]
    alone = TableSet(np.int64(0), np.int64(0), current.n, current.whole, current.key, current.check)
    return first_best(problem.search, alone, current.n)


@entry
def value(problem: DuelProblem, current: DuelSet, top: Int) -> tuple[float, float]:
    """Return the weights of the secrets that the side to move and the other side find at a candidate set, by a search.

    The result is written to the transposition table. `members` is free from index `top` on. If the search is `stopped`,
    the numbers have no meaning.
    """
    work = problem.work
    if stopped(work.shared) or not enter_node(work.shared):
        return 0.0, 0.0
    work.state[0].node_id += 1
    node_id = np.uint64(work.state[0].node_id)
    if len(work.allowed) > 0:
        _write_allowed(problem.search.table, work, current)
    if not _follows_model(work, current):
        own, other, _guess = _best(problem, current, top, node_id)
    elif work.state[0].model == CONSISTENT:
        own, other = _random_candidate(problem, current, top)
    else:
        is_optimal = work.state[0].model == OPTIMAL
        guess = _fewest_guesses(problem, current) if is_optimal else _least_entropy(problem, current)
        if stopped(work.shared):
            return 0.0, 0.0
        own, other = _after(problem, current, top, guess, _WORST, node_id)
    if stopped(work.shared):
        return 0.0, 0.0
    key, check = _hash(work, current)
    place = key & np.uint64(len(work.table_key) - 1)
    work.table_key[place, 0], work.table_key[place, 1] = key, check
    work.table_won[place, 0], work.table_won[place, 1] = own, other
    return own, other


@entry
def choose_guess(problem: DuelProblem, current: DuelSet, top: Int) -> tuple[float, float, Int]:
    """Return (weight found by the side to move, weight found by the other side, best guess) at a candidate set.

    The set has two or more candidates, and the side to move plays well.
    """
    work = problem.work
    work.state[0].node_id += 1
    return _best(problem, current, top, np.uint64(work.state[0].node_id))


@entry
def value_after(problem: DuelProblem, current: DuelSet, top: Int, guess: Int) -> tuple[float, float]:
    """Return the weights of the secrets that both sides find at a candidate set if the side to move makes this guess.

    The weight found by the side to move comes first. The guess must divide the set.
    """
    work = problem.work
    work.state[0].node_id += 1
    return _after(problem, current, top, guess, _WORST, np.uint64(work.state[0].node_id))
