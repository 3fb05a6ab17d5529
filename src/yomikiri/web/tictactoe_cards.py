"""The cards of the pages of weighted tic-tac-toe, each with its builder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from yomikiri.tictactoe.advice import Advice, MoveAdvice, PartialAdvice
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.explanations import explain
from yomikiri.tictactoe.position import Player, Position
from yomikiri.web.cards import Button, Card
from yomikiri.web.link import Link
from yomikiri.web.tictactoe_address import BoardAddress
from yomikiri.wording import _, ngettext
from yomikiri.wording import tictactoe as wording
from yomikiri.wording.tictactoe import player_name
from yomikiri.wording.web import with_minus

_LONG_NUMBER = 4  # numbers with more characters need smaller letters
_LARGE = 3  # boards with more columns are large
Pictures = tuple[tuple[tuple[str, ...], ...], ...]  # small boards: for each board, its rows with the mark in each cell


@dataclass(frozen=True, slots=True)
class BoardPlay:
    """One request: the address, its position, the advice found in time, and the advice that the page shows.

    A user who plays one side sees advice only on request. `found` and `shown` are None without advice.
    """

    address: BoardAddress
    position: Position
    found: Advice | PartialAdvice | None
    shown: Advice | PartialAdvice | None

    @property
    def advice(self) -> Advice | None:
        """The complete advice that the page shows, or None if the position is not solved."""
        return self.shown if isinstance(self.shown, Advice) else None

    @property
    def partial(self) -> PartialAdvice | None:
        """The incomplete advice that the page shows if the search ran out of time, otherwise None."""
        return self.shown if isinstance(self.shown, PartialAdvice) else None

    @property
    def best(self) -> list[int]:
        """The indices of the cells of the best moves. Empty if the page does not show them."""
        shown = self.shown
        if self.position.outcome or not shown or not shown.best:
            return []
        return sorted(move.move for move in shown.moves if move.is_as_good_as(shown.best))


# --- words ------------------------------------------------------------------------------------------------------------


def who(player: Player, me: Player | None) -> str:
    """Return "You" or "The program" if a user plays `me`, otherwise the player's name, Takahashi or Aoki.

    The names are those of the programming contest that the game comes from, AtCoder ABC349 E.
    """
    return player_name(player) if me is None else _("You") if player is me else _("The program")


def wins(player: Player, me: Player | None) -> str:
    """Return the message that a player wins."""
    return _("You win") if player is me else _("{player} wins").format(player=who(player, me))


def outcome_text(move: MoveAdvice, me: Player | None) -> str:
    """Return the result of the game after a move, in words."""
    if move.winner is None:
        return _("a draw")
    name = who(move.winner, me)
    if move.margin is None:
        message = ngettext(
            "{player} wins by a line in {count} move", "{player} wins by a line in {count} moves", move.plies
        )
        return message.format(player=name, count=move.plies)
    message = _("you win by {margin}") if move.winner is me else _("{player} wins by {margin}")
    return message.format(player=name, margin=abs(move.margin))


# --- the board --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell of the board. It has a mark, or is free and may have the address of the game after a move there.

    `style` contains its CSS classes. `label` describes the cell for screen readers. `value_text` is the result of a
    move there, as a short text.
    """

    style: str
    weight: str
    label: str
    mark: str = ""
    href: str = ""
    value_text: str = ""


@dataclass(frozen=True, slots=True)
class BoardGrid:
    """The cells of a board by row, below the letters of the columns. `style` contains the CSS classes of the board."""

    style: str
    label: str
    heads: tuple[str, ...]
    rows: tuple[tuple[CellView, ...], ...]


def board_grid(board: Board, cells: Sequence[CellView], numbers: Sequence[int]) -> BoardGrid:
    """Return the board with these cells. Its letters are smaller if one of `numbers` is long."""
    long = any(len(str(number)) > _LONG_NUMBER for number in numbers)
    label = _("The board: {line} in a row to win").format(line=board.line)
    heads = tuple(board.name(column)[0] for column in range(board.columns))
    style = f"{board_style(board)}{' long' if long else ''}"
    return BoardGrid(style, label, heads, tuple(map(tuple, board.by_row(cells))))


