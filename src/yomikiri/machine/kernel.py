"""Decorators of kernels: functions that are compiled when the package is built.

    @kernel     called by other kernels; called from Python it runs as Python, as in tests
    @entry      called from Python: runs the machine code in the library

A kernel reads and writes the arrays in its arguments, calls kernels, and uses constants. It allocates no memory.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import update_wrapper
from typing import Any, TypeVar, cast

from yomikiri.machine.library import function_of
from yomikiri.machine.signature import Signature, signature_of

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Mark a function that kernels call. It is compiled with the entries (kernels that Python calls) that need it."""
    function.is_kernel = True  # type: ignore[attr-defined]
    return function


def inlined(function: F) -> F:
    """Mark a kernel whose code is copied into each caller. Otherwise like `kernel`.

    A call passes every array of a named tuple, which takes time if the kernel is called for each guess.
    """
    function.is_inlined = True  # type: ignore[attr-defined]
    return kernel(function)


def entry(function: F) -> F:
    """Mark a function for compilation. A call of the function from Python runs its machine code."""
    return cast("F", Entry(function))


def entry_of(place: str) -> Callable[[F], F]:
    """Return a decorator like `entry`, but the machine code is that of another kernel with the same signature.

    `place` is the module and the name of that kernel, as `module:name`.
    """

    def declare(function: F) -> F:
        return cast("F", Entry(function, place))

    return declare


class Entry:
    """A kernel that Python calls. It releases the interpreter lock while it runs.

    A call raises an `InputError` if the machine code for this processor is missing or unusable. It raises a `TypeError`
    for an array whose dtype, number of dimensions or memory order does not match its annotation.
    """

    is_kernel = True
    uncompiled = False
    """True inside a `with as_python()` block, in which all kernels run as Python."""

    def __init__(self, function: Callable[..., Any], place: str = "") -> None:
        update_wrapper(self, function)
        self.function, self.place = function, place
        self._machine: MachineCode | None = None

    @property
    def symbol(self) -> str:
        """The name under which the library contains the entry."""
        module = self.function.__module__.removeprefix("yomikiri.")
        return f"{module}.{self.function.__name__}".replace(".", "_")

    def __call__(self, *given: Any) -> Any:
        if Entry.uncompiled:
            return self.function(*given)
        if self._machine is None:
            self._machine = MachineCode(function_of(self.symbol), signature_of(self.function))
        return self._machine(given)


class MachineCode:
    """The machine code of a kernel that Python calls. A call converts the kernel's arguments and results."""

    def __init__(self, run: Callable[..., int], signature: Signature) -> None:
        self._run = run
        self._signature = signature
        self._packed_parameters = struct.Struct("".join(kind.letters() for kind in signature.parameters))
        self._packed_results = struct.Struct("".join(kind.letter for kind in signature.results))
        self._booleans = [i for i, kind in enumerate(signature.results) if kind.type is bool]

    def __call__(self, given: tuple[Any, ...]) -> Any:
        words: list[Any] = []
        for kind, value in zip(self._signature.parameters, given, strict=True):
            kind.pack(value, words)
        result = ctypes.create_string_buffer(self._packed_results.size or 1)
        status = self._run(self._packed_parameters.pack(*words), result)
        if status:
            raise SystemError(f"a kernel ended with status {status}")
        found = self._packed_results.unpack_from(result)
        if self._booleans:
            found = tuple(bool(word) if i in self._booleans else word for i, word in enumerate(found))
        if self._signature.returns_tuple:
            return found
        return found[0] if found else None


@contextmanager
def as_python() -> Iterator[None]:
    """Run all kernels as Python during the `with` block: slow, for tests on small games."""
    before, Entry.uncompiled = Entry.uncompiled, True
    try:
        yield
    finally:
        Entry.uncompiled = before
