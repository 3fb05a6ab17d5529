"""Try each wheel in its own environment, without compiler, Numba and checkout, and compare its results."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from itertools import permutations
from pathlib import Path

from scripts.distribution.building import SDIST
from scripts.distribution.steps import (
    ARM,
    LEVELS,
    PROCESSORS,
    PURE,
    WORK,
    X86,
    emulated,
    environment,
    expect,
    left_out,
    say,
    step,
    tools_installed,
)  # fmt: skip

from yomikiri.machine.library import flags, levels

MOST = 140e6  # size limit of an installation in bytes
JOBS, EMPTY = WORK / "jobs", WORK / "empty"

WEIGHTS = "".join(f"{a}{b}{c},{1 + (a + 2 * b + 4 * c) % 5}\n" for a, b, c in permutations(range(6), 3))
BOARDS = {"square.txt": "-2 0 -1\n-1 -1 0\n-1 -1 -2\n", "wide.txt": "1 2 0 -1 3\n0 -2 1 1 2\n3 1 -1 0 1\n2 0 1 -3 1\n"}
MANY = """
import numpy as np
from yomikiri.tictactoe import winners
boards = np.random.default_rng(1).integers(-9, 10, (500, 3, 3))
print(*(winners(boards.astype(kind)).tolist() for kind in (np.int32, np.int64)))
"""
SAME, LESS, REFUSED = "the same", "less", "one line"
ASKED: list[tuple[tuple[str, ...], str]] = [
    (("--version",), SAME),
    (("hitblow", "suggest", "345:0H1B", "012:0H1B", "--json"), SAME),
    (("hitblow", "suggest", "0123:1H1B", "--digits", "4", "--json"), LESS),
    (("hitblow", "suggest", "--symbols", "012345", "--weights", "weights.csv", "012:1H0B", "--json"), LESS),
    (("hitblow", "solve", "--symbols", "0123456", "--json"), REFUSED),
    (("hitblow", "solve", "--symbols", "012345", "--weights", "weights.csv", "--json"), REFUSED),
    (("hitblow", "race", "--digits", "3", "--symbols", "01234", "--json"), REFUSED),
    (("hitblow", "match", "me=01:0H1B", "they=12:1H0B", "--digits", "2", "--symbols", "0123"), LESS),
    (("hitblow", "verify", "strategy.json"), SAME),
    (("tictactoe", "analyze", "square.txt", "--json"), SAME),
    (("tictactoe", "analyze", "wide.txt", "--line", "4", "--json"), LESS),
    (("-c", MANY), SAME),
]
"""The main tasks, and the expected result of a wheel without machine code."""
# Debian 12 for 64-bit Arm with Python 3.11 and the libraries that wheels may require.
_ARM_SYSTEM = (
    "--variant=extract", "--architectures=arm64", "--include=python3-minimal,libpython3-stdlib,libstdc++6", "bookworm",
)  # fmt: skip
# The packages of an empty environment.
_EVERY = {"pip", "setuptools", "_distutils_hack", "distutils", "pkg_resources"}

Answers = list[tuple[int, str, str]]


def answers(*python: str | Path, **changed: str) -> Answers:
    """Return exit status, standard output and error of each task. No other program is on PATH."""
    found = []
    for words, _ in ASKED:
        command = [*map(str, python), *(words if words[0] == "-c" else ("-m", "yomikiri", *words))]
        surroundings = {"PATH": str(EMPTY), "LANG": "C.UTF-8", "HOME": str(JOBS), **changed}
        done = subprocess.run(
            command, cwd=JOBS, env=surroundings, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        # Leave out the time.
        found.append((done.returncode, re.sub(r'(cpu_seconds": )[-.e\d]+', r"\1", done.stdout), done.stderr))
    return found


def compare(who: str, found: Answers, wanted: Answers) -> None:
    """Check that all results are equal; standard error may contain warnings of qemu."""
    for (words, _), (status, out, err), (_, right, _) in zip(ASKED, found, wanted, strict=True):
        expect((status, out) == (0, right), f"{who}: {' '.join(words)} gave {status}\n{out}{err}expected\n{right}")
    say(f"{who}: {len(found)} jobs done as in the checkout")


def try_all(made: dict[str, Path]) -> None:
    """Try all wheels."""
    JOBS.mkdir()
    EMPTY.mkdir()
    for name, text in {"weights.csv": WEIGHTS, **BOARDS}.items():
        (JOBS / name).write_text(text, encoding="utf-8")
    step(
        [
            sys.executable,
            "-m",
            "yomikiri",
            "hitblow",
            "export",
            "--force",
            "--symbols",
            "01234",
            "--output",
            JOBS / "strategy.json",
        ]
    )
    wanted = answers(sys.executable)
    expect(all(status == 0 for status, *_ in wanted), f"the checkout answers {wanted}")
    _try_x86(made[X86], wanted)
    _try_pure(made[PURE], wanted)
    _try_arm(made[ARM], wanted)
    _try_source(made[SDIST], wanted)


def _try_x86(wheel: Path, wanted: Answers) -> None:
    python = _installed("x86-64", wheel)
    compare("the wheel for x86-64", answers(python), wanted)
    [folder] = python.parents[1].glob("lib/*/site-packages/yomikiri/machine/lib")
    manifest = json.loads((folder / "kernels.json").read_bytes())
    for level in LEVELS:
        # Keep the library of this level only.
        only = {**manifest, "libraries": {level: manifest["libraries"][level]}}
        (folder / "kernels.json").write_text(json.dumps(only), encoding="utf-8")
        if level in levels(flags()):
            compare(f"{level} on this processor", answers(python), wanted)
        else:
            left_out.append(f"{level}: this processor lacks its instructions")
        if level in PROCESSORS and tools_installed("qemu-x86_64-static", what=f"{level} on {PROCESSORS[level]}"):
            compare(f"{level} on {PROCESSORS[level]}", answers(*emulated(PROCESSORS[level], python)), wanted)


def _try_pure(wheel: Path, wanted: Answers) -> None:
    found = answers(_installed("pure", wheel))
    for (words, expected), (status, out, err), (_, right, _) in zip(ASKED, found, wanted, strict=True):
        line = err.count("\n") == 1 and "no machine code" in err
        fits = {SAME: (status, out) == (0, right), LESS: (status, err) == (0, ""), REFUSED: status == 2 and line}
        expect(fits[expected], f"without machine code: {' '.join(words)} gave {status}\n{out}{err}expected {expected}")
    say("the wheel without machine code: all jobs done, done with less, or refused in one line")


def _installed(name: str, wheel: Path) -> Path:
    """Install a wheel, check that no compiler comes with it, and return the Python of its environment."""
    python = environment(name, "--only-binary=:all:", wheel)
    [packages] = python.parents[1].glob("lib/*/site-packages")
    there = {path.name for path in packages.iterdir()}
    expect(not there & {"numba", "llvmlite", "ziglang"}, f"a compiler is installed with {wheel.name}")
    ours = [path for path in packages.rglob("*") if path.relative_to(packages).parts[0].split("-")[0] not in _EVERY]
    size = sum(path.lstat().st_blocks * 512 for path in ours)
    expect(size < MOST, f"{wheel.name} and what it needs take {size / 1e6:.0f} MB")
    say(f"{wheel.name}: {size / 1e6:.0f} MB installed, with all that it needs")
    return python


def _try_arm(wheel: Path, wanted: Answers) -> None:
    """Try the wheel under qemu, on an unpacked Debian system for 64-bit Arm."""
    if not tools_installed("qemu-aarch64-static", "mmdebstrap", what="the wheel for aarch64"):
        return
    system, packages = WORK / "arm", WORK / "arm-packages"
    step(["mmdebstrap", *_ARM_SYSTEM, system])
    # Let pip use all wheels for a system with glibc 2.36.
    platforms = [f"--platform=manylinux_2_{minor}_aarch64" for minor in range(17, 37)]
    step([sys.executable, "-m", "pip", "install", "-qq", "--only-binary=:all:", "--target", packages, *platforms,
          "--python-version", "3.11", "--implementation", "cp", wheel])  # fmt: skip
    qemu = [str(shutil.which("qemu-aarch64-static")), "-L", str(system), str(system / "usr/bin/python3.11")]
    compare("the wheel for aarch64", answers(*qemu, PYTHONPATH=str(packages)), wanted)


def _try_source(sdist: Path, wanted: Answers) -> None:
    """Install the sdist twice: without a C compiler, so that pip downloads a linker, and without a network."""
    compare("the sdist, installed without cc", answers(environment("source", sdist, PATH=str(EMPTY))), wanted)
    alone = [shutil.which("unshare") or "", "--map-root-user", "--net"]
    if subprocess.run([*alone, "/bin/true"], capture_output=True, check=False).returncode:
        left_out.append("installing from source without a network: unshare cannot take it away")
        return
    pip: list[str | Path] = [
        WORK / "tools/bin/python",
        "-m",
        "pip",
        "install",
        "-qq",
        "--no-build-isolation",
        "--no-deps",
    ]
    step([*alone, *pip, "--target", WORK / "offline", sdist], WORK, PATH=str(EMPTY))
    native = WORK / "offline/yomikiri/machine/lib/kernels-native.so"
    built = next(WORK.glob("source/lib/*/site-packages/yomikiri/machine/lib/kernels-native.so"))
    expect(native.read_bytes() == built.read_bytes(), "the sdist installed without a network is another")
    say("the sdist, installed without cc and network: the same")
