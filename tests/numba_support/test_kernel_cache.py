import os
import sys
from pathlib import Path

import pytest

import yomikiri
from yomikiri.hitblow.search import kernels_ahead as hitblow
from yomikiri.numba_support import kernel_cache
from yomikiri.numba_support.kernel_cache import Kernels, Part
from yomikiri.tictactoe import kernels as winners
from yomikiri.tictactoe.search.proof import kernels_ahead as proof

# As it is in the program; during tests no process is started.
COMPILE_BEHIND = Part.compile_behind


@pytest.fixture
def kernels(tmp_path: Path):
    """Kernels that were never compiled, in a folder of their own."""
    (tmp_path / "kernel.py").write_text("one")
    (tmp_path / "above.py").write_text("one")
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "kernel.py").write_text("one")
    (tmp_path / "far" / "other.py").write_text("one")
    yield Kernels(tmp_path, ("*.py", "far/kernel.py"), frozenset({"above.py"}))
    kernel_cache._cache_folder.cache_clear()


@pytest.fixture
def part(kernels: Kernels) -> Part:
    return Part(kernels, "module")


def folder_after(kernels: Kernels, name: str) -> Path:
    (kernels.folder / name).write_text("two")
    kernel_cache._cache_folder.cache_clear()
    return kernels.cache_folder()


def test_nothing_is_compiled_until_it_is_noted(part: Part):
    assert not part.compiled()
    part.note_compiled()
    assert part.compiled()
    assert not Part(part.kernels, "another").compiled()


@pytest.mark.parametrize("name", ["kernel.py", "far/kernel.py"])
def test_a_changed_kernel_is_compiled_anew(kernels: Kernels, name: str):
    before = kernels.cache_folder()
    assert folder_after(kernels, name) != before


@pytest.mark.parametrize("name", ["above.py", "far/other.py"])
def test_a_change_of_what_no_kernel_depends_on_changes_nothing(kernels: Kernels, name: str):
    before = kernels.cache_folder()
    assert folder_after(kernels, name) == before


def test_kernels_are_kept_beside_their_source_if_that_can_be_written(kernels: Kernels, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert kernels.cache_folder().parent == kernels.folder / "__pycache__"
    kernel_cache._cache_folder.cache_clear()
    monkeypatch.setattr("yomikiri.numba_support.kernel_cache.os.access", lambda *_: False)
    assert kernels.cache_folder().is_relative_to(os.environ["XDG_CACHE_HOME"])


def test_one_process_compiles_a_part_behind_however_often_it_is_asked_for(
    part: Part, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    started: list[list[str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda command, **_options: started.append(command))
    COMPILE_BEHIND(part)
    COMPILE_BEHIND(part)
    assert [command[0] for command in started] == [sys.executable]
    COMPILE_BEHIND(Part(part.kernels, "another"))
    assert len(started) == 2


def test_another_process_is_started_where_one_was_killed_long_ago(
    part: Part, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    started: list[list[str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda command, **_options: started.append(command))
    COMPILE_BEHIND(part)
    os.utime(part.kernels.cache_folder() / "module-begun", (0, 0))
    COMPILE_BEHIND(part)
    assert len(started) == 2


def test_a_folder_that_cannot_be_written_compiles_nothing_and_says_nothing(part: Part, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(part.kernels.folder / "kernel.py"))
    COMPILE_BEHIND(part)
    part.note_compiled()
    assert not part.compiled()


def test_a_change_of_any_kernel_of_the_package_is_seen():
    package = Path(yomikiri.__file__).parent
    seen = {
        *hitblow.KERNELS.sources(),
        *proof.KERNELS.sources(),
        *winners.KERNELS.sources(),
        *(package / "numba_support").glob("*.py"),
    }
    kernels = {path for path in package.rglob("*.py") if "\n@kernel\n" in path.read_text(encoding="utf-8")}
    assert len(kernels) > 20
    assert kernels <= seen
