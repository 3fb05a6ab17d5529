"""Installation of a compiled library in its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from yomikiri.machine.compiler.__main__ import put


def folder(path: Path, **files: str) -> Path:
    path.mkdir()
    for name, text in files.items():
        (path / name).write_text(text)
    return path


def state(path: Path) -> dict[str, tuple[int, int]]:
    return {file.name: (file.stat().st_ino, file.stat().st_mtime_ns) for file in (path, *path.iterdir())}


def test_same_files_leave_the_old_folder_untouched(tmp_path: Path):
    old, new = folder(tmp_path / "lib", a="1", b="2"), folder(tmp_path / "new", a="1", b="2")
    before = state(old)
    put(new, old)
    assert state(old) == before
    assert not new.exists()


@pytest.mark.parametrize("files", [{"a": "1", "b": "3"}, {"a": "1"}, {"a": "1", "b": "2", "c": "3"}])
def test_different_files_replace_the_old_folder(files: dict[str, str], tmp_path: Path):
    old, new = folder(tmp_path / "lib", a="1", b="2"), folder(tmp_path / "new", **files)
    put(new, old)
    assert {path.name: path.read_text() for path in old.iterdir()} == files
    assert not new.exists()


def test_first_library_needs_no_folder(tmp_path: Path):
    put(folder(tmp_path / "new", a="1"), tmp_path / "lib")
    assert (tmp_path / "lib/a").read_text() == "1"
