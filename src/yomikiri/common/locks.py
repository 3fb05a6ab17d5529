"""Locks of files: while one program works on a file, no other does; a lock goes with the process that holds it.

`filelock` knows what a lock is on each system. It is imported where a lock is asked for: that takes longer than what
most programs do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EWOULDBLOCK
from pathlib import Path


def locked(path: Path) -> int:
    """The lock file `path`, open and held; raises `BlockingIOError` where another process, or another part of this one,
    holds it, and `OSError` where none can be made."""
    from filelock import lock_descriptor

    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not lock_descriptor(lock, blocking=False):
                raise BlockingIOError(EWOULDBLOCK, os.strerror(EWOULDBLOCK), str(path))
            # Its last holder may have removed the file between the two calls: then it is nobody's lock.
            if os.path.samestat(os.fstat(lock), path.stat()):
                return lock
        except FileNotFoundError:
            pass
        except OSError:
            os.close(lock)
            raise
        os.close(lock)


def unlock(path: Path, lock: int) -> None:
    """Let go of a lock that `locked` gave, and remove its file."""
    try:
        path.unlink(missing_ok=True)
    except PermissionError:
        # Windows removes no file that is open, and so none that somebody else holds by now either.
        os.close(lock)
        with suppress(PermissionError):
            path.unlink(missing_ok=True)
        return
    os.close(lock)


def is_held(path: Path) -> bool:
    """Whether a running program holds that lock file."""
    try:
        lock = os.open(path, os.O_RDWR)
    except OSError:
        return False
    from filelock import lock_descriptor

    try:
        return not lock_descriptor(lock, blocking=False)
    except OSError:
        return True
    finally:
        os.close(lock)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until no other program holds the lock file `path`, and hold it meanwhile; the file stays. Raises
    `OSError`."""
    from filelock import lock_descriptor

    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        lock_descriptor(lock)
        yield
    finally:
        os.close(lock)
