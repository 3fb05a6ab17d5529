"""What this Python runs on, and what it cannot do there.

In a browser (CPython as WebAssembly) there is one thread: nobody else can tell a search to stop, and no other program
can be started. The few places where that matters ask here.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

ONE_THREAD = "emscripten"
"""What `sys.platform` is in a browser."""


def threads() -> bool:
    """Whether there can be more than one thread."""
    return sys.platform != ONE_THREAD


thread_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)
"""The seconds of CPU time of this thread; where no clock tells them, those of the process, which is then the same."""
