"""The strategy file, version 1: JSON text to a `Strategy` and back. docs/strategy-files.md describes the format."""

from __future__ import annotations

import json
from typing import Any

from yomikiri.errors import N_, HintError, InputError, Place, RulesError, StrategyFault
from yomikiri.hitblow.rules import Hint, Repeats, Rules, Turn
from yomikiri.hitblow.strategy.document import choice, fields, flag, items, number, only, pairs, parse, text
from yomikiri.hitblow.strategy.strategy import Evidence, Kind, Objective, Proof, Strategy, Task, unusable
from yomikiri.hitblow.strategy.tree import Cost, Node

FORMAT = "yomikiri-strategy"
VERSION = 1

_KEYS = ("format", "version", "rules", "start", "objective", "cost", "proof", "tree")
_FIGURES = ("secrets", "total_guesses", "max_guesses")

# Each guess nests two brackets. A guess that tells something leaves fewer codes, so real strategies stay far below.
_MAX_NESTING = 200


# --- writing ----------------------------------------------------------------------------------------------------------


def head(task: Task) -> dict[str, Any]:
    """The task as it stands in the file: rules, start and objective."""
    rules, objective = task.rules, task.objective
    return {
        "rules": {"digits": rules.digits, "symbols": rules.symbols, "repeats": rules.repeats.value},
        "start": {"absent": task.absent, "turns": [str(turn) for turn in task.turns]},
        "objective": {"kind": objective.kind.value, "within": objective.within, "consistent": objective.consistent},
    }


def write_strategy(strategy: Strategy) -> str:
    """The file: one line for each part of the head, and one for the tree."""
    cost, proof = strategy.cost, strategy.proof
    parts = {
        "format": FORMAT,
        "version": VERSION,
        **head(strategy.task),
        "cost": {**{figure: getattr(cost, figure) for figure in _FIGURES}, "histogram": list(cost.histogram)},
        "proof": {"kind": proof.kind.value, "lower_bound": proof.lower_bound},
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
    """The strategy in a file; raises the first `StrategyFault` of its text or shape.

    What is read has the right form, usable rules, and figures that agree with each other. Whether the tree finds every
    secret at that cost is for `verify` to say.
    """
    top = fields(parse(data, _MAX_NESTING), Place("file"), _KEYS)
    only(top["format"], Place("format"), FORMAT)
    only(top["version"], Place("version"), VERSION)
    rules = _rules(top["rules"])
    absent, turns = _start(top["start"], rules)
    task = Task(rules, absent, turns, _objective(top["objective"]))
    return Strategy(task, _tree(top["tree"], ""), _cost(top["cost"]), _proof(top["proof"]))


def _rules(value: Any) -> Rules:
    found = fields(value, Place("rules"), ("digits", "symbols", "repeats"))
    digits = number(found["digits"], Place("rules.digits"))
    symbols = text(found["symbols"], Place("rules.symbols"))
    repeats = choice(found["repeats"], Place("rules.repeats"), Repeats)
    try:
        return Rules(digits, symbols, repeats)
    except RulesError as error:
        raise unusable(Place("rules"), error) from None


def _start(value: Any, rules: Rules) -> tuple[str, tuple[Turn, ...]]:
    found = fields(value, Place("start"), ("absent", "turns"))
    try:
        absent = rules.check_absent(text(found["absent"], Place("start.absent")))
    except InputError as error:
        raise unusable(Place("start.absent"), error) from None
    return absent, tuple(_turn(item, place, rules) for item, place in items(found["turns"], Place("start.turns")))


def _turn(value: Any, place: Place, rules: Rules) -> Turn:
    try:
        turn = Turn.parse(text(value, place))
        rules.check_guess(turn.guess)
    except InputError as error:
        raise unusable(place, error) from None
    return turn


def _objective(value: Any) -> Objective:
    found = fields(value, Place("objective"), ("kind", "within", "consistent"))
    kind = choice(found["kind"], Place("objective.kind"), Kind)
    within = None if found["within"] is None else number(found["within"], Place("objective.within"))
    return Objective(kind, within, flag(found["consistent"], Place("objective.consistent")))


def _cost(value: Any) -> Cost:
    """The cost by its histogram, from which the other figures follow."""
    found = fields(value, Place("cost"), (*_FIGURES, "histogram"))
    cost = Cost(tuple(number(item, place) for item, place in items(found["histogram"], Place("cost.histogram"))))
    for figure in _FIGURES:
        place = Place(f"cost.{figure}")
        given, sum_of_histogram = number(found[figure], place), getattr(cost, figure)
        if given != sum_of_histogram:
            raise StrategyFault(
                N_("at {place}: {given}: the histogram gives {counted}"),
                place=place,
                given=given,
                counted=sum_of_histogram,
            )
    return cost


def _proof(value: Any) -> Proof:
    found = fields(value, Place("proof"), ("kind", "lower_bound"))
    kind = choice(found["kind"], Place("proof.kind"), Evidence)
    return Proof(kind, number(found["lower_bound"], Place("proof.lower_bound")))


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
