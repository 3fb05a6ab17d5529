"""Why a position is won, lost or drawn: what the winner is sure of, or both sides of a draw, and on which ground.

A ground need not stand at once: best play may have to go on for some moves until there is a short one, and that it is
best is what the search has found. Where the other side has no choice on the way, nothing else needs to be known.

A ground is short enough to be checked by hand. It stands in a position where the other side is to move, and says what
the *holder* does from there on, whatever the other side tries:

    Finished      nothing: the game is over
    Threats       completes a line: there are two cells for it, and only one of them can be taken away
    Heaviest      takes the heaviest empty cell each time: the other side cannot complete a line any more
    Pairs         answers a cell by its partner, so that the other side never completes a line
    FullBoards    fills up a 3x3 board in one of a few ways
    Replies       has a reply to each move of the other side, after which one of the grounds above stands

`Threats` and a finished line make sure of a line. The others make sure of a margin, the holder's sum less the other's
at the end, unless a line of the holder's comes first.

For `Pairs` the empty cells are matched in pairs, one cell left over if their number is odd, so that every line that the
other side, which is to move, can still complete holds both cells of some pair:

    A B A        X has just taken a2. Whichever cell of a pair O takes, X takes the other one with the same letter: no
    X C B        line of O's is ever complete, and of each pair X gets at least the lighter cell.
    D D C

When the other side takes the cell left over, the holder takes the heavier cell of any pair, and the lighter one is left
over from then on. So the other side never gains more than the differences within the pairs and the cell left over; the
proof is in `search.pairing`. There any pairs that suffice will do, as long as they are found fast; these
are shown to a person, so the ones worth most are looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import combinations
from math import inf

from yomikiri.common.enums import shown
from yomikiri.common.errors import N_, InputError
from yomikiri.tictactoe.advice import Advice
from yomikiri.tictactoe.board import Board, cells_of, set_of
from yomikiri.tictactoe.position import Outcome, Player, Position, Reason, lead
from yomikiri.tictactoe.signs import START, enough_full_boards, follows_from_signs, full_boards

# More ways in which a game may end are hard to keep in mind. These are enough for every opening that wins, and for an
# answer to the corner and to the centre.
_MOST_BOARDS = 4
# Answers are looked for with so many empty cells at most: all of 3x3.
_MOST_ANSWERED = 9
# How many matchings are begun. It is enough for the best one on almost every board of up to 5x5.
_STEPS = 1_000


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of empty cells, the heavier cell of each first, and the cell left over if their number is odd."""

    pairs: tuple[tuple[int, int], ...]
    odd: int | None

    def loss(self, board: Board) -> int:
        """What the other side gains at most: the differences within the pairs, and the cell left over."""
        weights = board.flat
        differences = sum(weights[heavier] - weights[lighter] for heavier, lighter in self.pairs)
        return differences + (weights[self.odd] if self.odd is not None else 0)


def best_pairs(board: Board, empty: int, lines: Sequence[int], most: int) -> Pairs | None:
    """Pairs for the cells `empty`, one within each of `lines` (sets of cells), that lose as little as possible.

    None if none that lose at most `most` are found.
    """
    cells = sorted(cells_of(empty), key=lambda cell: -board.flat[cell])
    matching = _Matching(board, most)
    matching.go_on((), cells, [line & empty for line in lines])
    return matching.best


class _Matching:
    """Branch and bound: neighbours in the order of the weights lose least, and lines without a pair are given one."""

    def __init__(self, board: Board, most: int) -> None:
        self.best: Pairs | None = None
        self._board = board
        self._most = most
        self._left = _STEPS

    def go_on(self, made: tuple[tuple[int, int], ...], free: list[int], lines: list[int]) -> None:
        """Try what can be added to the pairs `made`; `free` cells are in order, `lines` hold none of `made` yet."""
        found = Pairs((*made, *zip(free[::2], free[1::2], strict=False)), free[-1] if len(free) % 2 else None)
        loss = found.loss(self._board)
        # Nothing that `made` can be completed to loses less than its neighbours do.
        if loss > self._most or not self._left:
            return
        self._left -= 1
        neighbours = [set_of(pair) for pair in found.pairs[len(made) :]]
        open_lines = [line for line in lines if not any(pair & ~line == 0 for pair in neighbours)]
        if not open_lines:
            self.best, self._most = Pairs(tuple(sorted(found.pairs, key=min)), found.odd), loss - 1
            return
        left = set_of(free)
        shortest = min((line & left for line in open_lines), key=int.bit_count)
        rank = {cell: number for number, cell in enumerate(free)}
        # Close neighbours first: they lose least.
        pairs = combinations(sorted(cells_of(shortest), key=rank.__getitem__), 2)
        for pair in sorted(pairs, key=lambda pair: self._board.flat[pair[0]] - self._board.flat[pair[1]]):
            both = set_of(pair)
            rest = [cell for cell in free if cell not in pair]
            self.go_on((*made, pair), rest, [line for line in lines if both & ~line])


