"""Steps of the build: run a command, create an environment, stop with a message."""

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
"""The wheels, and the processor levels for which each has a library."""
# For each level, the newest processor that qemu emulates and that lacks the instructions of the next level.
# (The choice is limited by qemu and NumPy.)
PROCESSORS = {"x86-64-v2": "SandyBridge", "x86-64-v3": "Haswell"}

left_out: list[str] = []
"""The checks that were skipped, with the reasons."""


def say(text: str) -> None:
    """Print progress."""
    print(text, flush=True)


def expect(holds: object, text: str) -> None:
    """Exit with a message unless a condition holds."""
    if not holds:
        raise SystemExit(f"error: {text}")


def tools_installed(*tools: str, what: str) -> bool:
    """Return True if some tools are installed; otherwise note for the summary what is skipped."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        left_out.append(f"{what}: {' and '.join(missing)} not found")
    return not missing


def step(command: list[str | Path], cwd: Path = ROOT, **environment: str) -> str:
    """Run a command and return its output; on failure, exit with all of its output."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "YOMIKIRI_"))}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False, env=kept | environment,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    expect(done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def environment(name: str, *packages: str | Path, **changed: str) -> Path:
    """Create an environment with some packages, in the versions of constraints.txt; return its Python."""
    folder = WORK / name
    step([sys.executable, "-m", "venv", folder])
    python = folder / "bin" / "python"
    pip: list[str | Path] = [python, "-m", "pip", "--disable-pip-version-check", "install", "-qq"]
    step([*pip, "--constraint", ROOT / "constraints.txt", *packages], WORK, **changed)
    return python


def emulated(processor: str, python: Path) -> list[str | Path]:
    """Return the command that runs a Python of this system on an emulated older processor."""
    return [str(shutil.which("qemu-x86_64-static")), "-cpu", processor, python]
