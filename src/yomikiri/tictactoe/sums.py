"""The sixteen sums of a 3x3 board and what they decide, written out for arrays and for machine code alike.

`signs` derives that the first player wins if and only if it is ahead on both full boards of one of 26 pairs, that is,
if on both the second player's four cells weigh less than half of all nine. So with s(X) for that sum on the board X,

    the least of max(s(X), s(Y)) over the 26 pairs XY

decides: below half the first player wins, above it the second, and half is a draw. Pairs with a board in common are
taken together, max(x, least(y, z)) being least(max(x, y), max(x, z)): 31 comparisons instead of 51.

Both functions work on integers and on arrays of them; the tests compare them with `signs`, on every sign vector.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def sums(
    a1: Any, b1: Any, c1: Any, a2: Any, b2: Any, c2: Any, a3: Any, b3: Any, c3: Any
) -> tuple[Any, tuple[Any, ...]]:
    """The sum of nine weights, and the second player's sum on each of the sixteen full boards, in their order."""
    # Each cell but the centre is in one of four pairs, and every full board has one of them or two.
    left, right, top, bottom = a1 + b3, c2 + a3, b1 + c3, c1 + a2
    return left + right + top + bottom + b2, (
        bottom + (b3 + c3),
        right + top,
        top + (b2 + a3),
        top + (a2 + a3),
        bottom + (b2 + c3),
        top + (a2 + b2),
        top + bottom,
        left + right,
        left + (b2 + c2),
        left + (c1 + c2),
        bottom + (b2 + b3),
        left + (c1 + b2),
        left + bottom,
        right + (b1 + b2),
        right + (a1 + b2),
        right + (a1 + b1),
    )


def decisive(second: tuple[Any, ...]) -> Any:
    """The one of the second player's sixteen sums that decides: it wins if that is more than half of all nine."""
    a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p = second  # noqa: E741 (as in tictactoe.md)
    least, most = np.minimum, np.maximum
    # (A or G) and (H or P), (B or D) and (J or M), and the other eight boards by a board that each pair has.
    found = least(most(least(a, g), least(h, p)), most(least(b, d), least(j, m)))
    found = least(found, most(f, least(least(c, e), least(least(i, k), n))))
    found = least(found, most(i, least(least(k, l), least(n, o))))
    found = least(found, most(e, least(least(c, k), l)))
    found = least(found, most(n, least(least(c, k), o)))
    found = least(found, most(o, least(c, l)))
    return least(found, most(k, l))
