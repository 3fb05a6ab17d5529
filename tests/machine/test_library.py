"""Loading of the library: integrity, matching sources, supported processors, and error messages."""

from __future__ import annotations

import ctypes
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests import outside
from tests.conftest import write_empty_manifest

from yomikiri.common.errors import InputError, MachineCodeError
from yomikiri.machine import library

BUILT = library.FOLDER
WHOLE = json.loads(library.MANIFEST.read_bytes())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Copy the built library into a folder and load it from there, as in a checkout."""
    for path in BUILT.iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    monkeypatch.setattr(library, "MANIFEST", tmp_path / "kernels.json")
    library.library.cache_clear()
    yield tmp_path
    library.library.cache_clear()


def code(folder: Path) -> Path:
    [path] = folder.glob("kernels-*.so")
    return path


def rewrite(folder: Path, **changed: Any) -> None:
    (folder / "kernels.json").write_text(json.dumps({**WHOLE, **changed}), encoding="utf-8")


def native(**changed: Any) -> dict[str, Any]:
    """Return the libraries of the manifest with changed fields."""
    [name] = WHOLE["libraries"]
    return {name: {**WHOLE["libraries"][name], **changed}}


def alter(folder: Path) -> None:
    whole = bytearray(code(folder).read_bytes())
    whole[len(whole) // 2] ^= 1
    code(folder).write_bytes(whole)


def text_instead_of_library(folder: Path) -> None:
    """Put a text file in place of the library, with its digest in the manifest, so that only loading fails."""
    code(folder).write_bytes(b"no library\n")
    rewrite(folder, libraries=native(sha256=sha256(b"no library\n").hexdigest()))


def be_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "no manifest": lambda folder: (folder / "kernels.json").unlink(),
    "a folder for a manifest": lambda folder: be_a_folder(folder / "kernels.json"),
    "an empty manifest": lambda folder: (folder / "kernels.json").write_text(""),
    "no JSON": lambda folder: (folder / "kernels.json").write_bytes(b"\xff{"),
    "nested without end": lambda folder: (folder / "kernels.json").write_text("[" * 100_000),
    "a list": lambda folder: (folder / "kernels.json").write_text("[]"),
    "no digest": lambda folder: (folder / "kernels.json").write_text(json.dumps({"libraries": {}, "sources": []})),
    "a number of libraries": lambda folder: rewrite(folder, libraries=3),
    "libraries of nothing": lambda folder: rewrite(folder, libraries={"native": {}}),
    "libraries as words": lambda folder: rewrite(folder, libraries={"native": "native"}),
    "sources without a list": lambda folder: rewrite(folder, sources=3),
    "no libraries": lambda folder: rewrite(folder, libraries={}),
    "another kind of processor": lambda folder: rewrite(folder, libraries={"z80": native().popitem()[1]}),
    "instructions that are not here": lambda folder: rewrite(folder, libraries=native(flags=["no_such_instruction"])),
    "no library": lambda folder: code(folder).unlink(),
    "a folder for a library": lambda folder: be_a_folder(code(folder)),
    "an empty library": lambda folder: code(folder).write_bytes(b""),
    "half a library": lambda folder: code(folder).write_bytes(code(folder).read_bytes()[: 1 << 15]),
    "one bit turned": alter,
    "what cannot be loaded": text_instead_of_library,
}


def test_complete_library_is_loaded(folder: Path) -> None:
    assert library.available()
    assert Path(library.library()._name).parent == folder


@pytest.fixture
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat the package as installed, outside a checkout."""
    monkeypatch.setattr(library, "PACKAGE", folder / "site-packages" / "yomikiri")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_installed_library_is_unavailable_with_a_reason(damage: str, folder: Path) -> None:
    DAMAGES[damage](folder)
    assert not library.available()
    with pytest.raises(MachineCodeError) as raised:
        library.library()
    said = str(raised.value)
    assert "\n" not in said
    assert re.search("machine code is missing for |: install the package again$", said)


