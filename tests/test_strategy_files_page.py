"""The examples in docs/reference/strategy-files.md, compared with the program."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.cli.run import run

PAGE = (Path(__file__).parent.parent / "docs/reference/strategy-files.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """Return the first block of code in that language."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


def test_shown_file_is_the_exported_file():
    assert run("hitblow", "export", "--digits", "2", "--symbols", "012").stdout == block("json")


def test_shown_program_checks_a_file_without_the_package(tmp_path: Path):
    (tmp_path / "3-of-10.json").write_text(run("hitblow", "export").stdout, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-c", block("python")], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "3575 guesses for 720 secrets\n"


def test_shown_error_is_the_error_of_verify(tmp_path: Path):
    document = json.loads(run("hitblow", "export").stdout)
    branches = document["tree"]["on"]["0H1B"]["on"]
    del branches["0H2B"]
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    complaint = run("hitblow", "verify", str(path)).stderr
    assert complaint in PAGE


def test_book_is_smaller_than_the_stated_size():
    stated = re.search(r"`src/yomikiri/hitblow/data`, less than (\d+) KB all together", PAGE)
    assert stated
    data = Path(__file__).parent.parent / "src/yomikiri/hitblow/data"
    assert sum(path.stat().st_size for path in data.glob("*.json.gz")) < int(stated[1]) * 1000
