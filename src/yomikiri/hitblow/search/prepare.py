"""Compiling the kernels before they are needed, in a process of its own, so that nobody waits for it.

Compiling takes half a minute, once for each version of the kernels; afterwards they are loaded from their cache.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache

from yomikiri.hitblow.search.jit import ready_mark

_COMPILE = "from yomikiri.hitblow.search.engine import compile_kernels; compile_kernels()"


def kernels_ready() -> bool:
    """Whether the kernels are compiled, so that using them takes no more than loading them."""
    return ready_mark().exists()


@cache
def compile_behind() -> None:
    """Begin to compile the kernels in another process, which goes on when this one ends; once for each process."""
    subprocess.Popen(
        [sys.executable, "-c", _COMPILE],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
