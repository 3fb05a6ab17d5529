"""JSON Schema of every document and setting, generated from the types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from msgspec import json

from yomikiri.api.results import SCHEMA_VERSION, Document, ProblemJson
from yomikiri.api.results_guessing import (
    AcceptedList,
    DuelJson,
    GuessAdviceJson,
    GuessReviewJson,
    ListStrategyFile,
    SecretsJson,
    SimulatedGameJson,
    SimulatedGamesJson,
    SolvedGameJson,
    VerifiedListStrategy,
)
from yomikiri.api.results_hitblow import CandidatesJson, ReviewJson, SuggestionJson
from yomikiri.api.results_match import MatchJson, MyTurn, PlayJson, RaceJson, StoredRace, TheirTurn
from yomikiri.api.results_strategy import (
    Accepted,
    CostJson,
    NotAccepted,
    Simulations,
    SolvedJson,
    StoredProof,
    StrategyFile,
    Unverified,
    Verified,
)
from yomikiri.api.results_tictactoe import Analysis, BoardResult, Won
from yomikiri.settings import Setting

Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

DOCUMENTS: dict[str, tuple[type[Document], ...]] = {
    "suggestion": (SuggestionJson,),
    "candidates": (CandidatesJson,),
    "review": (ReviewJson,),
    "cost": (CostJson,),
    "simulations": (Simulations,),
    "solved": (SolvedJson,),
    "stored-proof": (StoredProof,),
    "certificate": (Accepted, NotAccepted),
    "verification": (Verified, Unverified),
    "match": (MyTurn, TheirTurn, MatchJson),
    "play": (PlayJson,),
    "race": (RaceJson,),
    "stored-race": (StoredRace,),
    "strategy": (StrategyFile,),
    "analysis": (Analysis,),
    "winner": (Won,),
    "board-result": (BoardResult,),
    "guess-suggestion": (GuessAdviceJson,),
    "guess-candidates": (SecretsJson,),
    "guess-review": (GuessReviewJson,),
    "guess-solved": (SolvedGameJson,),
    "guess-simulation": (SimulatedGameJson,),
    "guess-simulations": (SimulatedGamesJson,),
    "guess-verification": (VerifiedListStrategy, Unverified),
    "guess-certificate": (AcceptedList, NotAccepted),
    "guess-strategy": (ListStrategyFile,),
    "duel": (DuelJson,),
    "problem": (ProblemJson,),
}
"""The classes of documents by name. A document has one of the classes listed for it."""


def components(documents: Iterable[type[Document]], place: str, *, versioned: bool = True) -> Schema:
    """Return the schemas of documents and of their parts by name.

    `place` is the template of references, such as `#/$defs/{name}`. If `versioned`, each document begins with the key
    `schema_version`.
    """
    documents = tuple(documents)
    _, found = json.schema_components(documents, ref_template=place)
    for schema in (found[document.__name__] for document in documents if versioned):
        schema["properties"] = {"schema_version": {"const": SCHEMA_VERSION}, **schema["properties"]}
        schema["required"] = ["schema_version", *schema["required"]]
    return found


def schema_of(name: str) -> Schema:
    """Return the schema of a document in `DOCUMENTS`. Strategy files have no key `schema_version`."""
    return schema(name, DOCUMENTS[name], versioned=name not in ("strategy", "guess-strategy"))


def schema(title: str, forms: Iterable[type[Document]], *, versioned: bool = True) -> Schema:
    """Return the schema of a document that has one of several forms."""
    forms = tuple(forms)
    return {
        "$schema": DIALECT,
        "title": title,
        "anyOf": [{"$ref": f"#/$defs/{form.__name__}"} for form in forms],
        "$defs": components(forms, "#/$defs/{name}", versioned=versioned),
    }


def schema_of_setting(setting: Setting) -> Schema:
    """Return the schema of a setting without its type: the allowed words, the bounds, the default and further keys."""
    words = [str(word) for word in setting.words] or None
    found = {"enum": words, "minimum": setting.least, "maximum": setting.most, "default": setting.default}
    return {key: value for key, value in found.items() if value is not None} | {**setting.schema}
