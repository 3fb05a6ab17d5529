"""The forms for a new board of tic-tac-toe, a choice of boards with names, and the choice of the user's side."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date

from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Player
from yomikiri.web.cards import Card, Chip, Chips, Pairs, Section
from yomikiri.web.tictactoe_address import HIGH, KINDS, LOW, NAMED, PATH, BoardAddress
from yomikiri.web.tictactoe_cards import board_style
from yomikiri.wording import _
from yomikiri.wording import tictactoe as wording
from yomikiri.wording.web import with_minus

_LINES = range(1, 9)
Lines = tuple[tuple[int, bool], ...]  # lengths of a winning line, with True for the chosen one


@dataclass(frozen=True, slots=True)
class WeightsForm(Card):
    """The form for the weights of a board. `cells` contains the label and the weight of each cell."""

    action: str
    hidden: Pairs
    columns: int
    style: str
    cells: Pairs
    lines: Lines


@dataclass(frozen=True, slots=True)
class RandomForm(Card):
    """The form for a random board. Each of `kinds` is a key, the name of the kind, and True if it is chosen."""

    action: str
    hidden: Pairs
    kinds: tuple[tuple[str, str, bool], ...]
    low: str
    high: str
    seed: str


@dataclass(frozen=True, slots=True)
class RowsForm(Card):
    """The form for a board typed as rows of integers."""

    action: str
    hidden: Pairs
    text: str
    lines: Lines
    error: str


Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class NamedBoards(Card):
    """Boards with names to choose from. Each has its name, the address of a game on it, and its rows of weights."""

    boards: tuple[tuple[str, str, Rows], ...]


@dataclass(frozen=True, slots=True)
class TodayBoard(Card):
    """The board of the day. `first` and `second` are the addresses to play it as the first and as the second player."""

    rows: Rows
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ContestRows(Card):
    """The form for a board typed as rows of integers, folded under a heading."""

    form: RowsForm


def hidden_language(lang: str | None) -> Pairs:
    """Return the hidden pairs that a form for a new board sends: only the language, if it is given."""
    return (("lang", lang),) if lang else ()


def players_card(address: BoardAddress) -> Section:
    """Return the card in which the user chooses a side."""
    me = address.me
    chips = (
        Chip(_("Both sides"), str(address.playing(None)), me is None),
        Chip(_("You first (X)"), str(address.playing(Player.FIRST)), me is Player.FIRST),
        Chip(_("You second (O)"), str(address.playing(Player.SECOND)), me is Player.SECOND),
    )
    return Section("plays", _("Who plays?"), (Chips(chips),))


def weights_form(address: BoardAddress) -> WeightsForm:
    """Return the form for changing the weights of the board."""
    board = address.board
    label = _("Weight of {cell}")
    cells = ((label.format(cell=board.name(cell)), str(weight)) for cell, weight in enumerate(board.flat))
    hidden = hidden_language(address.lang)
    return WeightsForm(PATH, hidden, board.columns, board_style(board), tuple(cells), _in_a_row(str(board.line)))


def _in_a_row(chosen: str) -> Lines:
    return tuple((length, str(length) == chosen) for length in _LINES)


def rows_form(lang: str | None, typed: dict[str, str], error: str) -> RowsForm:
    """Return the form for rows of integers with the user's input."""
    return RowsForm(PATH, hidden_language(lang), typed["text"], _in_a_row(typed["line"]), error)


def random_form(lang: str | None, typed: dict[str, str]) -> RandomForm:
    """Return the form for a random board with the user's input."""
    kinds = tuple((key, wording.kind_of_board(key), key == typed["random"]) for key in KINDS)
    return RandomForm(PATH, hidden_language(lang), kinds, typed["low"], typed["high"], typed["seed"])


def rows_of(board: Board) -> Rows:
    """Return the weights of a board by row, as text."""
    return tuple(tuple(with_minus(weight) for weight in row) for row in board.weights)


def today_board(lang: str | None, day: date) -> TodayBoard:
    """Return the board of a day, which is the same for everyone: 3x3 with random weights that depend on the date."""
    # Not NumPy, because a static site loads a snapshot of Python's memory that cannot contain NumPy.
    drawn = random.Random(day.toordinal())
    board = Board([[drawn.randint(LOW, HIGH) for _column in range(3)] for _row in range(3)])
    address = BoardAddress(board, lang=lang)
    return TodayBoard(rows_of(board), str(address.playing(Player.FIRST)), str(address.playing(Player.SECOND)))


def blank_form(lang: str | None) -> WeightsForm:
    """Return the form for the weights of the user's own 3x3 board, all 0 at first."""
    return weights_form(BoardAddress(NAMED["plain"], lang=lang))


def named_boards(lang: str | None) -> NamedBoards:
    """Return the card of the boards with names."""
    return NamedBoards(tuple(
        (wording.board_name(key), str(BoardAddress(board, lang=lang)),
         rows_of(board))
        for key, board in NAMED.items()
    ))  # fmt: skip
