"""NumPy, loaded when it is first used: a start, and a position of the book, need none of it.

Modules that are part of a start take `np` and `NDArray` from here; what NumPy has is then asked for within functions
only, and aliases of types are texts. All others import numpy as usual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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

__all__ = ["NDArray", "np"]
