"""Replay of guarantees against every move of the other side, independent of the search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from yomikiri.tictactoe.board import Board, cells_of, set_of
from yomikiri.tictactoe.guarantees import Finished, FullBoards, Guarantee, Heaviest, Justification, Replies, Threats
from yomikiri.tictactoe.position import Player, Position, Reason

# The state of a strategy between moves: pairs of cells and the cell without partner.
Matching = tuple[tuple[tuple[int, int], ...], int | None]
# The replies that a strategy allows to a move of the other side, each with its next state.
Strategy = Callable[[Position, int, Matching], Iterator[tuple[int, Matching]]]


def is_true_guarantee(position: Position, guarantee: Guarantee) -> bool:
    """Return True if a guarantee for `position` is true. Whether its unforced moves are best play is not checked."""
    player = guarantee.player
    for move in guarantee.moves:
        if position.outcome or not position.empty >> move & 1:
            return False
        others = [other for other in position.moves if other != move]
        if guarantee.forced and position.to_move is not player and not all(_lets_through(position, o) for o in others):
            return False
        position = position.play(move)
    return (position.to_move is not player or position.outcome is not None) and _stands(position, guarantee)


def _lets_through(position: Position, move: int) -> bool:
    """Return True if `move` does not end the game, and the other side can then complete a line at once."""
    after = position.play(move)
    return not after.outcome and any(after.play(answer).completed_line for answer in after.moves)


def _stands(position: Position, guarantee: Guarantee) -> bool:
    player, justification, board = guarantee.player, guarantee.justification, position.board
    if isinstance(justification, Finished):
        return position.outcome == justification.outcome and _ended(position, player, guarantee.sums)
    if position.outcome:
        return False
    if isinstance(justification, Replies):
        return [each.move for each in justification.replies] == [*position.moves] and all(
            _answered(position.play(each.move).play(each.reply), guarantee, each.justification)
            for each in justification.replies
        )
    if isinstance(justification, Threats):
        lines = {set_of(line) for line in justification.lines}
        named = {line & position.empty for line in lines} == {1 << cell for cell in justification.cells}
        real = lines <= set(board.lines) and all(
            line & ~position.empty & ~position.taken_by(player) == 0 for line in lines
        )
        return guarantee.sums is None and named and real and all(_lets_through(position, m) for m in position.moves)
    if guarantee.sums is None:
        return False
    margin = guarantee.sums[0] - guarantee.sums[1]
    if sum(guarantee.sums) != board.total(board.full):
        return False
    if isinstance(justification, FullBoards):
        sums = [board.total(set_of(cells)) for cells in justification.holdings]
        return min(sums, default=None) == guarantee.sums[0] and _can_lead(
            position, player, frozenset(map(set_of, justification.holdings))
        )
    if isinstance(justification, Heaviest):
        order = [board.flat[cell] for cell in justification.cells]
        right = sorted(justification.cells) == [*position.moves] and order == sorted(order, reverse=True)
        return right and _keeps(position, player, margin, _heaviest, ((), None))
    cells = sorted(cell for pair in justification.pairs for cell in pair) + (
        [] if justification.odd is None else [justification.odd]
    )
    matches = sorted(cells) == [*position.moves]
    return matches and _keeps(position, player, margin, _partner, (justification.pairs, justification.odd))


def _answered(position: Position, guarantee: Guarantee, justification: Justification) -> bool:
    """Return True if the justification is true and secures a line, or a sum no lower than that of the guarantee."""
    board, sums = position.board, guarantee.sums
    if isinstance(justification, Threats) or (
        isinstance(justification, Finished) and justification.outcome.reason is Reason.LINE
    ):
        return _stands(position, replace(guarantee, justification=justification, sums=None))
    if sums is None:
        return False
    reached = sums
    if isinstance(justification, FullBoards):
        own = min(board.total(set_of(cells)) for cells in justification.holdings)
        reached = own, board.total(board.full) - own
    elif isinstance(justification, Finished):
        own, others = justification.outcome.sums[:: guarantee.player]
        reached = own, others
    return reached[0] >= sums[0] and _stands(position, replace(guarantee, justification=justification, sums=reached))


def _ended(position: Position, player: Player, sums: tuple[int, int] | None) -> bool:
    outcome = position.outcome
    assert outcome
    if sums is None:
        return outcome.reason is Reason.LINE and outcome.winner is player
    return outcome.reason is Reason.SCORE and outcome.sums[::player] == sums


def _heaviest(position: Position, _move: int, matching: Matching) -> Iterator[tuple[int, Matching]]:
    heaviest = max(position.board.flat[cell] for cell in position.moves)
    yield from ((cell, matching) for cell in position.moves if position.board.flat[cell] == heaviest)


def _partner(position: Position, move: int, matching: Matching) -> Iterator[tuple[int, Matching]]:
    pairs, odd = matching
    if move != odd:
        pair = next(pair for pair in pairs if move in pair)
        yield sum(pair) - move, (tuple(each for each in pairs if each != pair), odd)
        return
    for pair in pairs:
        heavier, lighter = sorted(pair, key=lambda cell: -position.board.flat[cell])
        yield heavier, (tuple(each for each in pairs if each != pair), lighter)


def _keeps(position: Position, player: Player, margin: int, answers: Strategy, matching: Matching) -> bool:
    """Return True if the strategy reaches this margin or a line of the player against every reply."""

    @cache
    def keeps(position: Position, matching: Matching) -> bool:
        for move in position.moves:
            after = position.play(move)
            if after.outcome:
                if not _good(after):
                    return False
                continue
            for answer, rest in answers(after, move, matching):
                then = after.play(answer)
                if not (_good(then) if then.outcome else keeps(then, rest)):
                    return False
        return True

    def _good(position: Position) -> bool:
        outcome = position.outcome
        assert outcome
        if outcome.reason is Reason.LINE:
            return outcome.winner is player
        return player * (outcome.sums[0] - outcome.sums[1]) >= margin

    return keeps(position, matching)


def _can_lead(position: Position, player: Player, holdings: frozenset[int]) -> bool:
    """Return True if the player can force a line, or a full board on which they hold exactly one of `holdings`."""

    @cache
    def can(position: Position) -> bool:
        if outcome := position.outcome:
            line = outcome.reason is Reason.LINE
            return outcome.winner is player if line else position.taken_by(player) in holdings
        after = map(can, map(position.play, position.moves))
        return any(after) if position.to_move is player else all(after)

    return can(position)


def pairings(cells: tuple[int, ...]) -> Iterator[Matching]:
    """Yield every way to match `cells` in pairs; one cell remains if their number is odd."""
    if len(cells) < 2:
        yield (), cells[0] if cells else None
        return
    first, *others = cells
    if len(cells) % 2:
        for pairs, _none in pairings(tuple(others)):
            yield pairs, first
    for partner in others:
        for pairs, odd in pairings(tuple(cell for cell in others if cell != partner)):
            yield ((first, partner), *pairs), odd


def least_loss(board: Board, empty: int, lines: list[int]) -> int | None:
    """Return the least loss of a matching with a pair within each of `lines`, or None if no matching exists."""
    losses = []
    for pairs, odd in pairings(tuple(cells_of(empty))):
        if all(any(set_of(pair) & ~line == 0 for pair in pairs) for line in lines):
            over = 0 if odd is None else board.flat[odd]
            losses.append(over + sum(abs(board.flat[a] - board.flat[b]) for a, b in pairs))
    return min(losses, default=None)
