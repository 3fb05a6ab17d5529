"""Running a command in this process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from yomikiri.cli.main import cli
from yomikiri.hitblow.items import NO_ITEMS, Items
from yomikiri.saves import Keeper


def run(*arguments: str, given: str | bytes = "") -> Result:
    """The result of the command line, with `given` on standard input; an unexpected exception fails the test."""
    result = CliRunner().invoke(cli, list(arguments), input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def interrupted(*arguments: str) -> tuple[int, str, str]:
    """The status of the program that is interrupted (Ctrl-C) in the midst of its work, and its output and messages."""
    command = [sys.executable, "-m", "yomikiri", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while _cpu_seconds(process.pid) < 1.2:  # some times what a start takes
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=300)
    return process.returncode, shown, said


def _cpu_seconds(pid: int) -> float:
    """What a process has computed so far: unlike a clock it does not run on while others keep the machine busy."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def keep(keeper: Keeper[Any], game: Any, items: Items = NO_ITEMS) -> None:
    """Save a game and leave it, as a program does that ends."""
    keeper.keep(game, items)
    keeper.release()
