"""Pages as frozen values: the frame of a page, and the cards in its columns.

A view contains only strings, numbers, booleans and tuples of smaller views. Each card is drawn by the macro of
`_cards.html` that has the name of its class, so that the template only loops over cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

Pairs = tuple[tuple[str, str], ...]


class Card:
    """A part of a page, drawn by the macro with the name of its class."""

    __slots__ = ()

    @property
    def macro(self) -> str:
        """The name of the template macro that draws the card."""
        return type(self).__name__


# --- parts of any card ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Button:
    """A link drawn as a button. `style` are its classes in the stylesheet, `key` the key that the script binds."""

    text: str
    href: str
    style: str = "btn"
    key: str = ""


@dataclass(frozen=True, slots=True)
class Buttons(Card):
    """Buttons in one paragraph with class `style`; `undo` is the link of an undo button before them."""

    buttons: tuple[Button, ...]
    undo: str = ""
    style: str = "btns"


@dataclass(frozen=True, slots=True)
class Chip:
    """A link to tap, one of several choices."""

    text: str
    href: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Chips(Card):
    """Choices in a row, as a list, or `inline` in a paragraph. `label` is for screen readers."""

    chips: tuple[Chip, ...]
    inline: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Text(Card):
    """A paragraph with class `style`: text, words in bold, more text and a link, each optional."""

    text: str
    bold: str = ""
    rest: str = ""
    link: Chip | None = None
    style: str = "note"
    role: str = ""


@dataclass(frozen=True, slots=True)
class Heading(Card):
    """A heading inside a card."""

    text: str


@dataclass(frozen=True, slots=True)
class Codes(Card):
    """A list of codes, each with an optional link and figure."""

    codes: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Stats(Card):
    """A list of names with their figures."""

    figures: Pairs


@dataclass(frozen=True, slots=True)
class Mark:
    """The sign of a grade; `style` is its class in the stylesheet."""

    style: str
    sign: str


@dataclass(frozen=True, slots=True)
class Section(Card):
    """A card with a heading and parts. Without a title, `label` names it for screen readers.

    `id` is that of the heading, `anchor` that of the section. `is_main`: the heading gets the focus. `in_row`: it is in
    a row of its own, as it is beside a tag, a link or a mark.
    """

    id: str
    title: str
    parts: tuple[Card, ...]
    style: str = "card"
    anchor: str = ""
    label: str = ""
    is_main: bool = False
    is_silent: bool = False  # the heading is for screen readers alone
    in_row: bool = False
    tag: str = ""
    tag_style: str = "warn"
    link: Chip | None = None
    mark: Mark | None = None


# --- the frame --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MenuLink(Card):
    """A link in the menu. `keep` is the name of the game whose offline file it downloads, if it does."""

    text: str
    href: str
    keep: str = ""


@dataclass(frozen=True, slots=True)
class MenuRules(Card):
    """The rules of the game, folded in the menu."""

    rules: str


@dataclass(frozen=True, slots=True)
class MenuNewGame(Card):
    """The link to a new game, with a question before it."""

    href: str


@dataclass(frozen=True, slots=True)
class MenuGiveUp(Card):
    """The link that gives up the game, with a question before it."""

    href: str


@dataclass(frozen=True, slots=True)
class MenuRecord(Card):
    """The record of results that the script keeps in this browser: export, import, delete."""


@dataclass(frozen=True, slots=True)
class PageView:
    """A page: its frame and the cards in its columns, each with its class in the stylesheet.

    `layout` are the classes of the columns; without it the cards have no columns. `back` is the target of the arrow in
    the header, by default the first page. `notice` is a warning above the columns. `news` is read out by screen
    readers. `data` are the `data-` attributes for the script; None is an attribute without a value. `shared` is the
    link for someone else. `pegs` are the symbols drawn in colour.
    """

    template: ClassVar[str] = "page.html"

    title: str
    name: str
    about: str
    columns: tuple[tuple[str, tuple[Card, ...]], ...]
    styles: tuple[str, ...]
    notice: str = ""
    news: str = ""
    layout: str = "cols even"
    data: tuple[tuple[str, str | None], ...] = ()
    menu: tuple[Card, ...] = ()
    back: str = ""
    back_label: str = ""
    shared: str = ""
    pegs: str = ""
    status: int = 200


# --- puzzles, of both games -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClueCard(Card):
    """The visible clues of a puzzle."""

    clues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OtherPuzzles(Card):
    """Links to other puzzles, by difficulty."""

    difficulties: tuple[Chip, ...]
    another: str


@dataclass(frozen=True, slots=True)
class NoPuzzle(Card):
    """The message that the search found no puzzle in time, with a link to another."""

    another: str


@dataclass(frozen=True, slots=True)
class ErrorCard(Card):
    """The reason of an error, with a link to go on."""

    text: str
    back: str
