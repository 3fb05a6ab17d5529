"""One file that needs no server, no network and no script: whole strategies as lists that open at a tap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from yomikiri import __version__
from yomikiri.hitblow.rules import Hint
from yomikiri.hitblow.strategy.strategy import Node, Strategy, cells
from yomikiri.web.pages import templates
from yomikiri.wording import strategy as wording

MOST_SECRETS = 2_000
"""Secrets that one file should hold; each takes some 70 bytes, and a phone opens so many lists at once."""

Name = Callable[[Hint], str]


@dataclass(frozen=True, slots=True)
class ShownNode:
    """A guess of the strategy, and what can be answered; a place where only one code is left has no answers."""

    guess: str
    answers: tuple[ShownBranch, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownBranch:
    """A hint as it is called, how many secrets give it, their share in percent, and where it leads (a win: nowhere)."""

    hint: str
    left: int
    percent: int
    place: ShownNode | None


def offline_page(strategies: Sequence[Strategy], name: Name) -> str:
    """The page of these strategies; `name` writes a hint in the words of the game.

    In a strategy with one absent symbol the page can exchange it for any other symbol.
    """
    shown = [(strategy, _place(strategy.tree, strategy.task.secrets(), name)) for strategy in strategies]
    win = name(strategies[0].task.rules.win)
    return (
        templates().get_template("offline.html").render(strategies=shown, win=win, wording=wording, version=__version__)
    )


def _place(node: Node, secrets: Iterable[str], name: Name) -> ShownNode:
    found = cells(node.guess, secrets)
    count = sum(map(len, found.values()))
    below = dict(node.branches)
    if not below:
        return ShownNode(node.guess)
    return ShownNode(
        node.guess,
        tuple(
            ShownBranch(
                name(hint),
                len(found[hint]),
                round(100 * len(found[hint]) / count),
                _place(below[hint], found[hint], name) if hint in below else None,
            )
            for hint in sorted(found)
        ),
    )
