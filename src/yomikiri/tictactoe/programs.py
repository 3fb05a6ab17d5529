"""Execution of programs that solve AtCoder ABC349 E: the command that runs a program, and its answer to a board."""

from __future__ import annotations

import contextlib
import errno
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from typing import IO
from uuid import uuid4

from psutil import Error, Process, process_iter

from yomikiri.common.errors import N_, CheckError, InputError, TimeLimitError
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.notation import write_board

MOST_OUTPUT = 1 << 16  # limit on the number of bytes that a program under test may print for one board
_MOST_ERROR_BYTES = 1 << 12  # limit on how many bytes of a program's standard error are quoted in an error message
_MOST_ERROR_LINES = 12  # limit on how many lines of a program's standard error are quoted in an error message
# Limit on the number of attempts to kill all processes of a program, and seconds between two attempts.
# One attempt to kill a program may not be enough, because a process may start more processes while it is being killed.
_KILLS, _SECONDS_BETWEEN_KILLS = 100, 0.01

_CPP = {".cpp", ".cc", ".cxx"}
_COMPILERS = ("c++", "g++", "clang++")
_COMPILER_OPTIONS = ("-O2", "-std=gnu++20")


def command_of(program: str, arguments: Sequence[str], folder: Path) -> list[str]:
    """Return the command line that runs `program`: a Python file, a C++ file, any other file, or a command.

    `arguments` are the arguments of the program. The interpreter of this process runs a Python file. A C++ file is
    compiled into `folder`. Raises an `InputError` if it cannot be compiled. Does not check that the program exists.
    """
    path = Path(program)
    suffix = path.suffix.lower() if path.is_file() else ""
    if suffix == ".py":
        return [sys.executable, program, *arguments]
    if suffix in _CPP:
        return [str(_compiled(path, folder)), *arguments]
    if path.name == program and shutil.which(program) is None and path.is_file():
        return [os.path.join(".", program), *arguments]
    return [program, *arguments]