@pytest.mark.parametrize("damage", [damage for damage in DAMAGES if damage != "no libraries"])
def test_damaged_library_error_names_the_build_command(damage: str, folder: Path) -> None:
    """A damaged library must not lead to slower code or to a message about a missing one."""
    DAMAGES[damage](folder)
    for ask in (library.available, library.library):
        with pytest.raises(InputError, match="build it again with scripts/run --version") as raised:
            ask()
        assert not isinstance(raised.value, MachineCodeError)


def test_checkout_can_declare_that_no_library_was_built(folder: Path) -> None:
    """A build with `YOMIKIRI_TARGETS=none` leaves a manifest without libraries.

    Slower code is then used without an error.
    """
    shutil.rmtree(folder)
    folder.mkdir()
    write_empty_manifest(folder)
    assert not library.available()
    rewrite(folder, libraries={})
    assert not library.available()


@pytest.mark.parametrize(
    "changed",
    [{"digest": "0" * 64}, {"sources": [*WHOLE["sources"], "machine/nowhere.py"]}, {"sources": WHOLE["sources"][1:]}],
)
def test_outdated_library_error_names_the_build_command(changed: dict[str, Any], folder: Path) -> None:
    """An outdated library must not lead to slower code."""
    rewrite(folder, **changed)
    for ask in (library.available, library.library):
        with pytest.raises(InputError, match="build it again with scripts/run --version") as raised:
            ask()
        assert not isinstance(raised.value, MachineCodeError)


@pytest.mark.usefixtures("installed")
def test_installed_library_ignores_the_digest_of_sources(folder: Path) -> None:
    rewrite(folder, digest="0" * 64)
    assert library.available()


LEVELS = library._LEVELS
ALL = " ".join(LEVELS.values())


@pytest.mark.parametrize(
    ("machine", "flags", "wanted"),
    [
        ("x86_64", ALL, ["native", "x86-64-v4", "x86-64-v3", "x86-64-v2"]),
        ("AMD64", ALL.replace("avx512vl", ""), ["native", "x86-64-v3", "x86-64-v2"]),
        ("x86_64", ALL.replace("popcnt", ""), ["native"]),
        ("x86_64", "", ["native"]),
        ("aarch64", "asimd", ["native", "aarch64"]),
        ("riscv64", ALL, ["native"]),
    ],
)
def test_levels_lists_the_best_supported_library_first(
    machine: str, flags: str, wanted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert library.levels(frozenset(flags.split())) == wanted


def test_first_supported_library_is_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [one] = WHOLE["libraries"].values()
    whole = code(folder)
    for name in ("x86-64-v2", "x86-64-v4"):
        shutil.copy(whole, folder / f"kernels-{name}.so")
    rewrite(folder, libraries={name: {**one, "flags": []} for name in ("x86-64-v2", "x86-64-v4")})
    monkeypatch.setattr(library, "levels", lambda _own: ["native", "x86-64-v3", "x86-64-v2"])
    assert Path(library.library()._name).name == "kernels-x86-64-v2.so"


def test_processor_flags_are_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [one] = WHOLE["libraries"].values()
    asked: list[frozenset[str]] = []

    def flags() -> frozenset[str]:
        asked.append(frozenset(ALL.split()))
        return asked[-1]

    shutil.copy(code(folder), folder / "kernels-x86-64-v2.so")
    kinds = {name: {**one, "flags": ["none has it"]} for name in ("native", "x86-64-v4", "x86-64-v3")}
    rewrite(folder, libraries={**kinds, "x86-64-v2": {**one, "flags": []}})
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(library, "flags", flags)
    assert library.available()
    assert len(asked) == 1


def test_missing_function_is_an_error() -> None:
    with pytest.raises(AttributeError):
        library.in_library(ctypes.CDLL(None), "no_such_kernel")


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["no manifest", "no JSON", "half a library", "one bit turned"])
def test_program_runs_without_its_library(damage: str, tmp_path: Path) -> None:
    """The test uses a copy of the package outside the checkout."""
    package = tmp_path / "yomikiri"
    shutil.copytree(library.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    DAMAGES[damage](package / "machine/lib")
    done = subprocess.run(
        [sys.executable, "-m", "yomikiri", "hitblow", "suggest", "345:0H1B"],
        capture_output=True, text=True, cwd=tmp_path, env=outside.environment(PYTHONPATH=str(tmp_path)), check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "Guess" in done.stdout
