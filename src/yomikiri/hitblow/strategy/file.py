"""Strategy files: JSON text to a `Strategy` and back. docs/reference/strategy-files.md describes the format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

from yomikiri.common.enums import not_such
from yomikiri.common.errors import N_, HintError, Place, StrategyFault, usable
from yomikiri.common.file_errors import unreadable_file
from yomikiri.common.strategy_json import (
    WHOLE,
    choice,
    flag,
    inside,
    maybe,
    not_one_of,
    number,
    only,
    pairs,
    parse,
    read,
    read_tree,
    text,
)
from yomikiri.hitblow.model.facts import parse_standard, turns_first
from yomikiri.hitblow.model.prior import checked_prior
from yomikiri.hitblow.model.rules import Fact, Hint, Repeats, Rules, Turn
from yomikiri.hitblow.strategy.strategy import (
    Cost,
    Criterion,
    Evidence,
    Node,
    Objective,
    Proof,
    Strategy,
    Support,
    Task,
)

FORMAT = "yomikiri-strategy"
VERSION = 1
WITH_FACTS = 2
"""The version of a file with weights, with symbols that may not begin a code, or with facts other than turns."""

_FIGURES = {"secrets": number, "total_guesses": number, "max_guesses": number}

# The parts of a file in the order of writing. For rules, objective, cost and proof, each key is also the name of an
# attribute of the object that the part describes.
_SHAPE: dict[str, Any] = {
    "format": only(FORMAT),
    "version": only(VERSION, WITH_FACTS),
    "rules": {"digits": number, "symbols": text, "repeats": choice(Repeats)},
    "start": {"absent": text, "turns": [text]},
    "objective": {"kind": choice(Criterion), "within": maybe(number), "consistent": flag},
    "cost": {**_FIGURES, "histogram": [number]},
    "proof": {"kind": choice(Evidence), "lower_bound": number, "evidence?": choice(Support)},
    "tree": lambda value, _place: read_tree(value, Node, _hint, empty=False),
}

# Version 2 of the format has additional keys. A question mark at the end of a key means that it is optional.
_SHAPE_WITH_FACTS = {
    **_SHAPE,
    "rules": {**_SHAPE["rules"], "no_leading?": text},
    "start": {**_SHAPE["start"], "facts?": [text], "weights?": lambda value, place: _weights(value, place)},
}

# Limit on nested brackets. Each guess nests two of them. Every useful guess reduces the number of codes, so real
# strategies nest far less.
_MAX_NESTING = 200


# --- writing ----------------------------------------------------------------------------------------------------------


def head(task: Task) -> dict[str, dict[str, Any]]:
    """Return the parts of the file that describe the task, as JSON values by key: rules, start and objective."""
    turns, facts = turns_first(task.facts)
    leading = {"no_leading": task.rules.no_leading} if task.rules.no_leading else {}
    return {
        "rules": {**_part("rules", task.rules), **leading},
        "start": {
            "absent": task.absent,
            "turns": [str(turn) for turn in turns],
            **({"facts": [str(fact) for fact in facts]} if facts else {}),
            **({"weights": dict(task.prior)} if task.prior else {}),
        },
        "objective": _part("objective", task.objective),
    }


def _part(part: str, value: Rules | Objective | Cost | Proof) -> dict[str, Any]:
    return {key: getattr(value, key) for key in (name.removesuffix("?") for name in _SHAPE[part])}


def strategy_at(given: Strategy | str | PathLike[str], parameter: str) -> Strategy:
    """Return the strategy in argument `parameter`: a strategy, or the path or content of its file.

    Raises an `InputError`.
    """
    return read_strategy(given) if isinstance(given, (str, PathLike)) else Strategy.read(given, parameter)


def _content(given: bytes | str | PathLike[str]) -> bytes:
    if isinstance(given, (bytes, bytearray)):
        return bytes(given)
    if isinstance(given, str) and given.lstrip().startswith("{"):
        return given.encode()
    if not isinstance(given, (str, PathLike)):
        raise not_such("data", given, "'strategy.json', or the content of that file")
    path = Path(given)
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise unreadable_file(str(path), error) from None


def write_strategy(strategy: Strategy) -> str:
    """Return a strategy as the text of a strategy file, with a line for each part. `read_strategy` is the inverse.

    >>> from yomikiri.hitblow import Rules, solve
    >>> strategy = solve(Rules(2, "0123")).strategy
    >>> read_strategy(write_strategy(strategy)) == strategy
    True
    """
    strategy = Strategy.read(strategy, "strategy")
    parts = {
        "format": FORMAT,
        "version": _version(strategy.task),
        **head(strategy.task),
        "cost": _part("cost", strategy.cost),
        "proof": _part("proof", strategy.proof),
        "tree": _document(strategy.tree),
    }
    lines = (f"{json.dumps(key)}: {json.dumps(part, ensure_ascii=False)}" for key, part in parts.items())
    return "{" + ",\n ".join(lines) + "}\n"


def _version(task: Task) -> int:
    return WITH_FACTS if task.rules.no_leading or task.prior or turns_first(task.facts)[1] else VERSION


def _document(node: Node) -> dict[str, Any]:
    if not node.branches:
        return {"guess": node.guess}
    return {"guess": node.guess, "on": {str(answer): _document(below) for answer, below in node.branches}}


# --- reading ----------------------------------------------------------------------------------------------------------


def read_strategy(data: bytes | str | PathLike[str]) -> Strategy:
    """Return the strategy in a file, given by its path or its content.

    Text that begins with `{` is content. The returned strategy has the right form, valid rules, and figures that agree
    with each other. The function does not check that the tree finds every secret at the stated cost: `verify` does.

    Raises an `InputError` if the file cannot be read. For other errors, raises a `StrategyFault` for the first one that
    is found. It checks the text, then the keys and types, and then the values.
    """
    parsed = parse(_content(data), _MAX_NESTING)
    later = isinstance(parsed, list) and ("version", WITH_FACTS) in parsed
    found = read(parsed, WHOLE, _SHAPE_WITH_FACTS if later else _SHAPE)
    with usable(Place("rules")):
        rules = Rules(**found["rules"])
    with usable(Place("start.weights")):
        prior = checked_prior(rules, found["start"].pop("weights", ()))
    task = Task(rules, *_start(rules, **found["start"]), Objective(**found["objective"]), prior)
    return Strategy(task, found["tree"], _cost(found["cost"]), _proof(**found["proof"]))


def _weights(value: Any, place: Place) -> list[tuple[str, int]]:
    return [(code, number(weight, inside(place, code))) for code, weight in pairs(value, place)]


def _start(rules: Rules, absent: str, turns: list[str], facts: Sequence[str] = ()) -> tuple[str, tuple[Fact, ...]]:
    with usable(Place("start.absent")):
        absent = rules.check_absent(absent)
    made: list[Fact] = []
    for name, tokens in (("turns", turns), ("facts", facts)):
        for index, written in enumerate(tokens):
            with usable(Place(f"start.{name}[{index}]")):
                made.append(Turn.parse(written) if name == "turns" else parse_standard(written))
                made[-1].check(rules)
    return absent, tuple(made)


def _proof(kind: Evidence, lower_bound: int, evidence: Support | None = None) -> Proof:
    """Build the proof of a strategy from the fields of the file.

    `kind` says if the strategy is proven optimal. `evidence` says more exactly how its total is justified: by a checked
    certificate, by a search, or as the best total known. It is None in files of older versions. Raises a
    `StrategyFault` if `evidence` does not agree with `kind`, for example for a checked certificate of a strategy that
    is not optimal.
    """
    proof = Proof(kind, lower_bound, evidence is Support.CHECKED)
    if evidence not in (None, proof.evidence):
        raise not_one_of(Place("proof.evidence"), evidence, json.dumps(proof.evidence))
    return proof


def _cost(found: dict[str, Any]) -> Cost:
    """Build the cost from the histogram. Raises a `StrategyFault` if another figure contradicts the histogram."""
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


_read_hint = lru_cache(maxsize=256)(Hint.parse)  # thousands of branches share a few answers


def _hint(written: str, place: Place) -> Hint:
    try:
        return _read_hint(written)
    except HintError:
        raise StrategyFault(
            N_("at {place}: {given!r} is not an answer: expected one such as 1H1B"), place=place, given=written
        ) from None
