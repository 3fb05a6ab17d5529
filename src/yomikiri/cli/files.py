"""Files that a person names: the one place that opens them to be read, and how much of them is read."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from stat import S_ISDIR, S_ISFIFO, S_ISREG
from typing import TextIO

from yomikiri.common.errors import N_, InputError
from yomikiri.common.file_errors import unreadable_file

STDIN = "-"
MOST_TEXT = 1 << 26
"""Bytes of a file that is read whole, at most: the proven strategies of five digits take some ten million."""
_LONGEST_TYPED = 1 << 16  # characters of a line that a person types, at most


@contextmanager
def opened(name: str) -> Iterator[io.BufferedReader]:
    """A file or a pipe, or standard input for `-`, to be read; raises an `InputError` for anything else.

    A device is not opened: it may have no end.
    """
    if name == STDIN:
        yield sys.stdin.buffer  # type: ignore[misc]  # typeshed says BinaryIO, but it has read1
        return
    try:
        kind = os.stat(name).st_mode
        if not (S_ISREG(kind) or S_ISFIFO(kind) or S_ISDIR(kind)):
            raise InputError(N_("cannot read {given}: expected a file or a pipe"), given=name)
        file = open(name, "rb")  # noqa: SIM115
    except (OSError, ValueError) as error:
        raise unreadable_file(name, error) from None
    with file:
        yield file


def read_file(name: str) -> bytes:
    """All that a file, a pipe or standard input holds; raises an `InputError`, also for more than `MOST_TEXT`."""
    with opened(name) as file:
        try:
            content = file.read(MOST_TEXT + 1)
        except OSError as error:
            raise unreadable_file(name, error) from None
    return no_longer(name, content)


def no_longer(name: str, content: bytes) -> bytes:
    """What a file holds, if that is no more than is read; else raises an `InputError`."""
    if len(content) > MOST_TEXT:
        raise InputError(
            N_("{given} is too long: expected at most {limit} MiB of text"), given=name, limit=MOST_TEXT >> 20
        )
    return content


def read_text(name: str) -> str:
    """The same as text in UTF-8."""
    try:
        return read_file(name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise unreadable_file(name, error) from None


def read_line(stream: TextIO) -> str:
    """The next line of a stream, nothing at its end; raises an `InputError` for one that does not end."""
    line = stream.readline(_LONGEST_TYPED + 1)
    if len(line) > _LONGEST_TYPED:
        raise InputError(
            N_("a line of the input is too long: expected at most {limit} characters"), limit=_LONGEST_TYPED
        )
    return line
