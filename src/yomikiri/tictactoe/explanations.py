"""Explanations of a result: the guarantee of the winner, or in a draw the guarantees of both sides.

A *guarantee* has two parts: some moves of best play, and a reason why one side, the *holder*, then achieves the result.
The search proves that the moves are best. Moves need no proof if the other side has no choice.

The reason is a *justification* that can be checked by hand. It belongs to a position in which the other side is to
move, or the game is over. There are six kinds of justification, each a class in `guarantees`:

    Finished      The game is over.
    Threats       The holder can complete a line at two cells, and the other side can take only one of them.
    Heaviest      The holder always takes the heaviest empty cell. The other side cannot complete a line any more.
    Pairs         The empty cells are matched in pairs (see below). If the other side takes a cell of a pair, the holder
                  takes the other cell of this pair. So the other side never completes a line.
    FullBoards    The holder can make the game end on one of a few full 3x3 boards (no empty cell and no line).
    Replies       The holder has a reply to each move of the other side. After each reply, one of the justifications
                  above holds.

`Threats` and a finished line guarantee a line. The others guarantee a margin, the holder's final sum minus the other's,
unless the holder completes a line first.

For `Pairs`, one cell is left over if the number of empty cells is odd. Every line that the other side can still
complete must contain both cells of some pair. In this example, X has just taken b2, and the two cells of a pair have
the same letter:

    A B B
    A X C
    D D C

Whichever cell of a pair O takes, X takes the other cell of this pair. So O never completes a line, and X gets at least
the lighter cell of each pair.

If the other side takes the cell left over, the holder takes the heavier cell of any pair, and the lighter cell of this
pair is left over from then on. So the most that the other side can gain is the *loss* of the pairs: the sum of the
differences within them plus the cell left over. The rule PAIRING in docs/theory/tictactoe-search.md has the proof.

The game-tree search (`search`) also uses pairs. It stops at the first pairs that prove a result, even if other pairs
have a smaller loss. An explanation is shown to a person, so this module looks for the pairs of least loss.
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
from yomikiri.tictactoe.guarantees import (
    Finished,
    FullBoards,
    Guarantee,
    Heaviest,
    Justification,
    Pairs,
    Replies,
    Reply,
    Threats,
    Why,
)
from yomikiri.tictactoe.position import Player, Position, Reason, margin_so_far
from yomikiri.tictactoe.signs import START, enough_full_boards, follows_from_signs, full_boards

# Limit on the number of full boards (ends of a game without a line) in a justification `FullBoards`, because a person
# can hardly remember more. The limit does not apply to a justification `FullBoards` inside a list of replies
# (`Replies`). Four are enough to explain every winning first move on 3x3, and every winning reply to a first move in a
# corner or the centre.
_MOST_BOARDS = 4
# Limit on the number of empty cells in a position for which an explanation may list one reply to every move.
_MOST_ANSWERED = 9
# Limit on the number of steps in the search for the best matching of the empty cells in pairs. The search finds the
# best matching within this limit on almost all boards up to 5x5.
_STEPS = 1_000


def best_pairs(board: Board, empty: int, lines: Sequence[int], most: int) -> Pairs | None:
    """Return the matching of empty cells in pairs with the least loss that the lines allow.

    Each line must contain both cells of some pair. The *loss* is the sum of the weight differences within the pairs,
    plus the weight of the cell left over. `empty` and each of `lines` are sets of cells, as bit masks. Returns None if
    the search finds no matching with a loss of at most `most`. The number of steps is limited, so that on a large board
    the matching may not be the best.
    """
    cells = sorted(cells_of(empty), key=lambda cell: -board.flat[cell])
    matching = _Matching(board, most)
    matching.complete((), cells, [line & empty for line in lines])
    return matching.best


class _Matching:
    """Branch and bound over matchings of the empty cells in pairs, for the matching of least loss.

    The *loss* is the sum of the weight differences within the pairs, plus the weight of the cell left over. Every line
    must contain both cells of some pair. Without this condition, the pairs of least loss are neighbours in the order of
    weights: the heaviest cell with the next one, and so on. If some line contains no such pair, the search tries all
    ways to pair two cells of this line, and continues with the remaining cells.
    """

    def __init__(self, board: Board, most: int) -> None:
        self.best: Pairs | None = None
        self._board = board
        self._most = most
        self._steps_left = _STEPS

    def complete(self, pairs_so_far: tuple[tuple[int, int], ...], free: list[int], lines: list[int]) -> None:
        """Complete a matching of cells in pairs in all promising ways, and keep the best matching in `best`.

        `pairs_so_far` are the pairs already made. `free` are the cells without a pair, the heaviest first. `lines` are
        the lines that contain none of these pairs, as bit masks of cells.
        """
        found = Pairs((*pairs_so_far, *zip(free[::2], free[1::2], strict=False)), free[-1] if len(free) % 2 else None)
        loss = found.loss(self._board)
        # Stop if the loss is too large even if the empty cells are paired in the cheapest way: as neighbours by weight.
        if loss > self._most or not self._steps_left:
            return
        self._steps_left -= 1
        neighbours = [set_of(pair) for pair in found.pairs[len(pairs_so_far) :]]
        open_lines = [line for line in lines if not any(pair & ~line == 0 for pair in neighbours)]
        if not open_lines:
            self.best, self._most = Pairs(tuple(sorted(found.pairs, key=min)), found.odd), loss - 1
            return
        free_cells = set_of(free)
        shortest = min((line & free_cells for line in open_lines), key=int.bit_count)
        rank = {cell: number for number, cell in enumerate(free)}
        # Try pairs with a small difference of the two weights first, because a matching of such pairs loses little.
        pairs = combinations(sorted(cells_of(shortest), key=rank.__getitem__), 2)
        for pair in sorted(pairs, key=lambda pair: self._board.flat[pair[0]] - self._board.flat[pair[1]]):
            both = set_of(pair)
            rest = [cell for cell in free if cell not in pair]
            self.complete((*pairs_so_far, pair), rest, [line for line in lines if both & ~line])


@dataclass(frozen=True, slots=True)
class JustifiedResult:
    """A justification why a player, the *holder*, gets a result, however the other side plays.

    `margin` is the least final sum of the holder minus the other side's. It is None if the result is a line of the
    holder.
    """

    justification: Justification
    margin: int | None


def justify_line(position: Position, holder: Player) -> JustifiedResult | None:
    """Return a simple reason why a player completes a line, however the opponent plays.

    `holder` is the player. Returns None if no simple reason is found. Requires a position in which the opponent is to
    move, or the game is over.
    """
    return _direct_line(position, holder) or _by_replies(position, holder, partial(_direct_line, holder=holder))


def justify_margin(position: Position, holder: Player, least: int) -> JustifiedResult | None:
    """Return a justification why a player gets a margin of at least `least`, or None if the function finds none.

    The player is `holder`, and the *margin* is this player's final sum minus the opponent's. The function first looks
    for justifications other than `Replies`, which is a list of replies to all moves of the opponent. It returns the
    one with the largest margin. If it finds none, it tries `Replies`. Requires a position in which the opponent is to
    move, or the game is over.
    """
    return _direct_margin(position, holder, least, _MOST_BOARDS) or _by_replies(
        position,
        holder,
        lambda after: _direct_line(after, holder) or _direct_margin(after, holder, least, len(full_boards())),
    )


def _direct_line(position: Position, holder: Player) -> JustifiedResult | None:
    """Return the reason why a player completes a line: the line is complete, or the player threatens it in two cells.

    Returns None if neither is the case. `holder` is the player.
    """
    if outcome := position.outcome:
        by_line = outcome.reason is Reason.LINE and outcome.winner is holder
        return JustifiedResult(Finished(outcome), None) if by_line else None
    threats = completing(position, holder)
    if len(threats) < 2 or completing(position, holder.other):
        return None
    return JustifiedResult(Threats(tuple(tuple(cells_of(line)) for line in threats.values()), tuple(threats)), None)


def _direct_margin(position: Position, holder: Player, least: int, most_boards: int) -> JustifiedResult | None:
    """Return a justification, other than `Replies`, why a player gets a margin of at least `least`, or None.

    The player is `holder`, and the *margin* is this player's final sum minus the opponent's. `Replies` is a list of
    replies to all moves of the opponent. A justification `FullBoards` lists the full 3x3 boards on which the game can
    end, at most `most_boards` of them.
    """
    found = _direct_margins(position, holder, least, most_boards)
    return max((justified for justified in found if _least_margin(justified) >= least), key=_least_margin, default=None)


def _least_margin(justified: JustifiedResult) -> float:
    return inf if justified.margin is None else justified.margin


def _by_replies(
    position: Position, holder: Player, justify_after: Callable[[Position], JustifiedResult | None]
) -> JustifiedResult | None:
    """Return a list of replies, one to every move of the opponent, after which `holder` achieves the result, or None.

    The opponent of the player `holder` is to move. `justify_after` returns a justification (a reason that can be
    checked by hand) for the position after a move and the reply to it, or None. The result is None if some move has no
    reply with a justification, if the game is over, or if there are fewer than two or more than `_MOST_ANSWERED` empty
    cells. It is also None if either side threatens a line: then the next move is forced, and an explanation after the
    forced move is simpler than a list of replies to all moves.
    """
    if not 2 <= position.empty.bit_count() <= _MOST_ANSWERED or position.outcome:
        return None
    if completing(position, holder) or completing(position, holder.other):
        return None
    replies, margins = [], []
    for move in position.moves:
        after = position.play(move)
        found = [(reply, justified) for reply in after.moves if (justified := justify_after(after.play(reply)))]
        if not found:
            return None
        reply, best = max(found, key=lambda each: _least_margin(each[1]))
        replies.append(Reply(move, reply, best.justification))
        margins.append(best.margin)
    return JustifiedResult(Replies(tuple(replies)), min((each for each in margins if each is not None), default=None))


def _direct_margins(position: Position, holder: Player, least: int, most_boards: int) -> Iterator[JustifiedResult]:
    """Yield justifications, other than `Replies`, why a player gets some margin in a position, the simplest first.

    The player is `holder`, and the *margin* is this player's final sum minus the opponent's. Each justification is of
    one of these kinds:

    - `Finished`: the game is over. The margin may be less than `least`, so the caller must check it.
    - `Heaviest`: the holder always takes the heaviest cell. The margin is at least `least`.
    - `Pairs`: the holder completes each pair of cells that the opponent begins. The margin is at least `least`.
    - `FullBoards`: the holder can make the game end on one of at most `most_boards` full boards. The margin may be less
      than `least`, so the caller must check it.
    """
    so_far = margin_so_far(position, holder)
    if outcome := position.outcome:
        if outcome.reason is Reason.SCORE:
            yield JustifiedResult(Finished(outcome), so_far)
        return
    if completing(position, holder.other):
        return
    board, lines = position.board, open_lines(position, holder.other)
    pairs = best_pairs(board, position.empty, lines, so_far - least)
    if pairs and not lines:
        order = tuple(sorted(cells_of(position.empty), key=lambda cell: -board.flat[cell]))
        yield JustifiedResult(Heaviest(order), so_far - pairs.loss(board))
    elif pairs:
        yield JustifiedResult(pairs, so_far - pairs.loss(board))
    if follows_from_signs(board):
        yield from _by_full_boards(position, holder, most_boards)


def _by_full_boards(position: Position, holder: Player, most: int) -> Iterator[JustifiedResult]:
    """Yield reasons of one form: the player `holder` can make the game end on one of at most `most` full boards.

    A full 3x3 board has no empty cell and no line.
    """
    board = position.board
    firsts = full_boards()
    for few in enough_full_boards(Position(START.board, position.first, position.second), holder):
        if 0 < len(few) <= most:
            taken = [firsts[index] if holder is Player.FIRST else board.full ^ firsts[index] for index in few]
            margin = min(2 * board.total(cells) - board.total(board.full) for cells in taken)
            yield JustifiedResult(FullBoards(tuple(tuple(cells_of(cells)) for cells in taken)), margin)


def open_lines(position: Position, player: Player) -> list[int]:
    """Return the lines, as bit masks of cells, that `player` can still complete.

    These are the lines without a cell of the opponent.
    """
    others = position.taken_by(player.other)
    return [line for line in position.board.lines if not line & others]


def completing(position: Position, player: Player) -> dict[int, int]:
    """Return the cells with which `player` completes a line in one move, each with such a line.

    The result is a mapping of the index of a cell to a line, which is a bit mask of cells.
    """
    own = position.taken_by(player)
    missing = ((line & ~own, line) for line in open_lines(position, player))
    return {rest.bit_length() - 1: line for rest, line in missing if rest.bit_count() == 1}


def explain(advice: Advice) -> Why:
    """Return the reason for the result in `advice`. Unless the side to move loses, the reason includes the best move.

    Raises an `InputError` for anything but a result of `analyze`.

    >>> from yomikiri.tictactoe import Board, analyze
    >>> fork = Position(Board([[0] * 3] * 3)).play(4).play(1)
    >>> explain(analyze(fork)).guarantees[0].justification
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
    """Return a guarantee that a player achieves the result: moves of best play, and a *justification* after them.

    A justification is a reason that can be checked by hand, and that holds however the other side plays. A simple one
    may exist only after some moves of the game. Returns the first guarantee found in the order of `_beginnings`.
    """
    for moves in _beginnings(advice, player):
        position = reduce(Position.play, moves, advice.position)
        if advice.outcome.reason is Reason.LINE:
            justified = justify_line(position, player)
        else:
            justified = justify_margin(position, player, 0 if advice.winner is None else 1)
        if justified:
            forced = _forced(advice.position, moves, player)
            return Guarantee(player, moves, forced, justified.justification, _sums(position.board, justified.margin))
    raise AssertionError("best play ends in a position that justifies the result")


