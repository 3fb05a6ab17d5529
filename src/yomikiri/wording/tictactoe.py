"""What the commands of weighted tic-tac-toe say, in the language in use."""

from __future__ import annotations

from math import inf

from yomikiri.budget import Progress
from yomikiri.tictactoe.advice import Advice, MoveAdvice, PartialAdvice
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.notation import write_moves
from yomikiri.tictactoe.position import Outcome, Player, Position, Reason
from yomikiri.tictactoe.search.margins import Bounds
from yomikiri.wording.language import _


def player_name(player: Player) -> str:
    """The name of a player in a sentence."""
    return _("Takahashi") if player is Player.FIRST else _("Aoki")


def to_move(position: Position) -> str:
    """Whose turn it is, and the mark of that player on the board."""
    player = position.to_move
    return _("{player} ({mark}) to move.").format(player=player_name(player), mark=MARKS[player])


MARKS = {Player.FIRST: "X", Player.SECOND: "O"}


def result(outcome: Outcome, board: Board) -> str:
    """How a game ended: who won and why."""
    if outcome.winner is None:
        return _("A draw: both sums are {first}.").format(first=outcome.sums[0])
    player = player_name(outcome.winner)
    if outcome.reason is Reason.LINE:
        return _("{player} wins by the line {line}.").format(player=player, line=write_moves(outcome.line, board))
    own, others = max(outcome.sums), min(outcome.sums)
    return _("{player} wins by score, {own} to {others}.").format(player=player, own=own, others=others)


def verdict(advice: Advice) -> str:
    """What the side to move can reach, and by which moves."""
    player, board = advice.position.to_move, advice.position.board
    name, other = player_name(player), player_name(player.other)
    best = board.name(advice.best.move)
    if advice.winning == (advice.best.move,):
        return _("{player} wins, but only with {best}.").format(player=name, best=best)
    if advice.winner is player:
        moves = write_moves(advice.winning, board, _(", "))
        return _("{player} wins with {moves}; {best} is best.").format(player=name, moves=moves, best=best)
    if advice.winner is None:
        return _("{player} cannot win, but can draw with {best}.").format(player=name, best=best)
    if advice.best.reason is Reason.LINE:
        return _("Every move loses to {other}; {best} delays it longest.").format(other=other, best=best)
    return _("Every move loses to {other}; {best} loses by the smallest margin.").format(other=other, best=best)


def line_of_play(advice: Advice) -> str:
    """Best play on both sides, and how it ends."""
    board = advice.position.board
    return _("Best play: {moves}. {result}").format(
        moves=write_moves(advice.line_of_play, board), result=result(advice.outcome, board)
    )


def note(move: MoveAdvice, mover: Player, star: str = "*") -> str:
    """Where a move leads, short enough for a cell: `*+3`, `-1`, `0`, `*line 5`, `-line 8` (moves until it is there)."""
    wins = star if move.winner is mover else ""
    if move.margin is not None:
        return wins + (f"{move.margin:+}" if move.margin else "0")
    lost = "" if move.winner is mover else "-"
    return wins + lost + _("line {plies}").format(plies=move.plies)


def notes(advice: Advice | PartialAdvice, star: str = "*") -> dict[int, str]:
    """The notes in a picture, by cell: `?` for a move that was not read, none at all where no move was."""
    if not advice.moves:
        return {}
    mover = advice.position.to_move
    unread = dict.fromkeys(advice.position.moves, UNREAD)
    return unread | {move.move: note(move, mover, star) for move in advice.moves}


UNREAD = "?"


def legend(advice: Advice | PartialAdvice, star: str = "*") -> str:
    """What the notes in a picture mean, as far as they occur."""
    mover = advice.position.to_move
    parts = [_("{star} wins").format(star=star)] if any(move.winner is mover for move in advice.moves) else []
    reasons = {move.reason for move in advice.moves}
    if Reason.SCORE in reasons:
        parts.append(_("a number is {player}'s final margin").format(player=player_name(mover)))
    if Reason.LINE in reasons:
        parts.append(_("'line 3': the side to move completes a line after 3 more moves; '-line 3': the opponent does"))
    if len(advice.moves) < len(advice.position.moves):
        parts.append(_("'{mark}': not solved").format(mark=UNREAD))
    return _("Under the weights: {parts}.").format(parts=_("; ").join(parts))


def first_seen(number: int, advice: Advice) -> str:
    """After how many boards a program erred, and how the shrunk board it errs on is played best."""
    return _("found on board {number}; the board above is a reduced version. {play}").format(
        number=number, play=line_of_play(advice)
    )


def reading() -> str:
    """Said when a search starts."""
    return _("Solving the position ...")


def progress(player: Player, now: Progress) -> str:
    """How far the search of a position where `player` is to move has come, or the reading of its moves."""
    if now.done:
        return _("{moves} of {of} moves solved, {nodes} positions").format(moves=now.done, of=now.of, nodes=now.states)
    return _("{nodes} positions. {certain}").format(nodes=now.states, certain=certain(player, Bounds.told(now)))


def interrupted(sure: str = "") -> str:
    """Said when a search has been cut short, with what is certain by then."""
    return _("Interrupted. {certain}").format(certain=sure).rstrip()


def so_far(partial: PartialAdvice) -> str:
    """What is certain of a position that was not read to its end, and a best move where one is known."""
    position = partial.position
    sure = certain(position.to_move, partial.bounds)
    if partial.best is None:
        return sure
    best = _("{best} is a best move.").format(best=position.board.name(partial.best.move))
    return _("{lead} {rest}").format(lead=sure, rest=best)


def certain(player: Player, bounds: Bounds) -> str:
    """What bounds say of the end, seen by `player`, who is to move."""
    name = player_name(player)
    if bounds.by_line:
        winner = player_name(player if bounds.lower > 0 else player.other)
        return _("Certain: {player} completes a line.").format(player=winner)
    if bounds.exact:
        return _("Certain: {player} {ends}.").format(player=name, ends=_ends(bounds.lower))
    below, above = bounds.lower > -inf, bounds.upper < inf
    if below and above:
        return _("Certain so far: {player} at worst {least}, at best {most}.").format(
            player=name, least=_ends(bounds.lower), most=_ends(bounds.upper)
        )
    if below:
        return _("Certain so far: {player} at worst {least}.").format(player=name, least=_ends(bounds.lower))
    if above:
        return _("Certain so far: {player} at best {most}.").format(player=name, most=_ends(bounds.upper))
    return _("Nothing is certain yet.")


def _ends(margin: float) -> str:
    """How a side ends that has so much more than the other."""
    if margin == 0:
        return _("ties")
    return (_("wins by {margin}") if margin > 0 else _("loses by {margin}")).format(margin=abs(margin))
