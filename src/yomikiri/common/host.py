"""Capabilities of the platform that this Python runs on.

A browser (CPython as WebAssembly) has one thread: a search cannot be stopped from outside, and programs cannot be
started. The few modules affected by this call the functions below.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

ONE_THREAD = "emscripten"
"""The value of `sys.platform` in a browser."""


def threads() -> bool:
    """Return True if threads can be started."""
    return sys.platform != ONE_THREAD


def usable_cores() -> int:
    """Return the number of processor cores that this process may use; 1 if no threads can be started."""
    if not threads():
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


thread_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)
"""A function that returns the CPU time of this thread in seconds, or of the process if threads have no clock."""
