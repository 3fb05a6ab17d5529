"""Deferred imports and computations, for a quick start: NumPy, package exports, and cached properties.

Some commands find their answer in a stored strategy that comes with the program. Such a command needs no NumPy. The
modules that it imports take `np` and `NDArray` from here. They may use NumPy's attributes only inside functions, and
write type aliases as strings. All other modules import NumPy as usual.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:

    class _Late:
        """A proxy of NumPy that keeps each attribute after its first use, so that later uses are fast."""

        def __getattr__(self, name: str) -> object:
            import numpy

            found = getattr(numpy, name)
            setattr(self, name, found)
            return found

    np, NDArray = _Late(), None

__all__ = ["NDArray", "lazy_exports", "lazy_property", "np"]

T = TypeVar("T")


def lazy_exports(
    package: str, names: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package that imports public names from its modules on first use.

    `names` maps a module, relative to the package, to its public names. The names under the key "" are those of
    modules.
    """
    homes = {name: module for module, each in names.items() for name in each}

    def getattr_(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if not homes[name]:
            return import_module(f"{package}.{name}")
        found = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, found)
        return found

    def dir_() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return getattr_, dir_


class lazy_property(Generic[T]):
    """Like `functools.cached_property`, but without a lock.

    In Python 3.11, `functools.cached_property` holds one lock per class while it computes a value, so that one long
    search would block all others. It has no lock from Python 3.12 on.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out, self._name = work_out, work_out.__name__
        self.__doc__ = work_out.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> lazy_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> lazy_property[T] | T:
        """Compute the value and store it in the instance, where Python finds it before this descriptor."""
        if instance is None:
            return self
        found = self._work_out(instance)
        instance.__dict__[self._name] = found
        return found
