"""Commands in a session: names and aliases in both languages, suggestions for typing mistakes, and help."""

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

# Maps each alias to the name of its command.
ALIASES = {
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

_DIGIT_LOOKALIKES = str.maketrans("oOｏＯlIiｌＩ", "000011111")  # letters that look like digits


class SessionCommand(NamedTuple, Generic[S]):
    """A command of a session, and its row in `help`.

    `run` gets the state of the game and the rest of the line, which is empty unless the command `has_argument`. It
    returns the next state, or None if the command only prints something. If the next state is a different object,
    `undo` returns to the state before.
    """

    run: Callable[[S, str], S | None]
    usage: str
    meaning: str
    has_argument: bool = False


def split_command(text: str) -> tuple[str, str]:
    """Split a line into its first word, case-folded, and the rest. Full-width spaces separate words too."""
    first, *rest = text.split(maxsplit=1) or [""]
    return fold(first), "".join(rest).strip()


def nearest(word: str, names: Iterable[str]) -> str:
    """Return the name of the command whose name or alias is most similar to a mistyped word; "" if none is similar."""
    from difflib import get_close_matches  # imported here because it is slow and rarely needed

    known = {name: name for name in names}
    known |= {also: name for also, name in ALIASES.items() if name in known}
    found = get_close_matches(word, known, n=1, cutoff=0.65)
    return known[found[0]] if found else ""


def with_digits(line: str) -> str:
    """Replace letters that look like digits: oh1b becomes 0h1b."""
    return line.translate(_DIGIT_LOOKALIKES)


def rows_of_help(rows: Sequence[tuple[str, str]], is_wrapped: bool) -> Iterator[str]:
    """Yield the inputs and their meanings in two columns.

    If `is_wrapped`, the text is wrapped to the window. If the first column then needs more than half of the window,
    each meaning goes below its input.
    """
    indent = max(width(usage) for usage, _meaning in rows) + 2
    columns = window() if is_wrapped else 0
    for usage, meaning in rows:
        if not is_wrapped:
            yield f"  {padded(usage, indent)}{meaning}"
        elif 2 * indent > columns:
            yield f"  {usage}\n{hung(' ' * 6, meaning, columns)}"
        else:
            yield hung(f"  {padded(usage, indent)}", meaning, columns)


def other_names(name: str) -> str:
    """Return a line with the aliases of a command, "" if it has none."""
    also = _(", ").join(word for word, meant in ALIASES.items() if meant == name)
    return _("Also: {names}").format(names=also) if also else ""


def nothing_to_review() -> TurnError:
    """Return the error for a review before the first guess."""
    return TurnError(N_("nothing to review: make a guess first"))


def game_is_over() -> TurnError:
    """Return the error for a move after the end of a game."""
    return TurnError(N_("the game is over: type 'review', 'new' or 'quit'"))
