"""The page of a puzzle in tic-tac-toe: a board with one move to find, generated, or from a finished game.

    /tictactoe/practise?v=1&seed=k3x9&difficulty=easy&clues=1&move=b2

A puzzle from a game has the address of that game, with `puzzle=3` for the third move.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.enums import Difficulty, choice, number
from yomikiri.tictactoe.position import Player
from yomikiri.tictactoe.puzzles import CheckedMove, MovePuzzle, check, clues, from_game, generated
from yomikiri.web.cards import Button, Buttons, Card, ClueCard, MenuRecord, PageView, Section
from yomikiri.web.hitblow_cards import FormLink
from yomikiri.web.link import VERSION, Link, check_version, language_in
from yomikiri.web.pages import begin, page, query_of, see_other
from yomikiri.web.practise import PuzzleQuery, clues_shown
from yomikiri.web.review_cards import grade_mark
from yomikiri.web.tictactoe_address import PATH as BOARDS_PATH
from yomikiri.web.tictactoe_address import BoardAddress
from yomikiri.web.tictactoe_cards import BoardGrid, board_grid, free_cell, taken_cell
from yomikiri.wording import _
from yomikiri.wording import tictactoe_puzzles as wording

PATH = "/tictactoe/practise"


@dataclass(frozen=True, slots=True)
class BoardPuzzle(Card):
    """The question of a puzzle with its board, a link to the next clue, and the address of the next puzzle.

    `clue` is None if all clues are shown, and `another` is empty until the puzzle is solved.
    """

    question: str
    grid: BoardGrid
    clue: FormLink | None
    another: str


def practise(request: Request) -> Response:
    """Return the page of the generated puzzle in the address."""
    begin(request)
    parameters = dict(query_of(request))
    check_version(parameters)
    difficulty = choice(parameters, "difficulty", Difficulty, Difficulty.EASY)
    lang = language_in(parameters) or ""
    link = Link.of(PATH, [("v", VERSION), ("difficulty", str(difficulty)), ("lang", lang)])
    if "seed" not in parameters:
        return see_other(link.but(seed=secrets.token_hex(4)))
    query = PuzzleQuery(link.but(seed=parameters["seed"]), clues_shown(parameters))
    puzzle = generated(parameters["seed"], difficulty)
    return page(request, puzzle_view(query, puzzle, parameters.get("move", "")))


def game_puzzle(request: Request, address: BoardAddress, budget: Budget) -> PageView | None:
    """Build the page of the puzzle that the address of a finished game requests.

    Returns None if the address requests no puzzle, or if the position is not suitable for one.
    """
    parameters = dict(query_of(request))
    puzzle_number = number(parameters, "puzzle", 0)
    if not puzzle_number or not address.position.outcome:
        return None
    puzzle = next((each for each in lapses(address, budget) if each.number == puzzle_number), None)
    if puzzle is None:
        return None
    query = PuzzleQuery(address.link.but(puzzle=str(puzzle_number)), clues_shown(parameters), address.link)
    return puzzle_view(query, puzzle, parameters.get("move", ""))


def lapses(address: BoardAddress, budget: Budget) -> list[MovePuzzle]:
    """Return the puzzles in a finished game: the moves with which a player lost a win or a draw.

    These are the moves of the user, or of both players if the user played both sides. The list is empty if the
    budget is too small.
    """
    found = list[MovePuzzle]()
    for player in Player if address.me is None else (address.me,):
        try:
            found += from_game(address.board, address.moves, player, budget)
        except Stopped:
            return []
    return sorted(found, key=lambda puzzle: puzzle.number)


def puzzle_view(query: PuzzleQuery, puzzle: MovePuzzle, tapped: str) -> PageView:
    """Build the page of a puzzle. `tapped` is the name of the cell of the move to check, or empty."""
    board = puzzle.position.board
    checked = check(puzzle, board.cell(tapped)) if tapped else None
    solved = checked is not None and checked.solved
    question = wording.question(puzzle)
    verdict = wording.move_result(checked, tapped) if checked else ""
    lang = ("lang", query.value("lang"))

    def of_difficulty(difficulty: str) -> Link:
        return Link.of(PATH, [("v", VERSION), ("difficulty", str(difficulty)), lang])

    another = of_difficulty(query.value("difficulty") or Difficulty.EASY)
    main = BoardPuzzle(question, _grid(query, puzzle, tapped), query.next_clue, str(another) if solved else "")
    side = (
        *([_verdict(query, checked, verdict)] if checked else []),
        *([ClueCard(wording.clues(clues(puzzle))[: query.clues])] if query.clues else []),
        query.other_puzzles(another, of_difficulty),
    )
    about = [_("from your game")] if query.game else []
    boards = Link.of(BOARDS_PATH, [lang])
    return PageView(
        title=_("Practise"),
        name=_("Practise"),
        about=" · ".join([*about, _("Weighted tic-tac-toe")]),
        news=verdict or question,
        data=(("puzzle", str(query.link)), ("solved", "1" if solved else "0")) if checked else (),
        columns=(("main", (main,)), ("side", side)),
        styles=("board.css",),
        menu=(MenuRecord(),),
        back=str(query.game or boards),
        back_label=_("Back to the game") if query.game else _("Boards"),
    )


def _grid(query: PuzzleQuery, puzzle: MovePuzzle, tapped: str) -> BoardGrid:
    """Return the board of a puzzle. Every empty cell is a link that checks the move there."""
    position, board = puzzle.position, puzzle.position.board
    here = query.link.but(clues=str(query.clues or ""))
    cells = []
    for cell in range(board.size):
        name, is_last = board.name(cell), board.name(cell) == tapped
        if owner := position.owner(cell):
            cells.append(taken_cell(board, cell, owner, None, is_last=is_last, in_line=False))
        else:
            cells.append(free_cell(board, cell, str(here.but(move=name)), "last" if is_last else ""))
    return board_grid(board, cells, [])


def _verdict(query: PuzzleQuery, checked: CheckedMove, verdict: str) -> Section:
    """Return the card with the evaluation of the checked move."""
    back = Buttons((Button(_("Back to the game"), str(query.game)),), style="") if query.game else None
    return Section("done", verdict, (back,) if back else (), mark=grade_mark(checked.grade))
