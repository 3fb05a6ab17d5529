"""One question, answered exactly: can the side to move still gain at least so much?

Values are gains from here on: the sum of the cells that the side to move will take less the other's, under best play,
plus `line` if it completes a line and minus `line` if the other side does. `line` is so large that a line counts as
more than any margin; so one number holds both aims, and taking a cell of weight w turns a value v into w - v.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from yomikiri.tictactoe.board import Board, cells_of
from yomikiri.tictactoe.search.counts import Counts, fewer, full
from yomikiri.tictactoe.search.layout import Layout, State
from yomikiri.tictactoe.search.order import Order
from yomikiri.tictactoe.search.pairing import Pairings
from yomikiri.tictactoe.search.proof.kernels_ahead import PROVER, fits
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule
from yomikiri.tictactoe.search.table import NO_MOVE, Entry, Table
from yomikiri.tictactoe.search.threats import Meetings, fork

if TYPE_CHECKING:
    from yomikiri.tictactoe.search.proof.prover import Prover

# About 300 bytes each.
TABLE_CAPACITY = 2_000_000
_NODES_BETWEEN_PAUSES = 1024
_PAIRING_STEPS = 30
_MOVES_LOOKED_AHEAD = 4
# A question that takes longer goes to the machine code, which takes half a second to load.
_PLAIN_NODES = 30_000


class _Long(Exception):
    """The machine code takes over."""


class Solver:
    """Answers questions about the positions of one board; what it learns serves the next ones.

    `pause` is called every thousand nodes or so; what it raises ends the search, and nothing learnt is lost or wrong.
    """

    def __init__(
        self,
        board: Board,
        rules: Rule = EVERY_RULE,
        capacity: int = TABLE_CAPACITY,
        pause: Callable[[], None] = lambda: None,
        plain_nodes: int = _PLAIN_NODES,
    ) -> None:
        self.layout = layout = Layout(board)
        self.line = 8 * layout.most + 8
        """What a line is worth."""
        self.nodes = 0
        """How many states have been looked at."""
        self.pause = pause
        self._rules = rules
        self._plain_nodes = plain_nodes
        self._limit = 0
        self._prover: Prover | None = None
        self.table = Table(capacity)
        self._forks, self._dominance, self._stealing = (r in rules for r in (Rule.FORK, Rule.DOMINANCE, Rule.STEALING))
        self._pairing, self._look_ahead = Rule.PAIRING in rules, Rule.LOOK_AHEAD in rules
        self._waiver = Rule.WAIVER in rules
        self._weights, self._lines, self._through = layout.weights, layout.lines, layout.through
        self._pairings = Pairings(layout.weights, layout.lines, layout.through, _PAIRING_STEPS)
        self._meetings = Meetings(layout.lines, board.full)
        self._shift = len(layout.lines)
        self._size = board.size
        self._length = board.line
        self._order = Order(layout)
        self._nothing = Entry(-self.line, self.line, NO_MOVE)

    def greedy(self, state: State) -> int:
        """What the side to move gains if both only ever take the heaviest cell, and lines do not count."""
        return self._pairings.neighbours[state.empty][0]

    def reach(self, state: State, need: int) -> int:
        """Whether the side to move can still gain `need`: a number v that bounds the value of `state`.

        v >= need: the value is at least v. v < need: the value is at most v. `need` may be any integer from `-line`
        to `line`; beyond `layout.most` either way it asks for lines alone.
        """
        self._limit = self.nodes + self._plain_nodes
        try:
            return self._plainly(state, need)
        except _Long:
            assert self._prover is not None
            return need if self._prover.reaches(state, need, self.greedy(state) >= need) else need - 1

    def _plainly(self, state: State, need: int) -> int:
        """As `reach`, without machine code; raises `_Long` where that is there and had better take over."""
        counts = full(self.layout.every_line, self._length)
        for rank in cells_of(self.layout.board.full & ~state.empty):
            counts = fewer(counts, self._through[rank])
        if self._waiver:
            ahead = self.greedy(state) >= need
            value = self._reach(state.empty, *((0, state.theirs) if ahead else (state.mine, 0)), need, counts, True)
            if (value >= need) is ahead:
                return value
        return self._reach(*state, need, counts, True)

    def _rest(self) -> None:
        """Let others do something, and see whether the machine code should take over."""
        self.pause()
        if self.nodes >= self._limit:
            self._limit += self._plain_nodes
            if self._prover is None:
                self._prover = self._load_prover()
            if self._prover is not None:
                raise _Long

    def _load_prover(self) -> Prover | None:
        """The machine code for this board; None if it does not fit, or is not compiled yet, which then begins."""
        if not fits(self.layout):
            return None
        if not PROVER.compiled():
            PROVER.compile_behind()
            return None
        from yomikiri.tictactoe.search.proof.prover import Prover

        def count(states: int) -> None:
            self.nodes += states
            self.pause()

        return Prover(self.layout, self._rules, count)

    def _reach(self, empty: int, mine: int, theirs: int, need: int, counts: Counts, may_pair: bool) -> int:
        """As `reach`; `may_pair` is False where the pairing bound is known to give nothing."""
        self.nodes += 1
        if not self.nodes % _NODES_BETWEEN_PAUSES:
            self._rest()
        first, second, third, fourth = counts
        ones = first & ~(second | third | fourth)
        if mine & ones:
            return self.line - self.layout.most
        if forced := theirs & ones:
            return self._answer(empty, mine, theirs, need, counts, forced)
        alternating, held = self._pairings.neighbours[empty]
        if not mine and not theirs:
            return alternating
        twos = second & ~(first | third | fourth)
        if self._forks and fork(self._lines, empty, mine & twos):
            return self.line - self.layout.most
        key = ((mine << self._shift | theirs) << self._size) | empty
        entry = self.table.get(key) or self._nothing
        if entry.lower >= need:
            return entry.lower
        if entry.upper < need:
            return entry.upper
        ahead = alternating >= need
        move = entry.move
        value = self._bound(empty, mine, theirs, need, may_pair and not ahead)
        if value is None:
            candidates = self._candidates(empty, mine, theirs, twos)
            moves = self._order.moves(candidates, mine, theirs, counts, (theirs & ~held).bit_count() if ahead else None)
            if move in moves:
                moves.remove(move)
                moves.insert(0, move)
            value, move = self._try(empty, mine, theirs, need, counts, moves, ahead)
        lower, upper = (
            (max(entry.lower, value), entry.upper) if value >= need else (entry.lower, min(entry.upper, value))
        )
        self.table.put(key, Entry(lower, upper, move))
        return value

    def _answer(self, empty: int, mine: int, theirs: int, need: int, counts: Counts, threats: int) -> int:
        """The value where the other side's lines `threats` have one empty cell: it must be taken."""
        rank = (self._lines[threats.bit_length() - 1] & empty).bit_length() - 1
        through = self._through[rank]
        if threats & ~through:
            return self.layout.most - self.line
        weight = self._weights[rank]
        rest = empty ^ (1 << rank)
        return weight - self._reach(rest, theirs & ~through, mine, weight - need + 1, fewer(counts, through), True)

    def _bound(self, empty: int, mine: int, theirs: int, need: int, may_pair: bool) -> int | None:
        """A value that answers the question without a look at the moves, by PAIRING or STEALING, if there is one."""
        if may_pair and self._pairing:
            bound = self._pairings.bound(empty, mine, need - 1)
            if bound is not None:
                return bound
        if not theirs & ~mine and self._stealing:
            least = self._weights[empty.bit_length() - 1] if empty.bit_count() & 1 else 0
            if least >= need:
                return least
        return None

    def _candidates(self, empty: int, mine: int, theirs: int, twos: int) -> int:
        """The moves that FORK and DOMINANCE leave."""
        candidates = empty
        if self._forks and (shared := fork(self._lines, empty, theirs & twos)):
            candidates = shared
            for number in cells_of(theirs & twos & self._through[shared.bit_length() - 1] | mine & twos):
                candidates |= self._lines[number] & empty
        if self._dominance:
            either, through, meetings = mine | theirs, self._through, self._meetings
            for rank in cells_of(candidates):
                bit = 1 << rank
                if meetings[through[rank] & either] & empty & (bit - 1):
                    candidates ^= bit
        return candidates

    def _try(
        self, empty: int, mine: int, theirs: int, need: int, counts: Counts, moves: list[int], ahead: bool
    ) -> tuple[int, int]:
        """The value by the moves, and the move that gives it."""
        weights, through = self._weights, self._through
        looked = 0
        if ahead and self._look_ahead:
            value, looked = self._look(empty, theirs, need, moves)
            if value is not None:
                return value, looked.bit_length() - 1
        best, best_move = -self.line, NO_MOVE
        for rank in moves:
            lines, weight = through[rank], weights[rank]
            rest, left, may_pair = empty ^ (1 << rank), fewer(counts, lines), not looked >> rank & 1
            value = weight - self._reach(rest, theirs & ~lines, mine, weight - need + 1, left, may_pair)
            if value > best:
                best, best_move = value, rank
                if value >= need:
                    break
        return best, best_move

    def _look(self, empty: int, theirs: int, need: int, moves: list[int]) -> tuple[int | None, int]:
        """LOOK_AHEAD: a value of at least `need` and the move that gives it, as a set, or None and the moves tried."""
        tried, tries = 0, 0
        for rank in moves:
            rest = empty ^ (1 << rank)
            limit = self._weights[rank] - need
            if self._pairings.neighbours[rest][0] <= limit:
                loss = self._pairings.bound(rest, theirs & ~self._through[rank], limit)
                if loss is not None:
                    return self._weights[rank] - loss, 1 << rank
                tried |= 1 << rank
                tries += 1
                if tries == _MOVES_LOOKED_AHEAD:
                    break
        return None, tried
