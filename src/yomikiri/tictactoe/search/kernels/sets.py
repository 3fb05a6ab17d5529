"""Sets of cells and lines, written once for Python integers and for machine code.

Here a set is an integer of any length, and a *member* of a set is the number of a cell (its rank) or of a line.
`compiled` replaces the constants and the functions up to `hashed` by versions for 64-bit words, or for pairs of words,
and compiles the other functions to machine code.

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
    """The object by which a search in plain Python receives its limit of states and counts the visited states.

    Machine code uses an array of words instead (`shared_words`).
    """

    nodes: int

    def enter(self) -> bool:
        """Count one more state and return True, or return False if the search must stop."""


class State(NamedTuple):
    """A position as the search uses it, from the point of view of the side to move."""

    empty: int
    """The set of empty cells, by rank."""
    mine: int
    """The lines that the side to move can still complete."""
    theirs: int
    """The lines that the other side can still complete."""


class Counts(NamedTuple):
    """The number of empty cells of every line, as four bit planes from the lowest bit."""

    plane_0: int
    plane_1: int
    plane_2: int
    plane_3: int


class Near(NamedTuple):
    """Sets of lines by the number of their empty cells: two, three, four, or `more`."""

    twos: int
    threes: int
    fours: int
    more: int


# The empty set, and the set of member 0.
ZERO, ONE = 0, 1


def popcount(cells: int) -> int:
    """Return the number of members of a set."""
    return cells.bit_count()


def lowest(cells: int) -> int:
    """Return the lowest member of a non-empty set."""
    return (cells & -cells).bit_length() - 1


def as_set(rank: int) -> int:
    """Return the set with the single member `rank`."""
    return 1 << rank


def number(word: int) -> int:
    """Return an element of an array of sets as a number for arithmetic. `word` is the inverse."""
    return word


def word(value: int) -> int:
    """Return a number in the form in which arrays of sets store it. `number` is the inverse."""
    return value


def enter_state(shared: Shared) -> bool:
    """Count one more visited state and return True, or return False if the search must stop."""
    return shared.enter()


def states_of(shared: Shared) -> int:
    """Return the number of states visited so far."""
    return shared.nodes


_EMPTY, _MINE, _PRIME = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, (1 << 61) - 1


def hashed(empty: int, mine: int, theirs: int) -> int:
    """Return a hash of a state that is the same on every platform, unlike Python's `hash`."""
    return (empty * _EMPTY + mine * _MINE + theirs) % _PRIME


def fewer(counts: Counts, taken: int) -> Counts:
    """Return the counts of empty cells after a move, which are one less for the lines `taken`.

    Subtraction with borrowing, for all lines at once.
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
    """Return the lines among `lines` that have at most `limit` empty cells."""
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
    """Return the lines with one empty cell."""
    return counts.plane_0 & ~(counts.plane_1 | counts.plane_2 | counts.plane_3)


def with_two(counts: Counts) -> int:
    """Return the lines with two empty cells."""
    return counts.plane_1 & ~(counts.plane_0 | counts.plane_2 | counts.plane_3)


def by_count(counts: Counts) -> Near:
    """Return the lines by the number of their empty cells."""
    plane_0, plane_1, plane_2, plane_3 = counts
    threes = plane_1 & plane_0 & ~(plane_2 | plane_3)
    fours = plane_2 & ~(plane_0 | plane_1 | plane_3)
    return Near(with_two(counts), threes, fours, plane_2 & (plane_0 | plane_1) | plane_3)


def tightest(lines: int, starts: int, ends: int) -> int:
    """Return a side's open lines after it took a cell, without the lines that are redundant by REDUNDANCY.

    Neighbouring lines differ by one cell each, and have consecutive numbers. `starts` are the lines without the cell
    whose predecessor contains it. `ends` are the lines with the cell whose predecessor does not contain it. Of two such
    neighbours, the line with the cell now needs fewer cells. It is open if the other line is, because its only
    additional cell belongs to this side.
    """
    longer = lines & starts
    return (lines & ~longer | longer >> ONE) & ~((lines & ends) >> ONE)


def forked(lines: Sequence[int], empty: int, twos: int) -> int:
    """Return a cell at which two of the lines `twos` cross, as a set; the empty set if there is none.

    Each of these lines has two empty cells. The two lines must have different pairs of empty cells.
    """
    shared = ZERO
    if twos & (twos - ONE) != ZERO:
        seen, left = ZERO, twos
        while left != ZERO and shared == ZERO:
            pair = lines[lowest(left)] & empty
            shared = seen & pair
            if shared == pair:
                # Both cells were seen before: in one line with the same two cells, which is no fork, or in two lines.
                earlier = twos
                while lines[lowest(earlier)] & empty & pair == ZERO:
                    earlier &= earlier - ONE
                if lines[lowest(earlier)] & empty == pair:
                    shared = ZERO
            left &= left - ONE
            seen |= pair
    return shared & (ZERO - shared)


def nearness(step: int, lines: int, near: Near) -> int:
    """Return the nearness of some lines to completion, added up over the lines.

    A line with five or more empty cells counts 1. Each empty cell less multiplies this by `step`.
    """
    if lines == ZERO:
        return 0
    return number(popcount(lines & near.more)) + step * (
        number(popcount(lines & near.fours))
        + step * (number(popcount(lines & near.threes)) + step * number(popcount(lines & near.twos)))
    )
