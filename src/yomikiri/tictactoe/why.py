"""Why a position is won, lost or drawn: what the winner is sure of, or both sides of a draw, and on which ground.

A ground need not stand at once: best play may have to go on for some moves until there is a short one, and that it is
best is what the search has found. Where the other side has no choice on the way, nothing else needs to be known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from yomikiri.tictactoe.advice import Advice
from yomikiri.tictactoe.board import Board, cells_of
from yomikiri.tictactoe.grounds import Ground, completing, sure_of_line, sure_of_margin
from yomikiri.tictactoe.position import Player, Position, Reason


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
    """The reason for the outcome that `advice` gives; where the side to move does not lose, it is by the best move.

    >>> from yomikiri.tictactoe import Board, analyze
    >>> fork = Position(Board([[0] * 3] * 3)).play(4).play(1)
    >>> explain(analyze(fork)).guarantees[0].ground
    Threats(lines=((0, 3, 6), (3, 4, 5)), cells=(6, 5))
    """
    position = advice.position
    mover = position.to_move
    threats = completing(position, mover.other)
    block = next(iter(threats.values())) if len(threats) == 1 and not completing(position, mover) else 0
    players = tuple(Player) if advice.winner is None else (advice.winner,)
    return Why(tuple(_guarantee(advice, player) for player in players), tuple(cells_of(block)))


def _guarantee(advice: Advice, player: Player) -> Guarantee:
    """What `player` is sure of, as early in best play as there is a ground for it."""
    for moves in _beginnings(advice, player):
        position = _after(advice.position, moves)
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
        position = _after(advice.position, line[:number])
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


def _after(position: Position, moves: Iterable[int]) -> Position:
    for move in moves:
        position = position.play(move)
    return position
