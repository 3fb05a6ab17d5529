"""Sets of cells and lines, written once for Python's integers and for machine code.

Here a set is an integer of any length. `compiled` puts words of 64 bits, or pairs of them, in the place of the
constants and of the first functions, and makes machine code of the rest and of whatever else is written with them.

How many empty cells every line has is kept for all lines at once, upright: bit l of plane i is bit i of the count of
line l. Four lines with 3, 1, 2 and 0 empty cells:

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
    """What a search shares with who waits for it: see `solver`. Machine code has words for it (`shared_words`)."""

    nodes: int

    def enter(self) -> bool:
        """Count one more state."""


# Constants as the kind of number that sets are.
ZERO, ONE = 0, 1


def popcount(cells: int) -> int:
    """How many are in the set."""
    return cells.bit_count()


def lowest(cells: int) -> int:
    """The first of a set that is not empty."""
    return (cells & -cells).bit_length() - 1


def as_set(rank: int) -> int:
    """The set of one cell."""
    return 1 << rank


def number(word: int) -> int:
    """A part of a set as a number to compute with."""
    return word


def word(value: int) -> int:
    """A number as it is kept among sets; `number` gives it back."""
    return value


def enter_state(shared: Shared) -> bool:
    """Count one more state that is looked at; False, and it is not, where the search must stop."""
    return shared.enter()


def states_of(shared: Shared) -> int:
    """How many states have been looked at."""
    return shared.nodes


_EMPTY, _MINE, _PRIME = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, (1 << 61) - 1


def hashed(empty: int, mine: int, theirs: int) -> int:
    """Where in the table a state belongs, the same on every platform, as `hash` is not."""
    return (empty * _EMPTY + mine * _MINE + theirs) % _PRIME


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


def tightest(lines: int, starts: int, ends: int) -> int:
    """REDUNDANCY: a side's open lines after it took a cell, without those that need more than a neighbour of theirs.

    Neighbours differ by one cell each, and their numbers by one. `starts` are the lines that lack the cell while the
    neighbour before has it, `ends` those that have it while the neighbour before lacks it. Whichever of the two has the
    cell needs less now. It is open if the other is, since nobody else has taken the one cell that it has more.
    """
    longer = lines & starts
    return (lines & ~longer | longer >> ONE) & ~((lines & ends) >> ONE)


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


class Left(NamedTuple):
    """The cells that are empty, and the lines that each side can still complete."""

    empty: int
    mine: int
    theirs: int


class Near(NamedTuple):
    """Lines by how many of their cells are empty: two, three, four, or `more`."""

    twos: int
    threes: int
    fours: int
    more: int


def nearness(step: int, lines: int, near: Near) -> int:
    """How near lines are to completion: one of five empty cells counts 1, and `step` times as much for each fewer."""
    return number(popcount(lines & near.more)) + step * (
        number(popcount(lines & near.fours))
        + step * (number(popcount(lines & near.threes)) + step * number(popcount(lines & near.twos)))
    )
