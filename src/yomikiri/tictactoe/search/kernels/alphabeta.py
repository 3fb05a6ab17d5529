"""The search for one question: whether the side to move can gain at least a given number, `need`, from now on.

It is an alpha-beta search with a null window. It has a stack of its own instead of recursion. The same source code runs
as Python and is compiled to machine code (see `sets`). As Python it searches any board. The compiled version, for
speed, searches boards whose sets of lines (bit masks) fit into one or two 64-bit words, and whose sums of weights fit
into one. The search can stop at any state: all results so far are in the transposition table, so that the same search,
started again, soon reaches the same point.

- A *state* is a position in the form of `layout`: the empty cells by rank, the heaviest first, and the lines that the
  side to move (`mine`) and the other side (`theirs`) can still complete.
- The *value* of a state is the gain of the side to move under best play: the weights of the cells that it will take
  minus those that the other side will take. A line of the side to move adds at least `WON`. A line of the other side
  subtracts at least `WON`. If a move takes a cell of weight w, and the state after the move has the value v for the
  other side, the move is worth w - v to the side that makes it.
- A *bound* is a number v that shows whether the value is at least `need`: either v >= need and the value is at least v,
  or v < need and the value is at most v.
- *Greedy play*: both sides always take the heaviest cell.
- A *frame* is the part of the stack that belongs to one state on the path.

If `totals[STEP]` is 1 (see `arrays`), all weights are 0, and a line is worth one more for every cell that is still
empty when the line is completed. Whether the side to move can gain at least `need` then depends only on the lines that
can be completed within a certain number of moves. The search ignores all other lines, so that it looks for an early
line quickly.
"""

from __future__ import annotations

from collections.abc import Sequence

from yomikiri.tictactoe.search.kernels.arrays import (
    BEST,
    CELLS,
    COUNT,
    FILLED,
    HASH,
    LONG,
    MOVE,
    NEED,
    NEXT,
    NUMBERS,
    OFFSET,
    RULES,
    SETS,
    SIGN,
    STEP,
    TESTED,
    UNPAIRABLE,
    VALUE,
    WON,
    SearchNode,
    Stack,
    Tables,
    counts_of,
    state_of,
    write_state,
)
from yomikiri.tictactoe.search.kernels.pairing import NO_BOUND, alternating, pairing
from yomikiri.tictactoe.search.kernels.sets import (
    ONE,
    ZERO,
    Counts,
    Numbers,
    Shared,
    State,
    as_set,
    at_most,
    by_count,
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
    with_one,
    with_two,
)
from yomikiri.tictactoe.search.kernels.transposition_table import NO_MOVE, recall, remember
from yomikiri.tictactoe.search.rules import Rule

# Limit on the number of moves of a state that the rule LOOK_AHEAD tests. The rule tries to prove, before any move is
# searched, that one of the first moves is good enough.
_TESTS = 6
# Moves are tried in order of a score, the smallest first:
#
#     score = lightness - factor * (own * mine + 2 * theirs)
#
# - lightness: 0 for the heaviest cell of the board, 1 for the lightest.
# - mine: a sum over the lines through the cell that the side to move can still complete. theirs: the same sum
#   over the lines through the cell that the other side can still complete. A line adds 1 if it has more than four
#   empty cells, otherwise step**(5 - n) if it has n empty cells.
# - _STEP, _OWN: the numbers step and own.
# - _AHEAD: the factor if the side to move would gain at least `need` in greedy play, where both sides always take
#   the heaviest cell. _BEHIND: the factor if it would gain less.
# - _LONG_STEP, _LONG_OWN, _LONG_AHEAD, _LONG_BEHIND: used instead of _STEP, _OWN, _AHEAD and _BEHIND if
#   `totals[LONG]` is 1, because the search takes long.
_STEP, _OWN, _AHEAD, _BEHIND = 3, 3, 1 / 90, 1 / 54
_LONG_STEP, _LONG_OWN, _LONG_AHEAD, _LONG_BEHIND = 2, 2, 1 / 32, 1 / 13
_FIRST = -1e9  # score of the move that is tried first, lower than the score of any other move


