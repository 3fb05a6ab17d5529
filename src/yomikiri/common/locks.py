"""Lock files: only one process at a time works on a file. The system releases a lock when its process ends.

`filelock` implements locks on each system. It is imported on first use, because the import takes longer than most
commands.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EWOULDBLOCK
from pathlib import Path


def acquire_lock(path: Path) -> int:
    """Open and lock the lock file `path` without waiting, and return its file descriptor.

    Raises `BlockingIOError` if another process, or another part of this process, holds the lock. Raises `OSError` if
    the file cannot be created.
    """
    from filelock import lock_descriptor

    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not lock_descriptor(lock, blocking=False):
                raise BlockingIOError(EWOULDBLOCK, os.strerror(EWOULDBLOCK), str(path))
            # The last holder may have removed the file after this process opened it and before this process locked it.
            # A lock on a removed file excludes no one.
            if os.path.samestat(os.fstat(lock), path.stat()):
                return lock
        except FileNotFoundError:
            pass
        except OSError:
            os.close(lock)
            raise
        os.close(lock)


def unlock(path: Path, lock: int) -> None:
    """Release a lock that `acquire_lock` returned, and remove its file."""
    try:
        path.unlink(missing_ok=True)
    except PermissionError:
        # Windows does not remove an open file, so close it first. If another process has locked the file in the
        # meantime, it has the file open, and the file is not removed.
        os.close(lock)
        with suppress(PermissionError):
            path.unlink(missing_ok=True)
        return
    os.close(lock)


def is_held(path: Path) -> bool:
    """Return True if a running process holds the lock file `path`."""
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
def exclusive_lock(path: Path) -> Iterator[None]:
    """Wait for the lock file `path`, and hold it during the `with` block. The file is kept. Raises `OSError`."""
    from filelock import lock_descriptor

    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        lock_descriptor(lock)
        yield
    finally:
        os.close(lock)
