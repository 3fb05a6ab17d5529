"""How many empty cells each line still has, kept for all lines at once.

The counts stand upright: bit l of the i-th plane is bit i of the count of line l, so a few operations on whole planes
serve every line. Four lines with 3, 1, 2 and 0 empty cells:

    line      3 2 1 0
    count     0 2 1 3
    plane 0   0 0 1 1
    plane 1   0 1 0 1     planes 2 and 3 are empty; counts go up to 8
"""

from __future__ import annotations

Counts = tuple[int, int, int, int]


def full(lines: int, length: int) -> Counts:
    """The count `length` (up to 8) for every line of the set."""
    return (
        lines if length & 1 else 0,
        lines if length & 2 else 0,
        lines if length & 4 else 0,
        lines if length & 8 else 0,
    )


def fewer(counts: Counts, lines: int) -> Counts:
    """The counts after one cell of each of these lines has been taken: one less, borrowing from plane to plane."""
    zeroth, first, second, third = counts
    zeroth ^= lines
    lines &= zeroth
    first ^= lines
    lines &= first
    second ^= lines
    lines &= second
    return zeroth, first, second, third ^ lines


def at_most(counts: Counts, limit: int, lines: int) -> int:
    """The lines among `lines` whose count is at most `limit` (up to 7)."""
    more, equal = counts[3], lines & ~counts[3]
    for plane, bit in ((counts[2], 4), (counts[1], 2), (counts[0], 1)):
        if limit & bit:
            equal &= plane
        else:
            more |= equal & plane
            equal &= ~plane
    return lines & ~more
