"""The search itself: can the side to move still gain at least so much? Alpha-beta with a null window and its own stack.

It is written once, as `sets` says: on Python's integers it reads every board, and `compiled` makes machine code of it
for boards whose sets fit into one word of 64 bits or two, and whose sums into one. It can stop at any state: what it
has learned by then stands in the table, so that the same question asked again soon gets to where it was.

A state is what `layout` describes: the empty cells by rank, the heaviest first, the lines that the side to move can
still complete (`mine`), those of the other side (`theirs`). Its value is a gain: the sum of the cells that the side to
move will take less the other's, `WON` more at least if it completes a line and as much less if the other side does.
Taking a cell of weight w turns a value v into w - v. `search` finds a number that bounds the value on the side of the
question: v >= need, and the value is at least v, or v < need, and the value is at most v.

With `STEP` set the question is how soon: weights are then 0, and a line is worth one more for every cell that is left
empty. Lines that take more moves than there are until then are dropped, so that a shallow question is quick.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from yomikiri.tictactoe.search.kernels.pairing import NO_BOUND, alternating, pairing
from yomikiri.tictactoe.search.kernels.sets import (
    ONE,
    ZERO,
    Left,
    Near,
    Numbers,
    Shared,
    as_set,
    at_most,
    enter_state,
    fewer,
    forked,
    hashed,
    lowest,
    nearness,
    number,
    popcount,
    states_of,
    tightest,
    word,
)
from yomikiri.tictactoe.search.rules import Rule

# How many moves are looked at by LOOK_AHEAD.
_LOOKS = 6
# The order of moves, see `ordered`: the step of nearness, the parts of one's own lines to two of the other side's, and
# what they count beside weights to the side ahead and to the other.
_STEP, _OWN, _AHEAD, _BEHIND = 3, 3, 1 / 90, 1 / 54
_LONG_STEP, _LONG_OWN, _LONG_AHEAD, _LONG_BEHIND = 2, 2, 1 / 32, 1 / 13
_FIRST = -1e9


FORK, DOMINANCE, PAIRING, LOOK_AHEAD, STEALING = (
    rule.value for rule in (Rule.FORK, Rule.DOMINANCE, Rule.PAIRING, Rule.LOOK_AHEAD, Rule.STEALING)
)
NO_MOVE = -1

# Numbers of the whole search.
FILLED, VALUE, WON, STEP, RULES, LONG = range(6)
TOTALS = 6
# How a search ended: with the answer, or before it, since it was told to stop, the table is full, or its turn is over.
ANSWERED, STOPPED, FULL, TURNED = range(4)
# What entering a state gives: its moves, its value, or nothing since the search must stop.
OPEN, KNOWN, NEITHER = range(3)
# What a frame of the stack holds: sets, and numbers.
EMPTY, MINE, THEIRS, PLANE_0, PLANE_1, PLANE_2, PLANE_3, LOOKED, HASH = range(9)
SETS = 9
NEED, BEST, MOVE, NEXT, COUNT, OFFSET, SIGN, UNPAIRABLE = range(8)
NUMBERS = 8
# A board has 64 cells at most, and so many moves.
CELLS = 64
# An entry of the transposition table, all that is read of it at once: the three sets of a state, then as words the
# bounds of its value and the move to try first. Entries are in pairs, a state in either of the two its hash names.
ENTRY = 6
LOWER, UPPER, TRY = 3, 4, 5


class Tables(NamedTuple):
    """A board: weights and lines through a cell by rank, the cells of each line, alternating sums by block and subset.

    `lightness` is from 0 for the heaviest cell to 1 for the lightest; `starts` and `ends` are for `tightest`, by rank.
    """

    weights: Sequence[int]
    lightness: Sequence[float]
    lines: Sequence[int]
    through: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    sums: Numbers


class Stack(NamedTuple):
    """The moves on the way, a frame each, and room for one pairing bound and for the order of one state's moves."""

    sets: Numbers
    numbers: Numbers
    moves: Numbers
    scores: MutableSequence[float]
    pair_sets: Numbers
    pair_numbers: Numbers


def find(memo: Sequence[int], place: int, empty: int, mine: int, theirs: int) -> int:
    """Where the entry of a state begins whose hash is `place`, -1 if it has none."""
    first = pair_of(memo, place)
    for entry in (first, first + ENTRY):
        if memo[entry] == empty and memo[entry + 1] == mine and memo[entry + 2] == theirs:
            return entry
    return -1