def _compiled(source: Path, folder: Path) -> Path:
    """Compile a C++ file into `folder`, and return the path of the program."""
    compiler = shlex.split(os.environ.get("CXX", "")) or [name for name in _COMPILERS if shutil.which(name)][:1]
    if not compiler:
        raise InputError(
            N_("compiling {given!r} needs a C++ compiler: install one, such as g++, or name it in CXX"),
            given=str(source),
        )
    program = folder / "program"
    command = [*compiler, *_COMPILER_OPTIONS, str(source.absolute()), "-o", str(program)]
    try:
        subprocess.check_output(command, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    except (OSError, ValueError) as error:
        raise _not_started(compiler[0], error) from None
    except subprocess.CalledProcessError as error:
        failure = InputError(
            N_("cannot compile {given!r} with {compiler}: fix the errors below"),
            given=str(source),
            compiler=shlex.join(compiler),
        )
        lines = _printable(error.output.decode("utf-8", "replace"))
        failure.hint = "\n".join(f"  | {line}" for line in lines[:_MOST_ERROR_LINES])
        raise failure from None
    return program


def run_program(command: Sequence[str], board: Board, seconds: float) -> str:
    """Run a program on `board`, and return its output without surrounding blanks. `seconds` is the time limit.

    Raises a `CheckError` if the program fails, is too slow or prints too much. The attribute `hint` of this error
    contains the last lines of the program's standard error. Raises an `InputError` if the program cannot be started.
    """
    received, printed = os.pipe()
    # An environment variable that the program and its child processes inherit. It marks the processes to kill.
    name, value = "YOMIKIRI_CHECK", uuid4().hex
    with TemporaryFile() as given, TemporaryFile() as stderr:
        given.write((write_board(board) + "\n").encode())
        given.seek(0)
        try:
            process = subprocess.Popen(
                command,
                stdin=given,
                stdout=printed,
                stderr=stderr,
                start_new_session=True,
                env={**os.environ, name: value},
            )
        except (OSError, ValueError) as error:
            os.close(received)
            raise _not_started(command[0], error) from None
        finally:
            os.close(printed)
        try:
            try:
                deadline = time.monotonic() + seconds
                output = _read(received, seconds)
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise _time_limit_error(seconds) from None
            finally:
                _kill_processes(process, name, value)
            if process.returncode:
                raise CheckError(
                    N_("the program ends with status {status} on this board: expected 0"), status=process.returncode
                )
        except CheckError as error:
            error.hint = _last_lines(stderr)
            raise
    return output.decode("utf-8", "replace").strip()


def _not_started(program: str, error: OSError | ValueError) -> InputError:
    """Return the error for a program that the system cannot start, with the reason."""
    reason = error.errno if isinstance(error, OSError) else None
    if Path(program.replace("\0", "")).is_dir():
        return InputError(N_("{given!r} is a folder: expected a program"), given=program)
    if reason == errno.ENOENT and Path(program).exists():
        return InputError(
            N_("the program in the first line (#!) of {given!r} does not exist: fix that line"), given=program
        )
    if reason == errno.ENOENT:
        return InputError(
            N_("{given!r} does not exist: expected a program file, such as ./a.py or a.cpp, or a command"),
            given=program,
        )
    if reason == errno.EACCES:
        return InputError(
            N_("permission denied: {given!r} is not executable; try chmod +x, or name the program that runs it first"),
            given=program,
        )
    if reason == errno.ENOEXEC:
        return InputError(
            N_("{given!r} is not a program that this system can run: name the program that runs it first"),
            given=program,
        )
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(N_("cannot start {given!r}: {reason}"), given=program, reason=text)


def _read(received: int, seconds: float) -> bytes:
    """Return everything that the program writes to the pipe `received`, and close the pipe.

    Raises a `CheckError` if that takes more than `seconds`, or if the program writes too much.
    """
    output: list[bytes] = []

    def read() -> None:
        # Read in a separate thread, because a pipe that stays open would block the caller for ever.
        with os.fdopen(received, "rb") as answer:
            output.append(answer.read(MOST_OUTPUT + 1))

    reader = Thread(target=read, daemon=True)
    reader.start()
    reader.join(seconds)
    if not output:
        raise _time_limit_error(seconds)
    if len(output[0]) > MOST_OUTPUT:
        raise CheckError(
            N_("the program writes more than {most} bytes for this board: expected one word"), most=MOST_OUTPUT
        )
    return output[0]


def _last_lines(file: IO[bytes]) -> str:
    """Return the last lines of a program's error output, stored in a file, as printable text."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _MOST_ERROR_BYTES))
    return "\n".join(_printable(file.read(_MOST_ERROR_BYTES).decode("utf-8", "replace"))[-_MOST_ERROR_LINES:])


def _printable(text: str) -> list[str]:
    return ["".join(c if c.isprintable() else " " for c in line) for line in text.splitlines()]


def _time_limit_error(seconds: float) -> TimeLimitError:
    return TimeLimitError(N_("the program has not ended after {seconds} s on this board"), seconds=f"{seconds:g}")


def _kill_processes(process: subprocess.Popen[bytes], name: str, value: str) -> None:
    """Kill a program under test and the processes that it started.

    These are the process group of the program, and every process whose environment has `value` under `name`. A process
    that has cleared its environment and left the group is not found, and continues.
    """
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
    for _ in range(_KILLS):
        others = [other for other in process_iter() if other.pid != os.getpid()]
        marked = [other for other in others if _environment(other).get(name) == value]
        if not marked:
            return
        for other in marked:
            with contextlib.suppress(Error):
                other.kill()
        time.sleep(_SECONDS_BETWEEN_KILLS)


def _environment(process: Process) -> dict[str, str]:
    """Return the environment of a process; empty if it cannot be read or the process has ended."""
    with contextlib.suppress(Error):
        found: dict[str, str] = process.environ()
        return found
    return {}
