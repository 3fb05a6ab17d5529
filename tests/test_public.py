"""Public names: `__all__` of each package, docstrings and examples.

Also tests `hitblow/__init__.py` and `guessing/__init__.py`: their public names.
"""

from __future__ import annotations

import ast
import doctest
import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from tests.sources import SOURCE, name_of, trees


def packages() -> dict[str, ast.Module]:
    """Return the packages that export names, which have more than a docstring."""
    paths = sorted(SOURCE.rglob("__init__.py"))
    found = {name_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    return {name: tree for name, tree in found.items() if len(tree.body) > 1}


PACKAGES = packages()


def our_names(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that a module body defines or imports from the package."""
    for node in body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("yomikiri"):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.If):
            yield from our_names(node.body)


def is_public(name: str) -> bool:
    return not name.startswith("_") or name in ("_", "__version__")


def used(name: str, tree: ast.Module) -> bool:
    """Return True if the package itself reads the name, which can be the reason of its import."""
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load) for node in ast.walk(tree)
    )


def order(name: str) -> tuple[int, str]:
    """Return the sort key of the linter: constants, then classes, then other names."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_sorted_and_unique(package: str):
    names = import_module(package).__all__
    assert names == sorted(set(names), key=order)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_exists(package: str):
    module = import_module(package)
    assert [name for name in module.__all__ if getattr(module, name, None) is None] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_all_contains_every_public_name(package: str):
    tree = PACKAGES[package]
    bound = {name for name in our_names(tree.body) if is_public(name)}
    left_out = bound - set(import_module(package).__all__)
    assert {name for name in left_out if not used(name, tree)} == set()


@pytest.mark.parametrize("package", ["yomikiri", "yomikiri.hitblow", "yomikiri.tictactoe"])
def test_public_names_are_listed_and_differ_from_modules(package: str):
    module, folder = import_module(package), SOURCE.parent.joinpath(*package.split("."))
    assert set(module.__all__) <= set(dir(module))
    assert {name for name in module.__all__ if (folder / f"{name}.py").exists()} == set()
    with pytest.raises(AttributeError, match="no attribute 'bogus'"):
        _ = module.bogus


@pytest.mark.parametrize("game", ["yomikiri.hitblow", "yomikiri.tictactoe"])
def test_every_public_name_has_a_docstring(game: str):
    module = import_module(game)
    assert module.__all__
    for name in module.__all__:
        assert getattr(module, name).__doc__, name


# Names without an example of their own. They appear in the examples of functions that take or return them.
SHOWN_BY_OTHERS = {
    *("Hint", "Objective", "Outcome", "Player", "Strategy", "Tie", "Words", "Repeats", "Side", "Advisor", "Policy"),
    *("Reason", "Examiner", "Wanted", "Terms", "Reveals", "Information", "Fact", "NamedFact", "read_strategy"),
}


@pytest.mark.parametrize("game", ["yomikiri.hitblow", "yomikiri.tictactoe"])
def test_every_public_name_has_an_example(game: str):
    module = import_module(game)
    public = {name: getattr(module, name) for name in module.__all__ if callable(getattr(module, name))}
    without = {name for name, thing in public.items() if not any(test.examples for test in examples_of(thing))}
    assert without == SHOWN_BY_OTHERS & public.keys()


def examples_of(thing: Any) -> list[doctest.DocTest]:
    """Return the examples in the docstrings of a function, or of a class and its methods."""
    module = import_module(thing.__module__)
    return doctest.DocTestFinder().find(thing, thing.__name__, module, vars(module).copy())


def shown() -> list[Any]:
    """Return all examples in the docstrings of the package as test parameters."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        if ">>> " in path.read_text(encoding="utf-8"):
            tests = doctest.DocTestFinder(exclude_empty=True).find(import_module(name_of(path)))
            found += [pytest.param(test, id=test.name) for test in tests if test.examples]
    return found


@pytest.mark.parametrize("example", shown())
def test_docstring_example_prints_its_output(example: doctest.DocTest):
    assert doctest.DocTestRunner().run(example).failed == 0


def test_every_public_method_has_or_inherits_a_docstring():
    silent = []
    for name, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and is_public(node.name):
                methods = [each for each in node.body if isinstance(each, ast.FunctionDef) and is_public(each.name)]
                without = [each.name for each in methods if not ast.get_docstring(each)]
                one = getattr(import_module(name), node.name) if without else None
                silent += [f"{name}.{node.name}.{each}" for each in without if not inspect.getdoc(getattr(one, each))]
    assert silent == []