FORK, DOMINANCE, PAIRING, LOOK_AHEAD, STEALING = (
    rule.value for rule in (Rule.FORK, Rule.DOMINANCE, Rule.PAIRING, Rule.LOOK_AHEAD, Rule.STEALING)
)
# Reasons why a search returns. ANSWERED: it has a result. STOPPED: it must stop. FULL: the transposition table is full.
# TURNED: the search has visited as many states as the caller allowed. The caller then changes the order of moves, or
# lets the transposition table grow, and starts the search again.
ANSWERED, STOPPED, FULL, TURNED = range(4)
# Results of a visit to a state. OPEN: there are moves to try. KNOWN: a bound shows whether the side to move can gain at
# least `need`. NEITHER: the visit has no result, because the search must stop.
OPEN, KNOWN, NEITHER = range(3)


def after_move(tables: Tables, state: State, rank: int) -> State:
    """Return the state after the side to move takes a cell. The opponent is the side to move in the returned state.

    `rank` identifies the cell by its position in the order of weights, from 0 for the heaviest cell. A state contains
    the empty cells, and the lines that each side can still complete. The taken cell can make lines of its owner
    redundant. Such lines are left out (rule REDUNDANCY), because their empty cells include all empty cells of another
    line of this side.
    """
    return State(
        state.empty ^ as_set(rank),
        state.theirs & ~tables.through[rank],
        tightest(state.mine, tables.starts[rank], tables.ends[rank]),
    )


