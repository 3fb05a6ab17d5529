"""The search itself: can the side to move still gain at least so much? Alpha-beta with a null window and its own stack.

It is written once, in what Python and numba both understand. As it stands here it runs on Python's integers, which
have any length, so it reads every board; `compiled` makes machine code of the same functions for boards whose sets and
sums fit into words of 64 bits. It holds all it knows in the arrays that it is given, so it can stop after any number of
states and go on.

A state is what `layout` describes: the empty cells by rank, the heaviest first, the lines that the side to move can
still complete (`mine`), those of the other side (`theirs`). Its value is a gain: the sum of the cells that the side to
move will take less the other's, `WON` more at least if it completes a line and as much less if the other side does.
Taking a cell of weight w turns a value v into w - v. `search` finds a number that bounds the value on the side of the
question: v >= need, and the value is at least v, or v < need, and the value is at most v.

How many empty cells every line has is kept for all lines at once, upright: bit l of plane i is bit i of the count of
line l. Four lines with 3, 1, 2 and 0 empty cells:

    line      3 2 1 0
    count     0 2 1 3
    plane 0   0 0 1 1
    plane 1   0 1 0 1     planes 2 and 3 are empty; counts go up to 8

With `STEP` set the question is how soon: weights are then 0, and a line is worth one more for every cell that is left
empty. Lines that take more moves than there are until then are dropped, so that a shallow question is quick.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from math import inf
from typing import NamedTuple

from yomikiri.tictactoe.search.rules import Rule

# Cells are summed in blocks: a table has an entry for each of the 2 ** 9 subsets of a block.
BLOCK_BITS = 9
BLOCK_SETS = 1 << BLOCK_BITS
# How many lines the pairing bound gives a pair of their own before it gives up, and the pairs of a line of eight cells.
PAIRING_STEPS = 30
_PAIRS = 28
PAIRING_ROOM = 2 * (_PAIRS + 1) * PAIRING_STEPS
# How many moves are looked at by LOOK_AHEAD.
_LOOKS = 4
# What lines count beside weights in the order of moves, see `ordered`.
_AHEAD_LINE, _BEHIND_LINE = 1 / 90, 1 / 54
_FIRST = -1e9

# Constants as the kind of number that sets are, and more than any value: `compiled` puts words in their place.
ZERO, ONE = 0, 1
BLOCK = BLOCK_SETS - 1
BLOCK_SHIFT = BLOCK_BITS
NO_BOUND: int = inf  # type: ignore[assignment]  # every integer is smaller

FORK, DOMINANCE, PAIRING, LOOK_AHEAD, STEALING = (
    rule.value for rule in (Rule.FORK, Rule.DOMINANCE, Rule.PAIRING, Rule.LOOK_AHEAD, Rule.STEALING)
)
NO_MOVE = -1

# Numbers of the whole search.
DEPTH, STATES, FILLED, VALUE, WON, STEP, RULES = range(7)
TOTALS = 7
# What a frame of the stack holds: sets, and numbers.
EMPTY, MINE, THEIRS, PLANE_0, PLANE_1, PLANE_2, PLANE_3, LOOKED, HASH = range(9)
SETS = 9
NEED, BEST, MOVE, NEXT, COUNT, OFFSET, SIGN, UNPAIRABLE = range(8)
NUMBERS = 8
# A board has 64 cells at most, and so many moves.
CELLS = 64
# An entry of the table: the three sets of a state, and its bounds and a move.
KEYS = 3
VALUES = 3

Numbers = MutableSequence[int]


class Tables(NamedTuple):
    """A board: weights and lines through a cell by rank, the cells of each line, alternating sums by block and subset.

    `lightness` is from 0 for the heaviest cell to 1 for the lightest.
    """

    weights: Sequence[int]
    lightness: Sequence[float]
    lines: Sequence[int]
    through: Sequence[int]
    sums: Numbers


class Stack(NamedTuple):
    """The moves on the way, a frame each, and room for one pairing bound and for the order of one state's moves."""

    sets: Numbers
    numbers: Numbers
    moves: Numbers
    scores: MutableSequence[float]
    pair_sets: Numbers
    pair_numbers: Numbers


class Memo(NamedTuple):
    """The transposition table: entries in pairs, a state being in either of the two that its hash names."""

    keys: Numbers
    values: Numbers


def popcount(cells: int) -> int:
    """How many are in the set."""
    return cells.bit_count()


