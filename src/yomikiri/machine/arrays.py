"""Workspaces: named tuples of arrays, each declared once with its dtype and shape, and made as it is declared; the
words as good as random by which searches name what they met; and room of a kernel's own.

class Workspace(NamedTuple):
    members: Annotated[NDArray[np.int32], "members"]
    cells: Annotated[NDArray[np.int64], "depths + 1", 12]

allocated(Workspace, members=720, depths=40)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from hashlib import shake_128
from math import prod
from typing import Any, TypeVar, cast, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")


def allocated(kind: type[T], **sizes: int) -> T:
    """A workspace of zeros: each array has the shape that stands behind its dtype, numbers and texts of these sizes.

    A field that is no array is one of the sizes.
    """
    make, fields = cast("Callable[..., T]", kind), _fields(cast("Hashable", kind))

    def zeros(array: Any, *shape: str | int) -> np.ndarray[Any, Any]:
        [dtype] = get_args(get_args(array)[1])
        return np.zeros([eval(side, {}, sizes) if isinstance(side, str) else side for side in shape], dtype)

    return make(*(sizes[name] if field is int else zeros(*get_args(field)) for name, field in fields.items()))


@cache
def _fields(kind: Any) -> dict[str, Any]:
    """What each field is declared as: worked out once, since it takes as long as all the rest."""
    return get_type_hints(kind, include_extras=True)


def random_words(name: str, *shape: int) -> NDArray[np.uint64]:
    """Words as good as random, and always the same for a name; of this shape.

    They are what SHAKE128 makes of the name (FIPS 202): loading numpy's generators takes longer than a small search.
    """
    made = np.frombuffer(shake_128(name.encode()).digest(8 * prod(shape)), dtype="<u8")
    return made.astype(np.uint64).reshape(shape)


def local_numbers(rows: int, columns: int) -> NDArray[np.int64]:
    """So many rows and columns of numbers, constants of the compiled code, which are gone when the kernel returns.

    What they hold is not set, and as Python no use.
    """
    return np.full((rows, columns), np.iinfo(np.int64).max // 16, np.int64)


def local_bytes(rows: int, columns: int) -> NDArray[np.int8]:
    """The same of small numbers."""
    return np.full((rows, columns), 99, np.int8)
