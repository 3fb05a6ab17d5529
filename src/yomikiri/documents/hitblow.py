"""The documents of Hit & Blow."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from yomikiri.hitblow.advice import Advice, Figures
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.review import Judgement, Review


def suggestion(advice: Advice) -> dict[str, Any]:
    """The next guess with its figures, and the next best ones."""
    return {
        **_figures(advice.proposed),
        "policy": advice.policy,
        "count": advice.count,
        "sampled": advice.sampled,
        **({"proof": "heuristic", "unproven": advice.unproven.value} if advice.unproven else {}),
        "alternatives": [_figures(shown) for shown in advice.alternatives],
    }


def _figures(shown: Figures) -> dict[str, Any]:
    document = {
        "guess": shown.guess,
        "is_candidate": shown.is_candidate,
        "cells": {str(hint): size for hint, size in shown.cells},
        "expected_remaining": shown.expected_remaining,
    }
    if shown.outlook:
        document["expected_guesses"] = shown.expected_guesses
        document["max_guesses"] = shown.outlook.max_guesses
        document["proof"] = "optimal" if shown.outlook.proven else "heuristic"
    return document


def candidates(known: Knowledge) -> dict[str, Any]:
    """What can still be the secret, and how likely each symbol stands at each place."""
    chance = 1 / known.count
    return {
        "count": known.count,
        "candidates": [{"code": code, "probability": chance} for code in known.codes()],
        "table": dict(zip(known.rules.symbols, known.table().tolist(), strict=True)),
    }


def review(judged: Review) -> dict[str, Any]:
    """A game judged; what was not proven is null."""
    return {
        "turns": [_judgement(turn) for turn in judged.turns],
        "later_turns": [str(turn) for turn in judged.later],
        "found": judged.found,
        "start_expected_guesses": _number(judged.start),
        "loss": _number(judged.loss),
        "luck": _number(judged.luck),
        "next": None if judged.next is None else suggestion(judged.next),
    }


def _judgement(judged: Judgement) -> dict[str, Any]:
    return {
        "turn": str(judged.turn),
        "count": judged.count,
        "left": judged.left,
        "played": _figures(judged.played),
        "best": _figures(judged.best),
        "loss": _number(judged.loss),
        "luck": _number(judged.luck),
        "chance": float(judged.chance),
        "rank": float(judged.rank),
        "bits": judged.bits,
        "expected_bits": judged.expected_bits,
        "proof": "heuristic" if judged.loss is None else "optimal",
        **({"unproven": judged.unproven.value} if judged.unproven else {}),
    }


def _number(exact: Fraction | None) -> float | None:
    return None if exact is None else float(exact)
