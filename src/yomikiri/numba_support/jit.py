"""The decorator of every kernel: compiled by numba at first use and kept, in a read-only install too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from yomikiri.numba_support.kernel_cache import Kernels

F = TypeVar("F", bound=Callable[..., Any])

_config: Any = numba.config
_njit: Any = numba.njit  # its declared types leave out the option `_nrt`


def kernel_of(kernels: Kernels, *, makes_arrays: bool = False) -> Callable[[F], F]:
    """What compiles a function to machine code, kept with these kernels; it frees the interpreter lock while it runs.

    Kernels only read and write the arrays they are given, so numba need not count references to them (`_nrt`), which
    took a fifth of the time; in return they cannot make arrays or return them, unless `makes_arrays`.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": makes_arrays}

    def kernel(function: F) -> F:
        before = _config.CACHE_DIR
        _config.CACHE_DIR = str(kernels.cache_folder())
        try:
            compiled: F = _njit(cache=True, **options)(function)
        except RuntimeError:  # there is no folder that may be written to
            compiled = _njit(**options)(function)
        finally:
            _config.CACHE_DIR = before
        return compiled

    return kernel
