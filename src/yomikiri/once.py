"""Properties worked out at first use, without a lock.

`functools.cached_property` of Python 3.11 holds a lock of the class while it works one out, so that one long search
makes all others wait; from 3.12 on it has none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):
    """A property that is worked out once and then kept with the instance."""

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