def remember(
    memo: Numbers, totals: Numbers, place: int, empty: int, mine: int, theirs: int, lower: int, upper: int, move: int
) -> None:
    """Note that the value of a state lies between these bounds, and which move to try first.

    A new state takes the place of one of the two there: of the first, unless that has more empty cells left.
    """
    entry = find(memo, place, empty, mine, theirs)
    if entry < 0:
        entry = pair_of(memo, place)
        if popcount(memo[entry]) > popcount(empty):
            entry += ENTRY
        if memo[entry] == ZERO:
            totals[FILLED] += 1
        memo[entry], memo[entry + 1], memo[entry + 2] = empty, mine, theirs
        memo[entry + LOWER], memo[entry + UPPER] = word(-NO_BOUND), word(NO_BOUND)
    memo[entry + LOWER] = word(max(number(memo[entry + LOWER]), lower))
    memo[entry + UPPER] = word(min(number(memo[entry + UPPER]), upper))
    memo[entry + TRY] = word(move)


def pair_of(memo: Sequence[int], place: int) -> int:
    """Where the pair of entries begins that a hash names; a table has a power of two of them."""
    return ENTRY * number(place & hash_mask(len(memo) // ENTRY))


def hash_mask(entries: int) -> int:
    """What of a hash names the first of two entries, where the table has so many."""
    return entries - 2


def move_entries(old: Numbers, new: Numbers, totals: Numbers, begin: int, end: int) -> None:
    """Put the entries from one number up to another of a table into a larger one."""
    for entry in range(ENTRY * begin, ENTRY * end, ENTRY):
        empty, mine, theirs = old[entry], old[entry + 1], old[entry + 2]
        if empty != ZERO:
            remember(
                new, totals, hashed(empty, mine, theirs), empty, mine, theirs,
                number(old[entry + LOWER]), number(old[entry + UPPER]), number(old[entry + TRY]),
            )  # fmt: skip


def ordered(
    tables: Tables, stack: Stack, totals: Numbers, start: int, candidates: int, sides: Left, near: Near, ahead: bool,
    first: int,
) -> int:  # fmt: skip
    """Write the moves worth trying from `start` on, the most promising first, and say how many.

    A move counts by how light its cell is, less how near the lines through it are to completion. A side that two greedy
    players would leave with what is asked of it is *ahead*: it needs to hold the other's lines and keep its weights.
    The other side needs lines, so they count more to it. A `long` question has an order of its own, in which lines that
    are still far from completion count for more. All factors were measured: the first order on 4x5 and 5x5 with four in
    a row, and on 5x5 and 5x6 with five, that for long questions on 6x6 with five, where the first takes three times as
    long. Weights alone fail where lines decide, lines alone where weights do.

    DOMINANCE leaves out a move if an earlier cell lies on all its lines. `first` comes before all others.
    """
    lightness, lines, through, moves, scores = tables.lightness, tables.lines, tables.through, stack.moves, stack.scores
    empty, mine, theirs = sides
    dominance = totals[RULES] & DOMINANCE != 0
    if totals[LONG] != 0:
        step, parts, line = _LONG_STEP, _LONG_OWN, _LONG_AHEAD if ahead else _LONG_BEHIND
    else:
        step, parts, line = _STEP, _OWN, _AHEAD if ahead else _BEHIND
    either = mine | theirs
    count = 0
    while candidates != ZERO:
        rank = lowest(candidates)
        bit = candidates & (ZERO - candidates)
        candidates ^= bit
        across = through[rank]
        if dominance:
            here = across & either
            dominating = empty & (bit - ONE)
            while dominating != ZERO and here != ZERO:
                dominating &= lines[lowest(here)]
                here &= here - ONE
            if dominating != ZERO:
                continue
        if rank == first:
            score = _FIRST
        else:
            close = parts * nearness(step, across & mine, near) + 2 * nearness(step, across & theirs, near)
            score = lightness[rank] - line * close
        place = count
        while place > 0 and scores[place - 1] > score:
            scores[place], moves[start + place] = scores[place - 1], moves[start + place - 1]
            place -= 1
        scores[place], moves[start + place] = score, rank
        count += 1
    return count


def enter(tables: Tables, stack: Stack, memo: Numbers, totals: Numbers, shared: Shared, depth: int) -> tuple[int, int]:
    """Look at the state of the frame at `depth`: (KNOWN, its value), or OPEN, and its moves stand in the frame.

    NEITHER where the search must stop before the state is looked at. Cells that must be taken are taken at once: the
    frame then holds the state after them, and how its value becomes the one of the state before.
    """
    weights, lines, through, sums = tables.weights, tables.lines, tables.through, tables.sums
    sets, numbers = stack.sets, stack.numbers
    start, figures = SETS * depth, NUMBERS * depth
    empty, mine, theirs = sets[start + EMPTY], sets[start + MINE], sets[start + THEIRS]
    plane_0, plane_1 = sets[start + PLANE_0], sets[start + PLANE_1]
    plane_2, plane_3 = sets[start + PLANE_2], sets[start + PLANE_3]
    need, may_pair = numbers[figures + NEED], numbers[figures + UNPAIRABLE] == 0
    won, step, rules = totals[WON], totals[STEP], totals[RULES]
    offset, sign = 0, 1
    while True:
        if not enter_state(shared):
            return NEITHER, 0
        left = number(popcount(empty))
        if step:
            # A line after the ply at which `plies` more are made does not answer the question.
            plies = left - (need - won if need > 0 else 1 - need - won)
            mine = at_most((plies + 1) // 2, mine, plane_0, plane_1, plane_2, plane_3)
            theirs = at_most(plies // 2, theirs, plane_0, plane_1, plane_2, plane_3)
        ones = plane_0 & ~(plane_1 | plane_2 | plane_3)
        if mine & ones != ZERO:
            return KNOWN, offset + sign * (won + step * (left - 1))
        threats = theirs & ones
        if threats == ZERO:
            break
        bit = lines[lowest(threats)] & empty
        rank = lowest(bit)
        across = through[rank]
        if threats & ~across != ZERO:
            return KNOWN, offset - sign * (won + step * (left - 2))
        offset += sign * weights[rank]
        sign = -sign
        need = weights[rank] - need + 1
        empty ^= bit
        mine, theirs = theirs & ~across, tightest(mine, tables.starts[rank], tables.ends[rank])
        plane_0, plane_1, plane_2, plane_3 = fewer(plane_0, plane_1, plane_2, plane_3, across)
        may_pair = True
    greedy = alternating(sums, empty)
    if mine | theirs == ZERO:
        return KNOWN, offset + sign * greedy
    twos = plane_1 & ~(plane_0 | plane_2 | plane_3)
    if rules & FORK != 0 and forked(lines, empty, mine & twos) != ZERO:
        return KNOWN, offset + sign * (won + step * (left - 3))
    place = hashed(empty, mine, theirs)
    entry = find(memo, place, empty, mine, theirs)
    move = NO_MOVE
    if entry >= 0:
        lower, upper = number(memo[entry + LOWER]), number(memo[entry + UPPER])
        move = number(memo[entry + TRY])
        if lower >= need:
            return KNOWN, offset + sign * lower
        if upper < need:
            return KNOWN, offset + sign * upper
    ahead = greedy >= need
    if not ahead and may_pair and rules & PAIRING != 0:
        bound = pairing(
            weights, lines, through, sums, stack.pair_sets, stack.pair_numbers, empty, mine, need - 1
        )  # fmt: skip
        if bound != NO_BOUND:
            remember(memo, totals, place, empty, mine, theirs, -NO_BOUND, bound, move)
            return KNOWN, offset + sign * bound
    if rules & STEALING != 0 and theirs & ~mine == ZERO:
        bound = 0
        if left & 1:
            cells = empty
            while cells & (cells - ONE) != ZERO:
                cells &= cells - ONE
            bound = weights[lowest(cells)]
        if bound >= need:
            remember(memo, totals, place, empty, mine, theirs, bound, NO_BOUND, move)
            return KNOWN, offset + sign * bound

    candidates = empty
    if rules & FORK != 0:
        crossing = forked(lines, empty, theirs & twos)
        if crossing != ZERO:
            candidates = crossing
            answers = theirs & twos & through[lowest(crossing)] | mine & twos
            while answers != ZERO:
                candidates |= lines[lowest(answers)] & empty
                answers &= answers - ONE
    threes = plane_1 & plane_0 & ~(plane_2 | plane_3)
    fours = plane_2 & ~(plane_0 | plane_1 | plane_3)
    more = plane_2 & (plane_0 | plane_1) | plane_3
    first = CELLS * depth
    sides, near = Left(empty, mine, theirs), Near(twos, threes, fours, more)
    count = ordered(tables, stack, totals, first, candidates, sides, near, ahead, move)
    looked = ZERO
    if ahead and rules & LOOK_AHEAD != 0:
        looks = 0
        for index in range(first, first + count):
            rank = stack.moves[index]
            rest = empty ^ as_set(rank)
            limit = weights[rank] - need
            if alternating(sums, rest) <= limit:
                bound = pairing(
                    weights, lines, through, sums, stack.pair_sets, stack.pair_numbers,
                    rest, theirs & ~through[rank], limit,
                )  # fmt: skip
                if bound != NO_BOUND:
                    bound = weights[rank] - bound
                    remember(memo, totals, place, empty, mine, theirs, bound, NO_BOUND, rank)
                    return KNOWN, offset + sign * bound
                looked |= as_set(rank)
                looks += 1
                if looks == _LOOKS:
                    break
    sets[start + EMPTY], sets[start + MINE], sets[start + THEIRS] = empty, mine, theirs
    sets[start + PLANE_0], sets[start + PLANE_1] = plane_0, plane_1
    sets[start + PLANE_2], sets[start + PLANE_3] = plane_2, plane_3
    sets[start + LOOKED], sets[start + HASH] = looked, place
    numbers[figures + NEED], numbers[figures + BEST], numbers[figures + MOVE] = need, -NO_BOUND, NO_MOVE
    numbers[figures + NEXT], numbers[figures + COUNT] = 0, count
    numbers[figures + OFFSET], numbers[figures + SIGN] = offset, sign
    return OPEN, 0


def play(tables: Tables, stack: Stack, depth: int) -> None:
    """Make the next move of the frame at `depth`: the frame above it holds the state after it."""
    sets, numbers = stack.sets, stack.numbers
    start, figures = SETS * depth, NUMBERS * depth
    above, next_figures = start + SETS, figures + NUMBERS
    rank = stack.moves[CELLS * depth + numbers[figures + NEXT]]
    numbers[figures + NEXT] += 1
    across, bit = tables.through[rank], as_set(rank)
    sets[above + EMPTY] = sets[start + EMPTY] ^ bit
    sets[above + MINE] = sets[start + THEIRS] & ~across
    sets[above + THEIRS] = tightest(sets[start + MINE], tables.starts[rank], tables.ends[rank])
    plane_0, plane_1, plane_2, plane_3 = fewer(
        sets[start + PLANE_0], sets[start + PLANE_1], sets[start + PLANE_2], sets[start + PLANE_3], across
    )
    sets[above + PLANE_0], sets[above + PLANE_1] = plane_0, plane_1
    sets[above + PLANE_2], sets[above + PLANE_3] = plane_2, plane_3
    numbers[next_figures + NEED] = tables.weights[rank] - numbers[figures + NEED] + 1
    # LOOK_AHEAD has already failed with what PAIRING would try after this move.
    numbers[next_figures + UNPAIRABLE] = 1 if sets[start + LOOKED] & bit != ZERO else 0


def search(
    tables: Tables, stack: Stack, memo: Numbers, totals: Numbers, shared: Shared, turn_ends: int, most_filled: int
) -> int:
    """Answer the question in the first frame: ANSWERED, `VALUE` holding the bound, or why it ended before.

    Its turn is over at `turn_ends` states in all; the table is full when more entries are filled than `most_filled`,
    which must be fewer than it has. Wherever it ends, what the table says holds: the bounds of a state are noted when a
    move is good enough, or when all moves were tried; nothing is noted of the states on the way.
    """
    numbers = stack.numbers
    depth = 0
    while True:
        if totals[FILLED] > most_filled:
            return FULL
        if states_of(shared) >= turn_ends:
            return TURNED
        figures = NUMBERS * depth
        found, value = enter(tables, stack, memo, totals, shared, depth)
        if found == NEITHER:
            return STOPPED
        known = found == KNOWN
        if known and totals[STEP]:
            # Without the lines that were dropped, a value says no more than the answer.
            need = numbers[figures + NEED]
            value = need if value >= need else need - 1
        while True:
            if known:
                if depth == 0:
                    totals[VALUE] = value
                    return ANSWERED
                depth -= 1
                figures -= NUMBERS
                rank = stack.moves[CELLS * depth + numbers[figures + NEXT] - 1]
                value = tables.weights[rank] - value
                if value > numbers[figures + BEST]:
                    numbers[figures + BEST], numbers[figures + MOVE] = value, rank
            best, need = numbers[figures + BEST], numbers[figures + NEED]
            if best < need and numbers[figures + NEXT] < numbers[figures + COUNT]:
                break
            start = SETS * depth
            remember(
                memo, totals, stack.sets[start + HASH],
                stack.sets[start + EMPTY], stack.sets[start + MINE], stack.sets[start + THEIRS],
                best if best >= need else -NO_BOUND, NO_BOUND if best >= need else best, numbers[figures + MOVE],
            )  # fmt: skip
            known, value = True, numbers[figures + OFFSET] + numbers[figures + SIGN] * best
        play(tables, stack, depth)
        depth += 1
