"""What must agree between the files at the top of the repository."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
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
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9.]*(?:b[0-9]+)?(?:\.post[0-9]+)?", line), line


def test_every_dependency_is_pinned_to_a_version_that_it_allows():
    pins = {name.lower(): pin for name, pin in re.findall(r"^([\w.-]+)==(.+)$", CONSTRAINTS, re.MULTILINE)}
    project = PROJECT["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"], *PROJECT["build-system"]["requires"]]
    for requirement in map(Requirement, asked):
        assert requirement.specifier.contains(pins[requirement.name]), requirement


# A module of so many lines has a test that is found by its name: `tests/.../test_MODULE.py`, in the folder that mirrors
# its own, or `test_PACKAGE.py` beside that folder, for modules that are only read together.
LONG = 60
# Those whose rules are held by another test, and why by that one.
HELD_BY = {
    "hitblow/__init__.py": ("test_public.py", "names, and nothing but"),
    "cli/hitblow_shared.py": ("cli/test_hitblow_suggest.py", "options of many commands, tried on two; the table"),
    "hitblow/race/depth_weighted_kernels.py": ("hitblow/race/test_depth_weighted.py", "the kernels of that search"),
    "hitblow/race/private_tree.py": ("hitblow/race/test_private.py", "the histories of that race"),
    **{
        f"hitblow/race/public/{name}.py": ("hitblow/race/public/test_tables.py", "the kernels of its race, one by one")
        for name in ("entries", "pairs")
    },
    "hitblow/search/uneven_kernels.py": ("hitblow/search/test_uneven.py", "the kernels of that search"),
    "hitblow/search/proof/ledger.py": ("hitblow/search/proof/test_store.py", "what is learned, kept or not"),
    "hitblow/search/proof/parts.py": ("hitblow/search/proof/test_tree.py", "what is asked, of a proof"),
    "hitblow/search/proof/summary.py": ("cli/test_hitblow_store.py", "what is shown of a store"),
    "tictactoe/search/compiled.py": ("tictactoe/search/test_solver.py", "the same search in machine code"),
    "tictactoe/search/machine_code.py": ("tictactoe/search/test_solver.py", "the same search in machine code"),
    "machine/compiler/__main__.py": ("machine/test_entries.py", "what was built, and from what"),
    "machine/compiler/bitcode.py": ("machine/test_kernel.py", "compiled entries take and give what they say"),
    "machine/compiler/intrinsics.py": ("machine/test_vectors.py", "vectors in machine code, against numpy"),
    "tictactoe/search/layout.py": ("tictactoe/search/test_solver.py", "the words that the search works on"),
    "wording/items.py": ("cli/test_hitblow_assist.py", "what a sitting says of them"),
    "web/judged.py": ("web/test_hitblow.py", "the review that ends a game"),
    "web/hitblow_view.py": ("web/test_hitblow.py", "what its page shows"),
    **{
        f"documents/{name}.py": ("documents/test_golden.py", "what is written, byte for byte")
        for name in ("hitblow", "match", "saved", "strategies", "tictactoe")
    },
    **{
        f"wording/{name}.py": (test, "sentences, where they are said")
        for name, test in {
            "__init__": "test_translations.py",
            "contradictions": "cli/test_hitblow_assist.py",
            "hitblow": "cli/test_hitblow_assist.py",
            "match": "cli/test_hitblow_match.py",
            "review": "cli/test_hitblow_review.py",
            "strategy": "cli/test_hitblow_strategy.py",
            "proof": "cli/test_hitblow_store.py",
            "tictactoe": "cli/test_tictactoe_analyze.py",
            "web": "web/test_hitblow.py",
            "web_play": "web/test_play.py",
            "web_tictactoe": "web/test_tictactoe.py",
        }.items()
    },
}


def test_the_test_of_a_module_is_found_by_its_name():
    source, tests = ROOT / "src/yomikiri", ROOT / "tests"
    nameless = set()
    for path in source.rglob("*.py"):
        module = path.relative_to(source)
        mirrors = (
            tests / module.parent / f"test_{module.stem}.py",
            tests / f"{module.parent.parent}/test_{module.parent.name}.py",
        )
        if len(path.read_text(encoding="utf-8").splitlines()) > LONG and not any(test.exists() for test in mirrors):
            nameless.add(module.as_posix())
    assert nameless - HELD_BY.keys() == set(), "no test has their name"
    assert HELD_BY.keys() - nameless == set(), "there is a test of that name, or no such module of that length"
    for test, _reason in HELD_BY.values():
        assert (tests / test).exists(), test


def test_both_readmes_show_the_same_commands_first():
    first = [
        re.search(r"```sh\n(\S+).*\n(\S+)", (ROOT / name).read_text(encoding="utf-8"))
        for name in ("README.md", "README.ja.md")
    ]
    assert [found and found.groups() for found in first] == [("scripts/run", "scripts/test")] * 2


def test_every_file_that_a_page_names_is_there():
    """From any folder on, as `web/pages.py`; a `*` or a NAME in capitals stands for any."""
    folders = ("src", "tests", "benchmarks", "examples", "scripts", "docs")
    files = {f"/{path.relative_to(ROOT).as_posix()}" for folder in folders for path in (ROOT / folder).rglob("*.py")}
    pages = [*ROOT.glob("README*.md"), ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    named = re.findall(r"(?<![*\w./])[\w./]*\b\w+\.py\b", text)
    sought = {name.removeprefix("../") for name in named if "NAME" not in name} - {"hatch_build.py"}
    assert len(sought) > 20
    assert {name for name in sought if not any(file.endswith(f"/{name}") for file in files)} == set()


def test_every_link_and_picture_inside_the_repository_leads_somewhere():
    """On every page; what leads elsewhere is few, and known to be there."""
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
def test_every_page_is_listed(name: str):
    """In the Japanese README a page that there is in Japanese, instead."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        own = f"ja/{page.name}" if name == "README.ja.md" and (ROOT / "docs/ja" / page.name).exists() else page.name
        listed = f"docs/{own}" in text if name != "docs/index.md" else f"\n{page.stem}\n" in text
        assert listed or page.name == "index.md", page.name
