"""The page on the architecture: its picture is current, and the functions that it names exist."""

from __future__ import annotations

import re
import runpy
from importlib import import_module
from pathlib import Path

from tests.sources import trees

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def test_picture_of_the_packages_is_current():
    drawing = runpy.run_path(str(ROOT / "scripts/architecture.py"))["drawing"]
    assert (ROOT / "docs/assets/architecture.svg").read_text(encoding="utf-8") == drawing(), (
        "run python scripts/architecture.py"
    )


def test_functions_named_on_the_page_exist():
    named = re.findall(r"`([\w.]+)`\s+\((?:`\w+` in )?`([\w.]+)`\)", PAGE) + re.findall(
        r"\(`([\w.]+)` in\s+`([\w.]+)`\)", PAGE
    )
    assert len(named) > 20
    for name, module in named:
        found = import_module(f"yomikiri.{module}")
        for part in name.split("."):
            found = getattr(found, part)


def test_modules_named_on_the_page_exist():
    dotted = set(re.findall(r"`((?:cli|web|api|wording|guessing|machine|common|hitblow|tictactoe)(?:\.\w+)+)`", PAGE))
    known = {module.removeprefix("yomikiri.") for module in trees()}
    assert {name for name in dotted if name not in known and name.rpartition(".")[0] not in known} == set()
