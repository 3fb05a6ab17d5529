"""Locks of files: while one program works on a file, no other does; a lock goes with the process that holds it."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def locked(path: Path) -> int:
    """The lock file `path`, open and held; raises `OSError` where another process, or another part of this one, holds
    it."""
    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
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
    path.unlink(missing_ok=True)
    os.close(lock)


def is_held(path: Path) -> bool:
    """Whether a running program holds that lock file."""
    try:
        lock = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False
