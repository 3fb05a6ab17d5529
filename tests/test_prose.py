"""The number of phrases that make a reader stop, in each part of the project, and the script that counts them."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parent.parent
prose = SimpleNamespace(**runpy.run_path(str(ROOT / "scripts/prose.py")))
ROOMS = prose.rooms()


@pytest.mark.parametrize("room", ROOMS)
def test_prose_is_within_the_limit_of_its_room(room):
    found, words = prose.rate(ROOMS[room])
    assert words > 0
    assert found <= prose.limit_of(room), f"run python scripts/prose.py --worst 10 {room}"


@pytest.mark.parametrize("habit", prose.HABITS)
def test_each_habit_occurs_in_its_example(habit):
    _pattern, example = prose.HABITS[habit]
    assert prose.habits_in(example)[habit] == 1


@pytest.mark.parametrize(
    "text",
    [
        "Return the number of candidates after the guess.",
        "The partitions of the remaining codes by the selected guess.",
        "Raises `InputError` if the file cannot be opened.",
        "How likely is each secret?",
    ],
)
def test_plain_sentences_have_no_habit(text):
    assert not prose.habits_in(text)


def test_texts_of_returns_docstrings_comments_paragraphs_and_messages(tmp_path):
    code = tmp_path / "code.py"
    code.write_text('"""One.\n\nTwo."""\n\nx = 1  # three\n# four\n# five\ny = "not this"\n', encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text("Six.\n\n```\nnot this\n```\n\n| not | this |\n", encoding="utf-8")
    catalogue = tmp_path / "ja.po"
    catalogue.write_text('msgid ""\nmsgstr ""\n\nmsgid "seven"\nmsgstr "not this"\n', encoding="utf-8")
    found = [[text.strip() for text in prose.texts_of(path) if text.strip()] for path in (code, page, catalogue)]
    assert found == [["One.", "Two.", "three", "four five"], ["Six."], ["seven"]]


def identifiers_in_code(source: str) -> set[str]:
    """Return the identifiers in Python code, and the words in its strings other than docstrings."""
    found: set[str] = set()
    tree = ast.parse(source)
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            text = node.value if isinstance(node.value, str) and node not in docstrings else ""
        else:
            text = " ".join(value for _field, value in ast.iter_fields(node) if isinstance(value, str))
        found.update(re.findall(r"\w+", text))
    return found


def test_identifiers_in_texts_exist():
    """Only identifiers with an underscore are checked, because other words in backticks may be input or output."""
    sources = {path: path.read_text("utf-8") for path in sorted((ROOT / "src").rglob("*.py"))}
    known = {path.stem for path in sources}.union(*map(identifiers_in_code, sources.values()))
    lacking = {
        f"{path.name}: {name}"
        for path in sources
        for text in prose.texts_of(path)
        for name in re.findall(r"`(?:\w+\.)*(_?[A-Za-z]\w*_\w+)`", text)
        if name not in known
    }
    assert lacking == set(), "these names do not exist any more"


def test_identifiers_in_code_are_found_outside_docstrings():
    source = '"""not_this"""\nfrom a_package import a_name\ndef a_function(an_argument):\n    return {"a_key": 1}\n'
    found = identifiers_in_code(source)
    assert {"a_package", "a_name", "a_function", "an_argument", "a_key"} <= found
    assert "not_this" not in found