@dataclass(frozen=True, slots=True)
class Finished:
    """The game is over."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Threats:
    """The holder's lines with one empty cell each, together two cells or more. The other side has no such line."""

    lines: tuple[tuple[int, ...], ...]
    cells: tuple[int, ...]
    """The empty cell of each line."""


@dataclass(frozen=True, slots=True)
class Heaviest:
    """No line is open to the other side; the empty cells from the heaviest to the lightest."""

    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FullBoards:
    """The holder's cells on each of the full 3x3 boards to which it can lead the game, the other side choosing."""

    holdings: tuple[tuple[int, ...], ...]

    def sums(self, board: Board) -> tuple[tuple[int, int], ...]:
        """On each of them the sum of the holder's weights and that of the other's."""
        owned = (board.total(set_of(cells)) for cells in self.holdings)
        return tuple((own, board.total(board.full) - own) for own in owned)


@dataclass(frozen=True, slots=True)
class Reply:
    """The holder's reply to a move of the other side, and why it is sure after it: not by replies again."""

    move: int
    reply: int
    ground: Ground


@dataclass(frozen=True, slots=True)
class Replies:
    """A reply to every move of the other side, in the order of their cells."""

    replies: tuple[Reply, ...]


Ground = Finished | Threats | Heaviest | Pairs | FullBoards | Replies


@dataclass(frozen=True, slots=True)
class Sure:
    """A ground, and the margin that the holder is sure of by it; None for a line."""

    ground: Ground
    margin: int | None


def sure_of_line(position: Position, holder: Player) -> Sure | None:
    """Why `holder` is sure of a line; the other side is to move in `position`, or it is over."""
    return _line(position, holder) or _replies(position, holder, partial(_line, holder=holder))


def sure_of_margin(position: Position, holder: Player, least: int) -> Sure | None:
    """Why `holder` is sure of a margin of at least `least`, the largest that is found; otherwise as `sure_of_line`."""
    return _margin(position, holder, least, _MOST_BOARDS) or _replies(
        position, holder, lambda after: _line(after, holder) or _margin(after, holder, least, len(full_boards()))
    )


def _line(position: Position, holder: Player) -> Sure | None:
    """Why `holder` is sure of a line, unless it is by replies."""
    if outcome := position.outcome:
        by_line = outcome.reason is Reason.LINE and outcome.winner is holder
        return Sure(Finished(outcome), None) if by_line else None
    threats = completing(position, holder)
    if len(threats) < 2 or completing(position, holder.other):
        return None
    return Sure(Threats(tuple(tuple(cells_of(line)) for line in threats.values()), tuple(threats)), None)


def _margin(position: Position, holder: Player, least: int, most_boards: int) -> Sure | None:
    """Why `holder` is sure of a margin of at least `least`, unless it is by replies."""
    found = _margins(position, holder, least, most_boards)
    return max((sure for sure in found if _worth(sure) >= least), key=_worth, default=None)


def _worth(sure: Sure) -> float:
    return inf if sure.margin is None else sure.margin


def _replies(position: Position, holder: Player, sure_after: Callable[[Position], Sure | None]) -> Sure | None:
    """A reply to every move of the other side after which `sure_after` finds a ground, the best one of each.

    Not where a line of either side is threatened: a move that has to be made says more than replies to all the others.
    """
    if not 2 <= position.empty.bit_count() <= _MOST_ANSWERED or position.outcome:
        return None
    if completing(position, holder) or completing(position, holder.other):
        return None
    replies, margins = [], []
    for move in position.moves:
        after = position.play(move)
        found = [(reply, sure) for reply in after.moves if (sure := sure_after(after.play(reply)))]
        if not found:
            return None
        reply, best = max(found, key=lambda each: _worth(each[1]))
        replies.append(Reply(move, reply, best.ground))
        margins.append(best.margin)
    return Sure(Replies(tuple(replies)), min((each for each in margins if each is not None), default=None))


def _margins(position: Position, holder: Player, least: int, most_boards: int) -> Iterator[Sure]:
    """Grounds in `position`, the simplest first."""
    so_far = lead(position, holder)
    if outcome := position.outcome:
        if outcome.reason is Reason.SCORE:
            yield Sure(Finished(outcome), so_far)
        return
    if completing(position, holder.other):
        return
    board, lines = position.board, open_lines(position, holder.other)
    pairs = best_pairs(board, position.empty, lines, so_far - least)
    if pairs and not lines:
        order = tuple(sorted(cells_of(position.empty), key=lambda cell: -board.flat[cell]))
        yield Sure(Heaviest(order), so_far - pairs.loss(board))
    elif pairs:
        yield Sure(pairs, so_far - pairs.loss(board))
    if follows_from_signs(board):
        yield from _full_boards(position, holder, most_boards)


def _full_boards(position: Position, holder: Player, most: int) -> Iterator[Sure]:
    """Every few full boards, at most `most`, to which `holder` can lead the 3x3 game."""
    board = position.board
    firsts = full_boards()
    for few in enough_full_boards(Position(START.board, position.first, position.second), holder):
        if 0 < len(few) <= most:
            taken = [firsts[index] if holder is Player.FIRST else board.full ^ firsts[index] for index in few]
            margin = min(2 * board.total(cells) - board.total(board.full) for cells in taken)
            yield Sure(FullBoards(tuple(tuple(cells_of(cells)) for cells in taken)), margin)


