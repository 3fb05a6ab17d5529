"""Helpers that run commands in this process or in a child."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner, Result

from yomikiri.cli.main import cli
from yomikiri.hitblow.advice.items import NO_ITEMS, Items
from yomikiri.saves import GameStorage

WORDS = "brake\ncrane\ncrate\ndrake\nflake\ngrade\ngrape\ngrate\nspice\ntrace\n"
"""The secrets of the fixture `lists`, one on each line."""


def run(*arguments: str, given: str | bytes = "") -> Result:
    """Run a command line with `given` on standard input; raise any exception other than `SystemExit`."""
    result = CliRunner().invoke(cli, list(arguments), input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def session(*arguments: str, given: str | bytes = "") -> str:
    """Run a session with the lines `given` through a pipe and return its output.

    Checks that it exits with 2 if it refused a line and with 0 otherwise, and that standard error contains only errors.
    """
    result = run(*arguments, given=given)
    assert result.exit_code == (2 if "error: " in result.stderr or "エラー" in result.stderr else 0)
    assert "error: " not in result.stdout
    assert bool(result.stderr) == bool(result.exit_code)
    return result.output


class Interrupted(NamedTuple):
    """Result of an interrupted program: exit status, output, messages, and CPU seconds until it ended."""

    status: int
    shown: str
    said: str
    seconds: float


def interrupted(*arguments: str, after: float = 1.2) -> Interrupted:
    """Run the program, interrupt it (Ctrl-C) after `after` CPU seconds, and wait for its end.

    The default is several times as long as the program takes to start.
    """
    command = [sys.executable, "-m", "yomikiri", *arguments]
    before = _cpu_seconds_of_children()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while (used := _cpu_seconds(process.pid)) < after:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=300)
    return Interrupted(process.returncode, shown, said, _cpu_seconds_of_children() - before - used)


def _cpu_seconds_of_children() -> float:
    """Return the CPU time of all child processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, which do not depend on the load of the machine."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def keep(keeper: GameStorage[Any], game: Any, items: Items = NO_ITEMS) -> None:
    """Save a game and release its file, like a program that ends."""
    keeper.keep(game, items)
    keeper.release()
