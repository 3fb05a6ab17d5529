"""`yomikiri site`: what it says of a folder that is no runtime."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from tests.cli.run import run

from yomikiri.cli.site import site


def test_it_says_what_the_runtime_lacks(tmp_path: Path) -> None:
    found = run("site", str(tmp_path / "site"), "--runtime", str(tmp_path))
    assert found.exit_code == 2
    said = found.output
    assert "pyodide.mjs" in said
    assert "npm pack pyodide" in said
    assert not (tmp_path / "site").exists()


def test_the_runtime_must_be_named(tmp_path: Path) -> None:
    found = CliRunner().invoke(site, [str(tmp_path)])
    assert found.exit_code == 2
    assert "--runtime" in found.output
