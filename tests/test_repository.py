"""Consistency of the files at the top of the repository."""

from __future__ import annotations

import ast
import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from yomikiri import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONSTRAINTS = (ROOT / "constraints.txt").read_text(encoding="utf-8")


def test_changelog_starts_with_the_current_version():
    numbers = re.findall(r"^## \[(\d.*?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert numbers[0] == __version__


def test_citation_contains_the_current_version_and_date():
    [day] = re.findall(
        rf"^## \[{__version__}\] - (.*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\ndate-released: {day}\n" in citation


def test_constraints_contain_only_pinned_versions():
    lines = [line for line in CONSTRAINTS.splitlines() if not line.startswith("#")]
    assert lines
    for line in lines:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9.]*(?:b[0-9]+)?(?:\.post[0-9]+)?", line), line


def test_dependencies_are_pinned_to_allowed_versions():
    pins = {name.lower(): pin for name, pin in re.findall(r"^([\w.-]+)==(.+)$", CONSTRAINTS, re.MULTILINE)}
    project = PROJECT["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"], *PROJECT["build-system"]["requires"]]
    for requirement in map(Requirement, asked):
        assert requirement.specifier.contains(pins[requirement.name]), requirement


# Each longer module has a test file with its name: `test_MODULE.py` in the folder that mirrors its own, or
# `test_PACKAGE.py` next to that folder. Otherwise another test file names the module in its docstring with
# "Also tests `path`: reason".
LONG = 60


def test_every_long_module_has_a_test_file():
    source, tests = ROOT / "src/yomikiri", ROOT / "tests"
    long = {
        path.relative_to(source) for path in source.rglob("*.py") if len(path.read_text("utf-8").splitlines()) > LONG
    }
    held = [
        module
        for path in tests.rglob("test_*.py")
        for said in re.findall(
            r"^Also tests ([^:]+):", ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "", re.M
        )
        for module in map(Path, re.findall(r"`(.+?)`", said))
    ]
    mirrored = {
        module
        for module in long
        if (tests / module.parent / f"test_{module.stem}.py").exists()
        or (tests / module.parent.parent / f"test_{module.parent.name}.py").exists()
    }
    assert {*held} | mirrored >= long, "add a test file named after the module, or `Also tests` to another"
    assert len(held) == len({*held}), "remove the module from `Also tests` in one of two tests"
    assert {*held} <= long - mirrored, (
        "remove the module from `Also tests`: it has a test file with its name, or it is short or gone"
    )


def test_both_readmes_start_with_the_same_commands():
    first = [
        re.search(r"```sh\n(\S+).*\n(\S+)", (ROOT / name).read_text(encoding="utf-8"))
        for name in ("README.md", "README.ja.md")
    ]
    assert [found and found.groups() for found in first] == [("scripts/run", "scripts/test")] * 2


def test_files_named_on_pages_exist():
    """Paths can start at any folder, such as `web/pages.py`; `*` and NAME in capitals are wildcards."""
    folders = ("src", "tests", "benchmarks", "examples", "scripts", "docs")
    files = {f"/{path.relative_to(ROOT).as_posix()}" for folder in folders for path in (ROOT / folder).rglob("*.py")}
    pages = [*ROOT.glob("README*.md"), ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    named = re.findall(r"(?<![*\w./])[\w./]*\b\w+\.py\b", text)
    sought = {re.sub(r"^(\.\./)+", "", name) for name in named if "NAME" not in name} - {
        "hatch_build.py",
        "a.py",
        "./a.py",
    }
    sought -= set(re.findall(r"```python\n# (\w+\.py)\n", text))  # files whose contents a page shows
    assert len(sought) > 20
    assert {name for name in sought if not any(file.endswith(f"/{name}") for file in files)} == set()


def test_links_and_pictures_inside_the_repository_exist():
    """External links may lead to a few known hosts only."""
    elsewhere = set()
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)|<img src=\"([^\"]+)", text):
            link = "".join(target)
            if re.match(r"\w+:", link):
                elsewhere.add(link)
            else:
                assert (page.parent / link).exists(), f"{page.name}: {link}"
    assert {re.sub(r"^https://([^/]+).*", r"\1", link) for link in elsewhere} == ELSEWHERE


ELSEWHERE = {"atcoder.jp", "distributed.dask.org", "keepachangelog.com", "semver.org"}


@pytest.mark.parametrize("name", ["README.md", "README.ja.md", "docs/index.md"])
def test_every_page_is_listed_in_readmes_and_index(name: str):
    """The Japanese README lists the Japanese version of a page, if it exists."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*/*.md"):
        translated = page.parent / "ja" / page.name
        own = translated if name == "README.ja.md" and translated.exists() else page
        path = own.relative_to(ROOT).as_posix()
        listed = path in text if name != "docs/index.md" else f"\n{page.parent.name}/{page.stem}\n" in text
        assert listed, path


def installed_with(name: str, found: dict[str, str]) -> dict[str, str]:
    """Return the licence of a distribution and of all its dependencies."""
    metadata = distribution(name).metadata
    classified = (each.rpartition(" :: ")[2] for each in metadata.get_all("Classifier", []) if each[:7] == "License")
    # importlib_metadata, which another test can have loaded, raises an error for a missing key.
    says = {key: metadata[key] for key in ("License-Expression", "License") if key in metadata}
    found[metadata["Name"].lower()] = says.get("License-Expression") or next(classified, "") or says["License"]
    for requirement in map(Requirement, distribution(name).requires or []):
        needed = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if needed and requirement.name.lower() not in found:
            installed_with(requirement.name, found)
    return found


@pytest.mark.parametrize("page", ["docs/guide/install.md", "docs/guide/ja/install.md"])
def test_licences_of_all_dependencies_are_listed(page: str):
    _before, _found, table = (ROOT / page).read_text(encoding="utf-8").partition("\n| anyio")
    rows = f"| anyio{table}".partition("\n\n")[0].splitlines()
    listed = dict(row.strip("| ").split(" | ")[:2] for row in rows)
    found = installed_with("yomikiri", {})
    assert found.pop("yomikiri") == "MIT"
    assert listed.keys() - {"typing_extensions"} == found.keys() - {"typing_extensions"}
    for name, licence in found.items():
        assert listed[name].startswith(licence.removesuffix(" License")), (name, licence)
