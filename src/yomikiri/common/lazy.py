"""What is loaded or worked out when it is first used, so that a start stays quick: NumPy, properties, and names that a
package hands out.

A start, and a position of the book, need no NumPy. Modules that are part of a start take `np` and `NDArray` from here;
what NumPy has is then asked for within functions only, and aliases of types are texts. All others import it as usual.
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
        """Stands for numpy; keeps what was asked for once, so that it costs no more than a module does."""

        def __getattr__(self, name: str) -> object:
            import numpy

            found = getattr(numpy, name)
            setattr(self, name, found)
            return found

    np, NDArray = _Late(), None

__all__ = ["NDArray", "handed_out", "np", "once"]

T = TypeVar("T")


def handed_out(
    package: str, names: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package that hands out these names of its modules; "" has modules."""
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


class once(Generic[T]):
    """A property that is worked out once and then kept with the instance, without a lock.

    `functools.cached_property` of Python 3.11 holds a lock of the class while it works one out, so that one long search
    makes all others wait; from 3.12 on it has none.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out, self._name = work_out, work_out.__name__
        self.__doc__ = work_out.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> once[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> once[T] | T:
        """What is worked out, kept where Python finds it before it asks here again."""
        if instance is None:
            return self
        found = self._work_out(instance)
        instance.__dict__[self._name] = found
        return found
