"""What only the page of tic-tac-toe says, in the language in use."""

from __future__ import annotations

import re

from yomikiri.tictactoe.advice import Advice, MoveAdvice, PartialAdvice
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Player, Position
from yomikiri.wording import _, ngettext
from yomikiri.wording.tictactoe import MARKS, player_name, result, so_far, to_move


def headline(position: Position, moves: tuple[int, ...], me: Player | None) -> str:
    """Whose turn it is, or how the game ended; to a person who plays `me`, with what the program has just taken."""
    now = result(position.outcome, position.board) if position.outcome else to_move(position)
    if me is None or not moves or me is not position.to_move:
        return now
    lead = _("{player} takes {cell}.").format(player=player_name(me.other), cell=position.board.name(moves[-1]))
    return _("{lead} {rest}").format(lead=lead, rest=now)


def named(key: str) -> str:
    """What a board with a name is called."""
    return {
        "edge": _("Only an edge wins"),
        "second": _("The second player wins"),
        "magic": _("A magic square"),
        "plain": _("Plain tic-tac-toe, all weights 0"),
        "plain4": _("4x4, four in a row, all weights 0"),
    }[key]


def kind(key: str) -> str:
    """What a drawn board is like."""
    return {
        "any": _("3x3, any result"),
        "first": _("3x3, {player} wins").format(player=player_name(Player.FIRST)),
        "second": _("3x3, {player} wins").format(player=player_name(Player.SECOND)),
        "draw": _("3x3, a draw"),
        "corner": _("3x3, only a corner wins"),
        "edge": _("3x3, only an edge wins"),
        "centre": _("3x3, only the centre wins"),
        "unique": _("3x3, only one cell wins"),
        "3x4": _("{shape}, {line} in a row").format(shape="3x4", line=3),
        "4x4": _("{shape}, {line} in a row").format(shape="4x4", line=4),
        "5x5": _("{shape}, {line} in a row").format(shape="5x5", line=5),
    }[key]


def unread(partial: PartialAdvice) -> str:
    """Said where the time of a page was not enough, with what is certain."""
    lead = _("Time ran out before every move was solved.") if partial.moves else _("Too large to solve here.")
    return _("{lead} {rest}").format(lead=lead, rest=so_far(partial))


def minus(said: int | str) -> str:
    """A number, or a sentence with numbers, with real minus signs."""
    return re.sub(r"(?<!\w)-(?=\d)", "−", f"{said}")


def chip(move: MoveAdvice) -> str:
    """What a move leads to, in a few signs: who wins, and by how much or by a line after how many moves."""
    if move.winner is None:
        return "="
    mark = MARKS[move.winner]
    if move.margin is not None:
        return f"{mark} +{abs(move.margin)}"
    return _("{mark} line {count}").format(mark=mark, count=move.plies)


def legend(advice: Advice | PartialAdvice) -> str:
    """What the signs mean, as far as they occur."""
    parts = [_("X +1: X wins by 1")] if any(move.margin for move in advice.moves) else []
    if any(move.margin is None for move in advice.moves):
        parts.append(_("line 3: by a line, after 3 more moves"))
    if any(move.winner is None for move in advice.moves):
        parts.append(_("=: a draw"))
    if len(advice.moves) < len(advice.position.moves):
        parts.append(_("?: not solved"))
    return _("{parts}. A ring marks the best.").format(parts=_("; ").join(parts))


def judged(board: Board, played: MoveAdvice, best: MoveAdvice, *, good: bool) -> str:
    """A move of a finished game beside the best one."""
    if good:
        return _("a best move: {end}").format(end=leads_to(played))
    if played.winner is best.winner and played.margin is not None and best.margin is not None:
        return _("costs {points}; {best} was best").format(
            points=abs(abs(best.margin) - abs(played.margin)), best=board.name(best.move)
        )
    return _("{end}; with {best}, {other}").format(
        end=leads_to(played), best=board.name(best.move), other=leads_to(best)
    )


def taken(board: Board, cell: int, player: Player, *, last: bool = False) -> str:
    """A cell that somebody holds, as a screen reader should say it."""
    message = _("{cell}, weight {weight}: {player}, the last move") if last else _("{cell}, weight {weight}: {player}")
    return message.format(cell=board.name(cell), weight=board.flat[cell], player=player_name(player))


def free(board: Board, cell: int, move: MoveAdvice | None, *, unread: bool = False) -> str:
    """A cell that can be taken, and what that leads to where it is shown, as a screen reader should say it."""
    text = _("{cell}, weight {weight}").format(cell=board.name(cell), weight=board.flat[cell])
    if move is None and not unread:
        return text
    return _("{cell}: {end}").format(cell=text, end=leads_to(move) if move else _("not solved"))


def leads_to(move: MoveAdvice) -> str:
    """Where a move leads."""
    if move.winner is None:
        return _("a draw")
    name = player_name(move.winner)
    if move.margin is not None:
        return _("{player} wins by {margin}").format(player=name, margin=abs(move.margin))
    return ngettext(
        "{player} wins by a line in {count} move", "{player} wins by a line in {count} moves", move.plies
    ).format(player=name, count=move.plies)


def side(player: Player) -> str:
    """A player with the mark on the board."""
    return _("{player} ({mark})").format(player=player_name(player), mark=MARKS[player])
