import ast
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from errno import ENOSPC
from importlib import import_module
from pathlib import Path

import pytest

import yomikiri
from yomikiri.hitblow import kernels_ahead as hitblow
from yomikiri.numba_support import kernel_cache
from yomikiri.numba_support.kernel_cache import Kernels, Part
from yomikiri.tictactoe import kernels as winners
from yomikiri.tictactoe.search import kernels_ahead as tictactoe

# As it is in the program; during tests no process is started.
COMPILE_BEHIND = Part.compile_behind


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernels]:
    """Kernels that were never compiled, in a folder of their own."""
    (tmp_path / "kernel.py").write_text("one")
    (tmp_path / "above.py").write_text("one")
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "kernel.py").write_text("one")
    (tmp_path / "far" / "other.py").write_text("one")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    yield Kernels(tmp_path, ("*.py", "far/kernel.py"), frozenset({"above.py"}))
    kernel_cache._digest_of.cache_clear()


@pytest.fixture
def part(kernels: Kernels) -> Part:
    return Part(kernels, "module")


def folder_after(kernels: Kernels, name: str) -> Path:
    (kernels.folder / name).write_text("two")
    kernel_cache._digest_of.cache_clear()
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


def test_kernels_are_kept_with_the_users_caches_or_where_numba_is_told(
    kernels: Kernels, monkeypatch: pytest.MonkeyPatch
):
    assert kernels.cache_folder().parent == Path(os.environ["NUMBA_CACHE_DIR"])
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert kernels.cache_folder().is_relative_to(os.environ["XDG_CACHE_HOME"])


def test_copies_of_the_program_share_their_code(tmp_path: Path):
    package = Path(yomikiri.__file__).parent
    shutil.copytree(package, tmp_path / "yomikiri", ignore=shutil.ignore_patterns("data", "locale", "__pycache__"))
    ask = "from yomikiri.hitblow.kernels_ahead import KERNELS; print(KERNELS.folder, KERNELS.cache_folder())"
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(tmp_path / "yomikiri" / "hitblow"), str(hitblow.KERNELS.cache_folder())]


@pytest.mark.parametrize("name", ["_processor", "_settings"])
def test_code_of_another_machine_or_setting_is_not_used(kernels: Kernels, name: str, monkeypatch: pytest.MonkeyPatch):
    before = kernels.cache_folder()
    kernel_cache._digest_of.cache_clear()
    monkeypatch.setattr(kernel_cache, name, lambda: ["another"])
    assert kernels.cache_folder() != before


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "flipped": lambda kept: kept[:50] + bytes([kept[50] ^ 4]) + kept[51:],
    "truncated": lambda kept: kept[:-1],
    "cut short": lambda kept: kept[:20],
    "empty": lambda _kept: b"",
    "longer": lambda kept: kept + b"x",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_code_that_is_damaged_is_not_there_until_it_is_kept_anew(part: Part, damage: Callable[[bytes], bytes]):
    part.kernels.keep("code", b"some code" * 9)
    part.note_compiled()
    assert part.compiled()
    file = part.kernels.cache_folder() / "code"
    file.write_bytes(damage(file.read_bytes()))
    assert part.kernels.load("code") is None
    assert not part.compiled()
    part.kernels.keep("code", b"some code" * 9)
    assert part.kernels.load("code") == b"some code" * 9
    assert part.compiled()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_mark_is_none(part: Part, damage: Callable[[bytes], bytes]):
    part.kernels.keep("code" * 20, b"some code")
    part.note_compiled()
    mark = part.kernels.cache_folder() / "module.compile_kernels.part"
    mark.write_bytes(damage(mark.read_bytes()))
    assert not part.compiled()
    part.note_compiled()
    assert part.compiled()


def test_a_part_whose_code_is_gone_is_not_compiled(part: Part):
    part.kernels.keep("code", b"some code")
    part.note_compiled()
    (part.kernels.cache_folder() / "code").unlink()
    assert not part.compiled()


def test_a_part_that_is_loaded_is_compiled_whatever_becomes_of_its_code(part: Part, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel_cache, "_loaded", set())
    part.kernels.keep("code", b"some code")
    with part.compiling():
        assert not part.compiled()
    (part.kernels.cache_folder() / "code").unlink()
    assert part.compiled()
    kernel_cache._loaded.clear()
    assert not part.compiled()


