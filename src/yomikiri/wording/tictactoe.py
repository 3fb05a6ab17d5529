"""Sentences about weighted tic-tac-toe, in the current language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from math import inf
from typing import TYPE_CHECKING, Any

from yomikiri.tictactoe.guarantees import Finished, FullBoards, Heaviest, Pairs, Replies, Threats
from yomikiri.tictactoe.notation import write_moves
from yomikiri.tictactoe.position import Bounds, Player, Position, Reason
from yomikiri.wording import _, joined, ngettext

if TYPE_CHECKING:
    from yomikiri.common.budget import Progress
    from yomikiri.tictactoe.advice import Advice, MoveAdvice, PartialAdvice
    from yomikiri.tictactoe.board import Board
    from yomikiri.tictactoe.guarantees import Guarantee, Why
    from yomikiri.tictactoe.position import Outcome


def player_name(player: Player) -> str:
    """Return the name of a player for use in a sentence."""
    return _("Takahashi") if player is Player.FIRST else _("Aoki")


def to_move(position: Position) -> str:
    """Return the sentence on the player to move, with their mark on the board."""
    player = position.to_move
    return _("{player} ({mark}) to move.").format(player=player_name(player), mark=player.mark)


def result(outcome: Outcome, board: Board) -> str:
    """Return the result of a game: who won and why."""
    if outcome.winner is None:
        return _("A draw: both sums are {first}.").format(first=outcome.sums[0])
    player = player_name(outcome.winner)
    if outcome.reason is Reason.LINE:
        return _("{player} wins by the line {line}.").format(player=player, line=write_moves(outcome.line, board))
    own, others = max(outcome.sums), min(outcome.sums)
    return _("{player} wins by score, {own} to {others}.").format(player=player, own=own, others=others)


def verdict(advice: Advice) -> str:
    """Return the result that the side to move can reach, and the moves that reach it."""
    player, board = advice.position.to_move, advice.position.board
    name, other = player_name(player), player_name(player.other)
    best = board.name(advice.best.move)
    if advice.winning == (advice.best.move,):
        return _("{player} wins, but only with {best}.").format(player=name, best=best)
    others = tuple(move for move in advice.position.moves if move not in advice.winning)
    if advice.winner is player and not others:
        return _("{player} wins with every move; {best} is best.").format(player=name, best=best)
    if advice.winner is player and len(others) < len(advice.winning):
        moves = write_moves(others, board, _(", "))
        return _("{player} wins with every move but {moves}; {best} is best.").format(
            player=name, moves=moves, best=best
        )
    if advice.winner is player:
        moves = write_moves(advice.winning, board, _(", "))
        return _("{player} wins with {moves}; {best} is best.").format(player=name, moves=moves, best=best)
    moves = write_moves(advice.best_moves, board, _(", "))
    if advice.winner is None and len(advice.best_moves) == len(advice.moves):
        return _("{player} cannot win, but every move draws.").format(player=name)
    if advice.winner is None:
        return _("{player} cannot win, but can draw with {moves}.").format(player=name, moves=moves)
    if advice.best.reason is Reason.LINE:
        return _("Every move loses to {other}. Longest resistance: {moves}.").format(other=other, moves=moves)
    return _("Every move loses to {other}. Smallest margin: {moves}.").format(other=other, moves=moves)


def line_of_play(advice: Advice) -> str:
    """Return the sentence with the moves of best play and the result of the game."""
    board = advice.position.board
    return _("Best play: {moves}. {result}").format(
        moves=write_moves(advice.line_of_play, board), result=result(advice.outcome, board)
    )


def note(move: MoveAdvice, mover: Player, star: str = "*") -> str:
    """Return the result of a move, to be shown in the cell of the move: `*+3`, `-1`, `0`, `*line 5` or `-line 8`.

    `star` marks a move that wins for `mover`. A number is the lead of `mover` at the end. After `line` comes the number
    of moves until a line is completed. A minus before `line` means that the other player completes it.
    """
    wins = star if move.winner is mover else ""
    if move.margin is not None:
        return wins + (f"{move.margin:+}" if move.margin else "0")
    lost = "" if move.winner is mover else "-"
    return wins + lost + _("line {plies}").format(plies=move.plies)


def notes(advice: Advice | PartialAdvice) -> dict[int, str]:
    """Return the note for each cell in a picture, `?` for a move that was not solved. Empty if no move was solved."""
    if not advice.moves:
        return {}
    mover = advice.position.to_move
    unread = dict.fromkeys(advice.position.moves, UNREAD)
    return unread | {move.move: note(move, mover) for move in advice.moves}


UNREAD = "?"


def legend(advice: Advice | PartialAdvice, star: str = "*") -> str:
    """Return the line that explains the notes in a picture, only for the kinds of notes that occur."""
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


def solving() -> str:
    """Return the sentence that is shown when a search begins."""
    return _("Solving the position ...")


def progress(player: Player, now: Progress) -> str:
    """Return the progress of the search of a position in which `player` is to move.

    Once moves are solved, it is their number. Before that, it is the proven part of the result.
    """
    if now.done:
        return _("{moves} of {of} moves solved, {nodes} positions").format(moves=now.done, of=now.of, nodes=now.states)
    return _("{nodes} positions. {certain}").format(
        nodes=now.states, certain=proven_result(player, Bounds.from_progress(now))
    )


def interrupted(sure: str) -> str:
    """Return the sentence on an interrupted search, with the proven part."""
    return _("Interrupted. {certain}").format(certain=sure)


def so_far(partial: PartialAdvice) -> str:
    """Return the proven part of an unfinished analysis, and a best move if one is known."""
    position = partial.position
    sure = proven_result(position.to_move, partial.bounds)
    if partial.best is None:
        rest = "" if partial.bounds == Bounds() else _("No best move found yet.")
        return joined(sure, rest).rstrip()
    return joined(sure, _("{best} is a best move.").format(best=position.board.name(partial.best.move)))


def proven_result(player: Player, bounds: Bounds) -> str:
    """Return the proven part of the result, from the point of view of `player`, who is to move."""
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
    return _("No result is certain yet.")


def _ends(margin: float) -> str:
    """Return the result of a side with this margin, such as 'wins by 3'."""
    if margin == 0:
        return _("ties")
    return (_("wins by {margin}") if margin > 0 else _("loses by {margin}")).format(margin=abs(margin))


def must_stop(advice: Advice, why: Why) -> str:
    """Return the sentence that says that the side to move has to stop the line `why.block`."""
    board = advice.position.board
    cell = next(cell for cell in why.block if advice.position.empty >> cell & 1)
    return _("{other} threatens {line}: {cell} is the only move.").format(
        other=player_name(advice.position.to_move.other), line=write_moves(why.block, board), cell=board.name(cell)
    )


def because(advice: Advice, guarantee: Guarantee) -> str:
    """Return a guarantee in words: the moves before it, what its player does then, and the guaranteed result."""
    board = advice.position.board
    own, others = guarantee.sums or (0, 0)
    values = {
        "player": player_name(guarantee.player),
        "other": player_name(guarantee.player.other),
        "own": own,
        "others": others,
    }
    match guarantee.justification:
        case Finished(outcome) if guarantee.forced:
            cell, line = board.name(guarantee.moves[-1]), write_moves(outcome.line, board)
            if outcome.reason is Reason.LINE:
                return _("{cell} completes the line {line}.").format(cell=cell, line=line)
            return _("{cell} fills the board.").format(cell=cell)
        case Finished():
            text = ngettext(
                "Solved by search ({count} position); no shorter explanation found.",
                "Solved by search ({count} positions); no shorter explanation found.",
                advice.positions,
            )
            return text.format(count=f"{advice.positions:,}")
        case Threats(lines):
            both = reduce(_and, (write_moves(line, board) for line in lines))
            justification = _("{player} threatens {lines} at once, and {other} can stop only one.").format(
                lines=both, **values
            )
        case Heaviest():
            justification = _(
                "{other} can no longer complete a line. {player} always takes the heaviest cell left and ends with at"
                " least {own} to {others}."
            ).format(**values)
        case Pairs() as pairs:
            justification = _in_pairs(pairs, board, values)
        case FullBoards(holdings):
            justification = _on_full_boards(holdings, guarantee.justification.sums(board), board, values)
        case Replies(answers):
            named = _(", ").join(f"{board.name(each.move)}→{board.name(each.reply)}" for each in answers)
            if guarantee.sums is None:
                template = _("{player} has a reply to every move by {other} ({answers}) and completes a line.")
            else:
                template = _(
                    "{player} has a reply to every move by {other} ({answers}) and completes a line or ends with at"
                    " least {own} to {others}."
                )
            justification = template.format(answers=named, **values)
    return _start(advice, guarantee) + justification


def _start(advice: Advice, guarantee: Guarantee) -> str:
    """Return the first words of the sentence on a guarantee: the moves after which the guaranteed result is explained.

    The text is empty if there are no such moves.
    """
    board, mine = advice.position.board, advice.position.to_move is guarantee.player
    names = write_moves(guarantee.moves, board)
    if not guarantee.moves:
        return ""
    if not guarantee.forced:
        text = ngettext(
            "Solved by search ({count} position). After best play {moves}: ",
            "Solved by search ({count} positions). After best play {moves}: ",
            advice.positions,
        )
        return text.format(count=f"{advice.positions:,}", moves=names)
    if guarantee.moves[1:]:
        own = 0 if mine else 1
        named = (
            board.name(move) if number % 2 == own else f"({board.name(move)})"
            for number, move in enumerate(guarantee.moves)
        )
        return _("After {moves} (the moves in brackets are forced): ").format(moves=" ".join(named))
    return _("After {moves}: ").format(moves=names)


def _in_pairs(justification: Pairs, board: Board, values: dict[str, Any]) -> str:
    pairs = _(", ").join("-".join(map(board.name, pair)) for pair in justification.pairs)
    text = _(
        "{player} answers in pairs, {pairs}: when {other} takes one cell of a pair, {player} takes the other. So"
        " {other} completes no line, and {player} ends with at least {own} to {others}."
    ).format(pairs=pairs, **values)
    if justification.odd is None:
        return text
    return text + _(
        " If {other} takes {odd}, {player} takes the heavier cell of any pair, and the lighter one replaces {odd}."
    ).format(odd=board.name(justification.odd), **values)


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
            "{player} completes a line or ends with {cells}, {own} to {others}, against any reply by {other}."
        ).format(cells=_names(common, board), **values)
    return _(
        "{player} completes a line or ends with {common} and either {choices}, against any reply by {other}."
    ).format(common=_names(common, board), choices=reduce(either, choices), **values)


def _and(one: str, another: str) -> str:
    return _("{one} and {another}").format(one=one, another=another)


def either(one: str, another: str) -> str:
    """Return two alternatives joined by "or"."""
    # A full-width bracket contains its own space.
    return _("{one} or {another}").format(one=one, another=another).replace("） ", "）")


def _names(cells: Iterable[int], board: Board) -> str:
    return write_moves(sorted(cells), board)


# A letter for each pair on 8x8, without O and X, which are the players.
_LETTERS = "ABCDEFGHIJKLMNPQRSTUVWYZabcdefghijklmnpqrstuvwyz"


def pictures(position: Position, guarantee: Guarantee) -> list[list[Sequence[str]]]:
    """Return small pictures that explain why a player can force the guaranteed result, each as rows of cells.

    Each picture shows the position after the moves of the guarantee. Empty cells contain marks, which depend on the
    class of the justification:

    - `Pairs`: the two cells of a pair have the same letter.
    - `Threats`: a cell that completes a line of the player has `!`.
    - `Heaviest`: each cell has its 1-based place in the order from the heaviest to the lightest.
    - `Replies`: a cell contains the name of the reply to the move there.
    - `FullBoards`: each cell has the mark of its owner at the end. There is one picture for each full board.

    All other empty cells have a dot. The result is empty for `Finished`, because there is nothing to show.
    """
    board = position.board
    position = reduce(Position.play, guarantee.moves, position)
    return [
        board.by_row([position.mark(cell) or marks.get(cell, "·") for cell in range(board.size)])
        for marks in _marks(position, guarantee)
    ]


def _marks(position: Position, guarantee: Guarantee) -> list[dict[int, str]]:
    """Return a mapping of empty cells to their marks for each picture that explains a guarantee (see `pictures`).

    `position` is the position after the moves of the guarantee.
    """
    match guarantee.justification:
        case Pairs(pairs):
            return [{cell: letter for pair, letter in zip(pairs, _LETTERS, strict=False) for cell in pair}]
        case Threats(cells=cells):
            return [dict.fromkeys(cells, "!")]
        case Heaviest(cells):
            return [{cell: str(number) for number, cell in enumerate(cells, start=1)}]
        case FullBoards(holdings):
            return [_full(position, cells, guarantee.player) for cells in holdings]
        case Replies(answers):
            return [{each.move: position.board.name(each.reply) for each in answers}]
        case _:
            return []


def _full(position: Position, own: tuple[int, ...], player: Player) -> dict[int, str]:
    """Return the mark of each cell on a full board: `player` has the cells `own`, the opponent has all others."""
    return {cell: (player if cell in own else player.other).mark for cell in range(position.board.size)}


def board_name(key: str) -> str:
    """Return the name of a board that the program offers, such as "A magic square" for the key `magic`."""
    return {
        "edge": _("Only an edge wins"),
        "second": _("The second player wins"),
        "magic": _("A magic square"),
        "plain": _("Plain, all weights 0"),
        "plain4": _("4×4, four in a row"),
        "rings": _("5×5, four in a row"),
        "plain5": _("5×5, five in a row"),
    }[key]


def kind_of_board(key: str) -> str:
    """Return the description of a kind of random board, such as "3×3, a draw" for `draw`."""
    shape = _("{shape}, {line} in a row")
    return {
        "any": _("3×3, any result"),
        "first": _("3×3, the first player wins"),
        "second": _("3×3, the second player wins"),
        "draw": _("3×3, a draw"),
        "corner": _("3×3, only a corner wins"),
        "edge": _("3×3, only an edge wins"),
        "centre": _("3×3, only the centre wins"),
        "unique": _("3×3, only one cell wins"),
        "3x4": shape.format(shape="3×4", line=3),
        "4x4": shape.format(shape="4×4", line=4),
        "5x5": shape.format(shape="5×5", line=5),
    }[key]
