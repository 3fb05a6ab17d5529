"""The decorator of every kernel: compiled by numba at first use and kept, in a read-only install too."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba
from llvmlite.binding import get_host_cpu_name
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

_HERE = Path(__file__).parent
_ABOVE = {"__init__.py", "engine.py", "grow.py", "solve.py", "split.py"}  # no kernel depends on these
_config: Any = numba.config
_njit: Any = numba.njit  # its declared types leave out the option `_nrt`


@cache
def cache_folder() -> Path:
    """Where compiled kernels are kept: what NUMBA_CACHE_DIR names, else beside the source, else with the user's caches.

    A folder for each state of the kernels: numba sees a change of a kernel's own file, but not of the kernels it calls.
    """
    sources = b"".join(path.read_bytes() for path in sorted(_HERE.glob("*.py")) if path.name not in _ABOVE)
    base = _HERE / "__pycache__" if os.access(_HERE, os.W_OK) else user_cache_path("yomikiri")
    return Path(_config.CACHE_DIR or base) / f"kernels-{sha256(sources).hexdigest()[:16]}"


def ready_mark() -> Path:
    """The file that says that all kernels are in the cache, for this numba and this processor."""
    return cache_folder() / f"ready-{numba.__version__}-{get_host_cpu_name()}"


def kernel(function: F) -> F:
    """Compile `function` to machine code, cached on disk; it gives up the interpreter lock while it runs.

    Kernels only read and write the arrays they are given, so numba need not count references to them (`_nrt`), which
    took a fifth of the time; in return they cannot make arrays or return them.
    """
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(cache_folder())
    try:
        compiled: F = _njit(cache=True, nogil=True, error_model="numpy", _nrt=False)(function)
    finally:
        _config.CACHE_DIR = before
    return compiled