def board_style(board: Board) -> str:
    """Return the CSS classes for the size of a board."""
    return f"n{board.columns}{' large' if board.columns > _LARGE else ''}"


def taken_cell(board: Board, cell: int, owner: Player, me: Player | None, *, is_last: bool, in_line: bool) -> CellView:
    """Return a cell that contains the mark of its owner."""
    weight = with_minus(board.flat[cell])
    last = ", " + _("the last move") if is_last else ""
    style = f"cell taken{' last' if is_last else ''}{' in-line' if in_line else ''}"
    return CellView(style, weight, f"{board.name(cell)}: {who(owner, me)}, {weight}{last}", owner.mark)


def free_cell(
    board: Board, cell: int, href: str, kind: str = "", value_text: str = "", description: str = ""
) -> CellView:
    """Return an empty cell with the link `href`.

    `kind` is the CSS class for the result of a move there, `value_text` the result as a short text, and `description`
    the result in words.
    """
    name = _("{cell}, weight {weight}").format(cell=board.name(cell), weight=board.flat[cell])
    label = f"{name}: {description}" if description else name
    return CellView(f"cell {kind}".rstrip(), with_minus(board.flat[cell]), label, "", href, value_text)


def play_grid(play: BoardPlay) -> BoardGrid:
    """Return the board. It contains the results of moves if the page shows advice."""
    position, shown = play.position, play.shown
    board, margins = position.board, list[int]()
    if shown and shown.best and not position.outcome:
        margins = [move.margin or 0 for move in shown.moves]
    cells = [_cell(play, cell) for cell in range(board.size)]
    return board_grid(board, cells, [*board.flat, *margins])


def _cell(play: BoardPlay, cell: int) -> CellView:
    address, position, shown = play.address, play.position, play.shown
    board, outcome, me = position.board, position.outcome, address.me
    if owner := position.owner(cell):
        in_line = outcome is not None and cell in outcome.line
        return taken_cell(board, cell, owner, me, is_last=cell == (address.moves or (-1,))[-1], in_line=in_line)
    href = "" if outcome else str(address.after(cell))
    moves = {move.move: move for move in shown.moves} if shown else {}
    move = moves.get(cell)
    if move is None or not shown or not shown.best:
        return free_cell(board, cell, href, "unread", "?", _("not solved")) if moves else free_cell(board, cell, href)
    viewer = me or position.to_move
    kind = "draw" if move.winner is None else "win" if move.winner is viewer else "loss"
    is_best = move.is_as_good_as(shown.best)
    best = ", " + _("best") if is_best else ""
    style = f"{kind} best" if is_best else kind
    return free_cell(board, cell, href, style, _value_text(move, kind), f"{outcome_text(move, me)}{best}")


def _value_text(move: MoveAdvice, kind: str) -> str:
    """Return the result of a move as a text that is short enough for a cell."""
    if kind == "draw":
        return "＝ 0"
    sign = "▲ {}" if kind == "win" else "▼ {}"
    if move.margin is None:
        return sign.format(_("line"))
    return sign.format(f"{'+' if kind == 'win' else '−'}{abs(move.margin)}")


@dataclass(frozen=True, slots=True)
class BoardCard(Card):
    """The board under its heading, with a legend, the sums of both sides, and buttons.

    `sums` are the sums as text. `share` is the length of the bar for the first of them, from 0 to 1.
    """

    title: str
    tag: str
    tag_style: str
    grid: BoardGrid
    legend: tuple[str, ...]
    note: str
    sums: tuple[str, str]
    share: float
    undo: str
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class FinishedBoard(Card):
    """The result of a finished game. `ending` is the CSS class: won, lost or drawn.

    `again` is the address of a new game on the same board. `other` is the address of a new game in which the user plays
    the other side, or empty.
    """

    title: str
    note: str
    ending: str
    again: str
    other: str