def test_a_folder_in_place_of_code_is_no_code(part: Part):
    (part.kernels.cache_folder() / "code").mkdir(parents=True)
    part.kernels.keep("code", b"some code")
    assert part.kernels.load("code") is None
    assert [path.name for path in part.kernels.cache_folder().iterdir()] == ["code"]


def test_code_under_another_name_or_in_another_folder_is_not_its_own(kernels: Kernels):
    kernels.keep("code", b"some code")
    file = kernels.cache_folder() / "code"
    shutil.copy(file, file.with_name("other"))
    assert kernels.load("other") is None
    there = folder_after(kernels, "kernel.py") / "code"
    there.parent.mkdir()
    shutil.copy(file, there)
    assert kernels.load("code") is None


@pytest.mark.parametrize("failing", ["replace", "open"])
def test_where_a_write_fails_nothing_is_kept_and_no_debris(part: Part, failing: str, monkeypatch: pytest.MonkeyPatch):
    def full(*_given: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    part.kernels.keep("code", b"some code")
    before = [path.name for path in part.kernels.cache_folder().iterdir()]
    with monkeypatch.context() as broken:
        broken.setattr(kernel_cache if failing == "open" else os, failing, full, raising=False)
        part.kernels.keep("code", b"other code")
        part.kernels.keep("more", b"more code")
        part.note_compiled()
    assert [path.name for path in part.kernels.cache_folder().iterdir()] == before
    assert part.kernels.load("code") == b"some code"
    assert not part.compiled()


def test_a_folder_that_was_not_used_for_long_goes_when_another_is_made(part: Part):
    root = part.kernels.cache_folder().parent
    for name, days in (("kernels-old", 31), ("kernels-lately", 29), ("others-old", 31)):
        (root / name).mkdir(parents=True)
        (root / name / "code").write_text("kept")
        then = time.time() - days * 86_400
        os.utime(root / name, (then, then))
    part.kernels.keep("code", b"some code")
    mine = part.kernels.cache_folder().name
    assert {path.name for path in root.iterdir()} == {"kernels-lately", "others-old", mine}
    os.utime(root / mine, (0, 0))
    part.note_compiled()
    folder_after(part.kernels, "kernel.py")
    part.kernels.keep("code", b"some code")
    assert (root / mine / "code").exists(), "used, so not old"


def test_one_process_compiles_a_part_behind_however_often_it_is_asked_for(part: Part, monkeypatch: pytest.MonkeyPatch):
    started: list[list[str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda command, **_options: started.append(command))
    COMPILE_BEHIND(part)
    COMPILE_BEHIND(part)
    assert [command[0] for command in started] == [sys.executable]
    COMPILE_BEHIND(Part(part.kernels, "another"))
    assert len(started) == 2


def test_another_process_is_started_where_one_was_killed_long_ago(part: Part, monkeypatch: pytest.MonkeyPatch):
    started: list[list[str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda command, **_options: started.append(command))
    COMPILE_BEHIND(part)
    os.utime(part.kernels.cache_folder() / "module.compile_kernels.begun", (0, 0))
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
        *tictactoe.KERNELS.sources(),
        *winners.KERNELS.sources(),
        *(package / "numba_support").glob("*.py"),
    }
    kernels = {path for path in package.rglob("*.py") if "\n@kernel\n" in path.read_text(encoding="utf-8")}
    assert len(kernels) > 10
    assert kernels <= seen


@pytest.mark.parametrize("made", [hitblow.KERNELS, tictactoe.KERNELS, winners.KERNELS], ids=["blow", "tree", "boards"])
def test_a_change_of_any_number_that_a_kernel_has_from_elsewhere_is_seen(made: Kernels):
    package = Path(yomikiri.__file__).parent
    decide = {*made.sources(), *(package / "numba_support" / name for name in kernel_cache._DECIDING)}
    unseen = {
        f"{path.name}: {name.name}"
        for path in made.sources()
        if "\n@kernel\n" in path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("yomikiri.")
        for name in node.names
        if name.name.isupper() and not isinstance(getattr(import_module(node.module), name.name), Kernels)
        if (package.parent / f"{node.module.replace('.', '/')}.py") not in decide
    }
    assert not unseen
