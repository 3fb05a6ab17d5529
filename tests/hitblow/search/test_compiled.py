import os
import sys

import pytest

from yomikiri.hitblow.search import compiled


@pytest.fixture
def fresh_folder(monkeypatch, tmp_path):
    """A cache folder in which nothing was compiled yet."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    compiled.cache_folder.cache_clear()
    yield tmp_path
    compiled.cache_folder.cache_clear()


def test_nothing_is_compiled_until_it_is_noted(fresh_folder):
    assert not compiled.compiled()
    compiled.note_compiled()
    assert compiled.compiled()
    assert fresh_folder in compiled.cache_folder().parents


@pytest.mark.usefixtures("fresh_folder")
def test_one_process_compiles_behind_however_often_it_is_asked_for(monkeypatch):
    started: list[list[str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda command, **_options: started.append(command))
    compiled.compile_behind()
    compiled.compile_behind()
    assert [command[0] for command in started] == [sys.executable]


@pytest.mark.usefixtures("fresh_folder")
def test_another_process_is_started_where_one_was_killed_long_ago(monkeypatch):
    started: list[list[str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda command, **_options: started.append(command))
    compiled.compile_behind()
    (mark,) = compiled.cache_folder().glob("*-begun")
    os.utime(mark, (0, 0))
    compiled.compile_behind()
    assert len(started) == 2


def test_a_folder_that_cannot_be_written_compiles_nothing_and_says_nothing(fresh_folder, monkeypatch):
    (fresh_folder / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(fresh_folder / "file"))
    compiled.cache_folder.cache_clear()
    compiled.compile_behind()
    compiled.note_compiled()
    assert not compiled.compiled()
