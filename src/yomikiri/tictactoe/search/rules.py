"""Pruning rules of the search, with their proofs. Every rule can be switched off without changing any result.

Each rule is a claim about a single state. M is the side to move and O the other side. A line *of* a side is one that it
can still complete: it has no cell of the other side. w(c) is the weight of the cell c. F is the gain of M from here on
under best play of both sides: the weights that M takes minus those that O takes. If M completes a line, F is greater
than any such difference, and if O does, F is less than any. The proofs here are short; docs/theory/tictactoe-search.md
has examples.
"""

from __future__ import annotations

from enum import Flag, auto


class Rule(Flag):
    """The pruning rules, each with its proof."""

    FORK = auto()
    """The side to move, M, wins if it has a fork, and the other side, O, has no line with one empty cell.

    A *fork* of a side is an empty cell on two of its lines that have two empty cells each and no other empty cell in
    common. M takes this cell. Then two cells complete a line of M, and O can take only one.

    If O has a fork at the cell f, every move of M loses except a move on f, on another cell of O's two-cell lines
    through f, or on a two-cell line of its own. After any other move O takes f. M has no line with one empty cell: it
    had none before, or it would have won, and its move made none. And M cannot take both cells that complete O's lines.
    """

    DOMINANCE = auto()
    """The side to move, M, need not try the cell b if another cell a is at least as good.

    O is the other side. The cell a must be heavier than b, or as heavy and earlier in the order of cells, and must be
    on every line through b that is open to either side. Let M take a instead, and then play as after b with a and b
    exchanged. M's lines need no more cells than after b: those through b also go through a, which M has, and those
    through a alone are shorter. O's lines through a are closed, and these include those through b. Whichever side gets
    the other one of the two cells, M's sum minus O's is at least as large as before, because M has the heavier one.
    """

    REDUNDANCY = auto()
    """A line of a side can be ignored if its empty cells include all empty cells of another line of the same side.

    A side that completes the line that is ignored has completed the other line by then. Every move that closes the
    other line closes the ignored line as well.
    """

    PAIRING = auto()
    """The gain of the side to move is at most its pairing bound, computed from a matching of the empty cells in pairs.

    Every line that the side to move can still complete must contain both cells of some pair (see `pairing`). If the
    bound is less than `need`, the gain that a search asks for, no search is needed.
    """

    LOOK_AHEAD = auto()
    """The gain of the side to move, M, is at least w(c) minus the pairing bound for the other side, O, after M takes c.

    This is true for any empty cell c of weight w(c). The pairing bound comes from a matching of the empty cells in
    pairs (rule PAIRING). The first moves in the order of moves are tested with this bound before any of them is
    searched. If neither side has lines, this rule and PAIRING imply that greedy play is best: both sides always take
    the heaviest cell. If only M has lines, this rule implies that M gets at least as much as under greedy play.
    """

    STEALING = auto()
    """If every line of the other side, O, is also a line of the side to move, M, the gain F of M has a lower bound.

    The bound is 0 for an even number of empty cells, and the smallest weight for an odd number. Proof: M takes any
    cell, its *spare*, and then plays like the second player as if the spare were still empty. If this play requires the
    spare, M takes any other cell, which becomes the spare. An additional cell does no harm for lines. For an even
    number of cells, every cell ends up with the same player as if M had moved second, so F >= -F. For an odd number, O
    would have taken the spare last, so F >= -F + 2 w(spare).
    """

    WAIVER = auto()
    """Without its own lines, a side gains at most as much. Without the other side's lines, it gains at least as much.

    So the gain of the side to move is at least its value without the lines of this side, and at most its value without
    the lines of the other side. Proof: a side can play as if it had no lines. Either it completes one anyway, which is
    better than any margin, or the game goes as without lines. Greedy play is sufficient for one of the two sides. The
    search first tries whether this side succeeds without its own lines. Usually it does, and there are far fewer states
    with the lines of one side only.
    """


EVERY_RULE = ~Rule(0)
