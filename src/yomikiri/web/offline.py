"""Whole strategies as one HTML file that needs no server, network or script.

The file contains nested lists of guesses and answers. A tap on an answer unfolds the next guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from yomikiri import __version__
from yomikiri.common import host
from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import N_, InputError, RulesError
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import write_hint
from yomikiri.hitblow.model.rules import Hint, Words, preset_of
from yomikiri.hitblow.policies.book import book_strategy, followed, on_book
from yomikiri.hitblow.strategy.strategy import Node, Strategy, Task, cells
from yomikiri.machine.library import available
from yomikiri.web.hitblow_address import read
from yomikiri.web.hitblow_cards import colours
from yomikiri.web.pages import begin, templates
from yomikiri.wording import hitblow as game_wording
from yomikiri.wording import language
from yomikiri.wording import strategy as wording

MOST_SECRETS = 6_000
"""The largest number of secrets in a strategy that is written to a file. Each secret takes about 70 bytes.

For example, the file of Bulls and Cows takes 600 KB. It contains a second strategy for the case that a digit is
revealed.
"""

# the colours of the symbols, as in style.css
_COLOURS = ("#e69f00", "#56b4e9", "#29b08b", "#f0e442", "#004d80", "#e5701a", "#cc79a7", "#fff")

_MOST_SOLVED = 300
"""The most candidates for which the page solves a position outside the book. This takes a few seconds at most."""


@dataclass(frozen=True, slots=True)
class ShownNode:
    """A guess of the strategy, and the number of secrets at this node.

    `answers` contains the possible answers. It is empty if only the win is possible.
    """

    guess: str
    count: int
    answers: tuple[ShownBranch, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownBranch:
    """A possible answer, and the share of the secrets that give it, from 0 to 1.

    `place` is the next guess with its possible answers, or None after a win.
    """

    hint: Hint
    share: float
    place: ShownNode | None


def tasks_of_page(task: Task) -> list[Task]:
    """Return the tasks, the problems to solve, that one offline page covers.

    The first is the given task. If nothing is known at its start, there is a second task: the same game with one absent
    symbol. The second task is left out if too few symbols would remain for a secret. Raises an `InputError` if the
    given task has more secrets than one file can contain.
    """
    count = Knowledge(task.rules, task.absent, task.facts, task.prior).count
    if count > MOST_SECRETS:
        raise InputError(
            N_(
                "{given} candidates are too many for one page: add turns until {limit} or fewer remain, or choose "
                "another --format"
            ),
            given=count,
            limit=MOST_SECRETS,
        )
    try:
        absent = task.rules.check_absent(task.rules.symbols[-1])
    except RulesError:
        return [task]
    return [task] if task.absent or task.facts or task.prior else [task, replace(task, absent=absent)]


def can_keep(known: Knowledge) -> bool:
    """Return True if the page offers an offline file for this position.

    If answers may be wrong there is no file, because a strategy assumes that every answer is right.
    """
    if not known.count or known.solved or known.slips.most or known.count > MOST_SECRETS:
        return False
    return on_book(known) or (known.count <= _MOST_SOLVED and not known.uneven)


def proven_strategies(known: Knowledge, budget: Budget) -> list[Strategy]:
    """Return the proven strategies from this position: from the book, otherwise by search.

    Raises an `InputError` if there is none, or if the search cannot prove one within the budget.
    """
    task = Task(known.rules, known.absent, known.facts)
    if can_keep(known):
        found = [followed(known)] if known.turns else [book_strategy(each) for each in tasks_of_page(task)]
        if strategies := [strategy for strategy in found if strategy]:
            return strategies
        if available() and host.threads():  # A static site does not contain the search that proves strategies.
            from yomikiri.hitblow.search.solve import solve

            with suppress(Stopped):
                strategy = solve(task, budget=budget).strategy
                return [strategy] if strategy else []
    raise InputError(N_("no proven strategy for this position yet: try again after the next answer"))


def offline(request: Request) -> Response:
    """Return the offline file of the position in the address."""
    budget = begin(request)
    address = read(request.query_params.multi_items())
    name = preset_of(address.guessed_rules, address.words) or "hitblow"
    return HTMLResponse(
        _file(address.board(), address.words, language(), budget),
        headers={"Content-Disposition": f'attachment; filename="yomikiri-{name}.html"', "Vary": "Accept-Language"},
    )


@lru_cache(8)
def _file(known: Knowledge, words: Words, _language: str, budget: Budget) -> str:
    return offline_page(proven_strategies(known, budget), words)


def offline_page(strategies: Sequence[Strategy], words: Words) -> str:
    """Return the page with these strategies as HTML, with hits and blows in the words of the game.

    If a strategy begins with one absent symbol, the page can exchange that symbol for any other.
    """
    rules = strategies[0].task.rules
    return (
        templates()
        .get_template("offline.html")
        .render(
            name=game_wording.game_name(preset_of(rules, words)),
            rules=rules,
            pegs=colours(rules, words),
            colours=_COLOURS,
            strategies=[(strategy, _place(strategy.tree, strategy.task.secrets())) for strategy in strategies],
            text=lambda hint: write_hint(hint, words),
            line=lambda fact: game_wording.fact_text(fact, words),
            wording=wording,
            game_wording=game_wording,
            percent=game_wording.percent,
            version=__version__,
        )
    )


def _place(node: Node, secrets: Iterable[str]) -> ShownNode:
    found = cells(node.guess, secrets)
    count = sum(map(len, found.values()))
    below = dict(node.branches)
    if not below:
        return ShownNode(node.guess, count)
    return ShownNode(
        node.guess,
        count,
        tuple(
            ShownBranch(
                hint,
                len(found[hint]) / count,
                _place(below[hint], found[hint]) if hint in below else None,
            )
            for hint in sorted(found)
        ),
    )
