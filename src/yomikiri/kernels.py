"""All machine code of the package: what there is of it, and compiling it ahead."""

from __future__ import annotations

import os
import subprocess

from yomikiri.hitblow.kernels_ahead import ENGINE, RACE, UNEVEN, WEIGHING
from yomikiri.numba_support.kernel_cache import Part
from yomikiri.tictactoe.search.kernels_ahead import LARGE, SEARCH

PARTS = (ENGINE, RACE, WEIGHING, UNEVEN, SEARCH, LARGE)


def missing() -> list[Part]:
    """The parts that this machine has not compiled yet."""
    return [part for part in PARTS if not part.compiled()]


def compile_kernels() -> None:
    """Compile all machine code that is not compiled yet, once for this machine, so that no search waits for it.

    It takes about a minute of CPU time. Each part has a process of its own, as many at once as there are processors.
    Raises `CalledProcessError` if a part cannot be compiled.
    """
    waiting, running = missing(), dict[Part, subprocess.Popen[bytes]]()
    try:
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                part = waiting.pop(0)
                running[part] = subprocess.Popen(part.command, stdin=subprocess.DEVNULL)
            for part, process in [*running.items()]:
                try:
                    status = process.wait(_SECONDS_BETWEEN_LOOKS)
                except subprocess.TimeoutExpired:
                    continue
                if status:
                    raise subprocess.CalledProcessError(status, part.command)
                del running[part]
    finally:
        for process in running.values():
            process.kill()
            process.wait()


_SECONDS_BETWEEN_LOOKS = 0.05
