"""Reading files that the user names, with limits on their size."""

from __future__ import annotations

import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from gzip import GzipFile
from io import BytesIO
from stat import S_ISDIR, S_ISFIFO, S_ISREG
from typing import TextIO

from yomikiri.common.errors import N_, InputError
from yomikiri.common.file_errors import unreadable_file

STDIN = "-"
MOST_TEXT = 1 << 26
"""Size limit of a file that is read into memory, in bytes.

The proven strategies for five digits take about ten million bytes.
"""
_COMPRESSED = b"\x1f\x8b"  # the first bytes of a gzip file
_LONGEST_TYPED = 1 << 16  # the most characters in one line of input


@contextmanager
def open_input(name: str) -> Iterator[io.BufferedReader]:
    """Open a file, a pipe or, for `-`, standard input for reading.

    Raises an `InputError` for anything else. Devices are rejected because they may never end.
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
    """Return the content of a file, a pipe or standard input.

    Raises an `InputError` if it cannot be read, or has more than `MOST_TEXT` bytes.
    """
    with open_input(name) as file:
        try:
            content = file.read(MOST_TEXT + 1)
        except OSError as error:
            raise unreadable_file(name, error) from None
    return check_size(name, content)


def check_size(name: str, content: bytes) -> bytes:
    """Return the content if it has at most `MOST_TEXT` bytes; otherwise raise an `InputError`."""
    if len(content) > MOST_TEXT:
        raise InputError(
            N_("{given} is too long: expected at most {limit} MiB of text"), given=name, limit=MOST_TEXT >> 20
        )
    return content


def read_compressed(name: str) -> bytes:
    """Return the content of a file, decompressed if it is a gzip file; raise the errors of `read_file`."""
    content = read_file(name)
    if not content.startswith(_COMPRESSED):
        return content
    try:
        return check_size(name, GzipFile(fileobj=BytesIO(content)).read(MOST_TEXT + 1))
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable_file(name, error) from None


def read_text(name: str) -> str:
    """Return the content of a file as UTF-8 text; raise an `InputError` on failure."""
    try:
        return read_file(name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise unreadable_file(name, error) from None


def read_line(stream: TextIO) -> str:
    """Return the next line of a stream, "" at its end; raise an `InputError` if the line is too long."""
    line = stream.readline(_LONGEST_TYPED + 1)
    if len(line) > _LONGEST_TYPED:
        raise InputError(
            N_("a line of the input is too long: expected at most {limit} characters"), limit=_LONGEST_TYPED
        )
    return line
