"""How soon a line can be forced: weights do not matter here, only lines and plies.

The attacker wants a line of its own complete within so many plies, the defender wants to prevent that; a line of the
defender's ends the game and so prevents it too. Lines with more empty cells than their side has moves within the plies
are left out, which makes a shallow question quick on any board; the depth then grows by two plies until the answer is
yes. It comes at the latest when the board is full: only who is known to have a line is asked for the soonest one. What
is remembered is bounded; an interrupt ends the search anywhere, and leaves that knowledge.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from yomikiri.tictactoe.board import cells_of
from yomikiri.tictactoe.search.counts import Counts, at_most, fewer, full
from yomikiri.tictactoe.search.layout import Layout, State
from yomikiri.tictactoe.search.threats import Meetings, fork

# Some 200 bytes each.
_REMEMBERED = 2_000_000


class Forced:
    """Answers for one board."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._meetings = Meetings(layout.lines, layout.board.full)
        self._known: dict[tuple[int, int, int, int], bool] = {}

    def soonest(self, state: State) -> int:
        """The plies until the side to move, which can force a line, has one against the longest resistance."""
        return next(plies for plies in count(1, 2) if self.wins_within(state, plies))

    def latest(self, state: State) -> int:
        """The plies until the other side, which can force a line, has one against the longest resistance."""
        return next(plies for plies in count(2, 2) if self.loses_within(state, plies))

    def wins_within(self, state: State, plies: int) -> bool:
        """Whether the side to move can force a line within `plies`, an odd number."""
        return plies > 0 and self._attack(*state, self._counts(state), plies)

    def loses_within(self, state: State, plies: int) -> bool:
        """Whether the other side can force a line within `plies`, an even number."""
        return plies > 0 and self._defend(*state, self._counts(state), plies)

    def _counts(self, state: State) -> Counts:
        layout = self._layout
        counts = full(layout.every_line, layout.board.line)
        for rank in cells_of(layout.board.full & ~state.empty):
            counts = fewer(counts, layout.through[rank])
        return counts

    def _attack(self, empty: int, mine: int, theirs: int, counts: Counts, plies: int) -> bool:
        """Whether the side to move completes a line within `plies`, which is odd."""
        ones = counts[0] & ~(counts[1] | counts[2] | counts[3])
        if mine & ones:
            return True
        mine = self._within(mine, counts, plies // 2 + 1)
        if plies == 1 or not mine:
            return False
        theirs = self._within(theirs, counts, plies // 2)
        twos = counts[1] & ~(counts[0] | counts[2] | counts[3])
        if not theirs & ones and fork(self._layout.lines, empty, mine & twos):
            return True
        key = (empty, mine, theirs, plies)
        if key not in self._known:
            self._remember(
                key,
                any(
                    self._defend(rest, left, mine, fewer(counts, through), plies - 1)
                    for rest, left, through in self._moves(empty, mine, theirs, theirs & ones)
                ),
            )
        return self._known[key]

    def _defend(self, empty: int, mine: int, theirs: int, counts: Counts, plies: int) -> bool:
        """Whether the side not to move completes a line within `plies`, which is even, whatever the other does."""
        ones = counts[0] & ~(counts[1] | counts[2] | counts[3])
        if mine & ones:
            return False
        theirs = self._within(theirs, counts, plies // 2)
        if not theirs:
            return False
        mine = self._within(mine, counts, plies // 2)
        key = (empty, mine, theirs, plies)
        if key not in self._known:
            self._remember(
                key,
                all(
                    self._attack(rest, left, mine, fewer(counts, through), plies - 1)
                    for rest, left, through in self._moves(empty, mine, theirs, theirs & ones)
                ),
            )
        return self._known[key]

    def _within(self, lines: int, counts: Counts, moves: int) -> int:
        """The lines that so many moves can complete."""
        return at_most(counts, moves, lines) if moves < self._layout.board.line else lines

    def _moves(self, empty: int, mine: int, theirs: int, threats: int) -> Iterator[tuple[int, int, int]]:
        """For each move worth trying: the cells then empty, the other side's lines, and the lines it goes through.

        `threats` are the other side's lines with one empty cell: that must be taken, and two such cells cannot be.
        Otherwise a move is left out if another lies on every line that it lies on (see `Rule.DOMINANCE`, with all
        weights equal).
        """
        lines, through, either = self._layout.lines, self._layout.through, mine | theirs
        candidates = empty
        if threats:
            candidates = lines[threats.bit_length() - 1] & empty
            if threats & ~through[candidates.bit_length() - 1]:
                return
        for rank in cells_of(candidates):
            here = through[rank] & either
            bit = 1 << rank
            if not threats and any(
                other < rank or through[other] & either != here
                for other in cells_of(self._meetings[here] & empty & ~bit)
            ):
                continue
            yield empty ^ bit, theirs & ~through[rank], through[rank]

    def _remember(self, key: tuple[int, int, int, int], answer: bool) -> None:
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[key] = answer