def open_lines(position: Position, player: Player) -> list[int]:
    """The lines that `player` can still complete: none of their cells is the other's."""
    others = position.taken_by(player.other)
    return [line for line in position.board.lines if not line & others]


def completing(position: Position, player: Player) -> dict[int, int]:
    """The cells by which `player` would complete a line now, each with such a line, a set of cells."""
    own = position.taken_by(player)
    missing = ((line & ~own, line) for line in open_lines(position, player))
    return {rest.bit_length() - 1: line for rest, line in missing if rest.bit_count() == 1}


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What `player` is sure of once `moves` are made: from there it goes as `ground` says, whatever the other tries.

    `forced` is whether each move of the other side in `moves` is the only one that stops a line; otherwise the moves
    are best play. `sums` are the player's and the other's at the end if no line of the player's comes first, the former
    at least and the latter at most; None where a line is sure.
    """

    player: Player
    moves: tuple[int, ...]
    forced: bool
    ground: Ground
    sums: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Why:
    """The reason for an outcome: a guarantee of the winner's, or in a draw one of the first player's and the second's.

    `block` is the line that the other side would complete if the side to move did not stop it, empty if there is none.
    """

    guarantees: tuple[Guarantee, ...]
    block: tuple[int, ...]


def explain(advice: Advice) -> Why:
    """Return the reason for the outcome in `advice`; if the side to move does not lose, it is by the best move.

    Raises an `InputError` for anything but a result of `analyze`.

    >>> from yomikiri.tictactoe import Board, analyze
    >>> fork = Position(Board([[0] * 3] * 3)).play(4).play(1)
    >>> explain(analyze(fork)).guarantees[0].ground
    Threats(lines=((0, 3, 6), (3, 4, 5)), cells=(6, 5))
    """
    if not isinstance(advice, Advice):
        raise InputError(N_("advice={given}: expected a result of analyze"), given=shown(advice))
    position = advice.position
    mover = position.to_move
    threats = completing(position, mover.other)
    block = next(iter(threats.values())) if len(threats) == 1 and not completing(position, mover) else 0
    players = tuple(Player) if advice.winner is None else (advice.winner,)
    return Why(tuple(_guarantee(advice, player) for player in players), tuple(cells_of(block)))


def _guarantee(advice: Advice, player: Player) -> Guarantee:
    """What `player` is sure of, as early in best play as there is a ground for it."""
    for moves in _beginnings(advice, player):
        position = reduce(Position.play, moves, advice.position)
        if advice.outcome.reason is Reason.LINE:
            sure = sure_of_line(position, player)
        else:
            sure = sure_of_margin(position, player, 0 if advice.winner is None else 1)
        if sure:
            forced = _forced(advice.position, moves, player)
            return Guarantee(player, moves, forced, sure.ground, _sums(position.board, sure.margin))
    raise AssertionError("the game over is a ground")


def _beginnings(advice: Advice, player: Player) -> Iterator[tuple[int, ...]]:
    """Moves after which the other side is to move: more and more of best play, then what `player` can force."""
    line = advice.line_of_play
    for number in range(len(line) + 1):
        position = reduce(Position.play, line[:number], advice.position)
        if position.to_move is not player or position.outcome:
            yield line[:number]
        elif advice.outcome.reason is Reason.LINE:
            for plies in range(1, len(line) - number + 1, 2):
                if attack := _attack(position, line[number : number + 1], plies):
                    yield (*line[:number], *attack)
                    break


def _attack(position: Position, candidates: Iterable[int], plies: int) -> tuple[int, ...]:
    """Moves beginning with one of `candidates` that threaten a line each, with the only answers between them.

    The last one completes a line or threatens two, in time for a line within `plies`. Empty if there are none.
    """
    player = position.to_move
    threatened = completing(position, player.other)
    for move in candidates:
        after = position.play(move)
        if after.outcome:
            return (move,)
        if plies < 3 or threatened.keys() - {move}:
            continue
        threats = tuple(completing(after, player))
        if len(threats) > 1:
            return (move,)
        if threats and plies > 3:
            answered = after.play(threats[0])
            if more := _attack(answered, answered.moves, plies - 2):
                return (move, threats[0], *more)
    return ()


def _forced(position: Position, moves: tuple[int, ...], player: Player) -> bool:
    """Whether the other side has one way to stop a line of the player's at each of its moves, and takes it."""
    for move in moves:
        if position.to_move is not player and [*completing(position, player)] != [move]:
            return False
        position = position.play(move)
    return True


def _sums(board: Board, margin: int | None) -> tuple[int, int] | None:
    """The sums on the full board where one side leads by `margin`."""
    total = board.total(board.full)
    return None if margin is None else ((total + margin) // 2, (total - margin) // 2)
