"""Why a position of weighted tic-tac-toe is won, lost or drawn, in the language in use."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

from yomikiri.tictactoe.advice import Advice
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.grounds import Answers, Finished, FullBoards, Heaviest, Pairs, Threats
from yomikiri.tictactoe.notation import write_moves
from yomikiri.tictactoe.position import Player, Position, Reason
from yomikiri.tictactoe.why import Guarantee, Why
from yomikiri.wording.language import _
from yomikiri.wording.tictactoe import MARKS, player_name


def must_stop(advice: Advice, why: Why) -> str:
    """That the side to move has to stop the line `why.block`."""
    board = advice.position.board
    cell = next(cell for cell in why.block if advice.position.empty >> cell & 1)
    return _("{other} threatens {line}: {cell} is the only move.").format(
        other=player_name(advice.position.to_move.other), line=write_moves(why.block, board), cell=board.name(cell)
    )


def because(advice: Advice, guarantee: Guarantee) -> str:
    """What a guarantee says: after which moves, what its player does then, and what that makes sure of."""
    board = advice.position.board
    own, others = guarantee.sums or (0, 0)
    values = {
        "player": player_name(guarantee.player),
        "other": player_name(guarantee.player.other),
        "own": own,
        "others": others,
    }
    match guarantee.ground:
        case Finished(outcome) if guarantee.forced:
            cell, line = board.name(guarantee.moves[-1]), write_moves(outcome.line, board)
            if outcome.reason is Reason.LINE:
                return _("{cell} completes the line {line}.").format(cell=cell, line=line)
            return _("{cell} fills the board.").format(cell=cell)
        case Finished():
            return _("Solved by search ({count} positions); no shorter explanation found.").format(
                count=f"{advice.positions:,}"
            )
        case Threats(lines):
            both = reduce(_and, (write_moves(line, board) for line in lines))
            ground = _("{player} threatens {lines} at once, and {other} can stop only one.").format(
                lines=both, **values
            )
        case Heaviest():
            ground = _(
                "{other} can no longer complete a line. {player} always takes the heaviest cell left and ends with at"
                " least {own} to {others}."
            ).format(**values)
        case Pairs() as pairs:
            ground = _in_pairs(pairs, board, values)
        case FullBoards(holdings):
            ground = _on_full_boards(holdings, guarantee.ground.sums(board), board, values)
        case Answers(answers):
            named = _(", ").join(f"{board.name(each.move)}→{board.name(each.answer)}" for each in answers)
            if guarantee.sums is None:
                template = _("{player} has a reply to every move by {other} ({answers}) and completes a line.")
            else:
                template = _(
                    "{player} has a reply to every move by {other} ({answers}) and completes a line or ends with at"
                    " least {own} to {others}."
                )
            ground = template.format(answers=named, **values)
    return _start(advice, guarantee) + ground


def _start(advice: Advice, guarantee: Guarantee) -> str:
    """The moves after which the ground stands."""
    board, mine = advice.position.board, advice.position.to_move is guarantee.player
    names = write_moves(guarantee.moves, board)
    if not guarantee.moves:
        return ""
    if not guarantee.forced:
        return _("Solved by search ({count} positions). After best play {moves}: ").format(
            count=f"{advice.positions:,}", moves=names
        )
    if guarantee.moves[1:]:
        own = 0 if mine else 1
        named = (
            board.name(move) if number % 2 == own else f"({board.name(move)})"
            for number, move in enumerate(guarantee.moves)
        )
        return _("After {moves} (the moves in brackets are forced): ").format(moves=" ".join(named))
    return _("After {moves}: ").format(moves=names)


def _in_pairs(ground: Pairs, board: Board, values: dict[str, Any]) -> str:
    pairs = _(", ").join("-".join(map(board.name, pair)) for pair in ground.pairs)
    text = _(
        "{player} answers in pairs, {pairs}: when {other} takes one cell of a pair, {player} takes the other. So"
        " {other} completes no line, and {player} ends with at least {own} to {others}."
    ).format(pairs=pairs, **values)
    if ground.odd is None:
        return text
    return text + _(
        " If {other} takes {odd}, {player} takes the heavier cell of any pair, and the lighter one then stands in for"
        " {odd}."
    ).format(odd=board.name(ground.odd), **values)


def _on_full_boards(
    holdings: tuple[tuple[int, ...], ...], sums: tuple[tuple[int, int], ...], board: Board, values: dict[str, Any]
) -> str:
    common = set(holdings[0]).intersection(*holdings)
    choices = [
        _("{cells} ({own} to {others})").format(cells=_names(set(cells) - common, board), own=own, others=others)
        for cells, (own, others) in zip(holdings, sums, strict=True)
        if set(cells) - common
    ]
    if not choices:
        return _(
            "{player} completes a line or holds {cells} in the end, {own} to {others}, whatever {other} does."
        ).format(cells=_names(common, board), **values)
    return _(
        "{player} completes a line or holds {common} in the end and either {choices}, whatever {other} does."
    ).format(common=_names(common, board), choices=reduce(_or, choices), **values)


def _and(one: str, another: str) -> str:
    return _("{one} and {another}").format(one=one, another=another)


def _or(one: str, another: str) -> str:
    return _("{one} or {another}").format(one=one, another=another)


def _names(cells: Iterable[int], board: Board) -> str:
    return write_moves(sorted(cells), board)


# One letter for each pair of 8x8; O and X are the players.
_LETTERS = "ABCDEFGHIJKLMNPQRSTUVWYZabcdefghijklmnpqrstuvwyz"


def marks(position: Position, guarantee: Guarantee) -> list[dict[int, str]]:
    """What to write into empty cells, for each small picture of what a guarantee rests on; none without a picture.

    Cells of a pair have the same letter, cells that complete a line `!`, cells to be taken in turn their number, a cell
    its answer; full boards say who holds each cell in the end. `position` is the one in which the ground stands.
    """
    match guarantee.ground:
        case Pairs(pairs):
            return [{cell: letter for pair, letter in zip(pairs, _LETTERS, strict=False) for cell in pair}]
        case Threats(cells=cells):
            return [dict.fromkeys(cells, "!")]
        case Heaviest(cells):
            return [{cell: str(number) for number, cell in enumerate(cells, start=1)}]
        case FullBoards(holdings):
            return [_full(position, cells, guarantee.player) for cells in holdings]
        case Answers(answers):
            return [{each.move: position.board.name(each.answer) for each in answers}]
        case _:
            return []


def _full(position: Position, own: tuple[int, ...], player: Player) -> dict[int, str]:
    """The marks where `player` ends with the cells `own`."""
    return {cell: MARKS[player if cell in own else player.other] for cell in range(position.board.size)}
