"""Run every command in the READMEs and two guides, and compare its output with the output on the page.

Conventions of ```console blocks: the shell runs a line `$ COMMAND` (a `\\` at its end continues it). The lines `> TEXT`
below it are its input. All other lines are its output or error messages; a line `...` matches any number of lines. In
these tests `scripts/run` starts the installed program; test_scripts.py tests the real script.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LANGUAGES = {"README.md": "en", "README.ja.md": "ja"}
GUIDES = {
    **dict.fromkeys(
        (
            "docs/guide/hitblow.md",
            "docs/guide/own-game.md",
            "docs/guide/tictactoe.md",
            "docs/guide/what-can-be-known.md",
        ),
        "en",
    ),
    **dict.fromkeys(("docs/guide/ja/hitblow.md", "docs/guide/ja/own-game.md", "docs/guide/ja/tictactoe.md"), "ja"),
}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Commands in ```sh blocks that the tests do not run, with the reason.
NOT_RUN = {
    "scripts/run": "tests/test_scripts.py starts it in a fresh copy",
    "scripts/test": "it is what runs this test",
}


@dataclass
class Example:
    """A command of a README, its input and its output."""

    command: str
    typed: list[str] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)


def examples(block: str) -> list[Example]:
    found: list[Example] = []
    for line in block.replace("\\\n", " ").splitlines():
        if line.startswith("$ "):
            found.append(Example(line[2:]))
        elif line.startswith("> "):
            found[-1].typed.append(line[2:])
        else:
            found[-1].printed.append(line)
    return found


def fences(name: str) -> list[tuple[str, str]]:
    return FENCE.findall((ROOT / name).read_text(encoding="utf-8"))


def elided(printed: list[str], shown: list[str]) -> list[str]:
    """Return `shown` if it matches the printed lines, otherwise the printed lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in shown)
    return shown if re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) else printed


SHOWN = [
    (example, language)
    for name, language in (LANGUAGES | GUIDES).items()
    for kind, block in fences(name)
    if kind == "console"
    for example in examples(block)
]


# The program without time limits, because the machine can be busy.
PROGRAM = """
from yomikiri.hitblow.policies import exact
exact.SECONDS = 3600.0
from yomikiri.cli.main import main
main()
"""


LONG = "simulate --policy all"
FIRST = {(example.command, *example.printed): language for example, language in reversed(SHOWN)}
"""The language of the first page that shows an example with this output."""


def takes_long(example: Example, language: str) -> bool:
    """Return True if quick runs skip an example: it takes long, or an earlier page has it with the same output."""
    return LONG in example.command or FIRST[example.command, *example.printed] != language


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "language"),
    [
        pytest.param(
            *each,
            marks=[pytest.mark.exhaustive] * takes_long(*each),
            id=f"{each[1]}: {each[0].command}",
        )
        for each in SHOWN
    ],
)
def test_command_prints_the_shown_output(example: Example, language: str, tmp_path: Path):
    assert elided(printed(example, language, tmp_path), example.printed) == example.printed


def printed(example: Example, language: str, folder: Path, python: str = sys.executable, **changed: str) -> list[str]:
    """Return the output of an example in a folder with `scripts/run` and an installed `yomikiri`."""
    for program in (folder / "scripts/run", folder / "bin/yomikiri"):
        program.parent.mkdir(exist_ok=True)
        # Start Python through the shell, because the first line of a script cannot contain a path with blanks.
        program.write_text(f"#!/bin/sh\nexec '{python}' -c '{PROGRAM}' \"$@\"\n", encoding="utf-8")
        program.chmod(0o755)
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", example.command], input="".join(f"{line}\n" for line in example.typed), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, timeout=300, check=False,
        env={**os.environ, "LANGUAGE": language, "PYTHONIOENCODING": "utf-8", "PATH": path, **changed},
    )  # fmt: skip
    return done.stdout.splitlines()


def test_three_dots_match_any_lines():
    assert elided(["1", "2", "3"], ["1", "...", "3"]) == ["1", "...", "3"]
    assert elided(["1", "3"], ["1", "...", "3"]) == ["1", "...", "3"]
    assert elided(["1", "2", "4"], ["1", "...", "3"]) == ["1", "2", "4"]
    assert elided(["1.2"], ["1.."]) == ["1.2"]


def test_examples_parses_command_input_and_output():
    block = "$ one \\\n  two\nout\n> typed\nmore\n$ three\n"
    assert examples(block) == [Example("one    two", ["typed"], ["out", "more"]), Example("three")]


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_shown_command_is_tested_or_listed(name: str):
    kinds = {kind for kind, _block in fences(name)}
    assert kinds <= {"console", "python", "sh", "text"}  # tests/test_docs.py covers Python blocks
    for kind, block in fences(name):
        if kind == "sh":
            assert {line.split("#")[0].strip() for line in block.splitlines()} <= NOT_RUN.keys()
        assert ("$ " in block) is (kind == "console"), block


@pytest.mark.parametrize("name", LANGUAGES)
def test_readme_shows_both_games(name: str):
    commands = [example.command for kind, block in fences(name) if kind == "console" for example in examples(block)]
    assert any("tictactoe" in command for command in commands)
    assert any("tictactoe" not in command for command in commands)
