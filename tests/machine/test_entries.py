"""The library has every entry (a kernel that Python calls), and its list of sources is complete.

Also tests `machine/compiler/__main__.py`: the built entries and their sources.
"""

from __future__ import annotations

import ast
import json
from importlib import import_module

import pytest
from tests.sources import trees

from yomikiri.machine.compiler import PARTS
from yomikiri.machine.compiler.__main__ import SOURCES
from yomikiri.machine.compiler.bitcode import entries_of
from yomikiri.machine.kernel import Entry
from yomikiri.machine.library import MANIFEST, PACKAGE, function_of
from yomikiri.machine.signature import Array, Fields, signature_of

ENTRIES = {each.symbol: each for modules in PARTS.values() for each in entries_of(modules)}


def declared() -> list[Entry]:
    """Return all functions with an entry decorator in the sources, found in their syntax trees."""
    found = []
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef):
                continue
            names = {getattr(getattr(each, "func", each), "id", "") for each in node.decorator_list}
            if names & {"entry", "entry_of"}:
                found.append(getattr(import_module(module), node.name))
    return found


def test_every_entry_belongs_to_a_part() -> None:
    entries = declared()
    assert len(entries) > 10
    assert {each.symbol: each for each in entries} == ENTRIES
    assert len({each.symbol for each in entries}) == len(entries)


def test_no_module_is_in_two_parts() -> None:
    modules = [module for part in PARTS.values() for module in part]
    assert len(set(modules)) == len(modules)


@pytest.mark.parametrize("symbol", ENTRIES)
def test_types_of_every_entry_are_supported(symbol: str) -> None:
    signature = signature_of(ENTRIES[symbol].function)
    for kind in signature.kinds():
        if isinstance(kind, Array):
            assert kind.sides >= 1
            assert kind.dtype.isnative
            assert kind.dtype.kind in "biufV"
    assert callable(function_of(symbol))


def test_sources_file_agrees_with_the_build() -> None:
    noted = SOURCES.read_text(encoding="utf-8").split()
    assert noted == json.loads(MANIFEST.read_bytes())["sources"]
    assert all((PACKAGE / name).is_file() for name in noted)
    # Modules that declare an entry or the type of an argument are included.
    declaring = {each.function.__module__ for each in ENTRIES.values()}
    kinds = [kind for each in ENTRIES.values() for kind in signature_of(each.function).kinds()]
    declaring |= {kind.type.__module__ for kind in kinds if isinstance(kind, Fields)}
    assert {f"{module.removeprefix('yomikiri.').replace('.', '/')}.py" for module in declaring} <= set(noted)
