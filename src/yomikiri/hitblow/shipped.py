"""Files that come with the program, in `data`: compressed, and read whole or not at all."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from yomikiri.common.errors import N_, InputError

_DATA = Path(__file__).parent / "data"


def read_shipped(name: str) -> bytes:
    """What a file holds; raises an `InputError` unless it is as it was written, by its length and CRC-32."""
    path = _DATA / name
    try:
        return gzip.decompress(path.read_bytes())
    except (OSError, EOFError, zlib.error):
        raise damaged(str(path)) from None


def packed(data: bytes) -> bytes:
    """The file that holds these bytes; the same bytes always give the same file."""
    return gzip.compress(data, mtime=0)


def damaged(name: str) -> InputError:
    """The error for a file that came with the program and is not as it was."""
    return InputError(N_("{given} is damaged or missing: install yomikiri again"), given=name)
