"""Running a command in this process."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from yomikiri.cli.main import cli


def run(*arguments: str, given: str | bytes = "") -> Result:
    """The result of the command line, with `given` on standard input; an unexpected exception fails the test."""
    result = CliRunner().invoke(cli, list(arguments), input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def interrupted(*arguments: str) -> tuple[int, str, str]:
    """The status of the program that is interrupted (Ctrl-C) after three seconds, and its output and messages."""
    command = [sys.executable, "-m", "yomikiri", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=3)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=30)
    return process.returncode, shown, said
