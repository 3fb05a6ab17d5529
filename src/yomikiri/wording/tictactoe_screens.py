"""Short texts next to a board on a terminal screen, in the current language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yomikiri.wording import _, ngettext
from yomikiri.wording.tictactoe import UNREAD, either, player_name

if TYPE_CHECKING:
    from yomikiri.tictactoe.advice import Advice, MoveAdvice, PartialAdvice
    from yomikiri.tictactoe.position import Player

_NAMED = 4  # number of moves in a headline before the last one, or before `…`


def headline(advice: Advice) -> str:
    """Return who is to move, the result they can reach, and the moves that reach it."""
    position, best = advice.position, advice.best
    mover, board = position.to_move, position.board
    names = [board.name(move) for move in advice.best_moves]
    every = len(names) == len(advice.moves) > 1
    first, last = _(", ").join(names[:-1][:_NAMED]), names[-1]
    some = f"{first} …" if len(names) > _NAMED + 1 else either(first, last) if first else last
    moves = _("any move") if every else some
    values = {"player": player_name(mover), "mark": mover.mark, "moves": moves,
              "plies": best.plies, "margin": abs(best.margin or 0)}  # fmt: skip
    if best.winner is None:
        return _("{player} ({mark}) to move: draws with {moves}").format(**values)
    if best.winner is mover and best.margin is None:
        return _("{player} ({mark}) to move: wins by a line in {plies} with {moves}").format(**values)
    if best.winner is mover:
        return _("{player} ({mark}) to move: wins by {margin} with {moves}").format(**values)
    if best.margin is None:
        return _("{player} ({mark}) to move: loses to a line in {plies} at best, with {moves}").format(**values)
    return _("{player} ({mark}) to move: loses by {margin} at best, with {moves}").format(**values)


def cells(advice: Advice | PartialAdvice) -> dict[int, str]:
    """Return the value of each move by cell: a margin, `L5` or `l5` for a line after 5 moves, `?` if not solved."""
    unread = dict.fromkeys(advice.position.moves, UNREAD)
    return unread | {each.move: _cell(each, advice.position.to_move) for each in advice.moves}


def _cell(move: MoveAdvice, mover: Player) -> str:
    if move.margin is not None:
        return f"{move.margin:+}" if move.margin else "0"
    return f"{'L' if move.winner is mover else 'l'}{move.plies}"


def legend(advice: Advice | PartialAdvice) -> str:
    """Return the lines that explain the values shown in cells, only for the kinds of values that occur."""
    mover = advice.position.to_move
    values = {"player": player_name(mover), "other": player_name(mover.other)}
    lines = {move.winner is mover: move.plies for move in advice.moves if move.margin is None}
    parts = [_("above: the weight")]
    if any(move.margin is not None for move in advice.moves):
        parts.append(_("below: {player}'s margin").format(**values))
    if True in lines:
        text = ngettext("L{plies}: a line of {player}'s in {plies} move",
                        "L{plies}: a line of {player}'s in {plies} moves", lines[True])  # fmt: skip
        parts.append(text.format(plies=lines[True], **values))
    if False in lines:
        text = ngettext("l{plies}: a line of {other}'s in {plies} move",
                        "l{plies}: a line of {other}'s in {plies} moves", lines[False])  # fmt: skip
        parts.append(text.format(plies=lines[False], **values))
    if len(advice.moves) < len(advice.position.moves) or not advice.best:
        parts.append(_("{mark}: not solved").format(mark=UNREAD))
    else:
        parts.append(_("[{note}]: best").format(note=_cell(advice.best, mover)))
    return "   ".join(parts)
