"""The core of every code-guessing game: secrets, guesses, answers, and exact search.

A game is a list of secrets, a list of guesses and a kind of answers, so word games need only their lists. The names
below are public and are imported on first use. `hitblow` builds on this package, which imports no particular game.
Begin with `answers` and `game`, then `position_search`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yomikiri.common.lazy import lazy_exports

if TYPE_CHECKING:
    from yomikiri.guessing.advice import compare_questions, review, solve, suggest
    from yomikiri.guessing.answers import HITS, HITS_BLOWS, MARKS, SUM, AnswerKind, marks_of
    from yomikiri.guessing.duel import Duel, Rival
    from yomikiri.guessing.duel_search import best_duel_guess
    from yomikiri.guessing.free_questions import FreeQuestion
    from yomikiri.guessing.game import Game, Observation, Position
    from yomikiri.guessing.guess_rules import GuessRule
    from yomikiri.guessing.policies import PolicyName, policy_named, simulate
    from yomikiri.guessing.results import QuestionCosts
    from yomikiri.guessing.strategy import DecisionNode, replay

__all__ = [
    "HITS",
    "HITS_BLOWS",
    "MARKS",
    "SUM",
    "AnswerKind",
    "DecisionNode",
    "Duel",
    "FreeQuestion",
    "Game",
    "GuessRule",
    "Observation",
    "PolicyName",
    "Position",
    "QuestionCosts",
    "Rival",
    "best_duel_guess",
    "compare_questions",
    "marks_of",
    "policy_named",
    "replay",
    "review",
    "simulate",
    "solve",
    "suggest",
]

_NAMES = {
    "advice": ("compare_questions", "review", "solve", "suggest"),
    "answers": ("HITS", "HITS_BLOWS", "MARKS", "SUM", "AnswerKind", "marks_of"),
    "duel": ("Duel", "Rival"),
    "duel_search": ("best_duel_guess",),
    "free_questions": ("FreeQuestion",),
    "game": ("Game", "Observation", "Position"),
    "guess_rules": ("GuessRule",),
    "policies": ("PolicyName", "policy_named", "simulate"),
    "results": ("QuestionCosts",),
    "strategy": ("DecisionNode", "replay"),
}
__getattr__, __dir__ = lazy_exports(__name__, _NAMES)
