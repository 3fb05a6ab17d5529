"""The documentation: output of its Python blocks, contents, definitions of terms, and the built site."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from html import escape
from pathlib import Path

import pytest

from yomikiri.hitblow.model.facts import FACT_KINDS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [*ROOT.glob("*.md"), *sorted(DOCS.rglob("*.md"))]
SHOWN = [path for path in PAGES if ">>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_blocks_show_the_actual_output(path: Path):
    text = path.read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(blocks, {}, path.name, str(path), 0)
    assert test.examples
    kinds = set(FACT_KINDS)
    try:
        assert doctest.DocTestRunner().run(test).failed == 0
    finally:
        for name in FACT_KINDS.keys() - kinds:  # remove the kinds of facts that the examples of a page define
            del FACT_KINDS[name]


def test_every_page_is_in_a_table_of_contents():
    pages = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    named = {"index"}
    for path in DOCS.glob("index*.md"):
        for block in re.findall(r"```\{toctree\}\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
            lines = [line for line in block.splitlines() if line and not line.startswith(":")]
            named |= {(path.parent / line).relative_to(DOCS).as_posix() for line in lines}
    assert pages == named


def test_no_line_of_a_paragraph_begins_a_list_by_accident():
    """A formula or a number at the start of a line, such as `+ 1` or `8.`, would become an item of a list."""
    for path in [*DOCS.rglob("*.md"), *ROOT.glob("*.md")]:
        prose = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        accident = re.search(r"^(?![\s|#>]|[-+*] |\d+\. )[^\n]*\S[^\n]*\n(?:[-+*]|\d+\.) [^\n]*", prose, re.MULTILINE)
        assert not accident or accident[0].splitlines()[0].endswith(":"), f"{path}: {accident[0]}"


def test_terms_are_defined_once():
    rows = re.findall(r"^\| (\*[^|]+) \|", (DOCS / "reference/concepts.md").read_text(encoding="utf-8"), re.MULTILINE)
    words = [word for row in rows for word in re.findall(r"\*([^*]+)\*", row)]
    assert len(words) > 50
    assert sorted(words) == sorted(set(words))


def test_figures_of_what_can_be_known_agree_in_both_languages():
    def figures(page: Path) -> list[list[str]]:
        """Return the numbers of each table row that contains only numbers after its first cell."""
        rows = [line.strip("| ").split(" | ")[1:] for line in page.read_text("utf-8").splitlines() if line[:2] == "| "]
        return [
            re.findall(r"[\d.]+%?", " ".join(row))
            for row in rows
            if row and all(re.fullmatch(r"[\d.]+%?(?:(?: to |〜)[\d.]+)?", cell) for cell in row)
        ]

    shown = figures(DOCS / "guide/what-can-be-known.md")
    assert len(shown) == 5 + 5 + 4 + 4
    assert figures(DOCS / "guide/ja/what-can-be-known.md") == shown


@pytest.mark.exhaustive
def test_site_is_built_without_warnings_or_external_files(tmp_path: Path):
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(DOCS), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for page in tmp_path.rglob("*.html"):
        loaded = re.findall(r"<(?:link|script|img)[^>]*(?:href|src)=\"(?:https?:)?//[^\"]*", page.read_text("utf-8"))
        assert loaded == [], page
    for page in DOCS.rglob("*.md"):
        title = page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        made = (tmp_path / page.relative_to(DOCS)).with_suffix(".html").read_text(encoding="utf-8")
        assert f"<h1>{escape(title, quote=False)}" in made, f"{page}: another page of the site has its name"
    reference = (tmp_path / "reference/python.html").read_text(encoding="utf-8")
    from yomikiri import hitblow, tictactoe

    for game in (hitblow, tictactoe):
        for name in game.__all__:
            if callable(getattr(game, name)):
                assert f'id="{game.__name__}.{name}"' in reference, name


def headings(path: Path) -> list[int]:
    """Return the levels of the headings of a page, in order, without the lines of its examples."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [len(level) for level in re.findall(r"^(#+) ", text, re.MULTILINE)]


SHORTER = {"hitblow", "install", "match", "race", "tictactoe", "web", "what-can-be-known"}
"""Guides whose Japanese page is a shorter one."""


def test_japanese_guides_have_the_sections_of_the_english_ones():
    pages = {path.stem: headings(path) for path in (DOCS / "guide/ja").glob("*.md")}
    assert {name for name in pages if pages[name] != headings(DOCS / f"guide/{name}.md")} == SHORTER
