"""Sets of cells and lines as bit masks, for the search that runs as Python and for the compiled one.

In this module a set is a Python integer of any length: bit i is 1 if i is a member. A *member* of a set is the rank of
a cell (0 for the heaviest) or the index of a line. For the compiled search, the module `compiled` replaces the
constants and the functions up to `hashed` by versions for 64-bit words, or for pairs of words, and compiles the other
functions to machine code.

The number of empty cells of every line is stored for all lines at once, as *bit planes*: bit l of plane i is bit i of
the count of line l. For four lines with 3, 1, 2 and 0 empty cells:

    line      3 2 1 0
    count     0 2 1 3
    plane 0   0 0 1 1
    plane 1   0 1 0 1     planes 2 and 3 are empty; counts go up to 8
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple, Protocol

Numbers = MutableSequence[int]


class Shared(Protocol):
    """The counter of visited states, which also limits their number, in the version of the search that runs as Python.

    The compiled version uses an array of 64-bit words instead of an object of this class (see `machine.shared_words`).
    """

    nodes: int

    def enter(self) -> bool:
        """Count one more visited state and return True, or return False if the search must stop at once."""


class State(NamedTuple):
    """A position in the form that the search uses: the empty cells, and the lines that each side can still complete.

    All three are sets, stored as bit masks.
    """

    empty: int
    """The set of empty cells, by rank."""
    mine: int
    """The lines that the side to move can still complete."""
    theirs: int
    """The lines that the other side can still complete."""


class Counts(NamedTuple):
    """The number of empty cells of every line, as four bit planes: plane i contains bit i of every number."""

    plane_0: int
    plane_1: int
    plane_2: int
    plane_3: int


class Near(NamedTuple):
    """Sets of lines, as bit masks, grouped by how many empty cells a line has: two, three, four, or more than four."""

    twos: int
    threes: int
    fours: int
    more: int


# Constants for sets, which are bit masks: the empty set, and the set whose only member is 0.
ZERO, ONE = 0, 1


def popcount(cells: int) -> int:
    """Return the number of members of a set, which is given as a bit mask."""
    return cells.bit_count()


def lowest(cells: int) -> int:
    """Return the lowest member of a non-empty set, which is given as a bit mask."""
    return (cells & -cells).bit_length() - 1


def as_set(rank: int) -> int:
    """Return the set, as a bit mask, whose only member is the cell with this rank."""
    return 1 << rank


def number(word: int) -> int:
    """Convert a set, which is a bit mask, to an integer for arithmetic.

    In the version of the search that runs as Python, both are integers, so the value stays the same. In the compiled
    version the two types differ. The function `word` is the inverse.
    """
    return word


def word(value: int) -> int:
    """Convert an integer to a set for storage in an array. A set is a bit mask: bit i is 1 if i is in the set.

    In the version of the search that runs as Python, both are integers, so the value stays the same. In the compiled
    version the two types differ. The function `number` is the inverse.
    """
    return value


def enter_state(shared: Shared) -> bool:
    """Count one more visited state. Returns False if the search must stop, otherwise True."""
    return shared.enter()


def states_of(shared: Shared) -> int:
    """Return how many states the running search has visited so far, by its counter of states."""
    return shared.nodes


_EMPTY, _MINE, _PRIME = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, (1 << 61) - 1


def hashed(empty: int, mine: int, theirs: int) -> int:
    """Return a hash of a state (empty cells, and open lines of both sides) for the transposition table.

    The hash is the same on every platform, unlike that of Python's `hash`. The compiled search has another hash
    (`compiled._hashed`).
    """
    return (empty * _EMPTY + mine * _MINE + theirs) % _PRIME


def fewer(counts: Counts, taken: int) -> Counts:
    """Return the number of empty cells of every line after a move: one less for each line through the taken cell.

    `taken` is the set of these lines, as a bit mask. The counts are stored as bit planes: plane i contains bit i of the
    count of every line. The subtraction runs through the planes from the lowest bit and borrows where needed, for all
    lines at once.
    """
    plane_0, plane_1, plane_2, plane_3 = counts
    plane_0 ^= taken
    taken &= plane_0
    plane_1 ^= taken
    taken &= plane_1
    plane_2 ^= taken
    taken &= plane_2
    return Counts(plane_0, plane_1, plane_2, plane_3 ^ taken)


def at_most(limit: int, lines: int, counts: Counts) -> int:
    """Return those of the given lines that have at most `limit` empty cells. Sets of lines are bit masks."""
    if limit >= 8:
        return lines
    if limit <= 0:
        return ZERO
    more, equal = counts.plane_3, lines & ~counts.plane_3
    if limit & 4:
        equal &= counts.plane_2
    else:
        more |= equal & counts.plane_2
        equal &= ~counts.plane_2
    if limit & 2:
        equal &= counts.plane_1
    else:
        more |= equal & counts.plane_1
        equal &= ~counts.plane_1
    if not limit & 1:
        more |= equal & counts.plane_0
    return lines & ~more


def with_one(counts: Counts) -> int:
    """Return the set of all lines with exactly one empty cell, as a bit mask of lines."""
    return counts.plane_0 & ~(counts.plane_1 | counts.plane_2 | counts.plane_3)


def with_two(counts: Counts) -> int:
    """Return the set of all lines with exactly two empty cells, as a bit mask of lines."""
    return counts.plane_1 & ~(counts.plane_0 | counts.plane_2 | counts.plane_3)


def by_count(counts: Counts) -> Near:
    """Return four sets of lines, as bit masks: the lines with two, three, four, and more than four empty cells."""
    plane_0, plane_1, plane_2, plane_3 = counts
    threes = plane_1 & plane_0 & ~(plane_2 | plane_3)
    fours = plane_2 & ~(plane_0 | plane_1 | plane_3)
    return Near(with_two(counts), threes, fours, plane_2 & (plane_0 | plane_1) | plane_3)


def tightest(lines: int, starts: int, ends: int) -> int:
    """Return the lines that a side can still complete after it took a cell, without redundant lines.

    This is the rule REDUNDANCY. Sets of lines are bit masks. `starts` and `ends` are the elements for the taken cell of
    the tables with these names in `arrays.Tables`. Line i - 1 is the *predecessor* of line i if the two lines share all
    cells but one: usually line i is then line i - 1, shifted by one cell.

    If one of two such lines contains the taken cell and the other lacks it, the other line needs all cells that the
    first one still needs. So the other line is redundant:

    - A line in `starts` lacks the taken cell, and its predecessor contains it. The line is removed. Its predecessor
      is added if it is not in `lines`: the side can complete it, because it owns the only cell that the removed line
      lacks.
    - A line in `ends` contains the taken cell, and its predecessor lacks it. The predecessor is removed.
    """
    longer = lines & starts
    return (lines & ~longer | longer >> ONE) & ~((lines & ends) >> ONE)


def forked(lines: Sequence[int], empty: int, twos: int) -> int:
    """Return an empty cell that makes a fork, as a bit mask with one bit; 0 if there is no such cell.

    `twos` is a set of lines with two empty cells each. Two of these lines make a fork if exactly one empty cell is on
    both: the side that takes this cell threatens to complete both lines. If the two lines have the same two empty
    cells, there is no fork, because the opponent stops both lines with one cell.
    """
    shared = ZERO
    if twos & (twos - ONE) != ZERO:
        seen, remaining = ZERO, twos
        while remaining != ZERO and shared == ZERO:
            pair = lines[lowest(remaining)] & empty
            shared = seen & pair
            if shared == pair:
                # Both empty cells of this line are also on earlier lines. If one earlier line contains both, there is
                # no fork.
                earlier = twos
                while lines[lowest(earlier)] & empty & pair == ZERO:
                    earlier &= earlier - ONE
                if lines[lowest(earlier)] & empty == pair:
                    shared = ZERO
            remaining &= remaining - ONE
            seen |= pair
    return shared & (ZERO - shared)


def nearness(step: int, lines: int, near: Near) -> int:
    """Return a score of how near some lines are to completion: a sum over the lines, larger with fewer empty cells.

    `near` contains the sets of all lines by the number of their empty cells. A line with five or more empty cells adds
    1 to the score. With four empty cells it adds `step`, with three `step`**2, and with two `step`**3.
    """
    if lines == ZERO:
        return 0
    return number(popcount(lines & near.more)) + step * (
        number(popcount(lines & near.fours))
        + step * (number(popcount(lines & near.threes)) + step * number(popcount(lines & near.twos)))
    )
