"""Commands inside a session: their names in both languages, the nearest to a mistyped one, and their help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from yomikiri.cli.text import hung, padded, width, window
from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, TurnError
from yomikiri.wording import _

S = TypeVar("S")

YES = ("y", "yes", "はい")
NO = ("n", "no", "いいえ")

# Commands by other names.
ALSO = {
    **dict.fromkeys(("q", "exit", "bye", "終了", "やめる"), "quit"),
    **dict.fromkeys(("?", "h", "ヘルプ"), "help"),
    **dict.fromkeys(("取消", "取り消し"), "undo"),
    "やり直し": "redo",
    **dict.fromkeys(("訂正", "correct"), "edit"),
    "直す": "fix",
    "間違い": "slips",
    "一覧": "list",
    "表": "table",
    **dict.fromkeys(("理由", "なぜ"), "why"),
    "復習": "review",
    **dict.fromkeys(("新規", "restart"), "new"),
    **dict.fromkeys(("ゲーム", "load"), "games"),
    "アイテム": "items",
    "ヒント": "hint",
    "続き": "go",
    **dict.fromkeys(("give up", "降参", "ギブアップ"), "giveup"),
}

_MISREAD = str.maketrans("oOｏＯlIiｌＩ", "000011111")  # letters that look like digits


class Command(NamedTuple, Generic[S]):
    """What is called by name, and how `help` shows it.

    `run` takes the game as it stands and the rest of the line, which is empty unless the command `takes_more`. It
    returns the game to go on with, which can be undone unless it is the same one, or None where the command only says
    something.
    """

    run: Callable[[S, str], S | None]
    usage: str
    meaning: str
    takes_more: bool = False


def split_command(text: str) -> tuple[str, str]:
    """The first word, folded, and the rest as it stands; a full-width blank parts them as well as a narrow one."""
    first, *rest = text.split(maxsplit=1) or [""]
    return fold(first), "".join(rest).strip()


def nearest(word: str, names: Iterable[str]) -> str:
    """Return the name that a mistyped command probably means, by its own or another name; "" if none is near."""
    from difflib import get_close_matches  # only after a mistake, because it takes time to import

    known = {name: name for name in names}
    known |= {also: name for also, name in ALSO.items() if name in known}
    found = get_close_matches(word, known, n=1, cutoff=0.65)
    return known[found[0]] if found else ""


def with_digits(line: str) -> str:
    """Return a line with digits in place of the letters that look like them: 0h1b for oh1b."""
    return line.translate(_MISREAD)


def rows_of_help(rows: Sequence[tuple[str, str]], is_wrapped: bool) -> Iterator[str]:
    """Yield what can be typed and what it means, in two columns.

    If the text `is_wrapped` to the window and half of its width is not enough for the first column, the meaning is
    below what can be typed.
    """
    room = max(width(usage) for usage, _meaning in rows) + 2
    columns = window() if is_wrapped else 0
    for usage, meaning in rows:
        if not is_wrapped:
            yield f"  {padded(usage, room)}{meaning}"
        elif 2 * room > columns:
            yield f"  {usage}\n{hung(' ' * 6, meaning, columns)}"
        else:
            yield hung(f"  {padded(usage, room)}", meaning, columns)


def other_names(name: str) -> str:
    """Return a line with the other names of a command, "" if it has none."""
    also = _(", ").join(word for word, meant in ALSO.items() if meant == name)
    return _("Also: {names}").format(names=also) if also else ""


def game_is_over() -> TurnError:
    """Return the error for a move after the end of a game."""
    return TurnError(N_("the game is over: type 'review', 'new' or 'quit'"))
