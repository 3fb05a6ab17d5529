"""The pages of weighted tic-tac-toe: boards to choose from, and a board with the result of every move."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import InputError, YomikiriError
from yomikiri.tictactoe.advice import Advice, PartialAdvice, analyze
from yomikiri.tictactoe.position import Player, Position
from yomikiri.web.cards import Button, Buttons, Card, MenuLink, PageView, Section, Text
from yomikiri.web.cut_links import read_cut
from yomikiri.web.link import Link, language_in
from yomikiri.web.pages import begin, page, see_other, with_notice
from yomikiri.web.tictactoe_address import PATH, BoardAddress, form_values, new_board, read
from yomikiri.web.tictactoe_cards import BoardPlay, board_card, board_result, move_review, moves_card, who, wins
from yomikiri.web.tictactoe_forms import (
    ContestRows,
    blank_form,
    named_boards,
    players_card,
    random_form,
    rows_form,
    today_board,
    weights_form,
)
from yomikiri.web.tictactoe_practise import PATH as PRACTISE_PATH
from yomikiri.web.tictactoe_practise import game_puzzle, lapses
from yomikiri.wording import _, ngettext, sentence

_REMEMBERED = 512  # the most positions whose advice is cached
_NAMED_MOVES = 3  # the headline names the best moves if there are at most this many


def tictactoe(request: Request) -> Response:
    """Return the page of the board in the address. If the address has no board, return the page that offers boards."""
    budget = begin(request)
    query = request.query_params.multi_items()
    lang, error = language_in(dict(query)), ""
    try:
        address, notice = read_cut(query, _read_with_moves, ("moves",))
    except YomikiriError:
        if query[-1][0] != "board":
            raise
        rows = {**form_values(query), "text": query[-1][1].replace("/", "\n").replace(",", " ")}
        return page(request, boards_view(lang, rows, _("This link is cut off in the board. Complete its rows.")))
    if address is not None:
        return _board(request, address, budget, notice)
    try:
        board = new_board(query)
        if board is not None:
            return see_other(board)
    except InputError as refused:
        error = sentence(refused)
    return page(request, boards_view(lang, form_values(query), error))


def _read_with_moves(query: Sequence[tuple[str, str]]) -> BoardAddress | None:
    """Read an address and check its moves. Raises an `InputError`."""
    address = read(query)
    return address if address is None or address.position else None


def _board(request: Request, address: BoardAddress, budget: Budget, notice: str) -> Response:
    position = address.position
    if puzzle := game_puzzle(request, address, budget):
        return page(request, puzzle)
    found = None if position.outcome else analyze_in_time(position, budget)
    if address.me not in (None, position.to_move) and found and found.best and not notice:
        return see_other(address.after(found.best.move))
    return page(request, with_notice(board_view(address, found, budget), notice))


def analyze_in_time(position: Position, budget: Budget) -> Advice | PartialAdvice:
    """Return the advice on a position, or incomplete advice if the budget ends first. Raises a `BoardError`."""
    try:
        return _analyze(position, budget)
    except Stopped as stopped:
        found: PartialAdvice = stopped.best
        return found


# Only complete results are cached, because an interrupted search raises an exception.
@lru_cache(_REMEMBERED)
def _analyze(position: Position, budget: Budget) -> Advice:
    return analyze(position, budget)


# --- the pages --------------------------------------------------------------------------------------------------------


def boards_view(lang: str | None, typed: dict[str, str], error: str) -> PageView:
    """Build the page that offers boards. After an error, the form with the rejected board and the error come first."""
    rows = rows_form(lang, typed, error)
    own = Section("own", _("Your own board"), (rows,) if error else (blank_form(lang), ContestRows(rows)))
    drawn = Section("drawn", _("Random board"), (random_form(lang, typed),))
    practise = Buttons((Button(_("Practise"), _localized(PRACTISE_PATH, lang), "btn wide"),), style="")
    today = today_board(lang, datetime.now(UTC).astimezone().date())
    named = (today, practise, named_boards(lang))
    title = _("Weighted tic-tac-toe")
    return PageView(
        title=title,
        name=title,
        about=_("a line wins; otherwise the larger sum"),
        columns=(("main", (own, *named) if error else named), ("side", (drawn,) if error else (own, drawn))),
        styles=("doors.css", "board.css"),
        status=400 if error else 200,
    )


def _localized(path: str, lang: str | None) -> str:
    return str(Link.of(path, [("lang", lang or "")]))


def board_view(address: BoardAddress, found: Advice | PartialAdvice | None, budget: Budget) -> PageView:
    """Build the page of a board: in play with the result of every move and the reasons, after the end with a review."""
    position = address.position
    # A user who plays one side sees advice only on request, or if the program could not find a move.
    hidden = address.me is not None and not address.show and address.me is position.to_move
    play = BoardPlay(address, position, found, None if hidden else found)
    board, outcome = position.board, position.outcome
    title = _headline(play)
    boards = _localized(PATH, address.lang)
    result = (board_result(play, title),) if outcome else ()
    about = _("{line} in a row, or the larger sum").format(line=board.line)
    return PageView(
        title=title,
        name=_("Weighted tic-tac-toe"),
        about=f"{board.columns}×{board.rows} · {about}",
        news=f"{_last_move(address)}{title}",
        data=_data(address, is_over=outcome is not None),
        columns=(("main", (*result, board_card(play, title))), ("side", _side(play, budget))),
        styles=("board.css", "learn.css") if outcome else ("board.css",),
        menu=(MenuLink(_("Another board"), boards), MenuLink(_("Practise"), _localized(PRACTISE_PATH, address.lang))),
        back=boards,
        back_label=_("Boards"),
        shared=address.shared,
    )


def _headline(play: BoardPlay) -> str:
    """Return a title that says who wins or is to move, with the best moves if the page shows them."""
    address, position, advice = play.address, play.position, play.advice
    if outcome := position.outcome:
        return wins(outcome.winner, address.me) if outcome.winner else _("A draw")
    moves = _listed([position.board.name(cell) for cell in play.best])
    if advice and advice.best:
        if advice.winner is None:
            if len(advice.best_moves) == len(advice.moves):
                return _("A draw with any move.") if address.moves else _("A draw, wherever you begin.")
            return _("A draw, with {moves}").format(moves=moves)
        if advice.winner is not position.to_move:
            return _sure_loss(advice, address, moves)
        player = who(advice.winner, address.me)
        message = _("You win with {moves}") if address.me else _("{player} wins with {moves}")
        return message.format(player=player, moves=moves)
    if play.partial and play.partial.best:
        return _("Best so far: {moves}").format(moves=moves)
    if address.me:
        return _("It is your turn")
    return _("{player} to move").format(player=who(position.to_move, address.me))


def _sure_loss(advice: Advice, address: BoardAddress, moves: str) -> str:
    """Return a title that says who wins against every move, with the best moves if they are few.

    The best moves lose by the smallest margin. If the opponent wins with a line, they are the moves that delay it
    longest.
    """
    mover = advice.position.to_move
    if mover is address.me:
        message = _("The program wins whatever you play")
    else:
        message = _("{player} wins whatever {other} plays")
    result = message.format(player=who(mover.other, address.me), other=who(mover, address.me))
    if len(advice.best_moves) > _NAMED_MOVES:
        return result
    best = _("{result}; {moves} loses by least.") if advice.best.margin else _("{result}; {moves} holds out longest.")
    return best.format(result=result, moves=moves)


def _listed(names: list[str]) -> str:
    """Return the names of moves as a list, or their number if they are many."""
    if len(names) > _NAMED_MOVES:
        return ngettext("{count} cell", "{count} cells", len(names)).format(count=len(names))
    if len(names) > 1:
        return _("{some} or {last}").format(some=_(", ").join(names[:-1]), last=names[-1])
    return "".join(names)


def _last_move(address: BoardAddress) -> str:
    if not address.moves:
        return ""
    player = Player.FIRST if len(address.moves) % 2 else Player.SECOND
    return f"{who(player, address.me)}: {address.board.name(address.moves[-1])}. "


def _data(address: BoardAddress, *, is_over: bool) -> tuple[tuple[str, str | None], ...]:
    """Return the attributes for the script: how to resume the game, or that it is over."""
    if is_over:
        return (("game", None),)
    count = len(address.moves)
    if not count:
        return ()
    moves = ngettext("{count} move", "{count} moves", count).format(count=count)
    return (("game", _("Weighted tic-tac-toe") + f" · {moves}"),)


def _side(play: BoardPlay, budget: Budget) -> tuple[Card, ...]:
    address = play.address
    moves = moves_card(play)
    weights = Section("weights", _("Your weights"), (Text(_("Type a number into each cell.")), weights_form(address)))
    return (
        *([moves] if moves else []),
        *(_review(address, budget) if play.position.outcome else ()),
        players_card(address),
        weights,
    )


def _review(address: BoardAddress, budget: Budget) -> tuple[Card, ...]:
    """Return the review of a finished game. It contains only the moves whose positions are solved in time."""
    positions = [Position.after(address.board, address.moves[:number]) for number in range(len(address.moves))]
    advices = [analyze_in_time(position, budget) for position in positions]
    puzzles = {puzzle.number: address.link.but(puzzle=str(puzzle.number)) for puzzle in lapses(address, budget)}
    review = move_review(address, [each if isinstance(each, Advice) else None for each in advices], puzzles)
    return (review,) if review.moves else ()
