"""The rate of habits in the prose of each room, and the script that measures it."""

from __future__ import annotations

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
