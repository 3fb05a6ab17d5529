import os
import sys
from pathlib import Path

import pytest

from yomikiri.machine import compiled
from yomikiri.machine.compiled import Kernels

# As it is in the program; during tests no process is started.
COMPILE_BEHIND = Kernels.compile_behind


@pytest.fixture
def kernels(tmp_path: Path):
    """Kernels that were never compiled, in a folder of their own."""
    (tmp_path / "kernel.py").write_text("one")
    (tmp_path / "above.py").write_text("one")
    yield Kernels(tmp_path, frozenset({"above.py"}), "pass")
    compiled._cache_folder.cache_clear()


def folder_after(kernels: Kernels, name: str) -> Path:
    (kernels.source / name).write_text("two")
    compiled._cache_folder.cache_clear()
    return kernels.cache_folder()


def test_nothing_is_compiled_until_it_is_noted(kernels: Kernels):
    assert not kernels.compiled()
    kernels.note_compiled()
    assert kernels.compiled()


def test_a_changed_kernel_is_compiled_anew_and_what_stands_above_changes_nothing(kernels: Kernels):
    before = kernels.cache_folder()
    assert folder_after(kernels, "above.py") == before
    assert folder_after(kernels, "kernel.py") != before


def test_kernels_are_kept_beside_their_source_if_that_can_be_written(kernels: Kernels, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert kernels.cache_folder().parent == kernels.source / "__pycache__"
    compiled._cache_folder.cache_clear()
    monkeypatch.setattr("yomikiri.machine.compiled.os.access", lambda *_: False)
    assert kernels.cache_folder().is_relative_to(os.environ["XDG_CACHE_HOME"])


def test_one_process_compiles_behind_however_often_it_is_asked_for(
    kernels: Kernels, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    started: list[list[str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda command, **_options: started.append(command))
    COMPILE_BEHIND(kernels)
    COMPILE_BEHIND(kernels)
    assert [command[0] for command in started] == [sys.executable]


def test_a_folder_that_cannot_be_written_compiles_nothing_and_says_nothing(
    kernels: Kernels, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(kernels.source / "kernel.py"))
    COMPILE_BEHIND(kernels)
    kernels.note_compiled()
    assert not kernels.compiled()
