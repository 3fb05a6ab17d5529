"""JSON Schema of every document, from the types that write and read them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from msgspec import json

from yomikiri.api import results_hitblow as hitblow
from yomikiri.api import results_match as match
from yomikiri.api import results_strategy as strategies
from yomikiri.api import results_tictactoe as tictactoe
from yomikiri.api.results import SCHEMA_VERSION, Part, Problem

Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

DOCUMENTS: dict[str, tuple[type[Part], ...]] = {
    "suggestion": (hitblow.Suggestion,),
    "candidates": (hitblow.Candidates,),
    "review": (hitblow.Review,),
    "cost": (strategies.Cost,),
    "simulations": (strategies.Simulations,),
    "solved": (strategies.Solved,),
    "stored-proof": (strategies.StoredProof,),
    "certificate": (strategies.Accepted, strategies.NotAccepted),
    "verification": (strategies.Verified, strategies.Unverified),
    "match": (match.MyTurn, match.TheirTurn, match.Match),
    "play": (match.Play,),
    "race": (match.Race,),
    "stored-race": (match.StoredRace,),
    "strategy": (strategies.StrategyFile,),
    "analysis": (tictactoe.Analysis,),
    "winner": (tictactoe.Won,),
    "board-result": (tictactoe.BoardResult,),
    "problem": (Problem,),
}
"""The documents by name, each with the forms that it has."""


def components(documents: Iterable[type[Part]], place: str, *, versioned: bool = True) -> Schema:
    """The schemas of documents and of their parts by name; `place` says how one refers to another: `#/$defs/{name}`.

    A `versioned` document has its version first.
    """
    documents = tuple(documents)
    _, found = json.schema_components(documents, ref_template=place)
    for schema in (found[document.__name__] for document in documents if versioned):
        schema["properties"] = {"schema_version": {"const": SCHEMA_VERSION}, **schema["properties"]}
        schema["required"] = ["schema_version", *schema["required"]]
    return found


def schema_of(name: str) -> Schema:
    """The schema of the document of that name, one of `DOCUMENTS`; `strategy` is that of a strategy file."""
    return schema(name, DOCUMENTS[name], versioned=name != "strategy")


def schema(title: str, forms: Iterable[type[Part]], *, versioned: bool = True) -> Schema:
    """The schema of a document that has one of some forms."""
    forms = tuple(forms)
    return {
        "$schema": DIALECT,
        "title": title,
        "anyOf": [{"$ref": f"#/$defs/{form.__name__}"} for form in forms],
        "$defs": components(forms, "#/$defs/{name}", versioned=versioned),
    }
