"""What must agree between the files at the top of the repository."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

from yomikiri import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONSTRAINTS = (ROOT / "constraints.txt").read_text(encoding="utf-8")


def test_the_changelog_begins_with_this_version():
    numbers = re.findall(r"^## \[(\d.*?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert numbers[0] == __version__


def test_the_citation_names_this_version():
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_constraints_hold_names_and_versions_and_nothing_else():
    lines = [line for line in CONSTRAINTS.splitlines() if not line.startswith("#")]
    assert lines
    for line in lines:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9.]*(?:\.post[0-9]+)?", line), line


def test_every_dependency_is_pinned_to_a_version_that_it_allows():
    pins = {name.lower(): pin for name, pin in re.findall(r"^([\w.-]+)==(.+)$", CONSTRAINTS, re.MULTILINE)}
    project = PROJECT["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"], *PROJECT["build-system"]["requires"]]
    for requirement in map(Requirement, asked):
        assert requirement.specifier.contains(pins[requirement.name]), requirement


def test_both_readmes_show_the_same_commands_first():
    first = [
        re.search(r"```sh\n(\S+).*\n(\S+)", (ROOT / name).read_text(encoding="utf-8"))
        for name in ("README.md", "README.ja.md")
    ]
    assert [found and found.groups() for found in first] == [("scripts/run", "scripts/test")] * 2