def board_result(play: BoardPlay, title: str) -> FinishedBoard:
    """Return the result of a finished game. A user who played one side can play again on either side."""
    address, me = play.address, play.address.me
    outcome = play.position.outcome
    assert outcome is not None
    winner = outcome.winner
    ending = "drawn" if winner is None else "lost" if me and winner is not me else "won"
    (mine, theirs), _share = _sums(play)
    line = " ".join(play.position.board.name(cell) for cell in outcome.line)
    note = _("The line {cells}.").format(cells=line) if line else f"{mine} : {theirs}"
    other = str(address.playing(me.other)) if me else ""
    return FinishedBoard(title, note, ending, str(address.back_to(0)), other)


def board_card(play: BoardPlay, title: str) -> BoardCard:
    """Return the board with its buttons. After the end it has no title, because the card of the result is above it."""
    address, outcome, partial = play.address, play.position.outcome, play.partial
    tag = _("✓ Proven") if play.advice else _("≈ not all solved") if partial else ""
    viewer, me, legend = address.me or play.position.to_move, address.me, tuple[str, ...]()
    if play.shown and play.shown.moves:
        legend = (wins(viewer, me), _("draw"), wins(viewer.other, me), _("best"))
    note = ""
    if partial:
        ran_out = _("Time ran out before every move was solved.") if partial.moves else _("Too large to solve here.")
        note = f"{ran_out} {with_minus(wording.so_far(partial))}"
    buttons = []
    if me and not outcome:
        shown = address.show
        buttons.append(Button(_("Hide answers") if shown else _("Show answers"), str(address.showing(not shown))))
    sums, share = _sums(play)
    undo = str(address.undone or "")
    return BoardCard(
        "" if outcome else title,
        tag,
        "soft" if play.advice else "warn",
        play_grid(play),
        legend,
        note,
        sums,
        share,
        undo,
        tuple(buttons),
    )


def _sums(play: BoardPlay) -> tuple[tuple[str, str], float]:
    """Return the sums of both sides as text, the user's first, and the length of the bar for the first sum.

    The length is a fraction of the whole bar: 1/2 + lead / (2 * sum of the absolute weights). The lead is the first sum
    minus the other one. The denominator does not change during a game, so equal leads have bars of equal length. The
    bar is full only if one player has all positive weights, and the other player has all negative ones.
    """
    me = play.address.me
    first, second = play.position.sums
    share = 0.5 + (first - second) / (2 * sum(map(abs, play.position.board.flat)) or 1)
    both = [(Player.FIRST, first), (Player.SECOND, second)]
    one, other = (
        _("{player} ({mark}) {sum}").format(player=who(player, me), mark=player.mark, sum=with_minus(value))
        for player, value in (both[::-1] if me is Player.SECOND else both)
    )
    return (one, other), 1 - share if me is Player.SECOND else share


# --- the moves --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StepLink:
    """A move by the name of its cell. `href` leads to the game after the move, or before the move in a review.

    `is_next` marks a move that is not played yet, and `is_current` the last move played.
    """

    name: str
    mark: str
    player: str
    href: str
    is_next: bool = False
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class StepButton:
    """A button to step through the moves. `path` is the SVG path of its picture. Without `href` it is disabled."""

    label: str
    path: str
    href: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class MovesCard(Card):
    """The moves played and to come, the reasons why best play ends in this result, and the result itself.

    Each reason is a sentence with small boards that show it.
    """

    title: str
    steps: tuple[StepLink, ...]
    buttons: tuple[StepButton, ...]
    reasons: tuple[tuple[str, Pictures], ...]
    result: str


def moves_card(play: BoardPlay) -> MovesCard | None:
    """Return the moves of the game, followed by the moves of best play. Returns None if there are no moves."""
    address, advice, outcome = play.address, play.advice, play.position.outcome
    to_come = _steps(address, advice.line_of_play, len(address.moves)) if advice else []
    steps = [*_steps(address, address.moves, 0), *to_come]
    if not steps:
        return None
    title = _("Moves played") if outcome else _("Best continuation") if to_come else _("Moves")
    alone = address.me is None
    end = outcome or (advice.outcome if advice else None)
    result = with_minus(wording.result(end, play.position.board)) if end and alone else ""
    reasons = _reasons(advice) if advice and alone else ()
    return MovesCard(title, tuple(steps), _step_buttons(address, to_come), reasons, result)


