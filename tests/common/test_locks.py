"""Lock files: exclusive holders, removed files, and systems that cannot remove open files."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from yomikiri.common.locks import acquire_lock, exclusive_lock, is_held, unlock


def test_lock_has_one_holder_and_leaves_no_file(tmp_path: Path):
    path = tmp_path / "game.lock"
    assert not is_held(path)
    lock = acquire_lock(path)
    assert is_held(path)
    with pytest.raises(BlockingIOError):
        acquire_lock(path)
    unlock(path, lock)
    assert not is_held(path)
    assert not path.exists()
    unlock(path, acquire_lock(path))


def test_leftover_lock_file_is_not_held(tmp_path: Path):
    path = tmp_path / "game.lock"
    path.touch()
    assert not is_held(path)
    unlock(path, acquire_lock(path))


def test_locked_retries_if_the_file_was_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path, open_file = tmp_path / "game.lock", os.open
    opened: list[int] = []

    def removed(name: str, flags: int, mode: int) -> int:
        opened.append(open_file(name, flags, mode))
        if len(opened) == 1:  # the last holder releases it at this moment
            path.unlink()
        return opened[-1]

    monkeypatch.setattr(os, "open", removed)
    lock = acquire_lock(path)
    assert opened[1:] == [lock]
    assert os.path.samestat(os.fstat(lock), path.stat())
    os.close(lock)


@pytest.mark.parametrize("others", [False, True])
def test_unlock_closes_the_file_first_if_open_files_cannot_be_removed(
    others: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Windows cannot remove open files. A file that another process has open must remain."""
    path, unlink = tmp_path / "game.lock", Path.unlink
    lock = acquire_lock(path)
    open_files = [lock]
    if others:
        open_files.append(os.open(path, os.O_RDWR))

    def refuses(self: Path, missing_ok: bool = False) -> None:
        for file in open_files:
            try:
                os.fstat(file)
            except OSError:  # closed
                continue
            raise PermissionError
        unlink(self, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuses)
    unlock(path, lock)
    assert not is_held(path)
    assert path.exists() is others
    for file in open_files[1:]:
        os.close(file)


def test_alone_waits_for_the_lock(tmp_path: Path):
    path = tmp_path / "count"
    path.write_text("0")

    def add(_: int) -> None:
        with exclusive_lock(tmp_path / ".lock"):
            path.write_text(str(int(path.read_text()) + 1))

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(add, range(30)))
    assert path.read_text() == "30"
