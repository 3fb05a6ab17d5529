"""Build the sdist and the wheels twice, and compare."""

from __future__ import annotations

import tarfile
from pathlib import Path

from scripts.distribution.steps import KINDS, LEVELS, PROCESSORS, WORK, emulated, expect, say, step, tools_installed

from yomikiri.machine.compiler.__main__ import ENVIRONMENT

SDIST = "sdist"
SMALLEST_PART = "tictactoe"
"""The part of the kernels that takes the least time to compile."""


def make(python: Path, source: Path, into: Path) -> dict[str, Path]:
    """Build the sdist and the wheels by kind, and check that a second build is equal byte for byte."""
    made = {SDIST: _built(python, source, into, SDIST)}
    one, other = (_unpacked(made[SDIST], WORK / name) for name in ("once", "and again"))
    again = {SDIST: _built(python, other, WORK / "second", SDIST)}
    for kind, levels in KINDS.items():
        targets = " ".join(levels) or "none"
        made[kind] = _built(python, one, into, "wheel", YOMIKIRI_TARGETS=targets)
        again[kind] = _built(python, other, WORK / "second", "wheel", YOMIKIRI_TARGETS=targets, TZ="Asia/Tokyo")
    for kind, path in made.items():
        expect(path.read_bytes() == again[kind].read_bytes(), f"{path.name} is another when it is made again")
        say(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, the same when it is made again")
    if tools_installed("qemu-x86_64-static", what="compiling on another processor"):
        _compile_elsewhere(python, one, other)
    return made


def _built(python: Path, source: Path, into: Path, kind: str, **environment: str) -> Path:
    into.mkdir(parents=True, exist_ok=True)
    folder = WORK / "built"
    step([python, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", folder, source], WORK, **environment)
    [made] = folder.iterdir()
    return made.replace(into / made.name)


def _unpacked(sdist: Path, folder: Path) -> Path:
    with tarfile.open(sdist) as file:
        file.extractall(folder, filter="data")
    [source] = folder.iterdir()
    return source


def _compile_elsewhere(python: Path, one: Path, other: Path) -> None:
    """Check that an emulated processor of 2011 compiles the smallest part to the same code."""
    objects = [f"build/kernels/{SMALLEST_PART}-{level}.o" for level in LEVELS]
    for name in objects:
        (other / name).unlink(missing_ok=True)
    compiler = "src/yomikiri/machine/compiler/__main__.py"
    step([*emulated(PROCESSORS[LEVELS[0]], python), compiler, "--part", SMALLEST_PART, *LEVELS], other, **ENVIRONMENT)
    for name in objects:
        expect((one / name).read_bytes() == (other / name).read_bytes(), f"{name} is another on another processor")
    say("what another processor compiles: the same")
