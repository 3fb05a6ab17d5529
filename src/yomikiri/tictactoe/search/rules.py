"""What the search may leave out, and why. Every rule can be switched off, and the answers stay the same.

Each is an argument about a state alone: M is the side to move, O the other; a line of a side is one that the other side
has no cell of; F is the most that M can still gain over O under best play, a line of M being worth more than any
margin, a line of O less. The proofs here are short; tictactoe-search.md has them with examples.
"""

from __future__ import annotations

from enum import Flag, auto


class Rule(Flag):
    """The rules, each with its proof."""

    FORK = auto()
    """M wins if two of its lines have two empty cells each and share one of them, and O has no line with one: M takes
    the shared cell, and O can take only one of the two that complete a line.

    If O has such a fork at the cell f, every move of M loses except one on f, on another cell of O's two-cell lines
    through f, or on a two-cell line of its own. After any other move O takes f; M has no line with one empty cell (it
    had none before, or it would have won, and its move made none), and cannot take both cells that O then needs."""

    DOMINANCE = auto()
    """The cell b need not be tried if a heavier cell a, or one as heavy that comes earlier in the order, lies on every
    line through b that is open to either side. Let M take a instead and then play as after b, with the names of a and b
    exchanged. Its lines need no more cells than after b: those through b go through a, which it has, and those through
    a alone are shorter. O's lines: those through a are closed, and those through b were among them. And whoever gets
    the remaining one of the two cells, M's sum less O's is at least what it was, since M has the heavier one for sure.
    """

    REDUNDANCY = auto()
    """A line of either side counts for nothing if another line of the same side has no empty cells but some of its own:
    who completes the longer one has completed the other by then, and what closes the other closes it as well."""

    PAIRING = auto()
    """F is at most the pairing bound (see `pairing`) for M; if that is less than asked, the search need not look."""

    LOOK_AHEAD = auto()
    """F is at least w(c) less the pairing bound for O after M takes c, for any empty c. The moves that come first in
    the order are tried so before any of them is searched. Without lines of either side, or with O's alone gone, this
    and PAIRING say that two greedy players play best, or that M gets at least what they would give it."""

    STEALING = auto()
    """If every line of O is a line of M too, F is at least 0 when the number of empty cells is even, and at least the
    smallest weight when it is odd. M takes any cell, its *spare*, and from then on plays as the second player would,
    as if the spare were still empty; told to take the spare, it takes any other cell, which becomes the spare. A cell
    more does not hurt for lines. With an even number every cell is the same player's at the end as if M had moved
    second, so F >= -F. With an odd number O would have taken the spare last, so F >= -F + 2 w(spare)."""

    WAIVER = auto()
    """F is at least what it would be if no line of M counted, and at most what it would be if no line of O did. A side
    plays as if it had no lines: either it completes one all the same, which is better than any margin, or the game goes
    as it would have gone without. A side that two greedy players would leave with what is asked tries that first: it
    mostly suffices, and there are far fewer states with the lines of one side only."""


EVERY_RULE = ~Rule(0)
