"""Workspaces: named tuples of arrays, each declared once with its dtype and shape, and made as it is declared.

class Workspace(NamedTuple):
    members: Annotated[NDArray[np.int32], "members"]
    cells: Annotated[NDArray[np.int64], "depths + 1", 12]

allocated(Workspace, members=720, depths=40)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from typing import Any, TypeVar, cast, get_args, get_type_hints

import numpy as np

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
