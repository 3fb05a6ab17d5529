"""Files and functions of the package are short, functions take few parameters, and class names are unique."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "yomikiri"
MOST_LINES, MOST_PARAMETERS = 60, 7
MOST_LINES_OF_FILE = 600


# Class names that occur more than once, with the reason. All others are unique in the package.
REPEATED_CLASSES: dict[str, str] = {
    "Position": "public in yomikiri.guessing and in yomikiri.tictactoe",
    "raw_env": "PettingZoo gives the environment of every module this name",
}


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield (path:name, function) for each function of the package."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield f"{path.relative_to(SOURCE)}:{node.name}", node


def lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines of a function without its docstring."""
    first = function.body[0]
    docstring = (first.end_lineno or 0) - first.lineno + 1 if ast.get_docstring(function) is not None else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of parameters of a function, without `self` or `cls`."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def test_files_have_at_most_600_lines() -> None:
    files = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCE.rglob("*.py")}
    assert [path for path, length in files.items() if length > MOST_LINES_OF_FILE] == []


def test_functions_have_at_most_60_lines() -> None:
    assert [name for name, function in functions() if lines(function) > MOST_LINES] == []


def test_functions_have_at_most_7_parameters() -> None:
    assert [name for name, function in functions() if parameters(function) > MOST_PARAMETERS] == []


def test_class_names_are_unique() -> None:
    classes = Counter(
        node.name
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    repeated = {name for name, count in classes.items() if count > 1}
    assert repeated == set(REPEATED_CLASSES), "rename one of two classes, and remove the others from REPEATED_CLASSES"
