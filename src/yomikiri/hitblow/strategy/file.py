"""The strategy file, version 1: JSON text to a `Strategy` and back. docs/strategy-files.md describes the format."""

from __future__ import annotations

import json
from typing import Any

from yomikiri.errors import N_, HintError, InputError, Place, StrategyFault
from yomikiri.hitblow.rules import Hint, Repeats, Rules, Turn
from yomikiri.hitblow.strategy.document import (
    WHOLE,
    choice,
    fields,
    flag,
    maybe,
    number,
    only,
    pairs,
    parse,
    read,
    text,
)
from yomikiri.hitblow.strategy.strategy import Evidence, Kind, Objective, Proof, Strategy, Task, unusable
from yomikiri.hitblow.strategy.tree import Cost, Node

FORMAT = "yomikiri-strategy"
VERSION = 1

_FIGURES = {"secrets": number, "total_guesses": number, "max_guesses": number}

# The parts of a file, written and read in this order; each key is an attribute of what the part describes.
_SHAPE: dict[str, Any] = {
    "format": only(FORMAT),
    "version": only(VERSION),
    "rules": {"digits": number, "symbols": text, "repeats": choice(Repeats)},
    "start": {"absent": text, "turns": [text]},
    "objective": {"kind": choice(Kind), "within": maybe(number), "consistent": flag},
    "cost": {**_FIGURES, "histogram": [number]},
    "proof": {"kind": choice(Evidence), "lower_bound": number},
    "tree": lambda value, _place: _tree(value, ""),
}

# Each guess nests two brackets. A guess that tells something leaves fewer codes, so real strategies stay far below.
_MAX_NESTING = 200


# --- writing ----------------------------------------------------------------------------------------------------------


def head(task: Task) -> dict[str, dict[str, Any]]:
    """The task as it stands in the file: rules, start and objective."""
    return {
        "rules": _part("rules", task.rules),
        "start": {"absent": task.absent, "turns": [str(turn) for turn in task.turns]},
        "objective": _part("objective", task.objective),
    }


def _part(name: str, value: Rules | Objective | Cost | Proof) -> dict[str, Any]:
    return {key: getattr(value, key) for key in _SHAPE[name]}


def write_strategy(strategy: Strategy) -> str:
    """The file: one line for each part of the head, and one for the tree."""
    parts = {
        "format": FORMAT,
        "version": VERSION,
        **head(strategy.task),
        "cost": _part("cost", strategy.cost),
        "proof": _part("proof", strategy.proof),
        "tree": _document(strategy.tree),
    }
    lines = (f"{json.dumps(key)}: {json.dumps(part, ensure_ascii=False)}" for key, part in parts.items())
    return "{" + ",\n ".join(lines) + "}\n"


def _document(node: Node) -> dict[str, Any]:
    if not node.branches:
        return {"guess": node.guess}
    return {"guess": node.guess, "on": {str(answer): _document(below) for answer, below in node.branches}}


# --- reading ----------------------------------------------------------------------------------------------------------


def read_strategy(data: bytes) -> Strategy:
    """The strategy in a file; raises a `StrategyFault`, of its text, its shape or what it says, in this order.

    What is read has the right form, usable rules, and figures that agree with each other. Whether the tree finds every
    secret at that cost is for `verify` to say.
    """
    found = read(parse(data, _MAX_NESTING), WHOLE, _SHAPE)
    try:
        rules = Rules(**found["rules"])
    except InputError as error:
        raise unusable(Place("rules"), error) from None
    absent, turns = _start(rules, **found["start"])
    task = Task(rules, absent, turns, Objective(**found["objective"]))
    return Strategy(task, found["tree"], _cost(found["cost"]), Proof(**found["proof"]))


def _start(rules: Rules, absent: str, turns: list[str]) -> tuple[str, tuple[Turn, ...]]:
    place = Place("start.absent")
    try:
        absent = rules.check_absent(absent)
        made = []
        for index, written in enumerate(turns):
            place = Place(f"start.turns[{index}]")
            made.append(Turn.parse(written))
            rules.check_guess(made[-1].guess)
    except InputError as error:
        raise unusable(place, error) from None
    return absent, tuple(made)


def _cost(found: dict[str, Any]) -> Cost:
    """The cost by its histogram, from which the other figures follow."""
    cost = Cost(tuple(found["histogram"]))
    for figure in _FIGURES:
        if found[figure] != getattr(cost, figure):
            raise StrategyFault(
                N_("at {place}: {given}: the histogram gives {counted}"),
                place=Place(f"cost.{figure}"),
                given=found[figure],
                counted=getattr(cost, figure),
            )
    return cost


def _tree(value: Any, way: str) -> Node:
    """A node and what is below it; `way` is how it was reached, `012 0H1B `."""
    found = fields(value, Place(f"{way}tree"), ("guess", "on"), optional="on")
    guess = text(found["guess"], Place(f"{way}guess"))
    place = Place(way + guess)
    if "on" not in found:
        return Node(guess)
    branches = pairs(found["on"], place)
    if not branches:
        raise StrategyFault(
            N_("at {place}: 'on' is empty: add a branch, or leave out 'on' after the last guess"), place=place
        )
    return Node(guess, tuple((_hint(key, place), _tree(below, f"{place} {key} ")) for key, below in branches))


def _hint(written: str, place: Place) -> Hint:
    try:
        return Hint.parse(written)
    except HintError:
        raise StrategyFault(
            N_("at {place}: {given!r} is not a hint: expected one such as 1H1B"), place=place, given=written
        ) from None