def _steps(address: BoardAddress, moves: Sequence[int], start: int) -> list[StepLink]:
    """Return links for consecutive moves. The first of `moves` has index `start` (from 0) in the game."""
    now = len(address.moves)
    whole = (*address.moves[:start], *moves)
    links = []
    for number in range(start, len(whole)):
        player = Player.SECOND if number % 2 else Player.FIRST
        after = str(replace(address, moves=whole[: number + 1]))
        name = address.board.name(whole[number])
        links.append(StepLink(name, player.mark, who(player, address.me), after, number >= now, number + 1 == now))
    return links


def _step_buttons(address: BoardAddress, to_come: Sequence[StepLink]) -> tuple[StepButton, ...]:
    start = str(address.back_to(0)) if address.moves else ""
    ahead, end = (to_come[0].href, to_come[-1].href) if to_come else ("", "")
    return (
        StepButton(_("To the start"), "M4 4v12M16 4 7 10l9 6z", start),
        StepButton(_("Previous move"), "M14 4 5 10l9 6z", str(address.undone or ""), "Backspace"),
        StepButton(_("Next move"), "M6 4l9 6-9 6z", ahead),
        StepButton(_("To the end"), "M16 4v12M4 4l9 6-9 6z", end),
    )


def _reasons(advice: Advice) -> tuple[tuple[str, Pictures], ...]:
    """Return the reasons for the result of the position, each with small boards that show it."""
    why = explain(advice)
    found = list[tuple[str, Pictures]]()
    if why.block:
        found.append((wording.must_stop(advice, why), ()))
    for each in why.guarantees:
        pictures = wording.pictures(advice.position, each)
        found.append((wording.because(advice, each), tuple(tuple(map(tuple, picture)) for picture in pictures)))
    return tuple((with_minus(sentence), pictures) for sentence, pictures in found)


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of a finished game, compared with the best one.

    `note` is the comparison in words. `puzzle` is the address of the position as a puzzle, or empty if the position is
    not suitable. `tag` marks the turning point of the game, and is otherwise empty.
    """

    step: StepLink
    note: str
    puzzle: str
    tag: str = ""


@dataclass(frozen=True, slots=True)
class MoveReview(Card):
    """The moves of a finished game, each compared with the best one."""

    moves: tuple[JudgedMove, ...]


def move_review(address: BoardAddress, advices: Sequence[Advice | None], puzzles: dict[int, Link]) -> MoveReview:
    """Return the card that compares each move with the best one. Moves without advice are left out.

    `advices` contains the advice for the position before each move. `puzzles` contains links by the numbers of moves,
    from 1. The turning point is the last move that changed the winner under best play.
    """
    steps, judged, turning = _steps(address, address.moves, 0), list[JudgedMove](), None
    for number, (move, step, advice) in enumerate(zip(address.moves, steps, advices, strict=True)):
        if advice is None:
            continue
        played = advice.of(move)
        if played.winner is not advice.best.winner:
            turning = len(judged)
        end = outcome_text(played, address.me)
        if played.is_as_good_as(advice.best):
            note = "✓ " + _("best: {result}").format(result=end)
        else:
            best = outcome_text(advice.best, address.me)
            better = _("with {cell}: {end}").format(cell=address.board.name(advice.best.move), end=best)
            note = _("{result}; {better}").format(result=end, better=better)
        before = replace(step, href=str(address.back_to(number)), is_current=False)
        judged.append(JudgedMove(before, note, str(puzzles.get(number + 1, ""))))
    if turning is not None:
        judged[turning] = replace(judged[turning], tag=_("the turning point"))
    return MoveReview(tuple(judged))