def _beginnings(advice: Advice, player: Player) -> Iterator[tuple[int, ...]]:
    """Yield sequences of moves after which `player` may have a justification, roughly the shortest first.

    A justification shows that `player` achieves the result. It applies only to positions in which the other side is to
    move, or the game is over. Each sequence begins with the first n moves of `advice.line_of_play`, for n = 0, 1, 2,
    ...:

    - The sequence is these n moves if the other side is then to move, or the game is over.
    - If `player` is then to move, and a line decides the game, an attack is appended: moves of `player` that each
      threaten a line, with the forced answers. Without an attack (see `_attack`), there is no sequence for this n.
    """
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
    """Return an attack: moves of the side to move that each threaten a line, with the only answers of the other side.

    The first move is one of `candidates`. The last move completes a line or makes two threats, early enough to complete
    a line within `plies` moves. Returns an empty sequence if there is no attack.
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
    """Return True if each move of the opponent in `moves` is the only move that stops a line of `player`."""
    for move in moves:
        if position.to_move is not player and [*completing(position, player)] != [move]:
            return False
        position = position.play(move)
    return True


def _sums(board: Board, margin: int | None) -> tuple[int, int] | None:
    """Return the final sums of two players, from `margin`: the first of these sums minus the second.

    The two sums add up to the weight of all cells of `board`. Returns None if `margin` is None.
    """
    total = board.total(board.full)
    return None if margin is None else ((total + margin) // 2, (total - margin) // 2)
