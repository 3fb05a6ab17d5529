"""A call made in a process of its own, which can be ended at any time.

For work of other libraries that hear of nothing until they are done, and until then keep the process that they run in
from ending.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from tempfile import TemporaryFile
from typing import TypeVar

from yomikiri.budget import Budget, Progress

Given = TypeVar("Given")
Made = TypeVar("Made")

_LOOK = 0.1  # seconds between two looks at the budget
_COMMAND = [sys.executable, "-c", f"from {__name__} import answer; answer()"]


def apart(work: Callable[[Given], Made], given: Given, budget: Budget) -> Made:
    """What a function of a module makes of something; both are pickled.

    Raises `Stopped` with nothing when the budget is spent, and `CalledProcessError` if the other process fails.
    """
    with TemporaryFile() as asked, TemporaryFile() as answered:
        pickle.dump((work, given), asked)
        asked.seek(0)
        worker = subprocess.Popen(_COMMAND, stdin=asked, stdout=answered, start_new_session=True)
        try:
            while worker.poll() is None:
                budget.check()
                budget.report(Progress())
                with suppress(subprocess.TimeoutExpired):
                    worker.wait(_LOOK)
        finally:
            worker.kill()
            worker.wait()
        if worker.returncode:
            raise subprocess.CalledProcessError(worker.returncode, worker.args)
        answered.seek(0)
        made: Made = pickle.load(answered)
        return made


def answer() -> None:
    """The work of the other process."""
    work, given = pickle.load(sys.stdin.buffer)
    pickle.dump(work(given), sys.stdout.buffer)
