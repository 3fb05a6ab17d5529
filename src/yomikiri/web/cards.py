"""Pages as immutable values: the frame of a page, and the cards in its columns.

Such a value contains only text, numbers, booleans, None, and smaller values of this kind, alone or in tuples. The
template draws each card with the macro in `_cards.html` that has the name of the card's class.
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
    """A link drawn as a button. `style` contains its CSS classes. Pressing the keyboard key `key` follows the link."""

    text: str
    href: str
    style: str = "btn"
    key: str = ""


@dataclass(frozen=True, slots=True)
class Buttons(Card):
    """Buttons in one paragraph with CSS class `style`.

    `undo` is the address of an undo button before them. If it is empty, there is no undo button.
    """

    buttons: tuple[Button, ...]
    undo: str = ""
    style: str = "btns"


@dataclass(frozen=True, slots=True)
class Chip:
    """A link, usually one of several choices. `chosen` marks the current choice."""

    text: str
    href: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Chips(Card):
    """Several choices: as a list, or in a paragraph if `inline`. `label` names the list for screen readers."""

    chips: tuple[Chip, ...]
    inline: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Text(Card):
    """A paragraph with CSS class `style`: text, words in bold, more text and a link, each optional."""

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
    """A list of codes. Each element contains a code, the address of its link, and a number about the code as text.

    The number is a probability in percent, or the expected number of guesses. The address and the number may be empty.
    """

    codes: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Stats(Card):
    """A list of (name, number) pairs. The numbers are text."""

    figures: Pairs


@dataclass(frozen=True, slots=True)
class Mark:
    """The sign of a grade, such as `?!`, and its CSS class."""

    style: str
    sign: str


@dataclass(frozen=True, slots=True)
class Section(Card):
    """A card with a heading and other cards as its parts. If it has no title, `label` names it for screen readers.

    `id` is the HTML id of the heading, `anchor` that of the section. `style` and `tag_style` are CSS classes. If
    `is_main`, the heading gets the focus. If `in_row` or if there is a `tag`, the heading is in one row with `tag` and
    `link`. Otherwise `link` is not shown. With a `mark`, the row contains only the heading and the mark.
    """

    id: str
    title: str
    parts: tuple[Card, ...]
    style: str = "card"
    anchor: str = ""
    label: str = ""
    is_main: bool = False
    is_silent: bool = False  # True if the heading is for screen readers only
    in_row: bool = False
    tag: str = ""
    tag_style: str = "warn"
    link: Chip | None = None
    mark: Mark | None = None


# --- the frame --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MenuLink(Card):
    """A link in the menu.

    If the link downloads the offline file of a game, `keep` is the name of that game. Otherwise `keep` is empty.
    """

    text: str
    href: str
    keep: str = ""


@dataclass(frozen=True, slots=True)
class MenuRules(Card):
    """The rules of the game, folded in the menu."""

    rules: str


@dataclass(frozen=True, slots=True)
class MenuNewGame(Card):
    """The menu item for a new game. Tapping it unfolds a note and the link to the new game."""

    href: str


@dataclass(frozen=True, slots=True)
class MenuGiveUp(Card):
    """The menu item for giving up. Tapping it unfolds a warning and the link that ends the game."""

    href: str


@dataclass(frozen=True, slots=True)
class MenuRecord(Card):
    """The menu item to export, import or delete the record of results, which the script stores in the browser."""


@dataclass(frozen=True, slots=True)
class PageView:
    """A page: its frame, and the cards in its columns. Each column is a CSS class and its cards.

    `title` is the title of the browser window, `name` the heading of the page, and `about` the line below the heading.
    `layout` contains the CSS classes around the columns. If it is empty, the cards are not in columns. `back` is the
    target of the arrow in the header; empty means the home page. `notice` is a warning above the columns. `news` is
    text for screen readers only. `data` contains the names and values of `data-` attributes for the script. None as a
    value means an attribute without a value. `shared` is the path of the link to share, or empty. `pegs` contains the
    symbols that are drawn in colour.
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
    """Links to other puzzles: one for each difficulty, and the address `another` of the next puzzle."""

    difficulties: tuple[Chip, ...]
    another: str


@dataclass(frozen=True, slots=True)
class NoPuzzle(Card):
    """The message that the search found no puzzle in time, with the address `another` of another puzzle."""

    another: str


@dataclass(frozen=True, slots=True)
class ErrorCard(Card):
    """The message of an error, with the address `back` of the link to continue."""

    text: str
    back: str