def lowest(cells: int) -> int:
    """The first of a set that is not empty."""
    return (cells & -cells).bit_length() - 1


def hashed(empty: int, mine: int, theirs: int) -> int:
    """Where in the table a state belongs."""
    return hash((empty, mine, theirs))


def number(word: int) -> int:
    """A part of a set as a number to reckon with."""
    return word


def fill_sums(weights: Sequence[int], sums: Numbers) -> None:
    """Write the alternating sum w1 - w2 + w3 - ... of every subset of every block of cells."""
    for block in range(len(sums) // BLOCK_SETS):
        start = BLOCK_SETS * block
        for cell in range(BLOCK_BITS - 1, -1, -1):
            # The subsets whose first cell this is, by those that begin later.
            rank = BLOCK_BITS * block + cell
            weight = weights[rank] if rank < len(weights) else 0
            for rest in range(start, start + BLOCK_SETS, 2 << cell):
                sums[rest + (1 << cell)] = weight - sums[rest]


def alternating(sums: Sequence[int], cells: int) -> int:
    """w1 - w2 + w3 - ... over the cells, the heaviest first: what two greedy players leave the side to move."""
    total, start, odd = 0, 0, False
    while cells != ZERO:
        block = cells & BLOCK
        part = sums[start + number(block)]
        total += -part if odd else part
        if popcount(block) & ONE != ZERO:
            odd = not odd
        cells >>= BLOCK_SHIFT
        start += BLOCK_SETS
    return total


def neighbours_hold(through: Sequence[int], cells: int) -> int:
    """The lines that hold a pair of neighbours in the order of weights: first and second cell, third and fourth, ..."""
    held = ZERO
    while cells & (cells - ONE) != ZERO:
        first = lowest(cells)
        cells &= cells - ONE
        held |= through[first] & through[lowest(cells)]
        cells &= cells - ONE
    return held


def forked(lines: Sequence[int], empty: int, twos: int) -> int:
    """A cell on two different pairs of empty cells, the pairs being those of the lines `twos`; no cell if none is."""
    shared = ZERO
    if twos & (twos - ONE) != ZERO:
        seen, left = ZERO, twos
        while left != ZERO and shared == ZERO:
            pair = lines[lowest(left)] & empty
            shared = seen & pair
            if shared == pair:
                # Both cells were seen: in one pair, which is this one, or in two others.
                earlier = twos
                while lines[lowest(earlier)] & empty & pair == ZERO:
                    earlier &= earlier - ONE
                if lines[lowest(earlier)] & empty == pair:
                    shared = ZERO
            left &= left - ONE
            seen |= pair
    return shared & (ZERO - shared)


def fewer(plane_0: int, plane_1: int, plane_2: int, plane_3: int, taken: int) -> tuple[int, int, int, int]:
    """The counts after one cell of each of the lines `taken` is taken: one less, borrowing from plane to plane."""
    plane_0 ^= taken
    taken &= plane_0
    plane_1 ^= taken
    taken &= plane_1
    plane_2 ^= taken
    taken &= plane_2
    return plane_0, plane_1, plane_2, plane_3 ^ taken


def at_most(limit: int, lines: int, plane_0: int, plane_1: int, plane_2: int, plane_3: int) -> int:
    """The lines among `lines` that have at most `limit` empty cells."""
    if limit >= 8:
        return lines
    if limit <= 0:
        return ZERO
    more, equal = plane_3, lines & ~plane_3
    if limit & 4:
        equal &= plane_2
    else:
        more |= equal & plane_2
        equal &= ~plane_2
    if limit & 2:
        equal &= plane_1
    else:
        more |= equal & plane_1
        equal &= ~plane_1
    if not limit & 1:
        more |= equal & plane_0
    return lines & ~more


def pairing(
    weights: Sequence[int],
    lines: Sequence[int],
    through: Sequence[int],
    sums: Sequence[int],
    sets: Numbers,
    numbers: Numbers,
    empty: int,
    open_lines: int,
    limit: int,
) -> int:
    """PAIRING: at most `limit`, what a side with these lines cannot gain more than; `NO_BOUND` if none is found.

    Neighbours in the order of weights are the cheapest pairs. A line that they do not hold is given a pair of its own,
    the shortest line first, by the cheapest choice first; a choice that leads nowhere is taken back. `sets` and
    `numbers` hold the choices: of each two numbers, of which the first two of a step say how many there are and are
    done.
    """
    free, cost, unheld, depth, steps = empty, 0, open_lines, 0, PAIRING_STEPS
    while True:
        found = cost + alternating(sums, free)
        if found <= limit:
            left = unheld & ~neighbours_hold(through, free)
            if left == ZERO:
                return found
            shortest, fewest = ZERO, 99
            while left != ZERO:
                cells = lines[lowest(left)] & free
                left &= left - ONE
                count = number(popcount(cells))
                if count < fewest:
                    fewest, shortest = count, cells
            if fewest >= 2:
                if steps == 0:
                    return NO_BOUND
                steps -= 1
                base = 2 * (_PAIRS + 1) * depth
                choices = 0
                while shortest != ZERO:
                    heavier = lowest(shortest)
                    bit = shortest & (ZERO - shortest)
                    shortest ^= bit
                    others = shortest
                    while others != ZERO:
                        lighter = lowest(others)
                        rest = free ^ (bit | (others & (ZERO - others)))
                        others &= others - ONE
                        spent = cost + weights[heavier] - weights[lighter]
                        least = spent + alternating(sums, rest)
                        if least <= limit:
                            place = base + 2 * choices + 2
                            while place > base + 2 and numbers[place - 2] > least:
                                numbers[place], numbers[place + 1] = numbers[place - 2], numbers[place - 1]
                                sets[place], sets[place + 1] = sets[place - 2], sets[place - 1]
                                place -= 2
                            numbers[place], numbers[place + 1] = least, spent
                            sets[place], sets[place + 1] = rest, unheld & ~(through[heavier] & through[lighter])
                            choices += 1
                numbers[base], numbers[base + 1] = choices, 0
                depth += 1
        while True:
            if depth == 0:
                return NO_BOUND
            base = 2 * (_PAIRS + 1) * (depth - 1)
            if numbers[base + 1] < numbers[base]:
                break
            depth -= 1
        numbers[base + 1] += 1
        place = base + 2 * numbers[base + 1]
        free, unheld, cost = sets[place], sets[place + 1], numbers[place + 1]


def find(keys: Sequence[int], place: int, empty: int, mine: int, theirs: int) -> int:
    """The entry of a state whose hash is `place`, -1 if it has none."""
    entry = number(place & hash_mask(len(keys)))
    for each in range(entry, entry + 2):
        if keys[KEYS * each] == empty and keys[KEYS * each + 1] == mine and keys[KEYS * each + 2] == theirs:
            return each
    return -1


def hash_mask(keys: int) -> int:
    """What of a hash names the first of two entries, where the table has so many keys."""
    return keys // KEYS - 2


def remember(
    memo: Memo, totals: Numbers, place: int, empty: int, mine: int, theirs: int, lower: int, upper: int, move: int
) -> None:
    """Note that the value of a state lies between these bounds, and which move to try first.

    A new state takes the place of one of the two there: of the first, unless that has more empty cells left.
    """
    keys, values = memo
    entry = find(keys, place, empty, mine, theirs)
    if entry < 0:
        entry = number(place & hash_mask(len(keys)))
        if popcount(keys[KEYS * entry]) > popcount(empty):
            entry += 1
        if keys[KEYS * entry] == ZERO:
            totals[FILLED] += 1
        keys[KEYS * entry], keys[KEYS * entry + 1], keys[KEYS * entry + 2] = empty, mine, theirs
        values[VALUES * entry], values[VALUES * entry + 1] = -NO_BOUND, NO_BOUND
    values[VALUES * entry] = max(values[VALUES * entry], lower)
    values[VALUES * entry + 1] = min(values[VALUES * entry + 1], upper)
    values[VALUES * entry + 2] = move


def move_entries(old: Memo, new: Memo, totals: Numbers) -> None:
    """Put every entry of one table into another, which is empty and larger."""
    totals[FILLED] = 0
    keys, values = old
    for entry in range(len(keys) // KEYS):
        empty, mine, theirs = keys[KEYS * entry], keys[KEYS * entry + 1], keys[KEYS * entry + 2]
        if empty != ZERO:
            remember(
                new, totals, hashed(empty, mine, theirs), empty, mine, theirs,
                values[VALUES * entry], values[VALUES * entry + 1], values[VALUES * entry + 2],
            )  # fmt: skip


def nearness(lines: int, twos: int, threes: int, fours: int, more: int) -> int:
    """How near lines are to completion: one of two empty cells counts 27, of three 9, of four 3, of more 1."""
    return (
        27 * number(popcount(lines & twos))
        + 9 * number(popcount(lines & threes))
        + 3 * number(popcount(lines & fours))
        + number(popcount(lines & more))
    )


def ordered(
    tables: Tables, stack: Stack, start: int, candidates: int, empty: int, mine: int, theirs: int,
    twos: int, threes: int, fours: int, more: int, ahead: bool, first: int, dominance: bool,
) -> int:  # fmt: skip
    """Write the moves worth trying from `start` on, the most promising first, and say how many.

    A move counts by how light its cell is, less how near the lines through it are to completion, three parts for lines
    of one's own and two for the other side's. A side that two greedy players would leave with what is asked of it is
    *ahead*: it needs to hold the other's lines and keep its weights. The other side needs lines, so they count more to
    it. The factors were measured on 4x5 and 5x5 with four in a row, and on 5x5, 5x6 and 6x6 with five: weights alone
    fail where lines decide, lines alone where weights do.

    DOMINANCE leaves out a move if an earlier cell lies on all its lines. `first` comes before all others.
    """
    lightness, lines, through, moves, scores = tables.lightness, tables.lines, tables.through, stack.moves, stack.scores
    line = _AHEAD_LINE if ahead else _BEHIND_LINE
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
            close = 3 * nearness(across & mine, twos, threes, fours, more)
            close += 2 * nearness(across & theirs, twos, threes, fours, more)
            score = lightness[rank] - line * close
        place = count
        while place > 0 and scores[place - 1] > score:
            scores[place], moves[start + place] = scores[place - 1], moves[start + place - 1]
            place -= 1
        scores[place], moves[start + place] = score, rank
        count += 1
    return count


def enter(tables: Tables, stack: Stack, memo: Memo, totals: Numbers, depth: int) -> tuple[bool, int]:
    """Look at the state of the frame at `depth`: (True, its value) if that is known, else its moves stand in the frame.

    Cells that must be taken are taken at once: the frame then holds the state after them, and how its value becomes the
    one of the state before.
    """
    weights, _lightness, lines, through, sums = tables
    sets, numbers = stack.sets, stack.numbers
    start, figures = SETS * depth, NUMBERS * depth
    empty, mine, theirs = sets[start + EMPTY], sets[start + MINE], sets[start + THEIRS]
    plane_0, plane_1 = sets[start + PLANE_0], sets[start + PLANE_1]
    plane_2, plane_3 = sets[start + PLANE_2], sets[start + PLANE_3]
    need, may_pair = numbers[figures + NEED], numbers[figures + UNPAIRABLE] == 0
    won, step, rules = totals[WON], totals[STEP], totals[RULES]
    offset, sign = 0, 1
    while True:
        totals[STATES] += 1
        left = number(popcount(empty))
        if step:
            # A line after the ply at which `plies` more are made does not answer the question.
            plies = left - (need - won if need > 0 else 1 - need - won)
            mine = at_most((plies + 1) // 2, mine, plane_0, plane_1, plane_2, plane_3)
            theirs = at_most(plies // 2, theirs, plane_0, plane_1, plane_2, plane_3)
        ones = plane_0 & ~(plane_1 | plane_2 | plane_3)
        if mine & ones != ZERO:
            return True, offset + sign * (won + step * (left - 1))
        threats = theirs & ones
        if threats == ZERO:
            break
        bit = lines[lowest(threats)] & empty
        rank = lowest(bit)
        across = through[rank]
        if threats & ~across != ZERO:
            return True, offset - sign * (won + step * (left - 2))
        offset += sign * weights[rank]
        sign = -sign
        need = weights[rank] - need + 1
        empty ^= bit
        mine, theirs = theirs & ~across, mine
        plane_0, plane_1, plane_2, plane_3 = fewer(plane_0, plane_1, plane_2, plane_3, across)
        may_pair = True
    greedy = alternating(sums, empty)
    if mine | theirs == ZERO:
        return True, offset + sign * greedy
    twos = plane_1 & ~(plane_0 | plane_2 | plane_3)
    if rules & FORK != 0 and forked(lines, empty, mine & twos) != ZERO:
        return True, offset + sign * (won + step * (left - 3))
    place = hashed(empty, mine, theirs)
    entry = find(memo.keys, place, empty, mine, theirs)
    move = NO_MOVE
    if entry >= 0:
        lower, upper = memo.values[VALUES * entry], memo.values[VALUES * entry + 1]
        move = memo.values[VALUES * entry + 2]
        if lower >= need:
            return True, offset + sign * lower
        if upper < need:
            return True, offset + sign * upper
    ahead = greedy >= need
    if not ahead and may_pair and rules & PAIRING != 0:
        bound = pairing(
            weights, lines, through, sums, stack.pair_sets, stack.pair_numbers, empty, mine, need - 1
        )  # fmt: skip
        if bound != NO_BOUND:
            remember(memo, totals, place, empty, mine, theirs, -NO_BOUND, bound, move)
            return True, offset + sign * bound
    if rules & STEALING != 0 and theirs & ~mine == ZERO:
        bound = 0
        if left & 1:
            cells = empty
            while cells & (cells - ONE) != ZERO:
                cells &= cells - ONE
            bound = weights[lowest(cells)]
        if bound >= need:
            remember(memo, totals, place, empty, mine, theirs, bound, NO_BOUND, move)
            return True, offset + sign * bound

    candidates = empty
    if rules & FORK != 0:
        shared = forked(lines, empty, theirs & twos)
        if shared != ZERO:
            candidates = shared
            answers = theirs & twos & through[lowest(shared)] | mine & twos
            while answers != ZERO:
                candidates |= lines[lowest(answers)] & empty
                answers &= answers - ONE
    threes = plane_1 & plane_0 & ~(plane_2 | plane_3)
    fours = plane_2 & ~(plane_0 | plane_1 | plane_3)
    more = plane_2 & (plane_0 | plane_1) | plane_3
    first = CELLS * depth
    count = ordered(
        tables, stack, first, candidates, empty, mine, theirs,
        twos, threes, fours, more, ahead, move, rules & DOMINANCE != 0,
    )  # fmt: skip
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
                    return True, offset + sign * bound
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
    return False, 0


def as_set(rank: int) -> int:
    """The set of one cell."""
    return 1 << rank


def play(tables: Tables, stack: Stack, depth: int) -> None:
    """Make the next move of the frame at `depth`: the frame above it holds the state after it."""
    sets, numbers = stack.sets, stack.numbers
    start, figures = SETS * depth, NUMBERS * depth
    above, next_figures = start + SETS, figures + NUMBERS
    rank = stack.moves[CELLS * depth + numbers[figures + NEXT]]
    numbers[figures + NEXT] += 1
    across, bit = tables.through[rank], as_set(rank)
    sets[above + EMPTY] = sets[start + EMPTY] ^ bit
    sets[above + MINE], sets[above + THEIRS] = sets[start + THEIRS] & ~across, sets[start + MINE]
    plane_0, plane_1, plane_2, plane_3 = fewer(
        sets[start + PLANE_0], sets[start + PLANE_1], sets[start + PLANE_2], sets[start + PLANE_3], across
    )
    sets[above + PLANE_0], sets[above + PLANE_1] = plane_0, plane_1
    sets[above + PLANE_2], sets[above + PLANE_3] = plane_2, plane_3
    numbers[next_figures + NEED] = tables.weights[rank] - numbers[figures + NEED] + 1
    # LOOK_AHEAD has tried in vain what PAIRING would try after this move.
    numbers[next_figures + UNPAIRABLE] = 1 if sets[start + LOOKED] & bit != ZERO else 0


def search(tables: Tables, stack: Stack, memo: Memo, totals: Numbers, states: int, most_filled: int) -> bool:
    """Go on with the question in the first frame; whether it is answered, `VALUE` holding the bound.

    It stops after about so many states, or when more entries of the table are filled than `most_filled`, which must be
    fewer than it has.
    """
    numbers = stack.numbers
    stop = totals[STATES] + states
    depth = totals[DEPTH]
    while totals[STATES] < stop and totals[FILLED] <= most_filled:
        figures = NUMBERS * depth
        known, value = enter(tables, stack, memo, totals, depth)
        if known and totals[STEP]:
            # Without the lines that were dropped, a value says no more than the answer.
            need = numbers[figures + NEED]
            value = need if value >= need else need - 1
        while True:
            if known:
                if depth == 0:
                    totals[VALUE] = value
                    return True
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
    totals[DEPTH] = depth
    return False
