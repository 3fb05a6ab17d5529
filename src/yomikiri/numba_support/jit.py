"""The decorator of every kernel: compiled by numba at first use, and kept.

numba makes three things of each function: the code itself, a wrapper through which Python calls it and one for C. In a
family of kernels that call each other most are never called from Python, and yet the wrappers, and making machine code
of each kernel by itself when its code ends up in its callers anyway, took more than half of the compiler's time. So a
kernel is compiled as *bare* code that can only be linked into other code; only when Python calls it is it given a way
in, a function of its own into which all bare code that it needs is linked, optimised as one and kept.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import update_wrapper
from hashlib import sha256
from itertools import count
from typing import Any, TypeVar

import numba
from numba.core.caching import _Cache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.serialize import dumps

from yomikiri.numba_support.kernel_cache import Kernels

F = TypeVar("F", bound=Callable[..., Any])

# Untyped, or with types that leave out what is used here.
_config: Any = numba.config
_njit: Any = numba.njit
_result: Any = CompileResult
_dumps: Any = dumps
_unliteral: Any = numba.types.unliteral
_compiler: Any = Compiler
_library: Any = JITCodeLibrary
_serial = count()


def kernel_of(kernels: Kernels, *, makes_arrays: bool = False) -> Callable[[F], F]:
    """What compiles a function to machine code, kept with these kernels; it frees the interpreter lock while it runs.

    Kernels only read and write the arrays they are given, so numba need not count references to them (`_nrt`), which
    took a fifth of the time; in return they cannot make arrays or return them, unless `makes_arrays`.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": makes_arrays, "no_cfunc_wrapper": True}

    def kernel(function: F) -> F:
        compiled: Any = function if _config.DISABLE_JIT else _Kernel(function, kernels, options)
        return compiled  # type: ignore[no-any-return]

    return kernel


class _Kernel:
    """A kernel: other kernels call it as bare code, Python through a way in."""

    def __init__(self, function: Callable[..., Any], kernels: Kernels, options: dict[str, Any]) -> None:
        bare = self._bare = _njit(no_cpython_wrapper=True, pipeline_class=_BareCompiler, **options)(function)

        fold = bare._compiler.fold_argument_types

        def fold_argument_types(types: Any, names: Any) -> Any:
            # A constant among the arguments is no reason to compile for it alone.
            signature, given = fold(types, names)
            return signature, tuple(_unliteral(each) for each in given)

        bare._compiler.fold_argument_types = fold_argument_types

        def enter(*given: Any) -> Any:
            return bare(*given)

        # Symbols in machine code are named after the function; kept code of two kernels must not share any.
        enter.__module__, enter.__qualname__, enter.__name__ = (
            function.__module__,
            function.__qualname__,
            function.__name__,
        )
        self._enter = _njit(**options)(enter)
        self._enter._cache = _Kept(kernels, f"{function.__module__}.{function.__qualname__}")
        update_wrapper(self, function)

    def __call__(self, *given: Any) -> Any:
        return self._enter(*given)

    @property
    def _numba_type_(self) -> Any:
        """What other kernels see of it."""
        return self._bare._numba_type_


class _BareCode(_library):  # type: ignore[misc]
    """Code that is optimised and made machine code of only where it is linked into other code."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _BareCompiler(_compiler):  # type: ignore[misc]
    """Compiles a function to bare code."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        state = self.state
        state.library = _BareCode(state.targetctx.codegen(), f"bare{next(_serial)}")
        state.targetctx.get_executable = _no_executable  # of the context of this compilation alone


def _no_executable(library: Any, *_: Any) -> Any:
    """Something by which numba can tell functions apart, where it expects what Python would call."""
    library.finalize()
    return [].append  # a new object each time, of the type that numba asks for


class _Kept(_Cache):
    """The code of one function on disk, a file for each signature: see `kernel_cache`."""

    def __init__(self, kernels: Kernels, name: str) -> None:
        self._kernels, self._name = kernels, name

    @property
    def cache_path(self) -> str:
        return str(self._kernels.cache_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature; None where it is not kept, or not whole."""
        target_context.refresh()
        kept = self._kernels.load(self._file(sig, target_context.codegen()))
        return kept and _result._rebuild(target_context, *pickle.loads(kept))

    def save_overload(self, sig: Any, data: Any) -> None:
        self._kernels.keep(self._file(sig, data.codegen), _dumps(data._reduce()))

    def _file(self, sig: Any, codegen: Any) -> str:
        return f"{self._name}-{sha256(repr((sig, codegen.magic_tuple())).encode()).hexdigest()[:16]}"

    def enable(self) -> None:
        """Always on."""

    def disable(self) -> None:
        """Always on."""

    def flush(self) -> None:
        """A signature that is compiled again is written over."""
