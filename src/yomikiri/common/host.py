"""Capabilities of the platform that this Python runs on.

A browser (CPython as WebAssembly) has one thread: a search cannot be stopped from outside, and programs cannot be
started. The few modules affected by this call the functions below.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

ONE_THREAD = "emscripten"
"""The value of `sys.platform` in a browser."""


def threads() -> bool:
    """Return True if threads can be started."""
    return sys.platform != ONE_THREAD


thread_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)
"""CPU time of this thread in seconds, or of the process if the platform has no clock for threads."""
