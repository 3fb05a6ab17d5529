"""The folder of a site: rejected targets, its files, and an earlier site that stays until the new one is complete.

Also tests `site/packs.py`: it collects the modules and files of the site, and `test_browser` runs them.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest
from tests.site.test_runtime import folder as runtime  # noqa: F401

from yomikiri.common.errors import InputError
from yomikiri.site import packs
from yomikiri.site.folder import RECORD, write_site
from yomikiri.site.runtime import Runtime
from yomikiri.web.own_game import OwnGame


@pytest.fixture(autouse=True)
def no_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the files of compiled modules (packs) by ones that need no compiler."""

    def make(_runtime: Runtime, work: Path, _own: OwnGame | None) -> dict[str, str]:
        work.mkdir()
        for name in (*packs.PACKS, "python_stdlib.zip.pack"):
            (work / name).write_bytes(name.encode())
        return {"NumPy": "terms <&>"}

    monkeypatch.setattr(packs, "make", make)


def test_every_page_path_has_a_shell(runtime: Path, tmp_path: Path) -> None:  # noqa: F811
    site = tmp_path / "site"
    parts = write_site(site, runtime, "/app/")
    assert sum(part.size for part in parts) == sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    shell = (site / "index.html").read_text()
    for page in ("hitblow", "match", "play", "practise", "tictactoe", "tictactoe/practise", "offline", "guess",
                 "guess/play"):  # fmt: skip
        assert (site / page / "index.html").read_text() == shell
    assert (site / "404.html").read_text() == shell
    assert 'src="/app/shell.js"' in shell
    assert "worker-src 'self'" in shell
    assert "'wasm-unsafe-eval'" in shell
    assert 'content="no-referrer"' in shell
    assert re.search(r'<span lang="ja">[^<]*ダウンロード', shell)
    assert "terms &lt;&amp;&gt;" in (site / "licences.html").read_text()


def test_worker_contains_the_digests_of_its_files(runtime: Path, tmp_path: Path) -> None:  # noqa: F811
    site = tmp_path / "site"
    write_site(site, runtime)
    worker = (site / "sw.js").read_text()
    files = json.loads((site / RECORD).read_text())["files"]
    assert {"index.html", "packs/app.pack", "packs/numpy.pack"} <= {*files}
    for name, said in files.items():
        content = (site / name).read_bytes()
        assert said == {"sha256": sha256(content).hexdigest(), "size": len(content)}
        assert said["sha256"] in worker
    assert "@" not in worker.replace("//", "")


def test_version_follows_from_the_content(runtime: Path, tmp_path: Path) -> None:  # noqa: F811
    def version() -> str:
        write_site(tmp_path / "site", runtime)
        return str(json.loads((tmp_path / "site" / RECORD).read_text())["version"])

    first = version()
    assert first == version()
    (runtime / "pyodide.asm.wasm").write_bytes(b"another")
    assert first != version()


@pytest.mark.parametrize("base", ["", "app", "/app", "app/", "/a b/", '/"/', "/あ/"])
def test_invalid_base_paths_are_rejected(runtime: Path, tmp_path: Path, base: str) -> None:  # noqa: F811
    with pytest.raises(InputError, match="expected / or /folder/"):
        write_site(tmp_path / "site", runtime, base)


def test_foreign_folders_are_left_alone(runtime: Path, tmp_path: Path) -> None:  # noqa: F811
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("mine")
    with pytest.raises(InputError, match="is not a site"):
        write_site(other, runtime)
    assert [path.name for path in other.iterdir()] == ["letter.txt"]


def test_failed_build_keeps_the_earlier_site(
    runtime: Path,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_site(tmp_path / "site", runtime)
    before = (tmp_path / "site" / "sw.js").read_text()

    def fail(*_given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(packs, "make", fail)
    with pytest.raises(InputError, match="No space left"):
        write_site(tmp_path / "site", runtime)
    assert (tmp_path / "site" / "sw.js").read_text() == before
    assert not list(tmp_path.glob(".site-*"))


def test_unused_modules_are_not_copied(tmp_path: Path) -> None:
    packs._copy_package(tmp_path / "yomikiri")
    found = {str(path.relative_to(tmp_path / "yomikiri")) for path in tmp_path.rglob("*") if path.is_file()}
    assert {"web/app.py", "site/bridge.py", "hitblow/data/hitblow.json.gz", "web/compiled/names.txt"} <= found
    assert not [name for name in found if name.startswith(("cli/", "api/", "machine/lib/", "web/templates"))]
    assert not [name for name in found if name.endswith((".po", ".pyc"))]


def test_dependencies_are_copied_with_licences(tmp_path: Path) -> None:
    for name in packs.DEPENDENCIES:
        packs._copy_dependency(name, tmp_path)
        assert packs.licence_of(name)
        assert (tmp_path / name / "__init__.py").is_file()
    assert not [*tmp_path.rglob("*.so"), *tmp_path.rglob("*.pyc")]
    with pytest.raises(InputError, match="licence"):
        packs.licence_of("no-such-package-here")
