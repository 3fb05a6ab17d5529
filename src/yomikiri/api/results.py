"""Base of the JSON documents that commands write with `--json`, the engine and the server send, and files contain.

A document is a struct. Its fields are the JSON keys, in that order, and the types of the fields are the schema.
`Document.of` builds one from a domain value. An optional key is UNSET, and is left out of the JSON, if it does not
apply. The value null means that there is no such value, or that it is not known. Keys and values are the same in every
language. Within one schema version no key is renamed or removed.

This module imports msgspec, which takes 10 ms. Code that may not need a document imports it late.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Self, TypeAlias, Union, get_args, get_origin

from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins
from msgspec.structs import fields

__all__ = [
    "SCHEMA_VERSION", "UNSET", "Count", "Document", "OpenedJson", "ProblemJson", "Share", "UnsetType", "as_text",
    "versioned",
]  # fmt: skip

SCHEMA_VERSION = 1

Count: TypeAlias = Annotated[int, Meta(ge=0)]
Share: TypeAlias = Annotated[float, Meta(ge=0)]


class Document(Struct, forbid_unknown_fields=True):
    """A JSON object: a whole document, or a part of one.

    Many class names end with `Json` or `Line`, because another class has the short name: `CostJson` is the JSON of a
    `Cost`. Schemas use the short names.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__name__ = re.sub("(?<=.)(Json|Line)$", "", cls.__name__)

    @classmethod
    def of(cls, source: Any) -> Self:
        """Build the document of a domain value. Subclasses whose keys are not attributes of the value override this."""
        return cls.filled(source)

    @classmethod
    def filled(cls, source: object, **values: Any) -> Self:
        """Build a document from `values`, and from the attributes of `source` for all other keys.

        Each value is converted to the type of its key: a number, text, the document of a nested domain value, or lists
        and mappings of these. An optional key is left out if the attribute is missing. If the key cannot be null, it is
        also left out for None, "" and ().
        """
        for name, (required, convert) in _conversions(cls).items():
            if name not in values:
                values[name] = getattr(source, name) if required else getattr(source, name, UNSET)
            values[name] = convert(values[name])
        return cls(**values)


@lru_cache(None)
def _conversions(kind: type[Document]) -> dict[str, tuple[bool, Callable[[Any], Any]]]:
    """Return for each key of a document: whether it is required, and the function that converts its value."""
    return {field.name: (field.required, _conversion(field.type)) for field in fields(kind)}


def _conversion(hint: Any) -> Callable[[Any], Any]:
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType):
        convert = _conversion(next(each for each in inner if each not in (NoneType, UnsetType)))
        left_out = (None, "", ()) if UnsetType in inner and NoneType not in inner else (None,)
        absent = None if NoneType in inner else UNSET
        return lambda value: value if value is UNSET else absent if value in left_out else convert(value)
    if kind in (Annotated, list, dict):
        convert = _conversion(inner[kind is dict])
        if kind is Annotated:
            return convert
        if kind is list:
            return lambda values: [convert(value) for value in values]
        return lambda pairs: {str(key): convert(value) for key, value in dict(pairs).items()}
    if isinstance(hint, type) and issubclass(hint, Document):
        return lambda value: value if isinstance(value, Document) else hint.of(value)
    if hint is str:
        return lambda value: value if isinstance(value, str) else str(value)
    return lambda value: float(value) if isinstance(value, Fraction) else value


class ProblemJson(Document):
    """An error instead of an answer: the reason in one line (`error`), and advice (`hint`), which may be null."""

    error: str
    hint: str | None


class OpenedJson(Document):
    """The state of a session: its turns or moves, and the number of candidates.

    In a match, `count` is the number of candidates for the opponent's secret, and `their_count` the number for the
    user's secret.
    """

    session: str
    game: Literal["guessing", "hitblow", "match", "tictactoe"]
    turns: list[str]
    count: Count | UnsetType = UNSET
    their_count: Count | UnsetType = UNSET
    finished: bool = False

    @classmethod
    def of(cls, source: Any) -> Self:
        """Build the document of a `GameState`. Its `session` is empty: the engine sets the name later."""
        return cls.filled(source, session="")


def versioned(document: Document) -> dict[str, Any]:
    """Return a document as plain values, with `schema_version` first."""
    return {"schema_version": SCHEMA_VERSION, **to_builtins(document)}


def as_text(document: Document) -> str:
    """Return a document as indented JSON."""
    return json.dumps(versioned(document), ensure_ascii=False, indent=2)
