"""Data files that are part of the package: compressed, and checked when read."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from yomikiri.common.errors import N_, InputError

_DATA = Path(__file__).parent / "data"


def read_shipped(name: str) -> bytes:
    """Return the content of a file. Raises an `InputError` if its length or CRC-32 is wrong."""
    path = _DATA / name
    try:
        return gzip.decompress(path.read_bytes())
    except (OSError, EOFError, zlib.error):
        raise damaged(str(path)) from None


def packed(data: bytes) -> bytes:
    """Return the compressed file for some bytes. Equal bytes give equal files."""
    return gzip.compress(data, mtime=0)


def damaged(name: str) -> InputError:
    """Return the error for a data file that is missing or damaged."""
    return InputError(N_("{given} is damaged or missing: install yomikiri again"), given=name)