def without_late_lines(state: State, counts: Counts, plies: int) -> State:
    """Return a state without the lines that cannot be completed within the next `plies` moves.

    The moves of both sides are counted, and the side to move makes the first of them. A state contains the empty cells,
    and the lines that each side can still complete.
    """
    return State(state.empty, at_most((plies + 1) // 2, state.mine, counts), at_most(plies // 2, state.theirs, counts))


def read_node(stack: Stack, depth: int) -> SearchNode:
    """Read a search node from the stack: the state at index `depth` of the search path, and the number `need`.

    The search asks whether the side to move can gain at least `need` from this state on. The fields `state_hash` and
    `ahead` of the node are placeholders, which `play_forced` replaces.
    """
    figures = NUMBERS * depth
    need, may_pair = stack.numbers[figures + NEED], stack.numbers[figures + UNPAIRABLE] == 0
    return SearchNode(state_of(stack, depth), counts_of(stack, depth), need, may_pair, ZERO, False)


def play_forced(
    tables: Tables, totals: Numbers, shared: Shared, node: SearchNode
) -> tuple[int, int, SearchNode, int, int]:
    """Make the forced moves of a node: while only one cell stops a line of the opponent, take that cell.

    Returns five values:

    - OPEN if there are moves to try, KNOWN if a bound shows whether the side to move of the given node can gain at
      least `node.need`, or NEITHER if the search must stop.
    - This bound of the value of the given node, or 0 if the first result is not KNOWN.
    - The node after the forced moves.
    - Two numbers, `offset` and `sign` (1 or -1). If the node after the forced moves has the value v, the value of the
      given node is offset + sign * v.
    """
    won, step = totals[WON], totals[STEP]
    state, counts, need, may_pair = node.state, node.counts, node.need, node.may_pair
    offset, sign = 0, 1
    while True:
        if not enter_state(shared):
            return NEITHER, 0, node, offset, sign
        empty_cells = number(popcount(state.empty))
        if step:
            # If `totals[STEP]` is 1, a line is worth less the later it is completed. Remove the lines that come too
            # late to decide whether the side to move can gain at least `need`.
            state = without_late_lines(state, counts, empty_cells - (need - won if need > 0 else 1 - need - won))
        ones = with_one(counts)
        if state.mine & ones != ZERO:
            return KNOWN, offset + sign * (won + step * (empty_cells - 1)), node, offset, sign
        threats = state.theirs & ones
        if threats == ZERO:
            state_hash = hashed(state.empty, state.mine, state.theirs)
            ahead = alternating(tables.sums, state.empty) >= need
            return OPEN, 0, SearchNode(state, counts, need, may_pair, state_hash, ahead), offset, sign
        rank = lowest(tables.lines[lowest(threats)] & state.empty)
        across = tables.through[rank]
        if threats & ~across != ZERO:
            return KNOWN, offset - sign * (won + step * (empty_cells - 2)), node, offset, sign
        offset += sign * tables.weights[rank]
        sign = -sign
        need = tables.weights[rank] - need + 1
        state, counts = after_move(tables, state, rank), fewer(counts, across)
        may_pair = True


def bound_state(tables: Tables, stack: Stack, table: Numbers, totals: Numbers, node: SearchNode) -> tuple[int, int]:
    """Look for a bound that shows, before any move is tried, whether the side to move can gain at least `node.need`.

    Returns the bound, and the move to try first: the rank of a cell, or `NO_MOVE`. The move comes from the
    transposition table, which contains bounds and best moves of states searched before. The gain is counted from now
    on. The bound is `NO_BOUND` if moves have to be tried. Otherwise it comes from the first of these sources that has
    one:

    - greedy play (both sides always take the heaviest cell), if neither side can complete a line
    - the rule FORK: the side to move has two lines that have two empty cells each and share exactly one of them
    - the transposition table
    - the rule PAIRING: a bound on the gain, from a matching of the empty cells in pairs
    - the rule STEALING: a lower bound if all lines of the other side are also lines of the side to move
    """
    state, need, rules = node.state, node.need, totals[RULES]
    if state.mine | state.theirs == ZERO:
        return alternating(tables.sums, state.empty), NO_MOVE
    empty_cells = number(popcount(state.empty))
    if rules & FORK != 0 and forked(tables.lines, state.empty, state.mine & with_two(node.counts)) != ZERO:
        return totals[WON] + totals[STEP] * (empty_cells - 3), NO_MOVE
    bound, move = recall(table, node.state_hash, state, need)
    if bound != NO_BOUND:
        return bound, move
    if not node.ahead and node.may_pair and rules & PAIRING != 0:
        bound = pairing(tables, stack, state.empty, state.mine, need - 1)
        if bound != NO_BOUND:
            remember(table, totals, node.state_hash, state, -NO_BOUND, bound, move)
            return bound, move
    if rules & STEALING != 0 and state.theirs & ~state.mine == ZERO:
        bound = lightest(tables, state.empty) if empty_cells & 1 else 0
        if bound >= need:
            remember(table, totals, node.state_hash, state, bound, NO_BOUND, move)
            return bound, move
    return NO_BOUND, move


def lightest(tables: Tables, cells: int) -> int:
    """Return the smallest weight of the cells in a non-empty set, which is a bit mask of cells."""
    while cells & (cells - ONE) != ZERO:
        cells &= cells - ONE
    return tables.weights[lowest(cells)]


def candidates_of(tables: Tables, totals: Numbers, node: SearchNode) -> int:
    """Return the cells to try as moves, as a bit mask: all empty cells, or fewer if the opponent has a fork.

    A *fork* of a side is an empty cell on two of its lines that have two empty cells each and no other empty cell in
    common. By taking this cell, the side makes two threats at once. The rule FORK then leaves only moves that prevent
    this.
    """
    state, twos = node.state, with_two(node.counts)
    if totals[RULES] & FORK == 0:
        return state.empty
    crossing = forked(tables.lines, state.empty, state.theirs & twos)
    if crossing == ZERO:
        return state.empty
    candidates = crossing
    answers = state.theirs & twos & tables.through[lowest(crossing)] | state.mine & twos
    while answers != ZERO:
        candidates |= tables.lines[lowest(answers)] & state.empty
        answers &= answers - ONE
    return candidates


def is_dominated(lines: Sequence[int], here: int, earlier: int) -> bool:
    """Return True if one of the cells `earlier` is on all of the lines `here`.

    The search calls this for a possible move: `here` are the open lines through the cell of the move, and `earlier` are
    the empty cells before this cell in the order of weights, which are at least as heavy. If the result is True, the
    move need not be tried, because taking that cell of `earlier` is at least as good (rule DOMINANCE).
    """
    while earlier != ZERO and here != ZERO:
        earlier &= lines[lowest(here)]
        here &= here - ONE
    return earlier != ZERO


def ordered(
    tables: Tables, stack: Stack, totals: Numbers, node: SearchNode, depth: int, candidates: int, first: int
) -> int:
    """Write the moves to try at a position to the stack, the most promising first. Returns the number of moves.

    Moves are sorted by a score, the smallest first. It is the *lightness* of the cell (0 for the heaviest cell, 1 for
    the lightest) minus a factor times the *nearness* of its lines to completion (more for lines with few empty cells).
    The side to move is *ahead* if it would gain `node.need` in greedy play, where both sides always take the heaviest
    cell. A side that is ahead needs to stop the other side's lines and to keep its weights. A side that is not ahead
    needs lines, so lines have a larger factor. A long search changes from this usual order to a second one, in which
    lines with many empty cells count more, and back.

    All factors were measured: those of the usual order on 4x5 and 5x5 with four in a row, and on 5x5 and 5x6 with five.
    The factors of the second order were measured on 6x6 with five, where the usual order takes three times as long.
    Weights alone are a bad order if lines decide the game, and lines alone are a bad order if weights do.

    The rule DOMINANCE leaves out a move if another one is at least as good. The cell `first`, if it is among
    `candidates`, comes before all others.
    """
    lightness, lines, through, moves, scores = tables.lightness, tables.lines, tables.through, stack.moves, stack.scores
    empty, mine, theirs = node.state.empty, node.state.mine, node.state.theirs
    near, dominance, start = by_count(node.counts), totals[RULES] & DOMINANCE != 0, CELLS * depth
    either = mine | theirs
    if totals[LONG] != 0:
        step, own, line = _LONG_STEP, _LONG_OWN, _LONG_AHEAD if node.ahead else _LONG_BEHIND
    else:
        step, own, line = _STEP, _OWN, _AHEAD if node.ahead else _BEHIND
    count = 0
    while candidates != ZERO:
        rank = lowest(candidates)
        bit = candidates & (ZERO - candidates)
        candidates ^= bit
        across = through[rank]
        if dominance and is_dominated(lines, across & either, empty & (bit - ONE)):
            continue
        if rank == first:
            score = _FIRST
        else:
            close = own * nearness(step, across & mine, near) + 2 * nearness(step, across & theirs, near)
            score = lightness[rank] - line * close
        index = count
        while index > 0 and scores[index - 1] > score:
            scores[index], moves[start + index] = scores[index - 1], moves[start + index - 1]
            index -= 1
        scores[index], moves[start + index] = score, rank
        count += 1
    return count


def look_ahead(
    tables: Tables, stack: Stack, table: Numbers, totals: Numbers, node: SearchNode, depth: int, count: int
) -> tuple[int, int]:
    """Return a proven bound if a quick test shows that one of the first moves gains at least `node.need`.

    This is the rule LOOK_AHEAD. The *gain* of the side to move is counted from now on. The stack contains the `count`
    moves of this state.

    A move is tested without a search: `pairing` matches the remaining cells in pairs, which bounds what the other side
    can gain after the move. At most _TESTS (six) moves are tested. Returns the lower bound of the state's value, or
    `NO_BOUND` if every test fails. The second result is the set of the cells whose test failed, as a bit mask.
    """
    weights, sums, moves, empty, need = tables.weights, tables.sums, stack.moves, node.state.empty, node.need
    tested, tests, first = ZERO, 0, CELLS * depth
    for index in range(first, first + count):
        rank = moves[index]
        rest, limit = empty ^ as_set(rank), weights[rank] - need
        if alternating(sums, rest) <= limit:
            bound = pairing(tables, stack, rest, node.state.theirs & ~tables.through[rank], limit)
            if bound != NO_BOUND:
                bound = weights[rank] - bound
                remember(table, totals, node.state_hash, node.state, bound, NO_BOUND, rank)
                return bound, tested
            tested |= as_set(rank)
            tests += 1
            if tests == _TESTS:
                break
    return NO_BOUND, tested


def enter(tables: Tables, stack: Stack, table: Numbers, totals: Numbers, shared: Shared, depth: int) -> tuple[int, int]:
    """Visit a state: make its forced moves, then bound its value or list its moves.

    The state is in the frame at `depth` of the stack. A move is forced if it is the only way to stop a line of the
    other side.

    - Returns KNOWN and a bound of the state's value if the bound shows whether the side to move can gain at least
      `need`, which is in the frame.
    - Returns OPEN and 0 if there are moves to try. The frame then contains these moves, the state after the forced
      moves, and the offset and sign that convert the value of that state into the value of the visited state.
    - Returns NEITHER and 0 if the search must stop.
    """
    found, value, node, offset, sign = play_forced(tables, totals, shared, read_node(stack, depth))
    if found != OPEN:
        return found, value
    bound, move = bound_state(tables, stack, table, totals, node)
    if bound != NO_BOUND:
        return KNOWN, offset + sign * bound
    count = ordered(tables, stack, totals, node, depth, candidates_of(tables, totals, node), move)
    tested = ZERO
    if node.ahead and totals[RULES] & LOOK_AHEAD != 0:
        bound, tested = look_ahead(tables, stack, table, totals, node, depth, count)
        if bound != NO_BOUND:
            return KNOWN, offset + sign * bound
    write_state(stack, depth, node.state, node.counts)
    start, figures, numbers = SETS * depth, NUMBERS * depth, stack.numbers
    stack.sets[start + TESTED], stack.sets[start + HASH] = tested, node.state_hash
    numbers[figures + NEED], numbers[figures + BEST], numbers[figures + MOVE] = node.need, -NO_BOUND, NO_MOVE
    numbers[figures + NEXT], numbers[figures + COUNT] = 0, count
    numbers[figures + OFFSET], numbers[figures + SIGN] = offset, sign
    return OPEN, 0


def play(tables: Tables, stack: Stack, depth: int) -> None:
    """Make the next untried move of a state on the search path, and write the resulting state to the stack.

    `depth` is the index on the search path of the state in which the move is made. The state after the move gets the
    index `depth` + 1.
    """
    numbers, figures = stack.numbers, NUMBERS * depth
    rank = stack.moves[CELLS * depth + numbers[figures + NEXT]]
    numbers[figures + NEXT] += 1
    after = after_move(tables, state_of(stack, depth), rank)
    write_state(stack, depth + 1, after, fewer(counts_of(stack, depth), tables.through[rank]))
    numbers[figures + NUMBERS + NEED] = tables.weights[rank] - numbers[figures + NEED] + 1
    # Do not try the rule PAIRING in the state after this move if LOOK_AHEAD has already matched the cells of that state
    # in pairs without success.
    unpairable = 1 if stack.sets[SETS * depth + TESTED] & as_set(rank) != ZERO else 0
    numbers[figures + NUMBERS + UNPAIRABLE] = unpairable


def search(
    tables: Tables, stack: Stack, table: Numbers, totals: Numbers, shared: Shared, turn_ends: int, most_filled: int
) -> int:
    """Search the position at the bottom of the stack until a bound shows whether the side to move can gain `need`.

    Returns ANSWERED, with the bound in `totals[VALUE]`, or the reason why the search ended early:

    - STOPPED: a limit on states is reached, or the caller has requested a stop.
    - TURNED: the number of states visited in total has reached `turn_ends`. The caller then changes the order in which
      moves are tried, or allows the transposition table to grow.
    - FULL: more than `most_filled` entries of the transposition table are filled. The caller then enlarges the table.
      This only happens if the limit `most_filled` is less than the number of entries.

    Wherever the search ends, the transposition table is valid. Bounds of a state are stored if they are proven without
    a search, when a move is good enough, or after all moves were tried. No bounds are stored for unfinished states.
    """
    numbers = stack.numbers
    depth = 0
    while True:
        if totals[FILLED] > most_filled:
            return FULL
        if states_of(shared) >= turn_ends:
            return TURNED
        figures = NUMBERS * depth
        found, value = enter(tables, stack, table, totals, shared, depth)
        if found == NEITHER:
            return STOPPED
        known = found == KNOWN
        if known and totals[STEP]:
            # Return only `need` or `need` - 1. Each of them says whether the side to move can gain at least `need`.
            # A bound beyond `need` may be wrong, because the search ignores lines that would need too many moves.
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
            lower, upper = (best, NO_BOUND) if best >= need else (-NO_BOUND, best)
            state_hash = stack.sets[SETS * depth + HASH]
            remember(table, totals, state_hash, state_of(stack, depth), lower, upper, numbers[figures + MOVE])
            known, value = True, numbers[figures + OFFSET] + numbers[figures + SIGN] * best
        play(tables, stack, depth)
        depth += 1
