"""The library of kernels for browsers: compiled by a checkout, when it is asked for."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from yomikiri.errors import N_, InputError
from yomikiri.machine.library import PACKAGE, in_checkout

_TARGET = "wasm32"
MADE = PACKAGE.parent.parent / "build" / _TARGET / "lib"
_NEEDED = ("numba", "llvmlite", "ziglang")


def compile_kernels(into: Path) -> None:
    """Bring the library up to date, and copy it into a new folder; raises an `InputError` where it cannot be made."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if not in_checkout() or missing:
        raise InputError(
            N_(
                "this compiles the kernels for browsers, which takes {needed}: expected a checkout of the repository "
                "with pip install -e '.[dev,site]'"
            ),
            needed=", ".join(_NEEDED),
        )
    compiler = PACKAGE / "machine" / "compiler" / "__main__.py"
    subprocess.run([sys.executable, str(compiler), _TARGET], check=True)
    shutil.copytree(MADE, into)
