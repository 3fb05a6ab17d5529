"""Compiling, linking and loading kernels that are defined in tests."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from yomikiri.machine.compiler.bitcode import Translation
from yomikiri.machine.compiler.objects import link, native, object_of
from yomikiri.machine.kernel import Entry, MachineCode
from yomikiri.machine.library import in_library
from yomikiri.machine.signature import signature_of


def library_of(function: Callable[..., Any], folder: str | Path, *, debug: bool = False, lines: bool = False) -> Path:
    """Compile one kernel for this processor into a library in a folder; return its path."""
    path, target = Path(folder, "kernel.o"), native()
    path.write_bytes(object_of(Translation(debug=debug, lines=lines).module([Entry(function)]), target))
    link([path], target, path.with_suffix(".so"), lines=lines)
    return path.with_suffix(".so")


def compiled(function: Callable[..., Any], *, debug: bool = False) -> Callable[..., Any]:
    """Return a kernel as machine code for this processor."""
    entry = Entry(function)
    with tempfile.TemporaryDirectory() as folder:
        loaded = ctypes.CDLL(str(library_of(function, folder, debug=debug)))
    machine_code = MachineCode(in_library(loaded, entry.symbol), signature_of(function))
    return lambda *given: machine_code(given)
