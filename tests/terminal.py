"""A pseudo-terminal for tests: runs the program, types input and reads the screen."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path

import pyte


class Terminal:
    """The program in a separate terminal; a context manager."""

    def __init__(self, *arguments: str, columns: int = 100, rows: int = 30, **environment: str) -> None:
        self._parent, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "yomikiri", *arguments],
            stdin=child,
            stdout=child,
            stderr=child,
            env=os.environ
            | {"TERM": "xterm", "COLUMNS": str(columns), "LINES": str(rows), "NO_COLOR": "1"}
            | environment,
            start_new_session=True,
            close_fds=True,
            preexec_fn=lambda: _own(child),
        )
        os.close(child)
        self.shown = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_raised: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._parent)

    def read_until(self, text: str, seconds: float = 300) -> str:
        """Wait for `text` and return the output up to it; a timeout fails with the whole output."""
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            ready, _, _ = select.select([self._parent], [], [], max(0, deadline - time.monotonic()))
            if not ready or not self._read():
                raise AssertionError(f"{text!r} was not shown, but: {self.shown!r}")
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def _read(self) -> bool:
        try:
            data = os.read(self._parent, 4096)
        except OSError:  # the other end is closed
            return False
        text = self._decoder.decode(data)
        self.shown += text
        self._stream.feed(text)
        return bool(data)

    def read(self, seconds: float = 300) -> None:
        """Wait for more output."""
        ready, _, _ = select.select([self._parent], [], [], seconds)
        assert ready, self.screen
        assert self._read(), self.screen

    @property
    def screen(self) -> str:
        """The current screen, without trailing blanks and empty lines."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    @property
    def cells(self) -> Mapping[int, Mapping[int, pyte.screens.Char]]:
        """The characters on the screen with their colours, by row and column."""
        buffer: Mapping[int, Mapping[int, pyte.screens.Char]] = self._screen.buffer
        return buffer

    def see(self, *texts: str, seconds: float = 300) -> str:
        """Wait until the screen contains all texts and return it; a timeout fails with the screen."""
        deadline = time.monotonic() + seconds
        while not all(text in self.screen for text in texts):
            ready, _, _ = select.select([self._parent], [], [], max(0, deadline - time.monotonic()))
            if not ready or not self._read():
                raise AssertionError(f"{texts} do not stand on the screen:\n{self.screen}")
        return self.screen

    def type(self, text: str) -> None:
        """Type `text`, control characters included."""
        os.write(self._parent, text.encode())

    def spoil(self) -> None:
        """Erase the screen as if another program had written to the terminal."""
        self._screen.reset()

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size."""
        self._screen.resize(rows, columns)
        fcntl.ioctl(self._parent, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def stop_and_continue(self) -> None:
        """Stop and continue the program, with the terminal mode that a shell restores."""
        self._process.send_signal(signal.SIGSTOP)
        mode = termios.tcgetattr(self._parent)
        mode[3] |= termios.ICANON | termios.ECHO
        termios.tcsetattr(self._parent, termios.TCSANOW, mode)
        self._process.send_signal(signal.SIGCONT)

    def interrupt(self, seconds: float = 300) -> int:
        """Press Ctrl-C until the program ends, and return its exit status.

        One key can be lost if it arrives just before the line editor waits for input.
        """
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.type("\x03")
            # Press the key again only if the program sleeps, because another key would kill a program that is already
            # ending.
            asleep = 0
            while self._process.poll() is None and asleep < 10:
                ready, _, _ = select.select([self._parent], [], [], 0.05)
                if ready and not self._read():
                    return self._process.wait(max(0.1, deadline - time.monotonic()))
                asleep = 0 if ready or not self._sleeps() else asleep + 1
            if self._process.poll() is not None:
                break
        return self._process.wait(max(0.1, deadline - time.monotonic()))

    def _sleeps(self) -> bool:
        """Return True if the program waits for an event, not for a processor."""
        status = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii", errors="replace")
        return status.rpartition(")")[2].split()[0] == "S"

    def wait(self, seconds: float = 300) -> int:
        """Read to the end and return the exit status."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            ready, _, _ = select.select([self._parent], [], [], 0.2)
            if ready and not self._read():
                break
        return self._process.wait(max(0.1, deadline - time.monotonic()))


def _own(child: int) -> None:
    """Make the pseudo-terminal the controlling one, so that Ctrl-C reaches the program."""
    fcntl.ioctl(child, termios.TIOCSCTTY, 0)
