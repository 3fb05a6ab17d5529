"""Strategies as an indented tree, a graph, or a table with a line per secret.

The program can read only the format of `strategy.file`, not these. Every function accepts a strategy or the path of its
file. `name` is a function that converts an answer to text, for example with the game's own names for hits and blows.
Raises an `InputError` for other arguments.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from os import PathLike
from typing import Any

from yomikiri.common.enums import not_such
from yomikiri.hitblow.model.rules import Hint
from yomikiri.hitblow.strategy.file import strategy_at
from yomikiri.hitblow.strategy.strategy import Step, Strategy, walk

Name = Callable[[Hint], str]
Source = str | PathLike[str]  # path of a strategy file


def _checked(name: Name) -> Name:
    if not callable(name):
        raise not_such("name", name, "str, or another function of a hint")
    return name


def as_text(strategy: Strategy | Source, name: Name = str) -> Iterator[str]:
    """Yield the tree, one line per guess, indented by depth.

        012  720
          0H0B 345  210
            0H0B 678  24

    A line contains the answer to the guess above, the next guess, and the number of secrets left before this guess. A
    guess without branches has no number, because only one secret is left.

    >>> from yomikiri.hitblow import Rules, solve
    >>> print("".join(as_text(solve(Rules(2, "012")).strategy)), end="")
    01  6
      0H1B 12  2
        0H1B 20
      0H2B 10
      1H0B 02  2
        0H1B 21
    """
    strategy, name = strategy_at(strategy, "strategy"), _checked(name)
    for step in walk(strategy.tree, strategy.task.secrets()):
        hint = f"{name(step.way[-1][1])} " if step.way else ""
        left = f"  {len(step.secrets)}" if step.node.branches else ""
        yield f"{'  ' * len(step.way)}{hint}{step.node.guess}{left}\n"


def as_dot(strategy: Strategy | Source, name: Name = str) -> Iterator[str]:
    """Yield the tree as a Graphviz graph: a box for each guess, an arrow for each answer with its number of secrets.

    >>> from yomikiri.hitblow import Rules, solve
    >>> next(as_dot(solve(Rules(2, "012")).strategy))[:18]
    'digraph strategy {'
    """
    strategy, name = strategy_at(strategy, "strategy"), _checked(name)
    yield 'digraph strategy {\n  node [shape=box, fontname="monospace"];\n  edge [fontname="monospace"];\n'
    for number, before, step in _numbered(strategy):
        yield f"  n{number} [label={_quoted(step.node.guess)}];\n"
        if step.way:
            label = f"{name(step.way[-1][1])}: {len(step.secrets)}"
            yield f"  n{before} -> n{number} [label={_quoted(label)}];\n"
    yield "}\n"


def as_networkx(strategy: Strategy | Source) -> Any:
    """Return the tree as a `networkx.DiGraph`. Requires networkx.

    Nodes are numbered from 0, the first guess. Each node has the attributes `guess` and `secrets`, the number of
    secrets left before this guess. Each edge has the attribute `hint`, the answer as text.

    >>> from yomikiri.hitblow import Rules, solve
    >>> sorted(as_networkx(solve(Rules(2, "012")).strategy).degree)[0]
    (0, 3)
    """
    import networkx

    strategy = strategy_at(strategy, "strategy")
    graph: Any = networkx.DiGraph()
    for number, before, step in _numbered(strategy):
        graph.add_node(number, guess=step.node.guess, secrets=len(step.secrets))
        if step.way:
            graph.add_edge(before, number, hint=str(step.way[-1][1]))
    return graph


def _numbered(strategy: Strategy) -> Iterator[tuple[int, int, Step]]:
    """Yield each position of the tree as (number, number of the parent, position). The root has the parent -1."""
    way = [-1]
    for number, step in enumerate(walk(strategy.tree, strategy.task.secrets())):
        del way[len(step.way) + 1 :]
        yield number, way[-1], step
        way.append(number)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def as_csv(strategy: Strategy | Source) -> Iterator[str]:
    r"""Yield a header and a CSV line for each secret: the secret, the number of guesses, and the guesses in order.

    >>> from yomikiri.hitblow import Rules, solve
    >>> list(as_csv(solve(Rules(2, "012")).strategy))[:2]
    ['secret,guesses,guess_1,guess_2,guess_3\n', '01,1,01\n']
    """
    strategy = strategy_at(strategy, "strategy")
    yield _row(["secret", "guesses", *(f"guess_{number}" for number in range(1, strategy.cost.max_guesses + 1))])
    for secret in strategy.task.secrets():
        guesses = list(strategy.tree.guesses(secret))
        yield _row([secret, str(len(guesses)), *guesses])


def _row(cells: list[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
