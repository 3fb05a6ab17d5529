"""The forms for a new board of tic-tac-toe, the named boards, and the choice of the person's side."""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.tictactoe.position import Player
from yomikiri.web.cards import Card, Chip, Chips, Pairs, Section
from yomikiri.web.tictactoe_address import KINDS, NAMED, PATH, BoardAddress
from yomikiri.web.tictactoe_cards import board_style
from yomikiri.wording import _
from yomikiri.wording import tictactoe as wording
from yomikiri.wording.web import with_minus

_LINES = range(1, 9)
Lines = tuple[tuple[int, bool], ...]  # lengths of a winning line; True for the chosen one


@dataclass(frozen=True, slots=True)
class WeightsForm(Card):
    """The form for the weights of a board: each cell with its label and its weight."""

    action: str
    hidden: Pairs
    columns: int
    style: str
    cells: Pairs
    lines: Lines


@dataclass(frozen=True, slots=True)
class RandomForm(Card):
    """The form for a random board."""

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


@dataclass(frozen=True, slots=True)
class NamedBoards(Card):
    """The boards with a name: each with its link and its rows of weights."""

    boards: tuple[tuple[str, str, tuple[str, ...]], ...]


def hidden_language(lang: str | None) -> Pairs:
    """Return the hidden pairs of a form for a new board: the language alone."""
    return (("lang", lang),) if lang else ()


def players_card(address: BoardAddress) -> Section:
    """Return the choice of the person's side."""
    me = address.me
    chips = (
        Chip(_("Both sides"), str(address.playing(None)), me is None),
        Chip(_("You first (X)"), str(address.playing(Player.FIRST)), me is Player.FIRST),
        Chip(_("You second (O)"), str(address.playing(Player.SECOND)), me is Player.SECOND),
    )
    return Section("plays", _("Who plays?"), (Chips(chips),))


def weights_form(address: BoardAddress) -> WeightsForm:
    """Return the form with the weights of the board."""
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


def named_boards(lang: str | None) -> NamedBoards:
    """Return the boards with a name."""
    return NamedBoards(tuple(
        (wording.board_name(key), str(BoardAddress(board, lang=lang)),
         tuple(with_minus(" ".join(map(str, row))) for row in board.weights))
        for key, board in NAMED.items()
    ))  # fmt: skip
