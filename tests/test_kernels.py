"""Machine code compiled ahead: what is missing and nothing else, in processes of their own, and never in silence."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.run import run

import yomikiri
from yomikiri import budget, kernels
from yomikiri.numba_support import kernel_cache
from yomikiri.numba_support.kernel_cache import Kernels, Part


class Made(Part):
    """A part that is compiled once a file is there."""

    @property
    def command(self) -> list[str]:
        """Makes the file, or fails."""
        return [sys.executable, "-c", f"import sys; {self.module}; open({str(self.kernels.folder / self.what)!r}, 'w')"]

    def compiled(self) -> bool:
        """Whether it is there."""
        return (self.kernels.folder / self.what).exists()


def parts(folder: Path, *names: str, module: str = "0") -> tuple[Part, ...]:
    return tuple(Made(Kernels(folder), module, name) for name in names)


def test_what_is_missing_is_compiled_and_what_is_there_is_not_touched(tmp_path, monkeypatch):
    monkeypatch.setattr(kernels, "PARTS", parts(tmp_path, "one", "two", "three"))
    (tmp_path / "two").write_text("as it was")
    yomikiri.compile_kernels()
    assert kernels.missing() == []
    assert (tmp_path / "two").read_text() == "as it was"


def test_a_part_that_cannot_be_compiled_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(kernels, "PARTS", parts(tmp_path, "one", module="sys.exit(3)"))
    with pytest.raises(subprocess.CalledProcessError):
        kernels.compile_kernels()


def test_every_part_of_the_package_is_named():
    assert {part.module for part in kernels.PARTS} == {
        "yomikiri.hitblow.search.engine",
        "yomikiri.hitblow.search.uneven",
        "yomikiri.hitblow.race.public.race",
        "yomikiri.hitblow.race.depth_weighted",
        "yomikiri.tictactoe.search.solver",
    }


CHECKED = [
    *(f"tests/hitblow/search/test_{name}.py" for name in ("engine", "position", "scan")),
    *(f"tests/hitblow/race/{name}.py" for name in ("public/test_forms", "public/test_worths", "test_depth_weighted")),
    *("tests/tictactoe/search/test_solver.py", "tests/tictactoe/test_kernels.py"),
]


@pytest.mark.exhaustive
def test_no_kernel_reads_or_writes_beside_an_array(tmp_path):
    """Machine code does not look whether an index is in range, unless it is compiled to; then the same tests hold."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *CHECKED]
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    root = Path(__file__).parent.parent
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]


def test_the_command_names_what_it_compiles_and_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(kernels, "PARTS", parts(tmp_path, "one"))
    first, again = run("compile"), run("compile")
    assert first.stdout == again.stdout == "Everything is compiled.\n"
    assert first.stderr == "Compiling one, once on this machine: about 1 s.\n"
    assert again.stderr == ""


def test_compiled_code_can_be_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_cache, "_root", lambda: tmp_path)
    folder = tmp_path / "kernels-0123"
    folder.mkdir()
    (folder / "code").write_bytes(bytes(2_000_000))
    (tmp_path / "other").write_text("of somebody else")
    assert run("compile", "--clear").stdout == "Removed 2.0 MB of compiled code.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_whoever_waits_is_told_why(tmp_path, monkeypatch, caplog):
    heard: list[str] = []
    monkeypatch.setattr(budget, "listeners", [lambda message, data: heard.append(message.format(**data))])
    part = Part(Kernels(tmp_path), "made", "a search", 7)
    monkeypatch.setattr(Part, "note_compiled", lambda _part: None)
    with caplog.at_level(logging.INFO, "yomikiri"), part.compiling():
        assert heard == ["Compiling a search, once on this machine: about 7 s."]
    assert caplog.messages == heard


def test_a_command_that_waits_for_the_compiler_says_so():
    program = (
        "from unittest.mock import patch; from yomikiri.numba_support.kernel_cache import Part;"
        "patch.object(Part, 'note_compiled', lambda part: None).start();"
        "patch.object(Part, 'compiled', lambda part: False).start();"
        "from yomikiri.cli.main import cli; "
        "cli.main(['hitblow', 'solve', '--digits', '2', '--symbols', '0123', '--lang', 'ja'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "Hit & Blow の厳密な探索をコンパイルしています" in done.stderr
    assert "コンパイル" not in done.stdout
