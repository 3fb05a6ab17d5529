"""A strategy as something to look at: an indented tree, a Graphviz graph, a table with a line for every secret.

None of these is read back; the file of `file.py` is. `name` writes a hint in the words of the game.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator

from yomikiri.hitblow.rules import Hint
from yomikiri.hitblow.strategy.strategy import Strategy, walk

Name = Callable[[Hint], str]


def as_text(strategy: Strategy, name: Name = str) -> Iterator[str]:
    """The tree, a line for each guess, indented by how many guesses came before.

    012  720
      0H0B 345  210
        0H0B 678  24

    A line holds the hint that leads there, the guess, and how many secrets are left then; the last guess has no number.
    """
    for step in walk(strategy.tree, strategy.task.secrets()):
        hint = f"{name(step.way[-1][1])} " if step.way else ""
        left = f"  {len(step.secrets)}" if step.node.branches else ""
        yield f"{'  ' * len(step.way)}{hint}{step.node.guess}{left}\n"


def as_dot(strategy: Strategy, name: Name = str) -> Iterator[str]:
    """The tree as a graph for Graphviz: a box for each guess, an arrow for each hint with how many secrets take it."""
    yield 'digraph strategy {\n  node [shape=box, fontname="monospace"];\n  edge [fontname="monospace"];\n'
    last: list[int] = []  # the numbers of the guesses on the way to the one in hand
    for number, step in enumerate(walk(strategy.tree, strategy.task.secrets())):
        del last[len(step.way) :]
        yield f"  n{number} [label={_quoted(step.node.guess)}];\n"
        if step.way:
            label = f"{name(step.way[-1][1])}: {len(step.secrets)}"
            yield f"  n{last[-1]} -> n{number} [label={_quoted(label)}];\n"
        last.append(number)
    yield "}\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def as_csv(strategy: Strategy) -> Iterator[str]:
    """A line for every secret: the secret, how many guesses it takes, and these guesses in order."""
    yield _row(["secret", "guesses", *(f"guess_{number}" for number in range(1, strategy.cost.max_guesses + 1))])
    for secret in strategy.task.secrets():
        guesses = list(strategy.tree.guesses(secret))
        yield _row([secret, str(len(guesses)), *guesses])


def _row(cells: list[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
