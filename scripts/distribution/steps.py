"""What all of it is made of: running a command, an environment of its own, and a word where something does not hold."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "wheels"
LEVELS = ("x86-64-v2", "x86-64-v3", "x86-64-v4")
X86, ARM, PURE = "manylinux_2_17_x86_64", "manylinux_2_17_aarch64", "any"
KINDS = {X86: LEVELS, ARM: ("aarch64",), PURE: ()}
"""The wheels, and for what kinds of processors each has a library."""
# Processors that qemu stands for, each the last before what the next kind adds, so far as qemu and numpy go.
PROCESSORS = {"x86-64-v2": "SandyBridge", "x86-64-v3": "Haswell"}

left_out: list[str] = []
"""What was not tried, and why."""


def say(text: str) -> None:
    """Tell how far it has come."""
    print(text, flush=True)


def expect(holds: object, text: str) -> None:
    """End with a word where something does not hold."""
    if not holds:
        raise SystemExit(f"error: {text}")


def here(*tools: str, what: str) -> bool:
    """Whether some tools are here; what cannot be done without them is told at the end."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        left_out.append(f"{what}: {' and '.join(missing)} not found")
    return not missing


def step(command: list[str | Path], cwd: Path = ROOT, **environment: str) -> str:
    """What a command prints; ends with all that it said where it fails."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "YOMIKIRI_"))}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False, env=kept | environment,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    expect(done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def environment(name: str, *packages: str | Path, **changed: str) -> Path:
    """The Python of a new environment that holds some packages, in the versions that the checkout is tested with."""
    folder = WORK / name
    step([sys.executable, "-m", "venv", folder])
    python = folder / "bin" / "python"
    pip: list[str | Path] = [python, "-m", "pip", "--disable-pip-version-check", "install", "-qq"]
    step([*pip, "--constraint", ROOT / "constraints.txt", *packages], WORK, **changed)
    return python


def emulated(processor: str, python: Path) -> list[str | Path]:
    """What runs a Python of this system as an older processor would."""
    return [str(shutil.which("qemu-x86_64-static")), "-cpu", processor, python]
