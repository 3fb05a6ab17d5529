"""Every JSON document of the program: what it writes with `--json`, serves as an API, and keeps on disk.

A document is a struct, and a part of one as well: its fields are the keys, in that order, and their types are the
schema. What is not said is UNSET and left out; null stands for what is known to be nothing. Keys and names stand for
themselves in every language. A key is never renamed or removed under the same version.

msgspec is loaded with this module, which takes 10 ms: code that may do without documents imports it late.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeAlias, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins

__all__ = [
    "SCHEMA_VERSION", "UNSET", "Count", "Part", "Problem", "Share", "UnsetType", "as_text", "filled", "versioned",
]  # fmt: skip

SCHEMA_VERSION = 1

Count: TypeAlias = Annotated[int, Meta(ge=0)]
Share: TypeAlias = Annotated[float, Meta(ge=0)]


class Part(Struct, forbid_unknown_fields=True):
    """A document, or an object in one."""


P = TypeVar("P", bound=Part)


def filled(kind: type[P], source: object, *first: Any, **other: Any) -> P:
    """A document with what `source` has under the names of its keys, but for the `first` ones and the `other` ones.

    Keys that may be left out are, unless they are given.
    """
    names = kind.__struct_fields__[len(first) : len(kind.__struct_fields__) - len(kind.__struct_defaults__)]
    return kind(*first, **{name: getattr(source, name) for name in names if name not in other}, **other)


class Problem(Part):
    """Why there is no answer: one line, and perhaps another with what to do."""

    error: str
    hint: str | None


def versioned(document: Part) -> dict[str, Any]:
    """A document as plain values, its `schema_version` first."""
    return {"schema_version": SCHEMA_VERSION, **to_builtins(document)}


def as_text(document: Part) -> str:
    """A document as JSON that people can read, too."""
    return json.dumps(versioned(document), ensure_ascii=False, indent=2)
