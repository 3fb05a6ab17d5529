"""One file that needs no server, no network and no script: whole strategies as lists that open at a tap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from yomikiri import __version__
from yomikiri.enums import choice
from yomikiri.errors import N_, InputError, RulesError
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import write_hint
from yomikiri.hitblow.rules import PRESETS, Hint, Rules
from yomikiri.hitblow.strategy.book import held
from yomikiri.hitblow.strategy.strategy import Node, Strategy, Task, cells
from yomikiri.web.pages import begin, templates
from yomikiri.wording import language
from yomikiri.wording import strategy as wording

MOST_SECRETS = 6_000
"""Secrets that one file should hold; each takes some 50 bytes: Bulls and Cows with any digit revealed is 430 KB."""

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


def tasks_of_page(task: Task) -> list[Task]:
    """The task, and where nothing is known at its start the same with one absent symbol, whichever that be.

    Raises an `InputError` for more secrets than one file should hold.
    """
    count = Knowledge(task.rules, task.absent, task.facts, task.prior).count
    if count > MOST_SECRETS:
        raise InputError(
            N_(
                "{given} secrets are too many for one page: give turns until at most {limit} are left, or"
                " choose another --format"
            ),
            given=count,
            limit=MOST_SECRETS,
        )
    try:
        absent = task.rules.check_absent(task.rules.symbols[-1])
    except RulesError:
        return [task]
    return [task] if task.absent or task.facts or task.prior else [task, replace(task, absent=absent)]


def kept_by(rules: Rules) -> list[Strategy]:
    """What a page for a phone holds of these rules without any search: the strategies of the book."""
    return [strategy for task in tasks_of_page(Task(rules)) if (strategy := held(task))]


def offline(request: Request) -> Response:
    """The file of a standard game, to be kept on a phone."""
    begin(request)
    name = choice(request.query_params, "preset", PRESETS, "hitblow")
    return HTMLResponse(
        _file(name, language()),
        headers={"Content-Disposition": f'attachment; filename="yomikiri-{name}.html"', "Vary": "Accept-Language"},
    )


@lru_cache(8)
def _file(name: str, _language: str) -> str:
    preset = PRESETS[name]
    return offline_page(kept_by(preset.rules), lambda hint: write_hint(hint, preset.words))


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
